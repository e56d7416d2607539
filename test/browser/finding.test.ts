/** Finding folders and pads again: the search, recent pads, other pads of the folder, keyboard shortcuts of lists. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { languageCodes } from '../../model/languages';
import {
  accessibilityProblems,
  contrastProblems,
  heading,
  sidewaysScroll,
  switchLanguage,
  untilFocused,
  useApp,
  type WindowOptions,
} from '../support/browser';
import { frameOf, textOf, untilCaretIsInText, untilEditorIsReady } from '../support/editor';
import { hostApi } from '../support/hostApi';
import { until } from '../support/waiting';

describe('finding folders and pads', function () {
  this.timeout(90_000);
  const app = useApp();
  const ann = app.usePerson('ann');
  let board = '';
  let garden = '';
  const pads = new Map<string, string>();

  before(async () => {
    board = await app.fixture.group(ann, { name: 'Board', tags: ['school'] });
    garden = await app.fixture.group(ann, { name: 'Garden' });
    for (const name of ['Minutes of May', 'Été à Köln', 'Accounts']) {
      pads.set(name, await app.fixture.pad(ann, board, { name }));
    }
    pads.set('Seeds', await app.fixture.pad(ann, garden, { name: 'Seeds' }));
  });

  const open = (path: string, options: WindowOptions = { as: ann }): Promise<Page> => app.open(path, options);

  const viewOf = (name: string, group = board): string => `/mypads/group/${group}/pad/view/${pads.get(name)}`;
  const palette = (page: Page) => page.getByRole('dialog', { name: 'Search folders, pads and actions' });
  const options = (page: Page) => palette(page).getByRole('option');

  it('Ctrl+K or “/” searches by name, folder and tag, without accents, in any order', async () => {
    const page = await open('/mypads');
    await page.getByRole('main').getByRole('link', { name: 'Board' }).waitFor();
    await page.keyboard.press('Control+k');
    await untilFocused(palette(page).getByRole('combobox'));
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    await page.keyboard.type('koln ete');
    await options(page).first().getByText('Été à Köln').waitFor();
    // The last one searches in texts.
    expect(await options(page).allInnerTexts()).to.have.length(2);
    await options(page).last().getByText('Search for “koln ete” in texts').waitFor();
    await page.keyboard.press('Enter');
    await heading(page, 'Été à Köln').waitFor();

    await page.getByRole('link', { name: 'Back to Board' }).click();
    await untilFocused(heading(page, 'Board'));
    await page.keyboard.press('/');
    await palette(page).getByRole('combobox').fill('school mnutes');
    await options(page).first().getByText('Minutes of May').waitFor();
    await page.keyboard.press('Escape');
    await palette(page).waitFor({ state: 'detached' });
    await page.getByRole('searchbox', { name: 'Search pads' }).fill('a/b');
    expect(await palette(page).count(), 'not while typing').to.equal(0);
    await page.getByRole('button', { name: 'Clear the search' }).first().click();
    await untilFocused(page.getByRole('searchbox', { name: 'Search pads' }));

    await page.getByRole('button', { name: 'Search Ctrl K' }).click();
    await palette(page).getByRole('combobox').fill('zzzz');
    await palette(page).getByText('Nothing matches “zzzz”').waitFor();
    await palette(page).getByRole('combobox').fill('new pad garden');
    await options(page).first().getByText('New pad in Garden').click();
    await heading(page, 'Untitled').waitFor();
    expect(page.url()).to.contain(`/mypads/group/${garden}/pad/view/`);
  });

  it('pads that were opened last are in the sidebar and in the search, in another browser too', async () => {
    const reader = await app.fixture.person('reader');
    const group = await app.fixture.group(reader, { name: 'Library' });
    const pad = await app.fixture.pad(reader, group, { name: 'Novel' });
    const page = await open(`/mypads/group/${group}/pad/view/${pad}`, { as: reader });
    const recent = (of: Page) => of.getByRole('region', { name: 'Recent pads' });
    await recent(page).getByRole('link', { name: 'Novel' }).waitFor();
    await app.close();
    const elsewhere = await open('/mypads', { as: reader });
    await recent(elsewhere).getByRole('link', { name: 'Novel' }).waitFor();
    await elsewhere.keyboard.press('/');
    await options(elsewhere).first().getByText('Novel').waitFor();
    await elsewhere.keyboard.press('Enter');
    await heading(elsewhere, 'Novel').waitFor();
  });

  it('a pad leads to the next, the previous and every other pad of its folder', async () => {
    const page = await open(viewOf('Minutes of May'));
    await page.getByRole('link', { name: 'Next pad: Été à Köln' }).click();
    await heading(page, 'Été à Köln').waitFor();
    await page.getByRole('link', { name: 'Previous pad: Minutes of May' }).waitFor();
    await page.getByRole('button', { name: 'Pads of Board' }).click();
    await page.getByRole('menuitemradio', { name: 'Accounts' }).click();
    await heading(page, 'Accounts').waitFor();
    expect(await page.getByRole('link', { name: 'Next pad' }).count()).to.equal(0);
    await untilEditorIsReady(page);
    await textOf(frameOf(page)).press('Control+k');
    await untilFocused(palette(page).getByRole('combobox'));
    await page.keyboard.press('Escape');
    await palette(page).waitFor({ state: 'detached' });
    await page.keyboard.type('Back in the text');
    await textOf(frameOf(page)).getByText('Back in the text').waitFor();
  });

  it('a place in a text that was searched for is shown with the caret before it, and what is typed replaces nothing', async () => {
    const text = `${'Some line\n'.repeat(80)}The harvest is late\n`;
    await hostApi(app.etherpad, 'setText', { padID: pads.get('Seeds') ?? '', text });
    const page = await open(`${viewOf('Seeds', garden)}?find=Harvest`);
    await untilCaretIsInText(page);
    const body = textOf(frameOf(page));
    const shown = () =>
      body.evaluate(({ ownerDocument: { defaultView: view } }) => view?.CSS.highlights.size ?? 0);
    await until('the place is shown', async () => (await shown()) === 1);
    await page.keyboard.type('new ');
    await body.getByText('The new harvest is late').waitFor();
    expect(await shown()).to.equal(0);
  });

  it('a long text that somebody pastes is searched for, and so is a word of two letters', async () => {
    const page = await open('/mypads');
    await app.goTo('/mysearch');
    await page.getByRole('searchbox').fill('Nobody has written this. '.repeat(20));
    await page.getByText('No pad has these words').last().waitFor();
    await page.keyboard.press('Control+k');
    await palette(page).getByRole('combobox').fill('東京');
    await options(page).last().getByText('Search for “東京” in texts').waitFor();
  });

  it('the filters of texts are not cut on a phone, in no language', async () => {
    const long = await app.fixture.group(ann, { name: 'W'.repeat(40) });
    const page = await app.open('/mysearch', { as: ann, screen: { width: 320, height: 640 } });
    const filters = page.getByRole('main').getByRole('combobox');
    await filters.first().waitFor();
    const cutTexts = () =>
      filters.evaluateAll((all) =>
        all.flatMap((filter) => {
          const { font, paddingInlineStart, paddingInlineEnd } = getComputedStyle(filter);
          const pen = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D;
          pen.font = font;
          const text = (filter as HTMLSelectElement).selectedOptions[0]?.text ?? '';
          const padding = Number.parseFloat(paddingInlineStart) + Number.parseFloat(paddingInlineEnd);
          return pen.measureText(text).width > filter.clientWidth - padding + 1 ? [text] : [];
        }),
      );
    for (const language of languageCodes) {
      await switchLanguage(page, language);
      for (const width of [320, 390]) {
        await page.setViewportSize({ width, height: 640 });
        expect(await cutTexts(), `${language}, ${width} px`).to.deep.equal([]);
      }
    }
    await page.setViewportSize({ width: 320, height: 640 });
    await filters.first().selectOption(long);
    expect(await sidewaysScroll(page)).to.deep.equal([]);
  });

  it('a link to a later page of results than there are shows the last page', async () => {
    const page = await open('/mypads');
    await page.route('**/api/search?*', (route) => {
      const isFirst = new URL(route.request().url()).searchParams.get('offset') === '0';
      const pad = { _id: 'p', name: 'Seeds', group: garden, ctime: 1, lastUpdate: null, lastEditor: null };
      const value = isFirst ? [{ pad, excerpt: [{ text: 'seeds', found: true }] }] : [];
      return route.fulfill({ json: { value, count: 1, complete: true } });
    });
    await app.goTo('/mysearch&q=seeds&page=3');
    await page.getByRole('main').getByRole('link', { name: 'Seeds' }).waitFor();
  });

  it('the list of folders finds pads by their names', async () => {
    const page = await open('/mypads');
    await page.getByRole('searchbox').fill('seeds');
    await page
      .getByRole('region', { name: 'Pads', exact: true })
      .getByRole('link', { name: 'Seeds' })
      .click();
    await heading(page, 'Seeds').waitFor();
    await page.goBack();
    const more = page.getByRole('button', { name: 'Actions for Seeds', exact: true });
    await more.click();
    await page.getByRole('menuitem', { name: 'Web page (.html)' }).waitFor();
    await page.getByRole('menuitem', { name: /bookmark/i }).click();
    await page.getByRole('region', { name: 'Bookmarks' }).getByRole('link', { name: 'Seeds' }).waitFor();
    await more.click();
    await page.getByRole('menuitem', { name: 'Share' }).click();
    await page.getByRole('dialog', { name: 'Share “Seeds”' }).waitFor();
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    await page.keyboard.press('Escape');
    await app.goTo('/mybookmarks');
    await page.getByRole('button', { name: 'Actions for Seeds', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Share' }).click();
    await page.getByRole('dialog', { name: 'Share “Seeds”' }).waitFor();
  });

  it('keys in lists: j, k and arrows move, s bookmarks, e renames, ? shows all keys, c creates a pad', async () => {
    const page = await open(`/mypads/group/${board}/view`);
    const row = (name: string) => page.getByRole('main').getByRole('link', { name, exact: true });
    await row('Accounts').waitFor();
    await page.keyboard.press('Tab');
    await untilFocused(page.getByText('Skip to the content'));
    await page.keyboard.press('j');
    await untilFocused(row('Minutes of May'));
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('j');
    await untilFocused(row('Accounts'));
    await page.keyboard.press('k');
    await untilFocused(row('Été à Köln'));
    await page.keyboard.press('s');
    await page
      .getByRole('button', { name: 'Bookmark Été à Köln' })
      .and(page.locator('[aria-pressed="true"]'))
      .waitFor();
    await page.keyboard.press('e');
    await untilFocused(page.getByRole('textbox', { name: 'New name of Été à Köln' }));
    await page.keyboard.press('Escape');
    await untilFocused(row('Été à Köln'));
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('c');
    await heading(page, 'Untitled').waitFor();
    expect(page.url()).to.contain(`/mypads/group/${board}/pad/view/`);
  });

  it('the palette does what can be done with the pad or folder on the screen, and what the menus offer', async () => {
    // A session of its own, because signing out ends it.
    const as = { ...ann, ...(await app.fixture.signIn(ann.login)) };
    const { page, goTo } = await app.window({ as, adminToken: await app.signInAsAdmin() });
    const type = async (text: string, result: string): Promise<void> => {
      await page.keyboard.press('Control+k');
      await palette(page).getByRole('combobox').fill(text);
      await options(page).first().getByText(result, { exact: true }).waitFor();
    };
    await goTo(viewOf('Accounts'));
    await heading(page, 'Accounts').waitFor();
    await type('share', 'Share');
    await page.keyboard.press('Enter');
    const share = page.getByRole('dialog', { name: 'Share “Accounts”' });
    await share.waitFor();
    await page.keyboard.press('Escape');
    await share.waitFor({ state: 'detached' });
    for (const [text, result] of [
      ['duplicate', 'Duplicate'],
      ['move', 'Move to another folder'],
      ['export html', 'Export as: Web page (.html)'],
      ['pad settings', 'Pad settings'],
    ] as const) {
      await type(text, result);
      await page.keyboard.press('Escape');
    }
    await goTo(`/mypads/group/${garden}/view`);
    await heading(page, 'Garden').waitFor();
    await type('edit folder', 'Edit folder');
    await page.keyboard.press('Enter');
    await heading(page, 'Edit folder').waitFor();
    await type('new people list', 'New people list');
    await page.keyboard.press('Enter');
    await heading(page, 'New list').waitFor();
    await type('hide sidebar', 'Hide the sidebar');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Show the sidebar' }).waitFor();
    await type('show sidebar', 'Show the sidebar');
    await page.keyboard.press('Enter');
    await type('health check', 'Health check');
    await page.keyboard.press('Escape');
    await type('settings email', 'Settings: Email');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Email', exact: true }).waitFor();
    await page.waitForFunction(() => scrollY > 0);
    await goTo('/mypads');
    await heading(page, 'Folders').waitFor();
    await type('administration', 'Administration');
    await page.keyboard.press('Escape');
    await type('sign out', 'Sign out');
    await page.keyboard.press('Enter');
    await heading(page, 'Sign in').waitFor();
  });

  it('the palette finds the account by what it contains', async () => {
    const page = await app.open('/mypads', { as: ann });
    await heading(page, 'Folders').waitFor();
    for (const text of ['password', 'settings']) {
      await page.keyboard.press('/');
      await palette(page).getByRole('combobox').fill(text);
      await options(page).first().getByText('Account', { exact: true }).waitFor();
      await page.keyboard.press('Escape');
    }
  });

  it('the palette on a phone offers nothing that settings have switched off, and is accessible', async () => {
    const off = ['disableLogoutButton', 'disableUserList', 'disableUserProfile', 'disableLangageSelect'];
    const guest = await app.fixture.person('guest');
    try {
      for (const key of off) await app.fixture.configure(key, true);
      await app.fixture.configure('userLoginsAsAdmin', ['somebody.else']);
      const page = await open('/mypads', { as: guest, screen: 'phone' });
      await page.getByRole('button', { name: 'Open the menu' }).tap();
      await page.getByRole('button', { name: 'guest Test' }).tap();
      await page.getByRole('menuitemradio').first().waitFor();
      expect(await page.getByRole('menuitem').allTextContents()).to.deep.equal(['Help']);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Search' }).tap();
      await palette(page).waitFor();
      expect(await accessibilityProblems(page)).to.deep.equal([]);
      expect(await sidewaysScroll(page)).to.deep.equal([]);
      for (const text of ['sign out', 'people list', 'account', 'language', 'administration', 'sidebar']) {
        await palette(page).getByRole('combobox').fill(text);
        await palette(page).getByText(`Nothing matches “${text}”`).waitFor();
      }
      expect(await contrastProblems(page, 'dark')).to.deep.equal([]);
    } finally {
      await app.reset(...off, 'userLoginsAsAdmin');
    }
  });

  it('shortcuts work with Caps Lock, and on keyboards without Latin letters', async () => {
    const page = await open('/mypads');
    const press = (init: {
      key: string;
      code: string;
      ctrlKey?: boolean;
      shiftKey?: boolean;
    }): Promise<void> =>
      page.evaluate((given) => {
        document.body.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, ...given }));
      }, init);
    const row = page.getByRole('main').getByRole('link', { name: 'Board', exact: true });
    await row.waitFor();
    await press({ key: 'л', code: 'KeyK', ctrlKey: true });
    await untilFocused(palette(page).getByRole('combobox'));
    await page.keyboard.press('Escape');
    await palette(page).waitFor({ state: 'detached' });
    await press({ key: 'о', code: 'KeyJ' });
    await page.locator('main [data-row] a:focus').waitFor();
    await press({ key: 'C', code: 'KeyC', shiftKey: true });
    await press({ key: 'C', code: 'KeyC' });
    await heading(page, /^Untitled/).waitFor();
    await untilEditorIsReady(page);
    await textOf(frameOf(page)).evaluate((text) =>
      text.dispatchEvent(
        new KeyboardEvent('keydown', { bubbles: true, key: 'л', code: 'KeyK', ctrlKey: true }),
      ),
    );
    await untilFocused(palette(page).getByRole('combobox'));
  });

  it('the sidebar can be hidden, and stays hidden', async () => {
    const page = await open('/mypads');
    await heading(page, 'Folders').waitFor();
    await page.getByRole('button', { name: 'Hide the sidebar' }).click();
    const unfold = page.getByRole('button', { name: 'Show the sidebar' });
    await untilFocused(unfold);
    await page.getByRole('button', { name: 'ann Test' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    await page.keyboard.press('Escape');
    expect(await page.getByText('Recent pads').count()).to.equal(0);
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    await page.reload();
    await unfold.click();
    await untilFocused(page.getByRole('button', { name: 'Hide the sidebar' }));
  });
});
