/** Criteria of WCAG 2.2 that the other tests of screens do not look at, on the screens that people use most. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { accessibilityProblems, heading, sidewaysScroll, useApp } from '../support/browser';

/** The distances of 1.4.12, Text Spacing. */
const spacing = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
  p { margin-bottom: 2em !important; }`;

/** Texts of controls and headings that are cut off. Names of people's own are meant to end in an ellipsis. */
function cutTexts(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('main button, main h1, main h2, main label, main p')]
      .filter((element) => {
        const { overflow, overflowX, textOverflow } = getComputedStyle(element);
        const clips = overflow === 'hidden' || overflowX === 'hidden' || overflowX === 'clip';
        const { scrollWidth, scrollHeight, clientWidth, clientHeight } = element;
        const isLarger = scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1;
        return clips && textOverflow !== 'ellipsis' && clientWidth > 1 && isLarger;
      })
      .map((element) => element.outerHTML.slice(0, 160)),
  );
}

interface Stop {
  /** What has the focus. */
  control: string;
  /** It is in the window, and nothing lies over all of it. */
  isSeen: boolean;
  /** It looks different from before. */
  isMarked: boolean;
}

/** What has the focus now; `undefined` outside the page, or in a frame. */
function stopOf(page: Page): Promise<Stop | undefined> {
  return page.evaluate(() => {
    const control = document.activeElement;
    if (control === null || control === document.body || control instanceof HTMLIFrameElement)
      return undefined;
    // Switches and choices show the state and the focus of an input that is not drawn itself.
    const isChoice = control.matches('[type=checkbox], [type=radio]');
    const shown = (isChoice && (control as HTMLInputElement).labels?.[0]) || control;
    const { left, right, top, bottom } = shown.getBoundingClientRect();
    const isSeen = [0.1, 0.5, 0.9].some((x) =>
      [0.2, 0.5, 0.8].some((y) => {
        const there = document.elementFromPoint(left + (right - left) * x, top + (bottom - top) * y);
        return there !== null && (shown.contains(there) || there.contains(shown));
      }),
    );
    const parts = [shown, control, control.parentElement, control.nextElementSibling].filter(
      (one) => one !== null,
    );
    const isMarked = parts.some((one) =>
      [null, '::after', '::before'].some((pseudo) => {
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one, pseudo);
        return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none';
      }),
    );
    return { control: control.outerHTML.slice(0, 140), isSeen, isMarked };
  });
}

/** The content security policy allows no style element. */
const setSpacing = (page: Page, style: string): Promise<void> =>
  page.evaluate((css) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets = [sheet];
  }, style);

/** Everything that gets the focus by Tab from the beginning of the page, at most 40 controls. */
async function stopsOf(page: Page): Promise<Stop[]> {
  await page.evaluate(() => {
    document.body.tabIndex = -1;
    document.body.focus();
    document.body.removeAttribute('tabindex');
  });
  await page.keyboard.press('Tab');
  const seen: Stop[] = [];
  for (let stop = await stopOf(page); stop && seen.length < 40; stop = await stopOf(page)) {
    seen.push(stop);
    await page.keyboard.press('Tab');
  }
  return seen;
}

describe('WCAG 2.2 on the screens that people use most', function () {
  this.timeout(120_000);
  const app = useApp();
  const ann = app.usePerson('ann');
  let folder = '';

  before(async () => {
    folder = await app.fixture.group(ann, { name: 'Board', tags: ['school', 'minutes'] });
    for (const name of ['Agenda', 'Minutes', 'Budget', 'Letter', 'Poster', 'Members', 'Rooms', 'Keys'])
      await app.fixture.pad(ann, folder, { name });
  });

  const screens: [string, () => string, boolean][] = [
    ['the sign-in', () => '/login', false],
    ['the registration', () => '/subscribe', false],
    ['the folders', () => '/', true],
    ['a folder', () => `/mypads/group/${folder}/view`, true],
    ['the form of a folder', () => `/mypads/group/${folder}/edit`, true],
    ['the account', () => '/myprofile', true],
    ['a page of the guide', () => '/help/access', true],
  ];
  const open = async (path: string, signedIn: boolean): Promise<Page> => {
    const page = await app.open(path, { ...(signedIn && { as: ann }) });
    await heading(page).waitFor();
    await page.getByRole('main').locator('a:visible, button:visible, input:visible').first().waitFor();
    return page;
  };

  for (const [name, path, signedIn] of screens) {
    it(`${name}: controls are large enough, the focus is visible, and nothing is cut off with text spacing`, async () => {
      const page = await open(path(), signedIn);
      for (const width of [1280, 320]) {
        await page.setViewportSize({ width, height: 800 });
        const rules = ['target-size', 'label-content-name-mismatch'];
        expect(await accessibilityProblems(page, rules), `${width} px, 2.5.8 and 2.5.3`).to.deep.equal([]);
        const seen = await stopsOf(page);
        expect(seen.length, `${width} px`).to.be.greaterThan(3);
        expect(
          seen.filter(({ isSeen, isMarked }) => !isSeen || !isMarked),
          `${width} px, 2.4.7 and 2.4.11`,
        ).to.deep.equal([]);
        await setSpacing(page, spacing);
        expect(await sidewaysScroll(page), `${width} px, 1.4.12`).to.deep.equal([]);
        expect(await cutTexts(page), `${width} px, 1.4.12`).to.deep.equal([]);
        await setSpacing(page, '');
      }
    });
  }

  it('the bar about selected pads is never over what has the focus (2.4.11)', async () => {
    for (const width of [1280, 390]) {
      const page = await open(`/mypads/group/${folder}/view`, true);
      await page.setViewportSize({ width, height: 600 });
      await page.getByRole('button', { name: 'Select pads' }).click();
      await page.getByRole('checkbox').first().check({ force: true });
      await page.getByText('1 selected').first().waitFor();
      const seen = await stopsOf(page);
      expect(
        seen.filter(({ isSeen }) => !isSeen),
        `${width} px`,
      ).to.deep.equal([]);
    }
  });
});
