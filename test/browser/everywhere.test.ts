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
  heading,
  showTheme,
  sidewaysScroll,
  useApp,
} from '../support/browser';
import { untilEditorIsReady } from '../support/editor';
import { type Person, password } from '../support/hostFixture';

/** German has the longest words, Arabic is written from right to left. The others take turns from screen to screen. */
const always: readonly LanguageCode[] = ['de', 'ar'];
const turns = languageCodes.filter((code) => !['en', ...always].includes(code));
const textsOf = (language: LanguageCode): Record<string, string> =>
  JSON.parse(readFileSync(join(__dirname, '..', '..', 'locales', `${language}.json`), 'utf8'));

interface Screen {
  name: string;
  /** `ann` administers the folders, `bob` belongs to none, `admin` administers the server; otherwise a guest. */
  as?: 'ann' | 'bob' | 'admin';
  path: () => string;
  /** Waits until the screen is complete, in any language. */
  ready: (page: Page) => Promise<unknown>;
  /** Settings of the server that the screen needs. They get their defaults back afterwards. */
  settings?: Readonly<Record<string, unknown>>;
  /**
   * Has parts that a phone lays out in another way or leaves out: everything is checked on a desktop too. That is in
   * dark colours, because the light ones are those on a phone; `in both`: of parts that only a desktop has, too.
   */
  wide?: 'in dark' | 'in both';
  /** What the person does on the screen before it is checked. */
  act?: (page: Page) => Promise<unknown>;
}

