/** What holds on every screen: accessible in light and dark, no sideways scrolling on a phone, fully translated. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import english from '../../locales/en.json';
import { type LanguageCode, languageCodes } from '../../model/languages';
import {
  accessibilityProblems,
  becomePhone,
  colourRules,
  showTheme,
  sidewaysScroll,
  switchLanguage,
  useApp,
} from '../support/browser';
import { untilEditorIsReady } from '../support/editor';
import { ids, people, type Screen, screens } from '../support/screens';

/** German has the longest words, Arabic is written from right to left. The others take turns from screen to screen. */
const always: readonly LanguageCode[] = ['de', 'ar'];
const turns = languageCodes.filter((code) => !['en', ...always].includes(code));
const textsOf = (language: LanguageCode): Record<string, string> =>
  JSON.parse(readFileSync(join(__dirname, '..', '..', 'locales', `${language}.json`), 'utf8'));

describe('every screen', function () {
  this.timeout(90_000);
  const app = useApp();
  let adminToken = '';
  /** Settings to reset after the test. */
  let changed: string[] = [];

  before(async () => {
    const { fixture } = app;
    const ann = await fixture.person('ann');
    const carol = await fixture.person('carol');
    adminToken = await app.signInAsAdmin();
    Object.assign(people, { ann, bob: await fixture.person('bob') });
    ids.folder = await fixture.group(ann, {
      name: 'A name of forty characters, all of them.',
      description: 'What this is for, in a sentence or two.',
      tags: ['first', 'second one', 'a tag that is nearly forty characters on'],
    });
    await fixture.invite(ann, ids.folder, [carol.login]);
    await app.etherpad.api('POST', `group/${ids.folder}/requests`, {
      token: people.bob?.token,
      body: { text: 'A sentence with Averyveryverylongwordwithoutanyspacesatallthatgoesonforfiftyletters' },
    });
    const body = { name: 'Board of the school and of its friends', loginsOrEmails: [carol.login] };
    const list = await app.etherpad.api('POST', 'userlist', { token: ann.token, body });
    ids.list = (list.body as { key: string }).key;
    ids.pad = await fixture.pad(ann, ids.folder, { name: 'Minutes' });
    await app.etherpad.api('POST', `pad/${ids.pad}/people`, {
      token: ann.token,
      body: { loginsOrEmails: [(await fixture.person('dave')).login], role: 'reader' },
    });
    // The mail server does not exist, so the invitation stays in the list.
    const mailSettings = { rootUrl: app.etherpad.url, SMTPHost: '127.0.0.1', SMTPPort: 9 };
    for (const [key, value] of Object.entries({ ...mailSettings, SMTPEmailFrom: 'pads@example.org' }))
      await fixture.configure(key, value);
    await app.etherpad.api('POST', `group/${ids.folder}/invitations`, {
      token: ann.token,
      body: { loginsOrEmails: ['an.address.without.account@department-of-something.example.org'] },
    });
    ids.readonly = await fixture.pad(ann, ids.folder, {
      name: 'Averyveryverylongnamewithoutanyspace1234',
      readonly: true,
    });
    await fixture.pad(ann, ids.folder, { name: 'Hidden', visibility: 'private', password: 'sesame' });
    ids.empty = await fixture.group(ann, { name: 'Empty' });
    ids.locked = await fixture.group(ann, { name: 'Locked', visibility: 'private', password: 'sesame' });
    ids.lockedPad = await fixture.pad(ann, ids.locked, { name: 'Inside' });
    ids.open = await fixture.group(ann, {
      name: 'Fair',
      visibility: 'public',
      readonly: true,
      archived: true,
    });
    await fixture.pad(ann, ids.open, { name: 'Programme' });
  });

  after(() => app.reset('rootUrl', 'SMTPHost', 'SMTPPort', 'SMTPEmailFrom'));
  afterEach(async () => {
    await app.reset(...changed);
    changed = [];
  });

  /** Opens the screen in a new window. */
  async function show({ as, path, settings = {}, ready, act }: Screen): Promise<Page> {
    changed = Object.keys(settings);
    for (const [key, value] of Object.entries(settings)) await app.fixture.configure(key, value);
    const page = await app.open(
      path(),
      as === 'admin' ? { adminToken } : as !== undefined ? { as: people[as], language: 'en' } : {},
    );
    await ready(page);
    await act?.(page);
    return page;
  }

  for (const [index, screen] of screens.entries()) {
    const turn = turns[index % turns.length];
    it(`${screen.name}: accessible, fits a phone of 320 px and text of 200 %, also in ${always.join(', ')} and ${turn}`, async () => {
      const page = await show(screen);
      if (screen.wide === 'in both') expect(await accessibilityProblems(page), 'light').to.deep.equal([]);
      await showTheme(page, 'dark');
      const rules = screen.wide ? undefined : colourRules;
      expect(await accessibilityProblems(page, rules), 'dark').to.deep.equal([]);
      await showTheme(page, 'light');
      await becomePhone(page, 320);
      expect(await sidewaysScroll(page), 'small phone').to.deep.equal([]);
      expect(await accessibilityProblems(page), 'small phone').to.deep.equal([]);
      for (const language of [...always, ...(turn ? [turn] : [])]) {
        await switchLanguage(page, language);
        if (language === turn) expect(await foreignWords(page, textsOf(turn)), turn).to.deep.equal([]);
        expect(await sidewaysScroll(page), language).to.deep.equal([]);
      }
      await becomePhone(page, 640);
      await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%', 'important'));
      expect(await sidewaysScroll(page), 'large text').to.deep.equal([]);
      expect(await overlappingLines(page), 'large text').to.deep.equal([]);
    });
  }

  it('screen readers announce the editor with the name of its pad', async () => {
    const page = await app.open(`/mypads/group/${ids.folder}/pad/view/${ids.pad}`, {
      as: people.ann,
      language: 'en',
    });
    await untilEditorIsReady(page);
    expect(await page.locator('iframe').getAttribute('title')).to.equal('Editor of the pad Minutes');
  });
});

