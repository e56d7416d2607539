/** A board invites people by email: some have an account, others register through the link. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import {
  accessibilityProblems,
  heading,
  problemsEverywhere,
  sidewaysScroll,
  untilFocused,
  useApp,
} from '../support/browser';
import { type Person, password } from '../support/hostFixture';
import { type ReceivedMail, startSmtpServer, type TestSmtpServer } from '../support/smtpServer';
import { until } from '../support/waiting';

/** The path of the app in a link of a mail. */
const linkIn = ({ text }: ReceivedMail, path: 'invitation' | 'noinvitations'): string =>
  new RegExp(`/mypads/index\\.html\\?/${path}/[\\w-]+`).exec(text)?.[0] ?? '';

describe('an invitation by email', function () {
  this.timeout(240_000);
  const app = useApp();
  let mail: TestSmtpServer;
  let chair: Person;
  let folder: string;
  const others: Person[] = [];
  const addresses = ['erin@example.org', 'frank@example.org', 'grace@example.org'];

  before(async () => {
    mail = await startSmtpServer();
    chair = await app.fixture.person('chair');
    for (const name of ['treasurer', 'secretary']) others.push(await app.fixture.person(name));
    folder = await app.fixture.group(chair, { name: 'Board' });
    const settings = {
      rootUrl: app.etherpad.url,
      SMTPHost: '127.0.0.1',
      SMTPPort: mail.port,
      SMTPTLS: false,
    };
    for (const [key, value] of Object.entries({ ...settings, SMTPEmailFrom: 'pads@example.org' }))
      await app.fixture.configure(key, value);
  });
  after(async () => {
    await app.reset('rootUrl', 'SMTPHost', 'SMTPPort', 'SMTPTLS', 'SMTPEmailFrom', 'openRegistration');
    await app.reset('checkMails', 'invitationsCreateAccounts');
    await mail.close();
  });

  const mailTo = (address: string): ReceivedMail => {
    const found = mail.received.find(({ to }) => to.includes(address));
    if (found === undefined) throw new Error(`no mail to ${address}`);
    return found;
  };
  const openSharing = (as: Person = chair) => app.open(`/mypads/group/${folder}/user/invite`, { as });
  async function addEntries(page: Page, entries: readonly string[]): Promise<void> {
    const field = page.getByRole('combobox', { name: 'Add people' });
    await field.fill(entries.join(', '));
    await field.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
  }

  it('is offered for addresses without an account, and sent with a message', async () => {
    const page = await openSharing();
    await page.getByText('They get an email about it.').waitFor();
    await addEntries(page, [...others.map(({ login }) => login), ...addresses]);
    const offer = page.getByRole('form', { name: 'Invite by email' });
    for (const address of addresses) await offer.getByText(address).waitFor();
    await offer.getByLabel('Message').fill('The minutes are here.');
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    await offer.getByRole('button', { name: 'Send invitations' }).click();
    const list = page.getByRole('list', { name: 'Invited by email' });
    await list
      .getByText(/^Email sent/)
      .nth(2)
      .waitFor();
    expect(await list.getByRole('listitem').count()).to.equal(3);
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    expect(mail.received.map(({ to }) => to.join()).sort()).to.deep.equal(
      [...addresses, ...others.map(({ login }) => `${login}@example.org`)].sort(),
    );
    expect(mailTo('erin@example.org').text).to.include('The minutes are here.').and.include('Board');
    expect(mailTo(`${others[0]?.login}@example.org`).text).to.include('has added you to the folder “Board”');
  });

  it('lets somebody register through its link, although registration is closed', async () => {
    await app.fixture.configure('openRegistration', false);
    await app.fixture.configure('checkMails', true);
    await app.fixture.configure('invitationsCreateAccounts', true);
    const { page } = await app.window({ screen: 'phone' });
    await page.goto(linkIn(mailTo('erin@example.org'), 'invitation'));
    await heading(page, 'Invitation to “Board”').waitFor();
    await page.getByText(/invites you to this folder\. You can read its pads and write in them\./).waitFor();
    expect(await page.getByText('The minutes are here.').getAttribute('dir')).to.equal('auto');
    expect(page.url()).to.match(/\?\/invitation$/);
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    expect(await sidewaysScroll(page)).to.deep.equal([]);
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByLabel('Username').fill('erin');
    expect(await page.getByLabel('Email').inputValue()).to.equal('erin@example.org');
    expect(await page.getByLabel('Email').isEditable()).to.equal(false);
    await page.getByLabel('Password', { exact: true }).fill('a long secret');
    await page.getByLabel(/^Password again|^Repeat/).fill('a long secret');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('button', { name: 'Accept the invitation' }).click();
    await heading(page, 'Board').waitFor();
    await page.getByText('You now have access to “Board”.').waitFor();
    await page.goto(linkIn(mailTo('erin@example.org'), 'invitation'));
    await heading(page, 'This invitation is no longer valid').waitFor();
  });

  it('opens nothing to somebody with another address', async () => {
    await app.fixture.configure('invitationsCreateAccounts', false);
    await app.fixture.configure('openRegistration', true);
    await app.fixture.configure('checkMails', false);
    const stranger = await app.fixture.person('stranger');
    const { page } = await app.window({ as: stranger });
    await page.goto(linkIn(mailTo('frank@example.org'), 'invitation'));
    await page.getByRole('button', { name: 'Accept the invitation' }).click();
    await page.getByText(/^This invitation is for another email address/).waitFor();
    await page.getByRole('button', { name: 'Use another account' }).click();
    await page.getByRole('link', { name: 'Sign in' }).click();
    expect(await page.getByLabel('Username or email').inputValue()).to.equal('frank@example.org');
    await page.getByLabel('Username or email').fill(stranger.login);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
    await heading(page, 'Invitation to “Board”').waitFor();
  });

  it('is sent again with a message, also to whoever has closed the dialog meanwhile', async () => {
    const page = await openSharing();
    const dialog = page.getByRole('dialog');
    await page.route('**/api/invitations/*/resend', async (route) => {
      await dialog.waitFor({ state: 'detached' });
      await route.fulfill({ json: { success: true, key: 'frank' } });
    });
    await dialog.getByRole('button', { name: 'Send again: frank@example.org' }).click();
    await page.keyboard.press('Escape');
    await page.getByText('The invitation is being sent again.').waitFor();
  });

  it('is changed and withdrawn in the dialog', async () => {
    const page = await openSharing();
    const list = page.getByRole('list', { name: 'Invited by email' });
    await list.getByLabel('Role of frank@example.org').selectOption('Reader');
    const resend = '**/api/invitations/*/resend';
    await page.route(resend, (route) =>
      route.fulfill({ status: 429, json: { error: 'BACKEND.ERROR.PERMISSION.TOO_MANY', retryAfter: 7200 } }),
    );
    await page.getByRole('button', { name: 'Send again: frank@example.org' }).click();
    await page.getByRole('dialog').getByRole('alert').getByText(/120/).waitFor();
    await page.getByRole('button', { name: 'Close this message' }).click();
    await page.unroute(resend);
    await page.getByRole('button', { name: 'Send again: frank@example.org' }).click();
    // In the dialog, because everything outside it is inert: neither announced, nor can it be pressed.
    const message = page.getByRole('dialog').getByRole('alert');
    await message.getByText('An invitation can be sent again an hour after the last email.').waitFor();
    expect(await problemsEverywhere(page)).to.deep.equal([]);
    await message.getByRole('button', { name: 'Close this message' }).click();
    await message.getByRole('button').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Withdraw: frank@example.org' }).click();
    await page.getByText('The invitation for frank@example.org was withdrawn.').waitFor();
    await list.getByText('frank@example.org').waitFor({ state: 'detached' });
    await untilFocused(page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).first());
    await page.goto(linkIn(mailTo('frank@example.org'), 'invitation'));
    await heading(page, 'This invitation is no longer valid').waitFor();
  });

  it('is stopped for good by the owner of the address, who must press a button', async () => {
    const { page } = await app.window();
    await page.goto(linkIn(mailTo('grace@example.org'), 'noinvitations'));
    await heading(page, 'No more invitations?').waitFor();
    expect(page.url()).to.match(/noinvitations$/);
    await page.reload();
    await heading(page, 'No more invitations?').waitFor();
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    await page.getByRole('status').getByText('This server will then send no invitations').waitFor();
    await page.getByRole('button', { name: 'Stop all invitations' }).click();
    await page
      .getByRole('status')
      .getByText('This server sends no more invitations to your address.')
      .waitFor();
    const other = await app.fixture.group(chair, { name: 'Other' });
    const manager = await app.open(`/mypads/group/${other}/user/invite`, { as: chair });
    await addEntries(manager, ['grace@example.org']);
    await manager.getByRole('button', { name: 'Send invitations' }).click();
    await manager.getByText('Not sent: the recipient wants no invitations').waitFor();
  });

  it('gives a single pad from its dialog, and shows nothing of the folder', async () => {
    const pad = await app.fixture.pad(chair, folder, { name: 'Minutes' });
    const guest = await app.fixture.person('auditor');
    const page = await app.open(`/mypads/group/${folder}/pad/view/${pad}`, { as: chair });
    await page
      .locator('main header')
      .getByRole('button', { name: /^Share/ })
      .click();
    const [login, address] = [guest.login, 'ivan@example.org'];
    await addEntries(page, [login, address]);
    await page.getByRole('button', { name: 'Send invitations' }).click();
    const list = page.getByRole('list', { name: 'Invited by email' });
    await list.getByText(/^Email sent .* only “Minutes”$/).waitFor();
    expect(await list.getByLabel(`Role of ${address}`).locator('option').allTextContents()).to.deep.equal([
      'Reader',
      'Writer',
    ]);
    expect(mailTo(`${login}@example.org`).text)
      .to.include('has shared the pad “Minutes” with you')
      .and.not.include('Board');
    const { page: invited } = await app.window({ screen: 'phone' });
    await invited.goto(linkIn(mailTo(address), 'invitation'));
    await heading(invited, 'Invitation to “Minutes”').waitFor();
    await invited.getByText(/invites you to this pad\. You can read it and write in it\.$/).waitFor();
    expect(await accessibilityProblems(invited)).to.deep.equal([]);
    // With the address that the invitation has proved, also by the way over the sign-in.
    await invited.getByRole('link', { name: 'Sign in' }).click();
    await invited.getByRole('link', { name: 'Register' }).click();
    await heading(invited, 'Create an account').waitFor();
    expect(await invited.getByLabel('Email').inputValue()).to.equal(address);
    expect(await invited.getByLabel('Email').isEditable()).to.equal(false);
    await invited.getByLabel('Username').fill('ivan');
    await invited.getByLabel('Password', { exact: true }).fill('a long secret');
    await invited.getByLabel(/^Password again|^Repeat/).fill('a long secret');
    await invited.getByRole('button', { name: 'Create account' }).click();
    await invited.getByRole('button', { name: 'Accept the invitation' }).click();
    await invited.getByText('You now have access to “Minutes”.').waitFor();
    await invited.waitForURL(/\/mypads\/group\/-\/pad\/view\//);
    expect(await invited.getByText('Board').count()).to.equal(0);
  });

  it('that is withdrawn while somebody registers says so, and they go on without it where they may', async () => {
    const token = chair.token;
    const invited = { loginsOrEmails: ['hana@example.org'], role: 'writer', lang: 'en' };
    for (const open of [true, false]) {
      await app.fixture.configure('openRegistration', open);
      await app.fixture.configure('invitationsCreateAccounts', true);
      mail.received.splice(0);
      await app.etherpad.api('POST', `group/${folder}/invitations`, { token, body: invited });
      await until('the email is there', () => mail.received.length > 0);
      const { page } = await app.window();
      await page.goto(linkIn(mailTo('hana@example.org'), 'invitation'));
      await page.getByRole('link', { name: 'Create an account' }).click();
      await page.getByLabel('Username').fill('hana');
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByLabel('Password again').fill(password);
      const { body } = await app.etherpad.api('GET', `group/${folder}/invitations`, { token });
      const { value } = body as { value: { _id: string; address: string }[] };
      const { _id: id } = value.find(({ address }) => address === 'hana@example.org') ?? {};
      await app.etherpad.api('DELETE', `invitations/${id}`, { token });
      await page.getByRole('button', { name: 'Create account' }).click();
      await page.getByText('This invitation is no longer valid').first().waitFor();
      if (!open) continue;
      await page.getByLabel('Email').fill('hana@example.com');
      await page.getByRole('button', { name: 'Create account' }).click();
      await heading(page, 'Folders').waitFor();
      await app.etherpad.api('DELETE', 'user/hana', { token: await app.signInAsAdmin() });
    }
  });

  it('is not offered without email: the dialog says why, and advises a link to those who may create one', async () => {
    await app.fixture.configure('SMTPHost', '');
    const page = await openSharing();
    await page.getByText('No email is sent. Share the link yourself.').waitFor();
    await addEntries(page, ['henry@example.org']);
    await page.getByText(/^This server cannot send email.* Create a link for people/).waitFor();
    expect(await page.getByRole('form', { name: 'Invite by email' }).count()).to.equal(0);
    await page.getByRole('button', { name: 'Manage links' }).waitFor();

    await app.fixture.configure('linksBy', 'nobody');
    const later = await openSharing();
    await addEntries(later, ['henry@example.org']);
    await later.getByText(/^This server cannot send email.* by address\.$/).waitFor();
    await app.fixture.configure('linksBy', 'managers');
  });

  it('can be switched off as an email in the account', async () => {
    const page = await app.open('/myprofile', { as: others[0] });
    const box = page.getByLabel('Email me when others add me to a folder or share a pad with me');
    expect(await box.isChecked()).to.equal(true);
    await box.uncheck();
    await page.getByRole('button', { name: 'Save changes' }).first().click();
    await page.getByText('Your profile was saved.').waitFor();
    await page.reload();
    await box.waitFor();
    expect(await box.isChecked()).to.equal(false);
  });
});