describe('every screen', function () {
  this.timeout(90_000);
  const app = useApp();
  const people: Partial<Record<'ann' | 'bob', Person>> = {};
  let adminToken = '';
  /** Settings to reset after the test. */
  let changed: string[] = [];
  const ids = { folder: '', empty: '', locked: '', open: '', pad: '', lockedPad: '', readonly: '', list: '' };
  const folder =
    (rest: string, id: keyof typeof ids = 'folder') =>
    () =>
      `/mypads/group/${ids[id]}/${rest}`;
  const links = (page: Page) => page.getByRole('main').getByRole('link').first().waitFor();
  const main = (page: Page) => heading(page).waitFor();
  const article = (page: Page) => page.locator('article h2').first().waitFor();
  /** Selects the first row, and presses the button with this icon in the bar of the selection. */
  const askAboutSelected = async (page: Page, icon: string): Promise<void> => {
    await page.locator('main button[aria-pressed]:has(.lucide-square-check)').click();
    await page.getByRole('listitem').getByRole('checkbox').first().check({ force: true });
    await page.locator(`[data-selection] button:has(${icon})`).click();
    await page.getByRole('dialog').waitFor();
  };
  const radio = (page: Page) => page.getByRole('main').getByRole('radio').first().waitFor();
  const sharing = (page: Page) => page.locator('dialog [data-who]').waitFor();
  const field = (page: Page) => page.getByRole('main').getByRole('textbox').first().waitFor();

  const screens: readonly Screen[] = [
    { name: 'signing in', wide: 'in dark', path: () => '/login', ready: field },
    {
      name: 'registering, with errors',
      path: () => '/subscribe',
      ready: field,
      act: (page) => page.getByRole('main').locator('button[type="submit"]').click(),
    },
    {
      name: 'registering where it is closed',
      path: () => '/subscribe',
      settings: { openRegistration: false },
      ready: links,
    },
    {
      name: 'setting up a second step',
      path: () => '/login',
      settings: { secondFactor: 'everybody', rootUrl: 'https://pads.example.org' },
      ready: field,
      act: async (page) => {
        await page.locator('main input').first().fill(String(people.bob?.login));
        await page.locator('main input[type=password]').fill(password);
        await page.keyboard.press('Enter');
        await page.locator('dialog svg[role=img]').waitFor();
      },
    },
    { name: 'asking for a link to choose a password', path: () => '/passrecover', ready: main },
    {
      name: 'choosing a password with a link that does not work',
      path: () => `/passrecover/${'1'.repeat(64)}`,
      ready: links,
    },
    {
      name: 'confirming an address with a link that does not work',
      path: () => `/accountconfirm/${'1'.repeat(64)}`,
      ready: links,
    },
    { name: 'the guide', wide: 'in dark', path: () => '/help', ready: links },
    { name: 'a page of the guide', wide: 'in dark', path: () => '/help/access', ready: article },
    { name: 'a page of the guide for a person', as: 'ann', path: () => '/help/sharing', ready: article },
    { name: 'the search in the guide', path: () => '/help?q=password', ready: links },
    { name: 'the search in the guide, without a match', path: () => '/help?q=zzzz', ready: main },
    { name: 'a link to a folder that does not work', path: () => '/s/unknown', ready: links },
    { name: 'an invitation that has ended', path: () => '/invitation/unknown', ready: links },
    { name: 'no more invitations', path: () => '/noinvitations/unknown', ready: main },
    {
      name: 'the links to a folder',
      as: 'ann',
      path: folder('user/invite'),
      ready: sharing,
      act: async (page) => {
        await page.locator('dialog [data-links]').click();
        const dialog = page.locator('dialog').last();
        await dialog.locator('input[name=label]').fill('A label that is as long as a label may be');
        await dialog.locator('button[type=submit]').click();
        await dialog.locator('ul li').first().waitFor();
      },
    },
    {
      name: 'sharing a pad that is shared alone, with requests and invitations',
      as: 'ann',
      path: () => `/mypads/group/${ids.folder}/pad/view/${ids.pad}`,
      ready: (page) => page.locator('iframe').waitFor(),
      act: async (page) => {
        await page.locator('main header button[aria-haspopup=dialog]').click();
        const lists = page.locator('dialog form ul');
        await lists.nth(2).waitFor();
        await page.locator('dialog blockquote').waitFor();
      },
    },
    {
      name: 'who can open a folder',
      as: 'ann',
      path: folder('user/invite'),
      ready: sharing,
      act: async (page) => {
        await page.locator('dialog [data-who]').click();
        await page.locator('dialog').last().locator('li').nth(2).waitFor();
      },
    },
    {
      name: 'the requests for access',
      as: 'ann',
      path: () => '/myrequests',
      ready: (page) => page.getByRole('main').getByRole('listitem').first().waitFor(),
    },
    {
      name: 'asking for access',
      as: 'bob',
      path: folder('view'),
      ready: links,
      act: async (page) => {
        await page.locator('main button[aria-haspopup=dialog]').click();
        await page.locator('dialog textarea').waitFor();
      },
    },
    {
      name: 'handing over a folder',
      as: 'ann',
      path: folder('view'),
      ready: links,
      act: async (page) => {
        await page.locator('main header button[aria-haspopup=menu]').last().click();
        await page.getByRole('menuitem').and(page.locator(':has(.lucide-user-plus)')).click();
        await page.locator('dialog input[name=to]').waitFor();
      },
    },
    { name: 'the folders', wide: 'in both', as: 'ann', path: () => '/mypads', ready: links },
    {
      name: 'chosen folders',
      wide: 'in dark',
      as: 'ann',
      path: () => '/mypads',
      ready: links,
      act: async (page) => {
        await page.locator('main button[aria-pressed]:has(.lucide-square-check)').click();
        await page.getByRole('listitem').getByRole('checkbox').first().check({ force: true });
      },
    },
    {
      name: 'changing the tags of folders',
      as: 'ann',
      path: () => '/mypads',
      ready: links,
      act: (page) => askAboutSelected(page, '.lucide-tag'),
    },
    {
      name: 'removing chosen folders',
      as: 'ann',
      path: () => '/mypads',
      ready: links,
      act: (page) => askAboutSelected(page, '.lucide-trash'),
    },
    {
      name: 'the palette, with results',
      wide: 'in dark',
      as: 'ann',
      path: () => '/mypads',
      ready: links,
      act: async (page) => {
        await page.keyboard.press('Control+k');
        await page.getByRole('combobox').fill('a');
        await page.getByRole('option').nth(2).waitFor();
      },
    },
    {
      name: 'the folders, where everybody who is signed in may enter',
      as: 'ann',
      path: () => '/mypads',
      settings: { allPadsPublicsAuthentifiedOnly: true },
      ready: links,
    },
    {
      name: 'a folder of others, where everybody who is signed in may enter',
      as: 'bob',
      path: folder('view'),
      settings: { allPadsPublicsAuthentifiedOnly: true },
      ready: links,
    },
    {
      name: 'the account',
      as: 'ann',
      path: () => '/myprofile',
      ready: (page) => page.getByRole('main').getByRole('listitem').first().waitFor(),
    },
    {
      name: 'the account screen, switched off',
      as: 'ann',
      path: () => '/myprofile',
      settings: { disableUserProfile: true },
      ready: links,
    },
    {
      name: 'the people lists, switched off',
      as: 'ann',
      path: () => '/myuserlists',
      settings: { disableUserList: true },
      ready: links,
    },
    { name: 'a new people list', as: 'ann', path: () => '/myuserlists/add', ready: field },
    {
      name: 'the bookmarks',
      wide: 'in dark',
      as: 'ann',
      path: () => '/mybookmarks',
      ready: (page) => heading(page).waitFor(),
    },
    { name: 'the people lists', wide: 'in dark', as: 'ann', path: () => '/myuserlists', ready: links },
    {
      name: 'changing a user list',
      as: 'ann',
      path: () => `/myuserlists/${ids.list}/edit`,
      ready: field,
    },
    { name: 'a folder', wide: 'in dark', as: 'ann', path: folder('view'), ready: links },
    {
      name: 'a folder with chosen pads',
      wide: 'in dark',
      as: 'ann',
      path: folder('view'),
      ready: links,
      act: async (page) => {
        await page.locator('main button[aria-pressed]:has(.lucide-square-check)').click();
        await page.getByRole('listitem').getByRole('checkbox').first().check({ force: true });
      },
    },
    {
      name: 'removing chosen pads',
      as: 'ann',
      path: folder('view'),
      ready: links,
      act: (page) => askAboutSelected(page, '.lucide-trash'),
    },
    {
      name: 'moving chosen pads',
      as: 'ann',
      path: folder('view'),
      ready: links,
      act: (page) => askAboutSelected(page, '.lucide-folder-input'),
    },
    {
      name: 'the menu of a pad',
      as: 'ann',
      path: folder('view'),
      ready: links,
      act: (page) => page.getByRole('listitem').locator('[aria-haspopup="menu"]').first().click(),
    },
    { name: 'a folder without pads', as: 'ann', path: folder('view', 'empty'), ready: links },
    {
      name: 'a search without result',
      as: 'ann',
      path: folder('view?q=zzzz'),
      ready: (page) => page.getByText('zzzz').waitFor(),
    },
    {
      name: 'removing a folder',
      as: 'ann',
      path: folder('remove'),
      ready: (page) => page.getByRole('dialog').waitFor(),
    },
    {
      name: 'making a folder, with errors',
      as: 'ann',
      path: () => '/mypads/group/add',
      ready: field,
      act: async (page) => {
        await page.getByRole('radio').nth(1).check({ force: true });
        await page.locator('button[type="submit"]').click();
      },
    },
    { name: 'changing a folder', as: 'ann', path: folder('edit'), ready: field },
    {
      name: 'sharing a folder, with suggestions and changes',
      wide: 'in dark',
      as: 'ann',
      path: folder('user/invite'),
      ready: sharing,
      act: async (page) => {
        const dialog = page.getByRole('dialog');
        await dialog.getByRole('radio').nth(1).check({ force: true });
        await dialog.locator('input[role=combobox]').fill('nobody@example.org,boar');
      },
    },
    {
      name: 'sharing a folder, for a guest',
      path: () => `/mypads/group/${ids.open}/view`,
      ready: links,
      act: (page) => page.locator('main header button').first().click(),
    },
    {
      name: 'making a pad with settings of its own',
      as: 'ann',
      path: folder('pad/add'),
      ready: field,
      act: (page) => page.locator('input[name="inherit"]').click(),
    },
    {
      name: 'changing a pad',
      as: 'ann',
      path: () => `/mypads/group/${ids.folder}/pad/edit/${ids.readonly}`,
      ready: field,
    },
    {
      name: 'moving pads',
      as: 'ann',
      path: folder('pad/move'),
      ready: (page) => page.getByRole('combobox').waitFor(),
    },
    {
      name: 'a pad',
      wide: 'in dark',
      as: 'ann',
      path: () => `/mypads/group/${ids.folder}/pad/view/${ids.pad}`,
      ready: (page) => page.locator('iframe').waitFor(),
    },
    {
      name: 'a pad that can only be read',
      as: 'ann',
      path: () => `/mypads/group/${ids.folder}/pad/view/${ids.readonly}`,
      ready: (page) => page.locator('iframe').waitFor(),
    },
    { name: 'somebody else’s folder', as: 'bob', path: folder('view'), ready: links },
    {
      name: 'somebody else’s pad',
      as: 'bob',
      path: () => `/mypads/group/${ids.folder}/pad/view/${ids.pad}`,
      ready: links,
    },
    {
      name: 'a folder that does not exist',
      as: 'ann',
      path: () => '/mypads/group/nothing/view',
      ready: links,
    },
    { name: 'an address that means nothing', as: 'ann', path: () => '/nowhere', ready: links },
    { name: 'a restricted folder, for a guest', path: folder('view'), ready: links },
    {
      name: 'a private folder, for a guest',
      path: folder('view', 'locked'),
      ready: (page) => page.locator('input[type="password"]').waitFor(),
    },
    {
      name: 'a private pad with a wrong password',
      path: () => `/mypads/group/${ids.locked}/pad/view/${ids.lockedPad}`,
      ready: (page) => page.locator('input[type="password"]').waitFor(),
      act: async (page) => {
        await page.locator('input[type="password"]').fill('wrong');
        await page.keyboard.press('Enter');
        await page.getByRole('alert').filter({ hasText: /./ }).first().waitFor();
      },
    },
    { name: 'a public folder, for a guest', wide: 'in dark', path: folder('view', 'open'), ready: links },
    { name: 'signing in as an administrator', path: () => '/admin', ready: field },
    { name: 'the first steps', as: 'admin', path: () => '/admin/first-steps?step=accounts', ready: radio },
    { name: 'all settings', wide: 'in dark', as: 'admin', path: () => '/admin', ready: field },
    {
      name: 'a setting that is refused',
      as: 'admin',
      path: () => '/admin?q=passwordMin',
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
      path: () => '/admin?q=authLdapSettings',
      ready: (page) => page.locator('main summary').waitFor(),
      act: async (page) => {
        await page.locator('main summary').click();
        await page.locator('main details textarea').first().waitFor();
      },
    },
    { name: 'all users', wide: 'in both', as: 'admin', path: () => '/admin/users', ready: links },
    { name: 'making an account', as: 'admin', path: () => '/admin/users/create', ready: field },
    {
      name: 'changing an account',
      as: 'admin',
      path: () => `/admin/users/${people.ann?.login}/edit`,
      ready: field,
    },
    {
      name: 'removing an account',
      as: 'admin',
      path: () => `/admin/users/${people.ann?.login}/remove`,
      ready: (page) => page.getByRole('dialog').getByRole('listitem').first().waitFor(),
    },
    { name: 'all API tokens', as: 'admin', path: () => '/admin/tokens', ready: main },
    { name: 'the rules for groups', as: 'admin', path: () => '/admin/group-rules', ready: main },
    {
      name: 'adding a rule for groups, with errors',
      as: 'admin',
      path: () => '/admin/group-rules',
      ready: main,
      act: async (page) => {
        await page.locator('main button').first().click();
        const dialog = page.locator('dialog');
        await dialog.locator('select').first().selectOption('header');
        await dialog.locator('button[type=submit]').click();
        await dialog.getByRole('alert').first().waitFor();
      },
    },
    {
      name: 'the settings of a proxy that signs people in',
      as: 'admin',
      path: () => '/admin?q=authHeaderSettings',
      ready: (page) => page.locator('main summary').waitFor(),
      act: async (page) => {
        await page.locator('main summary').click();
        await page.locator('main details input').first().waitFor();
      },
    },
    { name: 'all folders', wide: 'in dark', as: 'admin', path: () => '/admin/folders', ready: links },
    { name: 'all pads', as: 'admin', path: () => '/admin/pads', ready: links },
    { name: 'the numbers', wide: 'in dark', as: 'admin', path: () => '/admin/numbers', ready: links },
    {
      name: 'the checkup',
      wide: 'in dark',
      as: 'admin',
      path: () => '/admin/checkup',
      ready: (page) => page.getByRole('main').getByRole('listitem').first().waitFor(),
    },
    {
      name: 'the log',
      wide: 'in dark',
      as: 'admin',
      path: () => '/admin/log',
      ready: (page) => page.getByRole('main').getByRole('listitem').first().waitFor(),
    },
    {
      name: 'the keyboard shortcuts',
      as: 'ann',
      path: () => '/mypads',
      ready: links,
      act: async (page) => {
        await page.keyboard.press('?');
        await page.locator('dialog dl').waitFor();
      },
    },
  ];

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

/** Chooses a language as another tab of the browser does: the screen stays as it is, and all its texts change. */
async function switchLanguage(page: Page, language: LanguageCode): Promise<void> {
  await page.evaluate((newValue) => {
    localStorage.setItem('language', newValue);
    dispatchEvent(new StorageEvent('storage', { key: 'language', newValue }));
  }, language);
  await page.locator(`html[lang="${language}"]`).waitFor({ state: 'attached' });
}

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