/** Texts whose lines are lower than their letters, because the height does not grow with the size of the text. */
const overlappingLines = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('body *')]
      .filter((one) => [...one.childNodes].some((node) => node instanceof Text && node.data.trim() !== ''))
      .filter((one) => {
        const { lineHeight, fontSize } = getComputedStyle(one);
        return one.checkVisibility() && Number.parseFloat(lineHeight) < Number.parseFloat(fontSize);
      })
      .map((one) => one.outerHTML.slice(0, 120)),
  );

/** Texts, shown or read aloud, that are English although the language has another text, and keys without a text. */
async function foreignWords(page: Page, translations: Readonly<Record<string, string>>): Promise<string[]> {
  const own = new Set(Object.values(translations));
  const foreign = Object.entries<string>(english)
    .filter(([key, text]) => translations[key] !== text && !own.has(text) && !text.includes('{{'))
    .map(([, text]) => text);
  const words = await page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: string[] = [];
    while (walker.nextNode()) {
      // Not the names in the lists of all folders and pads, because other tests of this process have created them.
      // Nor what the server has written for browsers without scripts, in the language that the browser asked for.
      // Nor the guide, which is in English where it is not translated.
      const left = 'main li a[href*="group"], noscript, main [lang="en"]';
      if (walker.currentNode.parentElement?.closest(left)) continue;
      texts.push(walker.currentNode.textContent ?? '');
    }
    for (const element of document.querySelectorAll('[aria-label], [title], [placeholder]')) {
      for (const name of ['aria-label', 'title', 'placeholder']) texts.push(element.getAttribute(name) ?? '');
    }
    return [...new Set(texts.map((text) => text.trim()).filter(Boolean)), document.title];
  });
  return words.filter((word) => foreign.includes(word) || Object.hasOwn(english, word));
}
