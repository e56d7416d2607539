/** Sessions that end, in this tab or another one, and sessions of other people in the same browser. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { accessibilityProblems, heading, signInByForm, useApp } from '../support/browser';
import {
  frameOf,
  textOf,
  type,
  untilEditable,
  untilEditorIsReady,
  untilSaved,
  untilShows,
} from '../support/editor';
import { password } from '../support/hostFixture';
import { until } from '../support/waiting';

describe('a session', function () {
  this.timeout(300_000);
  const app = useApp();
  const ann = app.usePerson('ann', beforeEach);

  let page: Page;
  beforeEach(async () => {
    ({ page } = await app.window({ as: ann }));
  });

  it('that has ended: signing in again in a dialog keeps what was typed', async () => {
    await app.goTo('/mypads/group/add');
    await page.getByLabel(/^Name/).fill('Typed with care');
    await app.etherpad.api('POST', 'auth/logout', { token: ann.token });
    await page.getByRole('button', { name: 'Create folder' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.waitFor();
    expect(await dialog.getByLabel('Username or email').inputValue()).to.equal(ann.login);
    await dialog.getByLabel('Password', { exact: true }).fill('not this one');
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.getByText('Username and password do not match.').waitFor();
    await dialog.getByLabel('Password', { exact: true }).fill(password);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByLabel(/^Name/).inputValue()).to.equal('Typed with care');
    expect(await page.getByText('You are no longer signed in.').count()).to.equal(0);
    await page.getByRole('button', { name: 'Create folder' }).click();
    await heading(page, 'Typed with care').waitFor();
  });

  it('that has ended: nothing typed on the screen of a folder is lost when the person returns, gives up or signs in', async () => {
    const folder = await app.fixture.group(ann, { name: 'Somewhere' });
    await app.goTo(`/mypads/group/${folder}/edit`);
    const name = page.getByLabel(/^Name/);
    await name.fill('Typed with care');
    await app.etherpad.api('POST', 'auth/logout', { token: ann.token });
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    // What is older than a few seconds is read again.
    await until('the page reads the folder again', async () => {
      await page.evaluate(() => void dispatchEvent(new Event('focus')));
      return (await dialog.count()) > 0;
    });
    await page.keyboard.press('Escape');
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await question.waitFor({ state: 'detached' });
    await dialog.getByLabel('Password', { exact: true }).fill(password);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await name.inputValue()).to.equal('Typed with care');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await heading(page, 'Typed with care').waitFor();
  });

  it('that has ended: the person can leave, and signing in leads back to the same screen', async () => {
    const folder = await app.fixture.group(ann, { name: 'Somewhere' });
    await app.goTo(`/mypads/group/${folder}/view`);
    await heading(page, 'Somewhere').waitFor();
    await app.etherpad.api('POST', 'auth/logout', { token: ann.token });
    await page.getByRole('button', { name: 'Bookmark Somewhere' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await signInByForm(page, ann.login);
    await heading(page, 'Somewhere').waitFor();
  });

  it('that has ended: nothing is said to be refused behind the dialog to sign in again', async () => {
    const folder = await app.fixture.group(ann, { name: 'Somewhere' });
    await app.fixture.pad(ann, folder, { name: 'Inside' });
    await app.goTo('/mypads');
    const link = page.getByRole('main').getByRole('link', { name: 'Somewhere' });
    await link.waitFor();
    await app.etherpad.api('POST', 'auth/logout', { token: ann.token });
    await link.click();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.waitFor();
    expect(await page.getByText(/is not shared with you|Sign in to (see|open)/).count()).to.equal(0);
    await dialog.getByLabel('Password', { exact: true }).fill(password);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'Inside' }).waitFor();
  });

  it('that ends before a question is answered: nothing is said to be refused after signing in again', async () => {
    const folder = await app.fixture.group(ann, { name: 'Attic' });
    await app.goTo(`/mypads/group/${folder}/remove`);
    const question = page.getByRole('dialog', { name: /Attic/ });
    await question.waitFor();
    await app.etherpad.api('POST', 'auth/logout', { token: ann.token });
    await question.getByRole('button', { name: /^Delete/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.getByLabel('Password', { exact: true }).fill(password);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await question.getByText('You are no longer signed in').count()).to.equal(0);
    await question.getByRole('button', { name: /^Delete/ }).click();
    await heading(page, 'Folders').waitFor();
  });

  it('that ends before a pad is renamed: nothing is said to be refused after signing in again', async () => {
    const folder = await app.fixture.group(ann, { name: 'Attic' });
    await app.fixture.pad(ann, folder, { name: 'Box' });
    await app.goTo(`/mypads/group/${folder}/view`);
    await page.getByRole('link', { name: 'Box', exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'More actions for Box' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    const field = page.getByLabel('New name of Box');
    await field.fill('Chest');
    await app.etherpad.api('POST', 'auth/logout', { token: ann.token });
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.getByLabel('Password', { exact: true }).fill(password);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByText('You are no longer signed in').count()).to.equal(0);
    await field.press('Enter');
    await page.getByRole('link', { name: 'Chest', exact: true }).first().waitFor();
  });

  it('that ends before a folder is archived: only what was not changed is said after signing in again', async () => {
    await app.fixture.group(ann, { name: 'Cellar' });
    await app.goTo('/mypads');
    await page.getByRole('button', { name: 'Actions for Cellar' }).click();
    await app.etherpad.api('POST', 'auth/logout', { token: ann.token });
    await page.getByRole('menuitem', { name: 'Archive' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.getByLabel('Password', { exact: true }).fill(password);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('One folder could not be changed.').waitFor();
    expect(await page.getByText('You are no longer signed in').count()).to.equal(0);
  });

  it('that ends while a pad is open: the text stays visible, and writing continues after signing in', async () => {
    const folder = await app.fixture.group(ann, { name: 'Desk' });
    const pad = await app.fixture.pad(ann, folder, { name: 'Letter' });
    await app.goTo(`/mypads/group/${folder}/pad/view/${pad}`);
    await type(page, 'Dear Bob, ');
    await untilSaved(page, pad, 'Dear Bob,');
    await app.etherpad.api('POST', 'auth/logout', { token: ann.token });
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.waitFor();
    await untilShows(frameOf(page), 'Dear Bob,');
    expect(await frameOf(page).locator('#editorcontainer').isVisible()).to.equal(true);
    expect(await frameOf(page).locator('#connectivity.popup-show, .gritter-item').count()).to.equal(0);
    await heading(page, 'Letter').waitFor({ state: 'attached' });
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    await dialog.getByLabel('Password', { exact: true }).fill(password);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'detached' });
    await untilEditorIsReady(page);
    await type(page, 'how are you?');
    await untilSaved(page, pad, 'how are you?');
    await untilShows(frameOf(page), 'Dear Bob,');
  });

  it('that ends before the last words are saved: they stay visible, with a warning', async () => {
    const folder = await app.fixture.group(ann, { name: 'Desk' });
    const pad = await app.fixture.pad(ann, folder, { name: 'Letter' });
    const isChange = (message: string | Buffer | null): boolean => String(message).includes('USER_CHANGES');
    await page.routeWebSocket(/socket\.io/, (socket) => {
      const server = socket.connectToServer();
      socket.onMessage((message) => {
        if (!isChange(message)) server.send(message);
      });
    });
    await page.route(/socket\.io/, (route) =>
      isChange(route.request().postData()) ? route.fulfill({ body: 'ok' }) : route.continue(),
    );
    await app.goTo(`/mypads/group/${folder}/pad/view/${pad}`);
    await type(page, 'Never sent');
    await app.etherpad.api('POST', 'auth/logout', { token: ann.token });
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.getByLabel('Password', { exact: true }).fill(password);
    await untilShows(frameOf(page), 'Never sent');
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('are not saved').waitFor();
    await untilShows(frameOf(page), 'Never sent');
    await untilEditable(frameOf(page), false);
    // Etherpad notices this text within a second and takes it for typed text. Then it makes the text editable again,
    // and the plugin locks it at once, so that nothing shows when this has happened.
    await textOf(frameOf(page)).evaluate((text) => text.firstElementChild?.append(' and noticed late'));
    await page.waitForTimeout(1_500);
    await textOf(frameOf(page)).click();
    await page.keyboard.type('Typed too late');
    expect(await textOf(frameOf(page)).textContent()).to.not.contain('Typed too late');
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    await page.getByRole('button', { name: 'Open it again' }).click();
    await page.getByText('are not saved').waitFor({ state: 'detached' });
    await textOf(frameOf(page)).getByText('Never sent').waitFor({ state: 'detached' });
  });

  it('that is signed out in one tab ends in the other tab', async () => {
    await app.goTo('/mypads');
    await heading(page, 'Folders').waitFor();
    const other = await page.context().newPage();
    await other.goto('/mypads/?/mypads');
    await heading(other, 'Folders').waitFor();
    await page.getByRole('button', { name: /ann Test/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('Username or email').waitFor();
    await other.getByLabel('Username or email').waitFor();
    await other.getByText('You are signed out.').waitFor();
    expect(await other.evaluate(() => localStorage.getItem('token'))).to.equal(null);
  });

  it('that is signed out in another tab: forms show what was typed when the person signs in again', async () => {
    const folder = await app.fixture.group(ann, { name: 'Desk' });
    const signOutElsewhere = async (): Promise<void> => {
      const other = await page.context().newPage();
      await other.goto('/mypads/?/mypads');
      await other.getByRole('button', { name: /ann Test/ }).click();
      await other.getByRole('menuitem', { name: 'Sign out' }).click();
      await other.getByLabel('Username or email').waitFor();
      await other.close();
    };
    for (const [path, field] of [
      // Not “Username”, which the form to sign in has.
      ['/mypads/group/add', /^Name/],
      [`/mypads/group/${folder}/edit`, /^Name/],
      ['/myprofile', /^First name/],
    ] as const) {
      await app.goTo(path);
      await page.getByLabel(field).fill('Typed with care');
      await signOutElsewhere();
      await signInByForm(page, ann.login);
      await page.getByLabel(field).waitFor();
      expect(await page.getByLabel(field).inputValue(), path).to.equal('Typed with care');
      await page.getByRole('link', { name: 'Bookmarks' }).first().click();
      await page.getByRole('button', { name: 'Leave', exact: true }).click();
    }
    const bob = await app.fixture.person('bob');
    await app.goTo('/mypads/group/add');
    await page.getByLabel(/^Name/).fill('Ann’s secret');
    await signOutElsewhere();
    await signInByForm(page, bob.login);
    await page.getByLabel(/^Name/).waitFor();
    expect(await page.getByLabel(/^Name/).inputValue()).to.equal('');
  });

  it('of a guest that has ended: public folders still open', async () => {
    const folder = await app.fixture.group(ann, { name: 'Open house', visibility: 'public' });
    ({ page } = await app.window());
    const { hostname: domain } = new URL(app.etherpad.url);
    const guest = { name: 'mypads_guest', value: 'worth-nothing', domain, path: '/mypads/' };
    await page.context().addCookies([guest]);
    await app.goTo(`/mypads/group/${folder}/view`);
    await heading(page, 'Open house').waitFor();
    const kept = await page.context().cookies(`${app.etherpad.url}/mypads/`);
    expect(kept.map(({ name }) => name)).not.to.include('mypads_guest');
  });

  it('of another person shows nothing of the person before', async () => {
    const bob = await app.fixture.person('bob');
    await app.fixture.group(ann, { name: 'Ann’s diary' });
    await app.goTo('/mypads');
    await page.getByRole('link', { name: 'Ann’s diary' }).waitFor();
    await page.getByRole('button', { name: /ann Test/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await signInByForm(page, bob.login);
    await page.getByText('No folders yet').waitFor();
    expect(await page.getByText('Ann’s diary').count()).to.equal(0);
  });

  it('ends in the browser even when the server does not answer', async () => {
    await app.goTo('/mypads');
    await heading(page, 'Folders').waitFor();
    await page.route('**/api/auth/logout', (route) => route.abort());
    await page.getByRole('button', { name: /ann Test/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('Username or email').waitFor();
    expect(await page.evaluate(() => localStorage.getItem('token'))).to.equal(null);
  });
});
