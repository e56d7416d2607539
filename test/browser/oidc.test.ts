/** Signing in with a real provider of OpenID Connect, beside passwords of this server. */
import { expect } from 'chai';
import { heading, problemsEverywhere, shareButton, useApp } from '../support/browser';
import { frameOf, untilEditable } from '../support/editor';
import { type OidcServer, startOidcServer } from '../support/oidcServer';
import { ada } from '../support/oidcSignIn';
import { startSmtpServer, type TestSmtpServer } from '../support/smtpServer';
import { until } from '../support/waiting';

describe('signing in with OpenID Connect', function () {
  this.timeout(120_000);
  const app = useApp();
  let provider: OidcServer;
  let mail: TestSmtpServer | undefined;

  before(async () => {
    provider = await startOidcServer({ root: app.etherpad.url });
    await app.fixture.configure('rootUrl', app.etherpad.url);
    await app.fixture.configure('authOidcSettings', { providers: { school: provider.provider() } });
    await app.fixture.configure('authMethods', ['oidc']);
  });
  after(async () => {
    await app.reset('authMethods', 'authOidcSettings', 'rootUrl');
    await app.reset('SMTPHost', 'SMTPPort', 'SMTPTLS', 'SMTPEmailFrom');
    await Promise.all([provider.stop(), mail?.close()]);
  });

  /** Signs in at the provider, and opens a new pad. */
  async function openNewPad() {
    const { page, goTo } = await app.window();
    await goTo('/login');
    await page.getByRole('button', { name: 'Sign in with The School' }).click();
    await heading(page, 'Folders').waitFor();
    await page.getByRole('button', { name: 'New pad' }).first().click();
    await untilEditable(frameOf(page), true);
    return page;
  }

  it('leads to the provider and back to the wanted screen, with nothing secret in the address', async () => {
    provider.present(ada);
    const { page, goTo } = await app.window({ screen: 'phone' });
    await goTo('/mybookmarks');
    const button = page.getByRole('button', { name: 'Sign in with The School' });
    await button.waitFor();
    await page.getByLabel('Username or email').waitFor();
    await button.click();
    await heading(page, 'Bookmarks').waitFor();
    expect(page.url()).to.equal(`${app.etherpad.url}/mypads/?/mybookmarks`);
    await goTo('/myprofile');
    await page.getByText('These are managed by the single sign-on of your organisation.').first().waitFor();
  });

  it('says that it failed when the service was removed meanwhile, and offers the password', async () => {
    const { page, goTo, takeErrors } = await app.window();
    await goTo('/login');
    const button = page.getByRole('button', { name: 'Sign in with The School' });
    await button.waitFor();
    try {
      await app.reset('authMethods');
      await button.click();
      await page.getByText('Single sign-on did not confirm who you are').waitFor();
      await page.getByLabel('Username or email').waitFor();
      expect(await page.getByText('or', { exact: true }).count()).to.equal(0);
      expect(page.url()).not.to.include('oidc=');
    } finally {
      await app.fixture.configure('authMethods', ['oidc']);
      takeErrors();
    }
  });

  it('opens pads, and the editor closes when the provider signs the person out', async () => {
    provider.present(ada);
    const page = await openNewPad();
    const event = 'http://schemas.openid.net/event/backchannel-logout';
    const claims = { iss: provider.url, aud: provider.clientId, sub: ada.sub, jti: 'one' };
    const iat = Math.floor(Date.now() / 1000);
    const token = await provider.sign({ ...claims, iat, events: { [event]: {} } }, 'logout+jwt');
    const answer = await fetch(`${app.etherpad.url}/mypads/api/auth/oidc/school/logout`, {
      method: 'POST',
      body: new URLSearchParams({ logout_token: token }),
    });
    expect(answer.status, await answer.text()).to.equal(200);
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
  });

  it('ends when the provider’s page of signing out frames our address, and nobody else may frame it', async () => {
    provider.present(ada);
    let framed = '';
    provider.intercept((path, _request, response) => {
      if (path !== '/signed-out') return false;
      response.setHeader('Content-Type', 'text/html').end(`<iframe src="${framed}"></iframe>`);
      return true;
    });
    let sid = '';
    provider.changeTokens((claims) => {
      sid = String(claims.sid);
      return claims;
    });
    const page = await openNewPad();
    const logout = `${app.etherpad.url}/mypads/api/auth/oidc/school/logout`;
    const { page: elsewhere, takeErrors } = await app.window();
    const shown = () => elsewhere.frameLocator('iframe').getByText('"success"').waitFor({ timeout: 20_000 });

    framed = `${logout}?${new URLSearchParams({ iss: provider.url, sid: 'unknown' })}`;
    await elsewhere.goto(`${provider.url}/signed-out`);
    await shown();
    await elsewhere.goto(`${provider.url.replace('127.0.0.1', 'localhost')}/signed-out`);
    await until('the browser blocks it', async () => takeErrors().join().includes('frame-ancestors'));
    await untilEditable(frameOf(page), true);

    framed = `${logout}?${new URLSearchParams({ iss: provider.url, sid })}`;
    await elsewhere.goto(`${provider.url}/signed-out`);
    await shown();
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
    provider.intercept(undefined);
    provider.changeTokens(undefined);
  });

  it('makes people members of a folder by a rule of an administrator, which its managers see', async () => {
    provider.present(ada);
    const ann = await app.fixture.person('ann');
    const folder = await app.fixture.group(ann, { name: 'Staff room' });
    const page = await app.open('/admin/group-rules', { adminToken: await app.signInAsAdmin() });
    await page.getByText('There are no rules yet').waitFor();
    await page.getByRole('button', { name: 'Add rule' }).click();
    const form = page.getByRole('dialog', { name: 'Add rule' });
    await form.getByRole('button', { name: 'Add rule' }).click();
    await form.getByText('Please fill in this field.').first().waitFor();
    await form.getByLabel('Service').selectOption('The School');
    expect(await form.getByLabel('Attribute or claim').inputValue()).to.equal('groups');
    await form.getByLabel('Value', { exact: true }).fill('staff');
    await form.getByLabel('Role').selectOption('Writer');
    await form.getByLabel('Address of the folder').fill('nowhere');
    await form.getByRole('button', { name: 'Add rule' }).click();
    await form
      .getByText(/names the folder "nowhere", which does not exist/)
      .first()
      .waitFor();
    await form
      .getByLabel('Address of the folder')
      .fill(`${app.etherpad.url}/mypads/?/admin/pads&group=${folder}&name=Staff+room`);
    expect(await problemsEverywhere(page)).to.deep.equal([]);
    await form.getByRole('button', { name: 'Add rule' }).click();
    const question = page.getByRole('dialog', { name: 'Save the rules?' });
    await question.getByText('Nobody’s role changes.').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(await form.getByLabel('Value', { exact: true }).inputValue()).to.equal('staff');
    await form.getByRole('button', { name: 'Add rule' }).click();
    await question.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('link', { name: 'Staff room' }).waitFor();
    expect(await problemsEverywhere(page)).to.deep.equal([]);

    const { page: own, goTo } = await app.window();
    await goTo('/login');
    await own.getByRole('button', { name: 'Sign in with The School' }).click();
    await own.getByRole('link', { name: 'Staff room' }).first().waitFor();
    const shared = await app.open(`/mypads/group/${folder}/view`, { as: ann });
    await shareButton(shared).click();
    const dialog = shared.getByRole('dialog', { name: /^Share/ });
    await dialog.getByText('by a rule of this server').waitFor();
    const role = dialog.getByLabel('Role of Ada Lovelace');
    expect(await role.locator('option').allTextContents()).to.deep.equal(['Writer', 'Manager']);

    await page.getByRole('button', { name: 'Delete rule: staff' }).click();
    await question.getByText('Ada Lovelace in “Staff room”: Writer → no role').waitFor();
    await question.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('There are no rules yet').waitFor();
  });

  it('is ended at the provider too by whoever needs another account for an invitation, and leads back to it', async () => {
    mail = await startSmtpServer();
    const { received, port } = mail;
    const settings = { SMTPHost: '127.0.0.1', SMTPPort: port, SMTPTLS: false };
    for (const [key, value] of Object.entries({ ...settings, SMTPEmailFrom: 'pads@example.org' }))
      await app.fixture.configure(key, value);
    const chair = await app.fixture.person('chair');
    const board = await app.fixture.group(chair, { name: 'Board' });
    await app.etherpad.api('POST', `group/${board}/invitations`, {
      token: chair.token,
      body: { loginsOrEmails: ['ines@example.org'], role: 'reader' },
    });
    await until('the mail is there', () => received.length > 0);
    const [link = ''] = /\/mypads\/\S*invitation\/[\w-]+/.exec(received[0]?.text ?? '') ?? [];

    provider.present(ada);
    const { page } = await app.window();
    const signIn = page.getByRole('button', { name: 'Sign in with The School' });
    await page.goto(link);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await signIn.click();
    await page.getByRole('button', { name: 'Accept the invitation' }).click();
    await page.getByRole('button', { name: 'Use another account' }).click();
    await page.getByRole('button', { name: 'Yes, sign me out' }).click();
    provider.present({ ...ada, sub: 'g-1', preferred_username: 'ines', email: 'ines@example.org' });
    await signIn.click();
    await page.getByRole('button', { name: 'Accept the invitation' }).click();
    await heading(page, 'Board').waitFor();
  });

  it('that the person refuses says so, and can be tried again', async () => {
    provider.present(undefined);
    const { page, goTo } = await app.window();
    await goTo('/login');
    await page.getByRole('button', { name: 'Sign in with The School' }).click();
    await page.getByRole('alert').first().waitFor();
    expect(await problemsEverywhere(page)).to.deep.equal([]);
    provider.present(ada);
    await page.getByRole('button', { name: 'Try again' }).click();
    await heading(page, 'Folders').waitFor();
  });

  it('that has failed goes on once the person has signed in in another tab', async () => {
    provider.present(ada);
    const { page, goTo } = await app.window();
    await goTo(`/login&oidc=${'x'.repeat(43)}&return=%2Fmybookmarks`);
    await page.getByRole('alert').first().waitFor();
    const other = await page.context().newPage();
    await other.goto(`${app.etherpad.url}/mypads/?/login`);
    await other.getByRole('button', { name: 'Sign in with The School' }).click();
    await heading(other, 'Folders').waitFor();
    await heading(page, 'Bookmarks').waitFor();
  });
});
