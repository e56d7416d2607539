/** The checks of the server: which state each finding has, and that the page has a text for each finding. */
import { expect } from 'chai';
import texts from '../../locales/en.json';
import { type Check, checked, checkFindings, unchecked } from '../../model/checkup/findings';
import { checkDatabase, checkHost, checkNode, checkPlugins } from '../../model/checkup/hostChecks';

import {
  completeAddress,
  completeProxy,
  etherpadAddress,
} from '../../static/app/screens/admin/checkup/comparisons';

const found = ({ finding, state }: Check): string => `${finding} (${state})`;

describe('the checks of the server', () => {
  it('know which version of Etherpad has which weaknesses', () => {
    const expected: Record<string, string> = {
      '1.8.14': 'old (warning)',
      '2.0.9': 'old (warning)',
      '2.1.0': 'tokens (error)',
      '2.5.3': 'tokens (error)',
      '3.0.0': 'tokens (error)',
      '3.0.1': 'signIn (error)',
      '3.3.5': 'signIn (error)',
      '3.3.6': 'old (warning)',
      '3.3.19': 'old (warning)',
      '3.3.20': 'good (ok)',
      '4.0.0': 'good (ok)',
    };
    const of = (version: string, acceptsTokens = true, updatesItself = false) =>
      found(checkHost({ version, acceptsTokens, updatesItself }));
    expect(Object.fromEntries(Object.keys(expected).map((version) => [version, of(version)]))).to.deep.equal(
      expected,
    );
    expect(of('2.5.3', false), 'with a key instead of tokens').to.equal('old (warning)');
    expect(of('3.3.20', true, true), 'which starts again by itself').to.equal('selfUpdate (warning)');
    expect(of('3.3.19', true, true)).to.equal('selfUpdate (warning)');
    expect(of('3.3.5', true, true), 'the worse of two').to.equal('signIn (error)');
  });

  it('know plugins that show pads to everybody', () => {
    expect(found(checkPlugins(['ep_etherpad-lite', 'ep_mypads', 'ep_align']))).to.equal('good (ok)');
    const showing = checkPlugins(['ep_search', 'ep_mypads', 'ep_public_view']);
    expect([found(showing), showing.facts.plugins]).to.deep.equal([
      'showPads (error)',
      'ep_public_view, ep_search',
    ]);
  });

  it('know until when each Node gets security fixes', () => {
    const on = (day: string, version: string) => found(checkNode(version, Date.parse(`${day}T12:00:00Z`)));
    expect(on('2026-01-01', '18.20.0')).to.equal('tooOld (error)');
    expect(on('2026-04-30', '20.19.0')).to.equal('good (ok)');
    expect(on('2026-05-01', '20.19.0')).to.equal('ended (warning)');
    expect(on('2026-05-01', '21.7.0')).to.equal('ended (warning)');
    expect(on('2027-05-01', '22.1.0')).to.equal('ended (warning)');
    expect(on('2027-05-01', '24.1.0')).to.equal('good (ok)');
    expect(on('2030-01-01', '30.0.0'), 'not known yet').to.equal('good (ok)');
  });

  it('compare the cache of PostgreSQL with the number of records', () => {
    const of = (type: string, cache: number | undefined, records: number) =>
      found(checkDatabase({ type, cache }, records));
    expect(of('dirty', 0, 5)).to.equal('embedded (warning)');
    expect(of('postgres', 1000, 5000)).to.equal('smallCache (warning)');
    expect(of('postgres', 1000, 900)).to.equal('good (ok)');
    expect(of('postgres', 10_000, 900_000)).to.equal('good (ok)');
    expect(of('postgres', undefined, 5000)).to.equal('good (ok)');
    expect(of('sqlite', 1000, 5000), 'cannot be changed there').to.equal('good (ok)');
    expect(of('mysql', 10_000, 50_000)).to.equal('good (ok)');
  });

  it('have a text for each finding, and say how to mend each that is not good', () => {
    const all: Readonly<Record<string, string>> = texts;
    const missing = Object.entries(checkFindings).flatMap(([id, findings]) =>
      Object.entries(findings).flatMap(([finding, state]) => {
        const key = `admin.checkup.${id}.${finding}`;
        return [key, ...(state === 'ok' ? [] : [`${key}.fix`])].filter((one) => !all[one]);
      }),
    );
    expect(missing).to.deep.equal([]);
    expect(all).to.include.keys('admin.checkup.unchecked', 'admin.checkup.unchecked.fix');
    const known = new Set(
      Object.entries(checkFindings).flatMap(([id, findings]) =>
        Object.keys(findings).map((finding) => `admin.checkup.${id}.${finding}`),
      ),
    );
    const unused = Object.keys(all).filter(
      (key) => /^admin\.checkup\.\w+\.\w+/.test(key) && !/\.(state|unchecked)\./.test(key),
    );
    expect(unused.filter((key) => !known.has(key.replace(/\.fix$/, '')))).to.deep.equal([]);
  });

  it('have no result where they cannot run', () => {
    expect(checked('mail', unchecked, { reason: 'no answer in time' })).to.deep.equal({
      id: 'mail',
      finding: 'unchecked',
      state: 'unknown',
      facts: { reason: 'no answer in time' },
    });
  });

  it('compare the address in the window with the setting, whatever the path of the page', () => {
    expect(etherpadAddress('https://pads.example.org', '/mypads/')).to.equal('https://pads.example.org/');
    const here = etherpadAddress('https://example.org', '/pads/mypads/');
    expect(here).to.equal('https://example.org/pads/');
    const set = (rootUrl: string) => completeAddress(checked('address', 'good', { rootUrl }), here);
    for (const same of [
      'https://example.org/pads',
      'https://example.org/pads/',
      'HTTPS://Example.org:443/pads',
    ]) {
      expect(found(set(same)), same).to.equal('good (ok)');
    }
    for (const other of [
      'http://example.org/pads',
      'https://example.org',
      'https://example.org:8443/pads',
      'x',
    ]) {
      expect(set(other)).to.deep.include({
        finding: 'elsewhere',
        state: 'error',
        facts: { rootUrl: other, page: 'https://example.org/pads' },
      });
    }
    expect(completeAddress(checked('address', 'notSet'), here).facts).to.deep.equal({
      page: 'https://example.org/pads',
    });
  });

  it('compare scheme and host of the window with those that the server has seen', () => {
    const seen = (protocol: string, host: string, finding: 'none' | 'trusted' | 'notTrusted' = 'trusted') =>
      completeProxy(
        checked('proxy', finding, { protocol, host, address: '::1' }),
        'https://pads.example.org/',
      );
    expect(found(seen('https', 'pads.example.org'))).to.equal('trusted (ok)');
    expect(found(seen('https', 'pads.example.org:443'))).to.equal('trusted (ok)');
    expect(seen('http', 'pads.example.org', 'none')).to.deep.include({
      finding: 'scheme',
      state: 'error',
      facts: { seen: 'http', page: 'https' },
    });
    expect(seen('https', '127.0.0.1:9001')).to.deep.include({
      finding: 'host',
      facts: { seen: '127.0.0.1:9001', page: 'pads.example.org' },
    });
    expect(found(seen('http', '127.0.0.1:9001', 'notTrusted'))).to.equal('scheme (error)');
    expect(found(seen('https', '127.0.0.1:9001', 'notTrusted'))).to.equal('notTrusted (warning)');
  });
});
