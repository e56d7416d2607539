/** Links in mails: a forgotten password, the confirmation of a new account and of another address. */
import { expect } from 'chai';
import {
  accessibilityProblems,
  heading,
  sidewaysScroll,
  signInByForm,
  untilFocused,
  untilTitle,
  useApp,
} from '../support/browser';
import { startCasServer } from '../support/casServer';
import { type Person, password } from '../support/hostFixture';
import { tokenIn } from '../support/mailFixture';
import { startSmtpServer, type TestSmtpServer } from '../support/smtpServer';

describe('links in mails', function () {
  this.timeout(90_000);
  const app = useApp();
  let mail: TestSmtpServer;
  let ann: Person;

  const settings = (): [key: string, on: unknown, off: unknown][] => [
    ['rootUrl', app.etherpad.url, ''],
    ['SMTPHost', '127.0.0.1', ''],
    ['SMTPPort', mail.port, 25],
    ['SMTPTLS', false, true],
    ['SMTPEmailFrom', 'pads@example.org', ''],
  ];

  before(async () => {
    mail = await startSmtpServer();
    ann = await app.fixture.person('ann');
    for (const [key, on] of settings()) await app.fixture.configure(key, on);
  });

  after(async () => {
    for (const [key, , off] of settings()) await app.fixture.configure(key, off);
    await app.fixture.configure('checkMails', false);
    await mail.close();
  });

  it('a forgotten password is replaced: request, mail, new password, sign-in', async () => {
    const page = await app.open('/login');
    await page.getByLabel('Username or email').fill(`${ann.login}@example.org`);
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await heading(page, 'Forgot your password?').waitFor();
    expect(await page.getByLabel('Email').inputValue()).to.equal(`${ann.login}@example.org`);
    await page.getByLabel('Email').fill('');
    await untilTitle(page, 'Forgot your password? | MyPads');
    await page.getByRole('button', { name: 'Send link' }).click();
    await page.getByRole('link', { name: 'Enter the email address.' }).waitFor();
    await page.getByLabel('Email').fill('ann');
    await page.getByRole('button', { name: 'Send link' }).click();
    await page.getByRole('link', { name: 'This is not an email address.' }).waitFor();
    await page.getByLabel('Email').fill(`${ann.login}@example.org`);
    await page.keyboard.press('Enter');
    await untilFocused(heading(page, 'Check your email'));
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    const token = tokenIn(await mail.next(`${ann.login}@example.org`), 'passrecover', app.etherpad.url);

    await page.goto(`/mypads/index.html?/passrecover/${token}`);
    await heading(page, 'Choose a new password').waitFor();
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    await page.getByLabel('New password', { exact: true }).fill('a new long secret');
    await page.getByLabel('New password again').fill('a new long secret');
    await page.getByRole('button', { name: 'Save password' }).click();
    await heading(page, 'Sign in').waitFor();
    await page.getByText('Your password was changed. Sign in with it.').waitFor();
    expect(await page.getByLabel('Username or email').inputValue()).to.equal(ann.login);
    await page.getByLabel('Password', { exact: true }).fill('a new long secret');
    await page.keyboard.press('Enter');
    await heading(page, 'Folders').waitFor();
    await mail.next(`${ann.login}@example.org`);

    await page.goto(`/mypads/index.html?/passrecover/${token}`);
    await heading(page, 'This link does not work').waitFor();
    await page.getByRole('link', { name: 'Ask for a new link' }).click();
    await heading(page, 'Forgot your password?').waitFor();
  });

  it('a new password whose answer was lost is there at the second attempt', async () => {
    const bob = await app.fixture.person('bob');
    await app.etherpad.api('POST', 'passrecover', { body: { email: `${bob.login}@example.org` } });
    const token = tokenIn(await mail.next(`${bob.login}@example.org`), 'passrecover', app.etherpad.url);
    const page = await app.open(`/passrecover/${token}`);
    const save = () => page.getByRole('button', { name: 'Save password' }).click();
    await page.getByLabel('New password', { exact: true }).fill('a new long secret');
    await page.getByLabel('New password again').fill('a new long secret');
    await page.route(
      '**/api/passrecover/*',
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await save();
    await page.getByText('The server could not be reached.').first().waitFor();
    await save();
    await page.getByText('Your password was changed. Sign in with it.').waitFor();
    await mail.next(`${bob.login}@example.org`);
    await signInByForm(page, bob.login, 'a new long secret');
    await heading(page, 'Folders').waitFor();
  });

  it('a link that stops working while the form is open is refused when it is sent', async () => {
    await app.etherpad.api('POST', 'passrecover', { body: { email: `${ann.login}@example.org` } });
    const token = tokenIn(await mail.next(`${ann.login}@example.org`), 'passrecover', app.etherpad.url);
    const page = await app.open(`/passrecover/${token}`);
    await page.getByLabel('New password', { exact: true }).fill('a third long secret');
    await page.getByLabel('New password again').fill('a third long secret');
    const body = { password: 'a fourth long secret', passwordConfirm: 'a fourth long secret' };
    await app.etherpad.api('PUT', `passrecover/${token}`, { body });
    await mail.next(`${ann.login}@example.org`);
    await page.getByRole('button', { name: 'Save password' }).click();
    await heading(page, 'This link does not work').waitFor();
  });

  it('a person from a directory is led to a mail for their first password', async () => {
    const cas = await startCasServer();
    const user = `ola${Date.now() % 1e6}`;
    cas.present({ user, attributes: { email: `${user}@example.org` } });
    await app.fixture.configure('authCasSettings', cas.settings({ defaultLang: 'en' }));
    await app.fixture.configure('authMethod', 'cas');
    const page = await app.open('/mypads');
    await heading(page, 'Folders').waitFor();
    await app.reset('authMethod', 'authCasSettings');
    await cas.stop();
    await app.goTo('/logout');
    await page.getByLabel('Username or email').fill(user);
    await page.getByLabel('Password', { exact: true }).fill('of the directory');
    await page.keyboard.press('Enter');
    await heading(page, 'Choose a new password').waitFor();
    await page
      .getByText('Your account came from another sign-in service and needs a new password.')
      .waitFor();
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    await page.getByLabel('Email').fill(`${user}@example.org`);
    await page.getByRole('button', { name: 'Send link' }).click();
    await heading(page, 'Check your email').waitFor();
    tokenIn(await mail.next(`${user}@example.org`), 'passrecover', app.etherpad.url);
  });

  it('a new account is confirmed, and the person signs in', async () => {
    await app.fixture.configure('checkMails', true);
    const login = `newcomer${Date.now() % 1e6}`;
    const page = await app.open('/subscribe');
    await page.getByLabel('Username').fill(login);
    await page.getByLabel('Email').fill(`${login}@example.org`);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByLabel('Password again').fill(password);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByText(`We sent a link to ${login}@example.org.`).waitFor();
    await untilFocused(heading(page, 'Check your email'));
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    const token = tokenIn(await mail.next(`${login}@example.org`), 'accountconfirm', app.etherpad.url);
    await page.goto(`/mypads/index.html?/accountconfirm/${token}`);
    await heading(page, 'Sign in').waitFor();
    await page.getByText('Your email address is confirmed.').waitFor();
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
    await heading(page, 'Folders').waitFor();
  });

  it('a new address is confirmed, or the old one is kept', async () => {
    await app.fixture.configure('checkMails', false);
    const bob = await app.fixture.person('bob');
    await app.fixture.configure('checkMails', true);
    const page = await app.open('/myprofile', { as: bob });
    const wish = async (email: string): Promise<string> => {
      await page.getByRole('button', { name: 'Change email' }).click();
      await page.getByLabel('New email address').fill(email);
      await page.getByLabel('Current password').fill(password);
      await page.keyboard.press('Enter');
      await page.getByText(`${email} is not confirmed yet.`).waitFor();
      const token = tokenIn(await mail.next(email), 'accountconfirm', app.etherpad.url);
      await mail.next(`${bob.login}@example.org`);
      return token;
    };
    await wish(`first.${bob.login}@example.org`);
    await page.getByRole('button', { name: 'Keep the old address' }).click();
    await page.getByText(`Your email address is still ${bob.login}@example.org.`).waitFor();
    const token = await wish(`second.${bob.login}@example.org`);
    await app.goTo(`/accountconfirm/${token}`);
    await heading(page, 'Account').waitFor();
    await page.getByText('Your email address is confirmed.').waitFor();
    await page.getByRole('definition').getByText(`second.${bob.login}@example.org`).waitFor();
  });

  it('that do not work say what to do, on a small phone too', async () => {
    const page = await app.open(`/accountconfirm/${'1'.repeat(64)}`, { screen: { width: 320, height: 640 } });
    await heading(page, 'The address was not confirmed').waitFor();
    await page.getByText('register again with the same username and address').waitFor();
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    expect(await sidewaysScroll(page)).to.deep.equal([]);
    await page.getByRole('link', { name: 'Go to sign-in' }).click();
    await heading(page, 'Sign in').waitFor();
  });

  it('are not offered when the server cannot send mail', async () => {
    await app.fixture.configure('SMTPEmailFrom', '');
    try {
      const page = await app.open('/passrecover');
      await page.getByText('This server cannot send email.').waitFor();
      await page.getByRole('link', { name: 'Go to sign-in' }).click();
      await page.getByLabel('Username or email').waitFor();
      expect(await page.getByRole('link', { name: 'Forgot your password?' }).count()).to.equal(0);
    } finally {
      await app.fixture.configure('SMTPEmailFrom', 'pads@example.org');
    }
  });
});
