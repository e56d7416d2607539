import { expect } from 'chai';
import { browserName } from '../../static/app/lib/browserName';

const mozilla = 'Mozilla/5.0';
const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';

describe('the name of a browser in the list of sessions', () => {
  const cases: [header: string, browser: string, system: string, phone: boolean][] = [
    [`${mozilla} (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0`, 'Firefox', 'Linux', false],
    [
      `${mozilla} (Windows NT 10.0; Win64; x64) ${webkit} Chrome/126.0.0.0 Safari/537.36`,
      'Chrome',
      'Windows',
      false,
    ],
    [
      `${mozilla} (Windows NT 10.0; Win64; x64) ${webkit} Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0`,
      'Edge',
      'Windows',
      false,
    ],
    [
      `${mozilla} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15`,
      'Safari',
      'macOS',
      false,
    ],
    [
      `${mozilla} (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1`,
      'Safari',
      'iPhone',
      true,
    ],
    [
      `${mozilla} (Linux; Android 14; Pixel 8) ${webkit} Chrome/126.0.0.0 Mobile Safari/537.36`,
      'Chrome',
      'Android',
      true,
    ],
    ['curl/8.5.0', 'curl', '', false],
    [`${mozilla} (compatible)`, '', '', false],
    ['', '', '', false],
    [`${'x'.repeat(200)}`, 'x'.repeat(40), '', false],
  ];

  it('is the name that people know', () => {
    const wrong = cases.filter(([header, browser, system, phone]) => {
      const found = browserName(header);
      return found.browser !== browser || found.system !== system || found.phone !== phone;
    });
    expect(wrong.map(([header]) => [header, browserName(header)])).to.deep.equal([]);
  });
});
