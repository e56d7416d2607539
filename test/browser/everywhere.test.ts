/** What must hold on every screen: accessible in light and dark, nothing sideways on a small phone, every word in the language. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import english from '../../locales/en.json';
import { languageCodes } from '../../model/languages';
import {
  accessibilityProblems,
  administer,
  onStage,
  type Stage,
  sidewaysScroll,
  signInAsAdmin,
  type Visitor,
  visitor,
} from '../support/browser';
import { frameOf, textOf } from '../support/editor';
import type { Person } from '../support/hostWorld';

/** One with long words, one with long sentences, one from right to left, one with another script. */
const sample: readonly string[] = ['fr', 'de', 'es', 'it', 'ar', 'ru', 'ja'];
const textsOf = (language: string): Record<string, string> =>
  JSON.parse(readFileSync(join(__dirname, '..', '..', 'locales', `${language}.json`), 'utf8'));
/** Beside English, and how wide the screen is that they are read on. */
const others = languageCodes
  .filter((code) => sample.includes(code))
  .map((language) => ({ language, texts: textsOf(language), width: language === 'fr' ? undefined : 320 }));

interface Screen {
  name: string;
  /** Signed in as: `ann` administers folders, `bob` is a stranger, `admin` administers the server, nobody is a guest. */
  as?: 'ann' | 'bob' | 'admin';
  place: () => string;
  /** What must be there before anything is looked at, in any language. */
  ready: (page: Page) => Promise<unknown>;
  /** Brings the screen into its state. */
  act?: (page: Page) => Promise<unknown>;
}

