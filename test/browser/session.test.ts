/** What happens to the page when a session begins, ends, or is another one in another tab. */
import { expect } from 'chai';
import { accessibilityProblems, onStage, type Stage, type Visitor, visitor } from '../support/browser';
import { frameOf, textOf, type, untilSaved, untilShows } from '../support/editor';
import { type Person, password } from '../support/hostWorld';

describe('a session', function () {
  this.timeout(60_000);
  let stage: Stage;
  let ann: Person;
  let now: Visitor | undefined;

  before(async function () {
    this.timeout(180_000);
    stage = await onStage();
  });

  beforeEach(async () => {
    ann = await stage.world.person('ann');
    now = await visitor(stage, { as: ann });
  });

  afterEach(async () => {
    expect(now?.complaints() ?? []).to.deep.equal([]);
    await now?.close();
    now = undefined;
  });

  const page = () => {
    if (now === undefined) throw new Error('Nobody is there');
    return now.page;
  };
  const heading = (name: string) => page().getByRole('heading', { level: 1, name });

  it('that the server has ended asks to sign in again over the screen, and nothing typed is lost', async () => {
    await now?.open('/mypads/group/add');
    await page().getByLabel('Name').fill('Typed with care');
    await stage.etherpad.api('POST', 'auth/logout', { token: ann.token });
    await page().getByRole('button', { name: 'Create folder' }).click();
    const dialog = page().getByRole('dialog', { name: 'Sign in again' });
    await dialog.waitFor();
    expect(await dialog.getByLabel('Login or e-mail').inputValue()).to.equal(ann.login);
    await dialog.getByLabel('Password', { exact: true }).fill('not this one');
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.getByText('Login and password do not match.').waitFor();
    await dialog.getByLabel('Password', { exact: true }).fill(password);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page().getByLabel('Name').inputValue()).to.equal('Typed with care');
    await page().getByRole('button', { name: 'Create folder' }).click();
    await heading('Typed with care').waitFor();
  });

  it('that ended may be left; signing in leads back to the same place', async () => {
    const folder = await stage.world.group(ann, { name: 'Somewhere' });
    await now?.open(`/mypads/group/${folder}/view`);
    await heading('Somewhere').waitFor();
    await stage.etherpad.api('POST', 'auth/logout', { token: ann.token });
    await page().getByRole('button', { name: 'Bookmark Somewhere' }).click();
    await page().getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await page().getByLabel('Login or e-mail').fill(ann.login);
    await page().getByLabel('Password', { exact: true }).fill(password);
    await page().getByRole('button', { name: 'Sign in' }).click();
    await heading('Somewhere').waitFor();
  });

  it('that ends while a pad is open leaves the text on the screen, and signing in goes on with it', async () => {
    const folder = await stage.world.group(ann, { name: 'Desk' });
    const pad = await stage.world.pad(ann, folder, { name: 'Letter' });
    await now?.open(`/mypads/group/${folder}/pad/view/${pad}`);
    await type(page(), 'Dear Bob, ');
    await untilSaved(page(), pad, 'Dear Bob,');
    await stage.etherpad.api('POST', 'auth/logout', { token: ann.token });
    const dialog = page().getByRole('dialog', { name: 'Sign in again' });
    await dialog.waitFor();
    await untilShows(frameOf(page()), 'Dear Bob,');
    expect(await frameOf(page()).locator('#editorcontainer').isVisible()).to.equal(true);
    expect(await frameOf(page()).locator('#connectivity.popup-show, .gritter-item').count()).to.equal(0);
    await heading('Letter').waitFor({ state: 'attached' });
    expect(await accessibilityProblems(page())).to.deep.equal([]);
    await dialog.getByLabel('Password', { exact: true }).fill(password);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'detached' });
    await frameOf(page()).locator('#editorcontainer.initialized').waitFor();
    await type(page(), 'how are you?');
    await untilSaved(page(), pad, 'how are you?');
    await untilShows(frameOf(page()), 'Dear Bob,');
  });

  it('that ends before the last words are saved keeps them visible, and says that they are not saved', async () => {
    const folder = await stage.world.group(ann, { name: 'Desk' });
    const pad = await stage.world.pad(ann, folder, { name: 'Letter' });
    const isChange = (message: string | Buffer | null): boolean => String(message).includes('USER_CHANGES');
    await page().routeWebSocket(/socket\.io/, (socket) => {
      const server = socket.connectToServer();
      socket.onMessage((message) => {
        if (!isChange(message)) server.send(message);
      });
    });
    await page().route(/socket\.io/, (route) =>
      isChange(route.request().postData()) ? route.fulfill({ body: 'ok' }) : route.continue(),
    );
    await now?.open(`/mypads/group/${folder}/pad/view/${pad}`);
    await type(page(), 'Never sent');
    await stage.etherpad.api('POST', 'auth/logout', { token: ann.token });
    const dialog = page().getByRole('dialog', { name: 'Sign in again' });
    await dialog.getByLabel('Password', { exact: true }).fill(password);
    await untilShows(frameOf(page()), 'Never sent');
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await page().getByRole('alert').getByText('are not saved').waitFor();
    await untilShows(frameOf(page()), 'Never sent');
    expect(await textOf(frameOf(page())).getAttribute('contenteditable')).to.equal('false');
    expect(await accessibilityProblems(page())).to.deep.equal([]);
    await page().getByRole('button', { name: 'Open it again' }).click();
    await page().getByText('are not saved').waitFor({ state: 'detached' });
    await textOf(frameOf(page())).getByText('Never sent').waitFor({ state: 'detached' });
  });

  it('that is signed out in one tab is signed out in the other', async () => {
    await now?.open('/mypads');
    await heading('Folders').waitFor();
    const other = await page().context().newPage();
    await other.goto('/mypads/?/mypads');
    await other.getByRole('heading', { level: 1, name: 'Folders' }).waitFor();
    await page()
      .getByRole('button', { name: /ann Test/ })
      .click();
    await page().getByRole('menuitem', { name: 'Sign out' }).click();
    await page().getByLabel('Login or e-mail').waitFor();
    await other.getByLabel('Login or e-mail').waitFor();
    expect(await other.evaluate(() => localStorage.getItem('token'))).to.equal(null);
  });

  it('of a guest that has ended leaves open what is public', async () => {
    const folder = await stage.world.group(ann, { name: 'Open house', visibility: 'public' });
    await now?.close();
    now = await visitor(stage, {});
    const { hostname: domain } = new URL(stage.etherpad.url);
    const guest = { name: 'mypads_guest', value: 'worth-nothing', domain, path: '/mypads/' };
    await page().context().addCookies([guest]);
    await now.open(`/mypads/group/${folder}/view`);
    await heading('Open house').waitFor();
    const kept = await page().context().cookies(`${stage.etherpad.url}/mypads/`);
    expect(kept.map(({ name }) => name)).not.to.include('mypads_guest');
  });

  it('of somebody else shows nothing of the one before', async () => {
    const bob = await stage.world.person('bob');
    await stage.world.group(ann, { name: 'Ann’s diary' });
    await now?.open('/mypads');
    await page().getByRole('link', { name: 'Ann’s diary' }).waitFor();
    await page()
      .getByRole('button', { name: /ann Test/ })
      .click();
    await page().getByRole('menuitem', { name: 'Sign out' }).click();
    await page().getByLabel('Login or e-mail').fill(bob.login);
    await page().getByLabel('Password', { exact: true }).fill(password);
    await page().getByRole('button', { name: 'Sign in' }).click();
    await page().getByText('No folders yet').waitFor();
    expect(await page().getByText('Ann’s diary').count()).to.equal(0);
  });

  it('is over here even when the server cannot be told', async () => {
    await now?.open('/mypads');
    await heading('Folders').waitFor();
    await page().route('**/api/auth/logout', (route) => route.abort());
    await page()
      .getByRole('button', { name: /ann Test/ })
      .click();
    await page().getByRole('menuitem', { name: 'Sign out' }).click();
    await page().getByLabel('Login or e-mail').waitFor();
    expect(await page().evaluate(() => localStorage.getItem('token'))).to.equal(null);
  });
});
