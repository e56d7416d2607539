/** The links of mails: a forgotten password, the confirmation of a new account and of another address. */
import { expect } from 'chai';
import {
  accessibilityProblems,
  onStage,
  type Stage,
  sidewaysScroll,
  type Visitor,
  type VisitorOptions,
  visitor,
} from '../support/browser';
import { type Person, password } from '../support/hostWorld';
import { tokenIn } from '../support/mailWorld';
import { startSmtpServer, type TestSmtpServer } from '../support/smtpServer';

describe('the links of mails', function () {
  this.timeout(90_000);
  let stage: Stage;
  let mail: TestSmtpServer;
  let ann: Person;
  let now: Visitor | undefined;

  const settings = (): [key: string, on: unknown, off: unknown][] => [
    ['rootUrl', stage.etherpad.url, ''],
    ['SMTPHost', '127.0.0.1', ''],
    ['SMTPPort', mail.port, 25],
    ['SMTPTLS', false, true],
    ['SMTPEmailFrom', 'pads@example.org', ''],
  ];

  before(async function () {
    this.timeout(180_000);
    stage = await onStage();
    mail = await startSmtpServer();
    ann = await stage.world.person('ann');
    for (const [key, on] of settings()) await stage.world.configure(key, on);
  });

  after(async () => {
    for (const [key, , off] of settings()) await stage.world.configure(key, off);
    await stage.world.configure('checkMails', false);
    await mail.close();
  });

  afterEach(async () => {
    expect(now?.complaints() ?? []).to.deep.equal([]);
    await now?.close();
    now = undefined;
  });

  async function at(place: string, options: VisitorOptions = {}) {
    now = await visitor(stage, options);
    await now.open(place);
    return now.page;
  }
  type Page = Visitor['page'];
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

  it('a forgotten password is replaced: address, mail, new password, signing in with it', async () => {
    const page = await at('/login');
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await heading(page, 'Forgot your password?').waitFor();
    expect(await page.title()).to.equal('Forgot your password? | MyPads');
    await page.getByRole('button', { name: 'Send link' }).click();
    await page.getByRole('link', { name: 'This is not an e-mail address.' }).waitFor();
    await page.getByLabel('E-mail').fill(`${ann.login}@example.org`);
    await page.keyboard.press('Enter');
    await heading(page, 'Check your mail').waitFor();
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    const token = tokenIn(await mail.next(), 'passrecover', stage.etherpad.url);

    await page.goto(`/mypads/index.html?/passrecover/${token}`);
    await heading(page, 'Choose a new password').waitFor();
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    await page.getByLabel('New password', { exact: true }).fill('a new long secret');
    await page.getByLabel('New password again').fill('a new long secret');
    await page.getByRole('button', { name: 'Save password' }).click();
    await heading(page, 'Sign in').waitFor();
    await page.getByText('Your password was changed. Sign in with it.').waitFor();
    expect(await page.getByLabel('Login or e-mail').inputValue()).to.equal(ann.login);
    await page.getByLabel('Password', { exact: true }).fill('a new long secret');
    await page.keyboard.press('Enter');
    await heading(page, 'Folders').waitFor();
    await mail.next();

    await page.goto(`/mypads/index.html?/passrecover/${token}`);
    await page.getByLabel('New password', { exact: true }).fill('a third long secret');
    await page.getByLabel('New password again').fill('a third long secret');
    await page.getByRole('button', { name: 'Save password' }).click();
    await heading(page, 'This link does not work').waitFor();
    await page.getByRole('link', { name: 'Ask for a new link' }).click();
    await heading(page, 'Forgot your password?').waitFor();
  });

  it('a new account is confirmed, and its owner signs in', async () => {
    await stage.world.configure('checkMails', true);
    const login = `newcomer${Date.now() % 1e6}`;
    const body = { login, password, email: `${login}@example.org` };
    await stage.etherpad.api('POST', 'user', { body });
    const token = tokenIn(await mail.next(), 'accountconfirm', stage.etherpad.url);
    const page = await at(`/accountconfirm/${token}`);
    await heading(page, 'Sign in').waitFor();
    await page.getByText('Your e-mail address is confirmed.').waitFor();
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
    await heading(page, 'Folders').waitFor();
  });

  it('another address is confirmed, or given up before that', async () => {
    await stage.world.configure('checkMails', false);
    const bob = await stage.world.person('bob');
    await stage.world.configure('checkMails', true);
    const page = await at('/myprofile', { as: bob });
    const wish = async (email: string): Promise<string> => {
      await page.getByRole('button', { name: 'Change e-mail' }).click();
      await page.getByLabel('New e-mail address').fill(email);
      await page.getByLabel('Current password').fill(password);
      await page.keyboard.press('Enter');
      await page.getByText(`${email} is not confirmed yet.`).waitFor();
      const token = tokenIn(await mail.next(), 'accountconfirm', stage.etherpad.url);
      await mail.next();
      return token;
    };
    await wish(`first.${bob.login}@example.org`);
    await page.getByRole('button', { name: 'Keep the old address' }).click();
    await page.getByText(`Your e-mail address stays ${bob.login}@example.org.`).waitFor();
    const token = await wish(`second.${bob.login}@example.org`);
    await now?.open(`/accountconfirm/${token}`);
    await heading(page, 'Account').waitFor();
    await page.getByText('Your e-mail address is confirmed.').waitFor();
    await page.getByRole('definition').getByText(`second.${bob.login}@example.org`).waitFor();
  });

  it('that are good for nothing say what to do, on a small phone too', async () => {
    const page = await at(`/accountconfirm/${'1'.repeat(64)}`, { screen: { width: 320, height: 640 } });
    await heading(page, 'The address was not confirmed').waitFor();
    await page.getByText('register again with the same login and address').waitFor();
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    expect(await sidewaysScroll(page)).to.deep.equal([]);
    await page.getByRole('link', { name: 'Go to sign-in' }).click();
    await heading(page, 'Sign in').waitFor();
  });

  it('are not offered where no mail can be sent', async () => {
    await stage.world.configure('SMTPEmailFrom', '');
    try {
      const page = await at('/passrecover');
      await page.getByText('This server cannot send mail.').waitFor();
      await page.getByRole('link', { name: 'Go to sign-in' }).click();
      await page.getByLabel('Login or e-mail').waitFor();
      expect(await page.getByRole('link', { name: 'Forgot your password?' }).count()).to.equal(0);
    } finally {
      await stage.world.configure('SMTPEmailFrom', 'pads@example.org');
    }
  });
});