describe('every screen', function () {
  this.timeout(60_000);
  const people: Partial<Record<'ann' | 'bob', Person>> = {};
  let adminToken = '';
  const ids = { folder: '', empty: '', locked: '', open: '', pad: '', lockedPad: '', readonly: '', list: '' };
  const folder =
    (rest: string, id: keyof typeof ids = 'folder') =>
    () =>
      `/mypads/group/${ids[id]}/${rest}`;
  const links = (page: Page) => page.getByRole('main').getByRole('link').first().waitFor();
  const radio = (page: Page) => page.getByRole('main').getByRole('radio').first().waitFor();
  const field = (page: Page) => page.getByRole('main').getByRole('textbox').first().waitFor();

  const screens: readonly Screen[] = [
    { name: 'signing in', place: () => '/login', ready: field },
    {
      name: 'registering, with errors',
      place: () => '/subscribe',
      ready: field,
      act: (page) => page.getByRole('main').locator('button[type="submit"]').click(),
    },
    { name: 'the folders', as: 'ann', place: () => '/mypads', ready: links },
    {
      name: 'the bookmarks',
      as: 'ann',
      place: () => '/mybookmarks',
      ready: (page) => page.getByRole('heading', { level: 1 }).waitFor(),
    },
    { name: 'the user lists', as: 'ann', place: () => '/myuserlists', ready: links },
    {
      name: 'changing a user list',
      as: 'ann',
      place: () => `/myuserlists/${ids.list}/edit`,
      ready: field,
    },
    { name: 'a folder', as: 'ann', place: folder('view'), ready: links },
    {
      name: 'a folder with chosen pads',
      as: 'ann',
      place: folder('view'),
      ready: links,
      act: async (page) => {
        await page.locator('main button[aria-pressed]:has(.lucide-square-check)').click();
        await page.getByRole('listitem').getByRole('checkbox').first().check({ force: true });
      },
    },
    {
      name: 'the menu of a pad',
      as: 'ann',
      place: folder('view'),
      ready: links,
      act: (page) => page.getByRole('listitem').locator('[aria-haspopup="menu"]').first().click(),
    },
    { name: 'a folder without pads', as: 'ann', place: folder('view', 'empty'), ready: links },
    {
      name: 'a search without result',
      as: 'ann',
      place: folder('view?q=zzzz'),
      ready: (page) => page.getByText('zzzz').waitFor(),
    },
    {
      name: 'removing a folder',
      as: 'ann',
      place: folder('remove'),
      ready: (page) => page.getByRole('dialog').waitFor(),
    },
    {
      name: 'making a folder, with errors',
      as: 'ann',
      place: () => '/mypads/group/add',
      ready: field,
      act: async (page) => {
        await page.getByRole('radio').nth(1).check({ force: true });
        await page.locator('button[type="submit"]').click();
      },
    },
    { name: 'changing a folder', as: 'ann', place: folder('edit'), ready: field },
    {
      name: 'sharing a folder, with suggestions and changes',
      as: 'ann',
      place: folder('user/invite'),
      ready: (page) => page.getByRole('dialog').getByRole('combobox').first().waitFor(),
      act: async (page) => {
        const dialog = page.getByRole('dialog');
        await dialog.getByRole('radio').nth(1).check({ force: true });
        await dialog.getByRole('combobox').first().fill('nobody@example.org,boar');
      },
    },
    {
      name: 'sharing a folder, for a guest',
      place: () => `/mypads/group/${ids.open}/view`,
      ready: links,
      act: (page) => page.locator('main header button').first().click(),
    },
    {
      name: 'making a pad with settings of its own',
      as: 'ann',
      place: folder('pad/add'),
      ready: field,
      act: (page) => page.locator('input[name="inherit"]').click(),
    },
    {
      name: 'changing a pad',
      as: 'ann',
      place: () => `/mypads/group/${ids.folder}/pad/edit/${ids.readonly}`,
      ready: field,
    },
    {
      name: 'moving pads',
      as: 'ann',
      place: folder('pad/move'),
      ready: (page) => page.getByRole('combobox').waitFor(),
    },
    {
      name: 'a pad',
      as: 'ann',
      place: () => `/mypads/group/${ids.folder}/pad/view/${ids.pad}`,
      ready: (page) => page.locator('iframe').waitFor(),
    },
    {
      name: 'a pad that can only be read',
      as: 'ann',
      place: () => `/mypads/group/${ids.folder}/pad/view/${ids.readonly}`,
      ready: (page) => page.locator('iframe').waitFor(),
    },
    { name: 'somebody else’s folder', as: 'bob', place: folder('view'), ready: links },
    {
      name: 'somebody else’s pad',
      as: 'bob',
      place: () => `/mypads/group/${ids.folder}/pad/view/${ids.pad}`,
      ready: links,
    },
    {
      name: 'a folder that does not exist',
      as: 'ann',
      place: () => '/mypads/group/nothing/view',
      ready: links,
    },
    { name: 'an address that means nothing', as: 'ann', place: () => '/nowhere', ready: links },
    { name: 'a restricted folder, for a guest', place: folder('view'), ready: links },
    {
      name: 'a private folder, for a guest',
      place: folder('view', 'locked'),
      ready: (page) => page.locator('input[type="password"]').waitFor(),
    },
    {
      name: 'a private pad with a wrong password',
      place: () => `/mypads/group/${ids.locked}/pad/view/${ids.lockedPad}`,
      ready: (page) => page.locator('input[type="password"]').waitFor(),
      act: async (page) => {
        await page.locator('input[type="password"]').fill('wrong');
        await page.keyboard.press('Enter');
        await page.getByRole('alert').filter({ hasText: /./ }).first().waitFor();
      },
    },
    { name: 'a public folder, for a guest', place: folder('view', 'open'), ready: links },
    { name: 'signing in as an administrator', place: () => '/admin', ready: field },
    { name: 'the first steps', as: 'admin', place: () => '/admin/first-steps?step=accounts', ready: radio },
    { name: 'all settings', as: 'admin', place: () => '/admin', ready: field },
    {
      name: 'a setting that is refused',
      as: 'admin',
      place: () => '/admin?q=passwordMin',
      ready: field,
      act: async (page) => {
        await page.locator('main input[inputmode="numeric"]').first().fill('0');
        await page.keyboard.press('Enter');
        await page.locator('main [role="alert"] svg').first().waitFor();
      },
    },
    {
      name: 'the settings of a directory',
      as: 'admin',
      place: () => '/admin?q=authLdapSettings',
      ready: (page) => page.locator('main summary').waitFor(),
      act: async (page) => {
        await page.locator('main summary').click();
        await page.locator('main details textarea').first().waitFor();
      },
    },
    { name: 'all users', as: 'admin', place: () => '/admin/users', ready: links },
    { name: 'making an account', as: 'admin', place: () => '/admin/users/create', ready: field },
    {
      name: 'changing an account',
      as: 'admin',
      place: () => `/admin/users/${people.ann?.login}/edit`,
      ready: field,
    },
    {
      name: 'removing an account',
      as: 'admin',
      place: () => `/admin/users/${people.ann?.login}/remove`,
      ready: (page) => page.getByRole('dialog').getByRole('listitem').first().waitFor(),
    },
    { name: 'all folders', as: 'admin', place: () => '/admin/folders', ready: links },
    { name: 'all pads', as: 'admin', place: () => '/admin/pads', ready: links },
    { name: 'the numbers', as: 'admin', place: () => '/admin/numbers', ready: links },
    {
      name: 'the checkup',
      as: 'admin',
      place: () => '/admin/checkup',
      ready: (page) => page.getByRole('main').getByRole('listitem').first().waitFor(),
    },
    {
      name: 'the log',
      as: 'admin',
      place: () => '/admin/log',
      ready: (page) => page.getByRole('main').getByRole('listitem').first().waitFor(),
    },
    {
      name: 'the keyboard shortcuts',
      as: 'ann',
      place: () => '/mypads',
      ready: links,
      act: async (page) => {
        await page.keyboard.press('?');
        await page.locator('dialog dl').waitFor();
      },
    },
  ];

  let stage: Stage;
  let now: Visitor;

  before(async function () {
    this.timeout(180_000);
    stage = await onStage();
    const { world } = stage;
    const ann = await world.person('ann');
    const carol = await world.person('carol');
    adminToken = await signInAsAdmin(stage.etherpad);
    Object.assign(people, { ann, bob: await world.person('bob') });
    ids.folder = await world.group(ann, {
      name: 'A name of forty characters, all of them.',
      description: 'What this is for, in a sentence or two.',
      tags: ['first', 'second one', 'a tag that is nearly forty characters on'],
    });
    await world.invite(ann, ids.folder, [carol.login]);
    const body = { name: 'Board of the school and of its friends', loginsOrEmails: [carol.login] };
    const list = await stage.etherpad.api('POST', 'userlist', { token: ann.token, body });
    ids.list = (list.body as { key: string }).key;
    ids.pad = await world.pad(ann, ids.folder, { name: 'Minutes' });
    ids.readonly = await world.pad(ann, ids.folder, {
      name: 'Averyveryverylongnamewithoutanyspace1234',
      readonly: true,
    });
    await world.pad(ann, ids.folder, { name: 'Hidden', visibility: 'private', password: 'sesame' });
    ids.empty = await world.group(ann, { name: 'Empty' });
    ids.locked = await world.group(ann, { name: 'Locked', visibility: 'private', password: 'sesame' });
    ids.lockedPad = await world.pad(ann, ids.locked, { name: 'Inside' });
    ids.open = await world.group(ann, { name: 'Fair', visibility: 'public', readonly: true, archived: true });
    await world.pad(ann, ids.open, { name: 'Programme' });
  });

  afterEach(async () => {
    await now.close();
  });

  async function show(
    { as, place, ready, act }: Screen,
    options: { language?: string; width?: number },
  ): Promise<Page> {
    const { language, width } = options;
    const screen = width === undefined ? 'desktop' : { width, height: 640 };
    now = await visitor(stage, {
      as: as === 'admin' || as === undefined ? undefined : people[as],
      language,
      screen,
    });
    if (as === 'admin') await administer(now.page, adminToken);
    await now.open(place());
    await ready(now.page);
    await act?.(now.page);
    return now.page;
  }

  for (const screen of screens) {
    it(`${screen.name}: is for everybody, in light and in dark`, async () => {
      const page = await show(screen, {});
      expect(await accessibilityProblems(page), 'light').to.deep.equal([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.evaluate(
        () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
      );
      expect(await accessibilityProblems(page), 'dark').to.deep.equal([]);
      expect(now.complaints()).to.deep.equal([]);
    });

    it(`${screen.name}: fits on a phone of 320 px, and with the text at 200 %`, async () => {
      const page = await show(screen, { width: 320 });
      expect(await sidewaysScroll(page), 'small phone').to.deep.equal([]);
      expect(await accessibilityProblems(page), 'targets and the rest').to.deep.equal([]);
      await page.setViewportSize({ width: 640, height: 800 });
      await page.addStyleTag({ content: 'html { font-size: 200% !important }' }).catch(() => undefined);
      expect(await sidewaysScroll(page), 'large text').to.deep.equal([]);
    });

    it(`${screen.name}: speaks each language from the first to the last word, also on a small phone`, async () => {
      for (const { language, texts, width } of others) {
        const page = await show(screen, { language, width });
        expect(await page.locator('html').getAttribute('lang')).to.equal(language);
        expect(await foreignWords(page, texts), language).to.deep.equal([]);
        expect(await sidewaysScroll(page), language).to.deep.equal([]);
        await now.close();
      }
    });
  }

  it('the editor in its frame is read aloud by the name of its pad', async () => {
    now = await visitor(stage, { as: people.ann });
    await now.open(`/mypads/group/${ids.folder}/pad/view/${ids.pad}`);
    await textOf(frameOf(now.page)).waitFor({ state: 'attached', timeout: 60_000 });
    expect(await now.page.locator('iframe').getAttribute('title')).to.equal('Editor of the pad Minutes');
  });
});

/** Words of the page, shown or read aloud, that are English where its language has others, or that are the name of a text. */
async function foreignWords(page: Page, translations: Readonly<Record<string, string>>): Promise<string[]> {
  const own = new Set(Object.values(translations));
  const foreign = Object.entries<string>(english)
    .filter(([key, text]) => translations[key] !== text && !own.has(text) && !text.includes('{{'))
    .map(([, text]) => text);
  const words = await page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: string[] = [];
    while (walker.nextNode()) {
      // Names in the lists of all folders and pads: other tests of this run have given them.
      if (walker.currentNode.parentElement?.closest('main li a[href*="group"]')) continue;
      texts.push(walker.currentNode.textContent ?? '');
    }
    for (const element of document.querySelectorAll('[aria-label], [title], [placeholder]')) {
      for (const name of ['aria-label', 'title', 'placeholder']) texts.push(element.getAttribute(name) ?? '');
    }
    return [...new Set(texts.map((text) => text.trim()).filter(Boolean)), document.title];
  });
  return words.filter((word) => foreign.includes(word) || Object.hasOwn(english, word));
}
