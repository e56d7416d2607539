/** A slow network, answers that are lost, and what people do meanwhile. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { heading, hold, signInByForm, useApp } from '../support/browser';
import { heldWork, until } from '../support/waiting';

async function chooseLanguage(page: Page, menu: string, language: string): Promise<void> {
  await page.getByRole('button', { name: 'ann Test' }).click();
  await page.getByRole('menuitem', { name: menu }).click();
  await page.getByRole('dialog').getByRole('button', { name: language, exact: true }).click();
}

describe('over a slow network', function () {
  this.timeout(90_000);
  const app = useApp({ expected: /ERR_INTERNET/ });
  const ann = app.usePerson('ann', beforeEach);

  async function openFolder(...names: string[]): Promise<{ page: Page; folder: string; ids: string[] }> {
    const folder = await app.fixture.group(ann, { name: 'Class' });
    const ids: string[] = [];
    for (const name of names) ids.push(await app.fixture.pad(ann, folder, { name }));
    const page = await app.open('/mypads', { as: ann });
    await page.getByRole('main').getByRole('link', { name: 'Class', exact: true }).click();
    await heading(page, 'Class').waitFor();
    return { page, folder, ids };
  }

  async function askToDelete(page: Page, ...names: string[]): Promise<void> {
    await page.getByRole('button', { name: 'Select pads' }).click();
    for (const name of names) await page.getByLabel(`Select ${name}`, { exact: true }).check({ force: true });
    const bar = page.getByRole('region', { name: `${names.length} selected` });
    await bar.getByRole('button', { name: 'Delete', exact: true }).click();
  }

  const confirm = (page: Page, count: number) =>
    page
      .getByRole('dialog')
      .getByRole('button', { name: `Delete ${count} pads` })
      .click();

  describe('a language', () => {
    it('that was chosen last stays, while an earlier one is still being saved', async () => {
      const page = await app.open('/mypads', { as: ann, language: 'en' });
      const release = await hold(page, '**/api/user/*', 'PUT');
      const asked = page.waitForRequest((request) => request.method() === 'PUT');
      await chooseLanguage(page, 'Language', 'Deutsch');
      await heading(page, 'Ordner').waitFor();
      await asked;
      await chooseLanguage(page, 'Sprache', 'English');
      await heading(page, 'Folders').waitFor();
      const saved = page.waitForResponse((answer) => answer.request().postData() === '{"lang":"en"}');
      release();
      await (await saved).finished();
      await heading(page, 'Folders').waitFor();
      const { body } = await app.etherpad.api('GET', 'configuration', { token: ann.token });
      expect((body as { user: { lang: string } }).user.lang).to.equal('en');
    });

    it('that was chosen last stays, while the texts of an earlier one are still being loaded', async () => {
      const page = await app.open('/mypads', { as: ann, language: 'en' });
      const release = await hold(page, '**/l10n/fr-*.json', 'GET');
      const [asked, loaded]: [string[], string[]] = [[], []];
      page.on('request', (request) => asked.push(request.url()));
      page.on('requestfinished', (request) => loaded.push(request.url()));
      const texts = (urls: readonly string[]): string[] => urls.filter((url) => url.includes('/l10n/fr-'));
      await chooseLanguage(page, 'Language', 'Français');
      await until('its texts are asked for', async () => texts(asked).length > 0);
      await chooseLanguage(page, 'Language', 'English');
      release();
      await until('they are there', async () => texts(loaded).length === texts(asked).length);
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
      expect(await page.locator('html').getAttribute('lang')).to.equal('en');
      expect(await page.evaluate(() => localStorage.getItem('language'))).to.equal('en');
    });

    it('that cannot be loaded leaves the texts of screens that are opened later', async () => {
      const page = await app.open('/mypads', { as: ann, language: 'en' });
      await page.route('**/l10n/fr-*.json', (route) => route.abort());
      await chooseLanguage(page, 'Language', 'Français');
      await page.getByText('This language could not be loaded.').waitFor();
      await page.unroute('**/l10n/fr-*.json');
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    });
  });

  it('the switch for single keys shows what was chosen last, while an earlier choice is still being saved', async () => {
    const page = await app.open('/mypads', { as: ann });
    await heading(page, 'Folders').waitFor();
    await page.keyboard.press('?');
    const box = page.getByRole('checkbox', { name: 'Use single-key shortcuts' });
    const release = await hold(page, '**/api/user/*', 'PUT');
    await box.uncheck();
    await box.check();
    await box.uncheck();
    expect(await box.isChecked()).to.equal(false);
    await box.evaluate((element: HTMLInputElement) => {
      setInterval(() => element.checked && Object.assign(window, { wasOn: true }), 1);
    });
    release();
    await until('the account has it', async () => {
      const { body } = await app.etherpad.api('GET', 'configuration', { token: ann.token });
      return !(body as { user: { singleKeys: boolean } }).user.singleKeys;
    });
    await page.waitForLoadState('networkidle');
    expect(await page.evaluate(() => 'wasOn' in window)).to.equal(false);
  });

  it('a pad is copied as often as its menu was used', async () => {
    const { page } = await openFolder('Sheet');
    const release = await hold(page, '**/duplicate', 'POST');
    for (const _copy of [1, 2]) {
      await page.getByRole('button', { name: 'More actions for Sheet' }).click();
      await page.getByRole('menuitem', { name: 'Duplicate' }).click();
    }
    release();
    for (const name of ['Copy of Sheet', 'Copy of Sheet 2'])
      await page.getByRole('main').getByRole('link', { name, exact: true }).waitFor();
  });

  it('the button for a new pad is busy also while a pad is made from a template', async () => {
    const folder = await app.fixture.group(ann, { name: 'Class' });
    const sheet = await app.fixture.pad(ann, folder, { name: 'Sheet' });
    await app.fixture.change(ann, `pad/${sheet}`, { template: true });
    const page = await app.open(`/mypads/group/${folder}/view`, { as: ann });
    const release = await hold(page, '**/api/pad', 'POST');
    const button = page.getByRole('main').getByRole('button', { name: 'New pad' });
    await button.click();
    await page.getByRole('menuitem', { name: 'Sheet' }).click();
    await button.and(page.locator('[aria-busy="true"]')).waitFor();
    release();
    await heading(page, 'Sheet 2').waitFor();
  });

  it('a name takes no more letters while it is being saved, because they would be lost', async () => {
    const { page, ids } = await openFolder('Sheet');
    const release = await hold(page, `**/api/pad/${ids[0]}`, 'PUT');
    await page.getByRole('button', { name: 'More actions for Sheet' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    const field = page.getByLabel('New name of Sheet');
    await field.fill('Sheet 7b');
    const asked = page.waitForRequest((request) => request.method() === 'PUT');
    await field.press('Enter');
    await asked;
    await page.keyboard.type(' and more');
    expect(await field.inputValue()).to.equal('Sheet 7b');
    release();
    await page.getByRole('main').getByRole('link', { name: 'Sheet 7b', exact: true }).waitFor();
  });

  it('a form that was left while it was saved says it if that fails', async () => {
    const { page, folder } = await openFolder();
    await app.goTo(`/mypads/group/${folder}/edit`);
    const release = await hold(page, `**/api/group/${folder}`, 'PUT', { fails: true });
    await page.getByLabel('Name').fill('Class 7');
    const asked = page.waitForRequest((request) => request.method() === 'PUT');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await asked;
    await page.getByRole('link', { name: 'Trash' }).click();
    await heading(page, 'Trash').waitFor();
    release();
    await page.getByText('The server could not be reached.').waitFor();
  });

  it('pads that could not be deleted are said after Back has left the folder', async () => {
    const { page } = await openFolder('One', 'Two');
    const release = await hold(page, '**/api/pad/*', 'DELETE', { fails: true });
    await askToDelete(page, 'One', 'Two');
    const asked = page.waitForRequest((request) => request.method() === 'DELETE');
    await confirm(page, 2);
    await asked;
    await page.goBack();
    await heading(page, 'Folders').waitFor();
    release();
    await page.getByText('2 pads could not be deleted').waitFor();
  });

  it('a late answer to a deletion does not take people away from where they have gone', async () => {
    const { page, folder } = await openFolder('One');
    await app.goTo('/mypads?q=class');
    await page.getByRole('main').getByRole('link', { name: 'Class', exact: true }).click();
    const release = await hold(page, `**/api/group/${folder}`, 'DELETE');
    await page.getByRole('main').getByRole('button', { name: 'More actions for this folder' }).click();
    await page.getByRole('menuitem', { name: 'Delete folder' }).click();
    const asked = page.waitForRequest((request) => request.method() === 'DELETE');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete folder' }).click();
    await asked;
    await page.goBack();
    await heading(page, 'Folders').waitFor();
    await page.getByRole('link', { name: 'Bookmarks' }).click();
    await heading(page, 'Bookmarks').waitFor();
    release();
    await page.getByText('The folder “Class” was deleted.').waitFor();
    expect(await heading(page).textContent()).to.equal('Bookmarks');
  });

  it('a link that is opened late does not take people away from where they have gone', async () => {
    const folder = await app.fixture.group(ann, { name: 'Class' });
    const body = { role: 'reader' };
    const made = await app.etherpad.api('POST', `group/${folder}/links`, { token: ann.token, body });
    const { page, goTo } = await app.window();
    const busy = { status: 503, json: { error: 'BACKEND.ERROR.SERVER.BUSY' } };
    await page.route('**/api/links/open', (route) => route.fulfill(busy), { times: 1 });
    await goTo(`/s/${(made.body as { value: { secret: string } }).value.secret}`);
    const again = page.getByRole('button', { name: 'Try again' });
    await again.waitFor();
    const release = await hold(page, '**/api/links/open', 'POST');
    await again.click();
    await page.locator('button[aria-busy="true"]').waitFor();
    await page.getByRole('link', { name: 'Help' }).click();
    await heading(page, 'Help').waitFor();
    const opened = page.waitForResponse('**/api/links/open');
    release();
    await (await opened).finished();
    await page.waitForLoadState('networkidle');
    expect(await heading(page).textContent()).to.equal('Help');
  });

  it('a late answer about somebody does not show them to the next person who has signed in', async () => {
    const bob = await app.fixture.person('bob');
    const page = await app.open('/mypads', { as: ann });
    await heading(page, 'Folders').waitFor();
    const { held, release } = heldWork();
    await page.route('**/api/user/*', async (route) => {
      const response = await route.fetch();
      await held;
      await route.fulfill({ response });
    });
    const answered = page.waitForResponse((answer) => answer.request().method() === 'PUT');
    await page.keyboard.press('?');
    await page.getByRole('checkbox', { name: 'Use single-key shortcuts' }).uncheck();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'ann Test' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await signInByForm(page, bob.login);
    await page.getByRole('button', { name: 'bob Test' }).waitFor();
    release();
    await (await answered).finished();
    await page.waitForLoadState('networkidle');
    await page.getByRole('button', { name: 'bob Test' }).waitFor();
  });

  const losesAnswer = (page: Page, url: string) =>
    page.route(
      url,
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );

  it('signing out without reaching the server says so, and ends the session when it is back', async () => {
    for (const path of ['/mypads', '/logout']) {
      const { token } = await app.fixture.signIn(ann.login);
      const { page, goTo } = await app.window({ as: { ...ann, token } });
      const { held, release } = heldWork();
      await page.route('**/api/cache/check', async (route) => {
        await held;
        await route.continue();
      });
      await page.route('**/api/auth/logout', (route) => route.abort(), { times: 1 });
      await goTo(path);
      if (path !== '/logout') {
        await page.getByRole('button', { name: 'ann Test' }).click();
        await page.getByRole('menuitem', { name: 'Sign out' }).click();
      }
      await page.getByText('The server could not be reached. Check your').waitFor();
      await heading(page, 'Sign in').waitFor();
      expect(await page.getByText('You are signed out.').count()).to.equal(0);
      const isOpen = async () => (await app.etherpad.api('GET', 'group', { token })).status === 200;
      expect(await isOpen()).to.equal(true);
      release();
      await until('the session has ended', async () => !(await isOpen()));
    }
  });

  it('signing out of a session that has ended elsewhere is no failure', async () => {
    const { token } = await app.fixture.signIn(ann.login);
    const { page, goTo } = await app.window({ as: { ...ann, token } });
    await goTo('/mypads');
    await page.getByRole('button', { name: 'ann Test' }).click();
    await app.etherpad.api('POST', 'auth/logout', { token });
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByText('You are signed out.').waitFor();
    await heading(page, 'Sign in').waitFor();
    expect(await page.getByRole('alert').allTextContents()).to.deep.equal(['']);
  });

  it('what was deleted for good without an answer is gone at the second attempt', async () => {
    const { page, ids } = await openFolder('One');
    await app.etherpad.api('DELETE', `pad/${ids[0]}`, { token: ann.token });
    await app.goTo('/mytrash');
    await losesAnswer(page, `**/api/trash/${ids[0]}`);
    await page
      .getByRole('button', { name: /: One$/ })
      .last()
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button').last().click();
    await dialog.getByRole('alert').getByText(/./).first().waitFor();
    await dialog.getByRole('button').last().click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Trash' }).waitFor();
  });

  it('a deletion whose answer was lost is done at the second attempt', async () => {
    const { page } = await openFolder('One', 'Two');
    await losesAnswer(page, '**/api/pad/*');
    await askToDelete(page, 'One', 'Two');
    await confirm(page, 2);
    await page.getByRole('dialog').getByText('2 pads could not be deleted').waitFor();
    await confirm(page, 2);
    await page.getByText('2 pads were deleted.').waitFor();
  });

  it('the search in the list of folders finds nothing only when it has looked at all pads', async () => {
    await openFolder('Sheet');
    const page = await app.open('/mypads', { as: ann });
    await page.route('**/api/overview/pads', (route) => route.fulfill({ status: 500 }), { times: 1 });
    await page.getByRole('searchbox').fill('sheet');
    await page.getByText('The search failed').waitFor();
    expect(await page.getByText('Nothing matches').count()).to.equal(0);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('main').getByRole('link', { name: 'Sheet', exact: true }).waitFor();
    await page.getByRole('searchbox').fill('nothing like this');
    await page.getByText('Nothing matches “nothing like this”').waitFor();
  });

  it('nothing on the screen moves when late answers arrive', async () => {
    const { folder, ids } = await openFolder('Sheet');
    await app.etherpad.api('POST', 'usermark', { token: ann.token, body: { type: 'groups', key: folder } });
    const { page } = await app.window({ as: ann });
    await page.addInitScript(() => {
      const moved: string[] = [];
      Object.assign(window, { moved });
      new PerformanceObserver((list) => {
        // The primary button gets the name of a folder.
        for (const { sources } of list.getEntries() as (PerformanceEntry & {
          sources: { node: Element }[];
        })[])
          for (const { node } of sources) if (!node.closest('main > * > header')) moved.push(node.outerHTML);
      }).observe({ type: 'layout-shift', buffered: true });
    });
    const { value } = (await app.etherpad.api('GET', `pad/${ids[0]}`, { token: ann.token })).body as {
      value: { _id: string; name: string; ctime: number };
    };
    const opened = { _id: value._id, name: value.name, ctime: value.ctime, group: folder };
    const recent = [{ ...opened, visibility: 'restricted', lastUpdate: null, lastEditor: null }];
    const screens: [path: string, late: string | RegExp, shown: string][] = [
      ['/mypads', '**/api/overview', 'Class'],
      ['/mybookmarks', '**/api/overview/recent', 'Class'],
      ['/help', /\/en-\w+\.js$/, 'Your first pad'],
      ['/help/first-pad', /\/en-\w+\.js$/, 'Another folder'],
    ];
    await page.route('**/api/overview/recent', (route) => route.fulfill({ json: { value: recent } }));
    for (const [path, late, shown] of screens) {
      const { held, release } = heldWork();
      await page.route(late, (route) => held.then(() => route.fallback()), { times: 1 });
      await app.goTo(path);
      await heading(page).waitFor();
      // For all other answers: nothing else shows that they are there.
      await page.waitForTimeout(1_000);
      release();
      await page.getByRole('main').getByText(shown).first().waitFor();
      await page.getByRole('region', { name: 'Recent pads' }).getByRole('link', { name: 'Sheet' }).waitFor();
      const moved = await page.evaluate(async () => {
        // A shift is noted after the frame in which it was painted.
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100)));
        return (window as unknown as { moved: string[] }).moved;
      });
      expect(moved, path).to.deep.equal([]);
    }
  });

  it('the menu of a folder has all its items while the pads are loaded', async () => {
    const folder = await app.fixture.group(ann, { name: 'Class' });
    await app.fixture.pad(ann, folder, { name: 'Sheet' });
    const page = await app.open('/mypads', { as: ann });
    const release = await hold(page, `**/api/group/${folder}`, 'GET');
    await page.getByRole('main').getByRole('link', { name: 'Class', exact: true }).click();
    await page.getByRole('main').getByRole('button', { name: 'More actions for this folder' }).click();
    await page.getByRole('menuitem', { name: 'Move pads' }).click();
    release();
    await page.getByRole('dialog', { name: 'Move pads' }).getByLabel('Sheet').waitFor();
  });

  it('the items of an open menu stay where they are while the screen is loading', async () => {
    const folder = await app.fixture.group(ann, { name: 'Class' });
    const [first] = [
      await app.fixture.pad(ann, folder, { name: 'First' }),
      await app.fixture.pad(ann, folder, { name: 'Second' }),
    ];
    const { page, goTo } = await app.window({ as: ann, screen: 'phone' });
    const release = await hold(page, `**/api/group/${folder}`, 'GET');
    await goTo(`/mypads/group/${folder}/pad/view/${first}`);
    await page.getByRole('button', { name: 'More actions for First' }).click();
    await page.getByRole('menuitem').first().waitFor();
    const items = () => page.getByRole('menuitem').allTextContents();
    const before = await items();
    release();
    await page.getByRole('menuitem', { name: 'Duplicate' }).waitFor();
    const after = await items();
    expect(after.length).to.be.above(before.length);
    expect(after.slice(0, before.length)).to.deep.equal(before);
  });

  async function chooseFile(page: Page): Promise<void> {
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose files' }).click();
    await (await chooser).setFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') });
    await page.getByRole('heading', { name: 'What will be made' }).waitFor();
  }

  it('the files of an import are not sent again when the connection is back', async () => {
    const page = await app.open('/myimport', { as: ann });
    let sent = 0;
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes('/api/imports')) sent += 1;
    });
    await chooseFile(page);
    await page.context().setOffline(true);
    const lost = page.getByText('Connection lost.');
    await lost.waitFor();
    const read = page.waitForResponse((answer) => answer.url().endsWith('/api/overview'));
    await page.context().setOffline(false);
    await lost.waitFor({ state: 'detached' });
    await (await read).finished();
    await page
      .getByRole('main')
      .getByRole('button', { name: 'Import', exact: true, disabled: false })
      .waitFor();
    expect(sent).to.equal(1);
  });

  it('an import is not changed while its files are being sent', async () => {
    const page = await app.open('/myimport', { as: ann });
    await chooseFile(page);
    const main = page.getByRole('main');
    const release = await hold(page, /\/api\/imports\?.*preview=false/, 'POST');
    await main.getByRole('button', { name: 'Import', exact: true }).click();
    expect(await main.getByRole('button', { name: 'Choose other files' }).isDisabled()).to.equal(true);
    expect(await main.getByRole('combobox').isDisabled()).to.equal(true);
    release();
    await main.getByText('The import is finished.').waitFor();
  });

  it('files that are dropped while others are still being read are not imported', async () => {
    const page = await app.open('/myimport', { as: ann });
    const place = page.getByText(/^Drop /);
    await place.waitFor();
    // Browsers give no entries for what a script drops. The type of an item is the name of its file.
    await page.evaluate(`DataTransferItem.prototype.webkitGetAsEntry = function () {
      const give = (ready) => ready(new File(['a'], 'a'));
      const file = this.type === 'first' ? (ready) => (window.release = () => give(ready)) : give;
      return { isFile: true, fullPath: '/' + this.type + '.txt', file };
    }`);
    const drop = (name: string) =>
      place.evaluate((element, type) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(type, type);
        element.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }));
      }, name);
    await drop('first');
    await drop('second');
    await page.evaluate('release()');
    const main = page.getByRole('main');
    await main.getByRole('heading', { name: 'What will be made' }).waitFor();
    await main.getByRole('listitem').getByText('first').waitFor();
  });

  it('the connection is back although each answer takes six seconds', async () => {
    const page = await app.open('/mypads', { as: ann });
    await heading(page, 'Folders').waitFor();
    await page.route('**/api/cache/check', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 6_000));
      await route.continue().catch(() => undefined);
    });
    await page.evaluate(() => dispatchEvent(new Event('offline')));
    const lost = page.getByText('Connection lost.');
    await lost.waitFor();
    await lost.waitFor({ state: 'detached' });
  });
});
