/** A teacher shares a folder with parents by a link, and ends it while they read. */
import { expect } from 'chai';
import { shareButton, untilFocused, useApp } from '../support/browser';
import { frameOf, type, untilCaretIsInText, untilEditable, untilShows } from '../support/editor';
import { password } from '../support/hostFixture';

describe('a link', function () {
  this.timeout(240_000);
  const app = useApp();
  const tea = app.usePerson('tea');
  let folder: string;
  let pad: string;
  let address = '';

  before(async () => {
    folder = await app.fixture.group(tea, { name: 'Class 5b' });
    pad = await app.fixture.pad(tea, folder, { name: 'Trip' });
  });

  /** The dialog with the links of the folder, for its manager. */
  async function openLinks() {
    const page = await app.open(`/mypads/group/${folder}/view`, { as: tea });
    await shareButton(page).click();
    await page.getByRole('button', { name: 'Manage links' }).click();
    return page.getByRole('dialog', { name: 'Links to “Class 5b”' });
  }

  it('is made in the share dialog, and can be copied from its list', async () => {
    const dialog = await openLinks();
    const password = dialog.getByLabel(/^Password/);
    expect(await password.getAttribute('autocomplete'), 'no stored password').to.equal('new-password');
    await dialog.getByLabel('What it is for').fill('Parents of 5b');
    await dialog.getByLabel('It ends').selectOption('After a week');
    await dialog.getByRole('button', { name: 'Create link' }).click();
    const made = dialog.getByRole('listitem').filter({ hasText: 'Parents of 5b' });
    await made.getByText(/Can read · until .* · opened 0 times/).waitFor();
    address = await made.getByRole('textbox').inputValue();
    expect(address).to.match(/\/mypads\/\?\/s\/[\w-]{32}$/);
    expect(await dialog.getByLabel('What it is for').inputValue()).to.equal('');
  });

  it('lets guests read without an account, until it is ended', async () => {
    const writer = await app.window({ as: tea });
    await writer.goTo(`/mypads/group/${folder}/pad/view/${pad}`);
    const parents = await app.window();
    /** Requests with the secret in their address or Referer. */
    const telling: string[] = [];
    parents.page.on('request', (request) => {
      const told = `${request.url()} ${request.headers().referer ?? ''}`;
      if (told.includes(address.slice(-32))) telling.push(`${request.resourceType()} ${request.url()}`);
    });
    await parents.page.goto(address);
    await untilFocused(parents.page.getByRole('heading', { name: 'Class 5b' }));
    expect(parents.page.url()).to.not.contain('/s/');
    await parents.page.getByText('Guests do not see who belongs to this folder.').waitFor();
    await parents.page.getByRole('main').getByRole('link', { name: 'Trip' }).click();
    await untilEditable(frameOf(parents.page), false);
    expect(telling).to.deep.equal([`document ${address}`]);
    await type(writer.page, 'We meet at eight.');
    await untilShows(frameOf(parents.page), 'We meet at eight.');

    await writer.goTo(`/mypads/group/${folder}/view`);
    await shareButton(writer.page).click();
    await writer.page.getByRole('button', { name: 'Manage links' }).click();
    await writer.page.getByText(/opened once/).waitFor();
    await writer.page.getByRole('button', { name: /^End link: Parents of 5b/ }).click();
    await writer.page
      .getByRole('dialog', { name: 'End the link “Parents of 5b”?' })
      .getByRole('button', { name: 'End link' })
      .click();
    await untilFocused(writer.page.getByRole('dialog').getByRole('button', { name: 'Close' }).last());
    await parents.page.getByText('Sign in to open this pad').waitFor();
    expect(await parents.page.locator('iframe').count()).to.equal(0);
    await parents.page.goto(address);
    await parents.page.getByText('This link does not work, or has ended.').waitFor();
  });

  it('to one pad asks for its password, and shows nothing of the folder', async () => {
    const { secret } = await app.fixture.link(tea, `pad/${pad}`, { role: 'writer', password: 'sesame' });
    const { page } = await app.window();
    await page.goto(address.replace(/[^/]+$/, secret));
    await page.getByLabel('Password', { exact: true }).waitFor();
    expect(page.url()).to.not.include(secret);
    // As a phone does that has closed the tab while somebody looks up the password.
    await page.reload();
    await page.getByLabel('Password', { exact: true }).fill('wrong');
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await page.getByText('Wrong password. Ask whoever gave you the link.').waitFor();
    await page.getByLabel('Password', { exact: true }).fill('sesame');
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await untilEditable(frameOf(page), true);
    await page.getByRole('heading', { name: 'Trip' }).waitFor();
    expect(await page.getByText('Class 5b').count()).to.equal(0);
    expect(page.url()).to.not.match(/class-5b/i);
    const manager = await app.open(`/mypads/group/${folder}/user/invite`, { as: tea });
    await manager.getByRole('button', { name: 'Manage links' }).click();
    await manager.getByText(/^Pad: Trip · .*with a password/).waitFor();
  });

  it('is named before the person who made it is removed, or may do less than it gives, because it keeps working', async () => {
    const kim = await app.fixture.person('kim');
    const circle = await app.fixture.group(tea, { name: 'Circle', admins: [kim.id] });
    await app.fixture.link(kim, `group/${circle}`, { label: 'Evening class' });
    await app.fixture.link(kim, `group/${circle}`, { label: 'Choir', role: 'writer' });
    await app.fixture.link(kim, `group/${circle}`, { label: 'Over long ago', ends: 1000 });
    const page = await app.open(`/mypads/group/${circle}/user/invite`, { as: tea });
    await page.getByLabel('Role of kim Test').selectOption('Remove');
    await page.getByText('Links that they made keep working: Evening class and Choir.').waitFor();
    await page.getByLabel('Role of kim Test').selectOption('Reader');
    await page.getByText('Links that they made keep working: Choir.').waitFor();
  });

  it('asks guests for a name, with which they appear to the others', async () => {
    const dialog = await openLinks();
    await dialog.getByLabel('What it is for').fill('Parents of 5b');
    await dialog.getByLabel('People with the link').selectOption('Can read and write');
    await dialog.getByLabel('Ask guests for a name').check();
    await dialog.getByLabel(/^Password/).fill('sesame');
    await dialog.getByRole('button', { name: 'Create link' }).click();
    const made = dialog.getByRole('listitem').filter({ hasText: 'asks for a name' });
    const named = await made.getByRole('textbox').inputValue();
    const guest = await app.window();
    await guest.page.goto(named);
    await guest.page.getByRole('button', { name: 'Open', exact: true }).click();
    await guest.page.getByText('Enter a name.').first().waitFor();
    await guest.page.getByLabel('Name', { exact: true }).fill('Aylin');
    await guest.page.keyboard.press('Enter');
    await untilFocused(guest.page.getByLabel('Password', { exact: true }));
    await guest.page.keyboard.type('sesame');
    await guest.page.keyboard.press('Enter');
    await guest.page.getByRole('main').getByRole('link', { name: 'Trip' }).click();
    await untilEditable(frameOf(guest.page), true);
    const owner = await app.window({ as: tea });
    await owner.goTo(`/mypads/group/${folder}/pad/view/${pad}`);
    await owner.page.getByRole('button', { name: /people are here now/ }).click();
    await owner.page
      .getByRole('dialog', { name: 'In this pad now' })
      .getByText('Aylin, by link “Parents of 5b”')
      .waitFor();
    await owner.page.keyboard.press('Escape');
    await frameOf(owner.page).getByText('Aylin (Parents of 5b)').first().waitFor({ state: 'attached' });
  });

  it('stays open when a guest signs in', async () => {
    const uma = await app.fixture.person('uma');
    const { secret } = await app.fixture.link(tea, `group/${folder}`, { password: 'sesame' });
    const { page, goTo } = await app.window();
    await goTo(`/s/${secret}`);
    await page.getByLabel('Password', { exact: true }).fill('sesame');
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await page.getByRole('heading', { name: 'Class 5b' }).waitFor();
    await page.getByRole('link', { name: 'Sign in' }).first().click();
    await page.getByLabel('Username or email').fill(uma.login);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('main').getByRole('link', { name: 'Trip' }).click();
    await untilEditable(frameOf(page), false);
  });

  it('is kept by somebody with an account, who then finds the folder in their list, and can remove it', async () => {
    const sam = await app.fixture.person('sam');
    const { secret } = await app.fixture.link(tea, `group/${folder}`);
    const { page, goTo } = await app.window({ as: sam });
    await goTo(`/s/${secret}`);
    await page.getByRole('heading', { name: 'Class 5b' }).waitFor();
    await page.getByRole('button', { name: 'Keep in “Shared with me”' }).click();
    await page.getByText('It is in “Shared with me” from now on').waitFor();
    await goTo('/mypads');
    const list = page.getByRole('main').getByRole('list', { name: 'Shared with me' });
    await list.getByRole('link', { name: 'Class 5b' }).waitFor();
    for (const name of ['Class 5b', 'Trip']) {
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('combobox').fill(name);
      await page
        .getByRole('option', { name: new RegExp(`^${name}`) })
        .first()
        .waitFor();
      await page.keyboard.press('Escape');
    }
    await list.getByRole('button', { name: /Class 5b/ }).click();
    await page.getByRole('menuitem', { name: 'Remove from “Shared with me”' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await list.waitFor({ state: 'detached' });
  });

  it('that is ended before somebody keeps it says so', async () => {
    const kim = await app.fixture.person('kim');
    const { _id: id, secret } = await app.fixture.link(tea, `group/${folder}`);
    const { page, goTo } = await app.window({ as: kim });
    await goTo(`/s/${secret}`);
    const keep = page.getByRole('button', { name: 'Keep in “Shared with me”' });
    await keep.waitFor();
    await app.etherpad.api('DELETE', `links/${id}`, { token: tea.token });
    await keep.click();
    await page.getByText('This link does not work, or has ended.').waitFor();
  });

  it('can be kept with the keyboard from the text of its pad, and later in the menu', async () => {
    const max = await app.fixture.person('max');
    const { secret } = await app.fixture.link(tea, `pad/${pad}`, { role: 'writer' });
    const { page, goTo } = await app.window({ as: max });
    await goTo(`/s/${secret}`);
    await untilCaretIsInText(page);
    const keep = page.getByRole('button', { name: 'Keep in “Shared with me”' });
    await keep.waitFor();
    await page.keyboard.press('F6');
    await untilFocused(keep);
    await page.keyboard.press('F6');
    await page.keyboard.type('Back at nine.');
    await untilShows(frameOf(page), 'Back at nine.');
    await page.keyboard.press('F6');
    await page.getByRole('button', { name: 'Close this message' }).press('Enter');
    await page.keyboard.type('Or at ten.');
    await untilShows(frameOf(page), 'Back at nine.Or at ten.');
    await page.keyboard.press('F6');
    await page.keyboard.type('!');
    await untilShows(frameOf(page), 'ten.!');
    await page.getByRole('button', { name: 'More actions for Trip' }).click();
    await page.getByRole('menuitem', { name: 'Keep in “Shared with me”' }).click();
    await page.getByText('It is in “Shared with me” from now on').waitFor();
    await goTo('/mypads');
    await page.getByRole('main').getByRole('list', { name: 'Shared with me' }).getByText('Trip').waitFor();
  });
});
