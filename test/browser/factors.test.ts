/** Two-step sign-in with an authenticator app and with passkeys, which Chromium makes with a virtual device. */
import { expect } from 'chai';
import { TOTP } from 'otpauth';
import type { CDPSession, Page } from 'playwright-core';
import { accessibilityProblems, heading, problemsEverywhere, untilFocused, useApp } from '../support/browser';
import { password } from '../support/hostFixture';

describe('two-step sign-in', function () {
  this.timeout(120_000);
  const app = useApp();
  /** Browsers have passkeys for names only. */
  let root: string;

  before(async () => {
    root = app.etherpad.url.replace('127.0.0.1', 'localhost');
    await app.fixture.configure('rootUrl', root);
  });
  after(() => app.reset('rootUrl'));
  afterEach(() => app.reset('secondFactor'));

  const open = (page: Page, path: string) => page.goto(`${root}/mypads/?${path}`);
  const section = (page: Page) => page.getByRole('region', { name: 'Two-step sign-in' });

  async function typePassword(page: Page, login: string): Promise<void> {
    await open(page, '/login');
    await page.getByLabel('Username or email').fill(login);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  it('is set up with an app, then asks for its code', async () => {
    const { login } = await app.fixture.person('ann');
    const { page } = await app.window({ screen: 'phone' });
    await typePassword(page, login);
    await heading(page, 'Folders').waitFor();
    await open(page, '/myprofile');
    await section(page).getByText('Your password alone opens your account').waitFor();
    await section(page).getByRole('button', { name: 'Add an app' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Current password').fill(password);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
    expect(await problemsEverywhere(page)).to.deep.equal([]);
    const secret = await dialog.getByLabel('Key for the app').inputValue();
    const codeAt = (timestamp: number) => new TOTP({ secret }).generate({ timestamp });
    await dialog.getByLabel('Code from the app').fill(codeAt(Date.now()));
    await dialog.getByRole('button', { name: 'Add an app' }).click();
    await page.getByRole('dialog', { name: 'Your recovery codes' }).waitFor();
    expect(await dialog.getByRole('listitem').count()).to.equal(10);
    await dialog.getByRole('button', { name: 'Copy codes' }).click();
    await dialog.getByRole('button', { name: 'Copied' }).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await section(page).getByText('Recovery codes left: 10').waitFor();
    expect(await problemsEverywhere(page)).to.deep.equal([]);

    const other = await app.window({ screen: 'phone' });
    await typePassword(other.page, login);
    const step = other.page.getByRole('dialog', { name: 'Confirm that it is you' });
    const field = step.getByLabel('Code from the app');
    await field.fill('000000');
    await step.getByRole('button', { name: 'Sign in' }).click();
    await step.getByText('This code is wrong, or it was used before.').first().waitFor();
    expect(await problemsEverywhere(other.page)).to.deep.equal([]);
    await step.getByRole('button', { name: 'Use a recovery code' }).click();
    await untilFocused(step.getByLabel('Recovery code'));
    await step.getByRole('button', { name: 'Use the app' }).click();
    await untilFocused(field);
    // That of the next half minute, because each works once.
    await field.fill(codeAt(Date.now() + 30_000));
    await step.getByRole('button', { name: 'Sign in' }).click();
    await heading(other.page, 'Folders').waitFor();
  });

  /** Gives the browser of this page a device that makes passkeys. */
  async function addDevice(page: Page): Promise<{ cdp: CDPSession; authenticatorId: string }> {
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('WebAuthn.enable');
    const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    return { cdp, authenticatorId };
  }

  it('that is required is set up with a passkey at the sign-in, and administrators see who has none', async () => {
    const [eve, carl] = [await app.fixture.person('eve'), await app.fixture.person('carl')];
    await app.fixture.configure('secondFactor', 'everybody');
    const admin = await app.open('/admin/users', { adminToken: await app.signInAsAdmin() });
    const row = (login: string) => admin.getByRole('listitem').filter({ hasText: `${login}@` });
    // Other tests of this process may have made more people than one page of the list shows.
    const search = (login: string) => admin.getByRole('searchbox').fill(login);
    await search(eve.login);
    await admin.getByRole('button', { name: 'Filters', exact: true }).click();
    await admin.getByRole('button', { name: 'No second step' }).click();
    await row(eve.login).waitFor();
    expect(await problemsEverywhere(admin)).to.deep.equal([]);

    const { page } = await app.window({ screen: 'phone' });
    await addDevice(page);
    await typePassword(page, eve.login);
    const step = page.getByRole('dialog', { name: 'Two-step sign-in' });
    await step.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
    await step.getByRole('button', { name: 'Add a passkey' }).click();
    await step.getByText('so set up a passkey now').waitFor();
    await untilFocused(step.getByRole('button', { name: 'Add a passkey' }));
    expect(await problemsEverywhere(page)).to.deep.equal([]);
    await step.getByRole('button', { name: 'Add a passkey' }).click();
    const codes = page.getByRole('dialog', { name: 'Your recovery codes' });
    await codes.getByRole('button', { name: 'Close' }).last().click();
    const question = page.getByRole('dialog', { name: 'Close without copying?' });
    await question.getByRole('button', { name: 'Close' }).last().click();
    await heading(page, 'Folders').waitFor();
    await open(page, '/myprofile');
    await section(page).getByText('Chrome, Linux').waitFor();

    await admin.reload();
    await admin.getByText('Nothing found').waitFor();

    // A reset shows at once.
    await admin.getByRole('button', { name: 'No second step' }).click();
    const mark = (login: string) => row(login).getByText('No second step');
    await row(eve.login).getByRole('button').last().click();
    await admin.getByRole('menuitem', { name: 'Reset two-step sign-in' }).click();
    await admin.getByRole('dialog').getByRole('button', { name: 'Reset two-step sign-in' }).click();
    await mark(eve.login).waitFor();
    await row(eve.login).getByRole('button').last().click();
    await admin.getByRole('menuitem', { name: 'End sessions' }).waitFor();
    expect(await admin.getByRole('menuitem', { name: 'Reset two-step sign-in' }).count()).to.equal(0);
    await admin.keyboard.press('Escape');

    // Where only managers must, others are not marked.
    await app.fixture.configure('secondFactor', 'managers');
    const mona = await app.fixture.person('mona');
    await app.fixture.group(mona);
    await admin.reload();
    await search(mona.login);
    await mark(mona.login).waitFor();
    await search(carl.login);
    await row(carl.login).waitFor();
    expect(await mark(carl.login).count()).to.equal(0);
    await admin.getByRole('button', { name: 'Filters', exact: true }).click();
    await admin.getByRole('button', { name: 'No second step' }).click();
    await row(carl.login).waitFor({ state: 'detached' });
    await search(mona.login);
    await row(mona.login).waitFor();
  });

  it('that is given up or fails after a registration leads to the sign-in screen, with the username', async () => {
    await app.fixture.configure('secondFactor', 'everybody');
    for (const login of ['flora', 'felix']) {
      const { page } = await app.window({ screen: 'phone' });
      if (login === 'felix') await page.route('**/api/auth/login', (route) => route.abort());
      await open(page, '/subscribe&return=/mybookmarks');
      await page.getByLabel('Username').fill(login);
      await page.getByLabel('Email').fill(`${login}@example.org`);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByLabel('Password again').fill(password);
      await page.getByRole('button', { name: 'Create account' }).click();
      if (login === 'flora') await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      await heading(page, 'Sign in').waitFor();
      await page.getByText(`Welcome, ${login}.`).waitFor();
      expect(await page.getByLabel('Username or email').inputValue()).to.equal(login);
      expect(page.url()).to.include('return=%2Fmybookmarks');
    }
  });

  it('with a passkey needs nothing else', async () => {
    const { login } = await app.fixture.person('bob');
    const { page } = await app.window();
    await addDevice(page);
    await typePassword(page, login);
    await heading(page, 'Folders').waitFor();
    await open(page, '/myprofile');
    await section(page).getByRole('button', { name: 'Add a passkey' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name of the passkey').fill('My laptop');
    await dialog.getByLabel('Current password').fill(password);
    await dialog.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('dialog', { name: 'Your recovery codes' }).waitFor();
    await dialog.getByRole('button', { name: 'Copy codes' }).click();
    await dialog.getByRole('button', { name: 'Copied' }).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await section(page).getByText('My laptop').waitFor();
    await open(page, '/logout');
    const signIn = page.getByRole('button', { name: 'Sign in with a passkey' });
    await signIn.click();
    await heading(page, 'Folders').waitFor();

    // After the end of the session too, with what was typed.
    await open(page, '/mypads/group/add');
    await page.getByLabel(/^Name/).fill('Typed with care');
    const token = await page.evaluate(() => localStorage.getItem('token') ?? '');
    await app.etherpad.api('POST', 'auth/logout', { token });
    await page.getByRole('button', { name: 'Create folder' }).click();
    await dialog.filter({ has: signIn }).waitFor();
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    await signIn.click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Create folder' }).click();
    await heading(page, 'Typed with care').waitFor();
  });

  it('asks for nothing in a window when the person has signed in by another one', async () => {
    const { login } = await app.fixture.person('fred');
    await app.fixture.configure('secondFactor', 'everybody');
    const { page } = await app.window();
    const step = page.getByRole('dialog');
    await typePassword(page, login);
    await step.waitFor();
    const other = await page.context().newPage();
    await typePassword(other, login);
    const secret = await other.getByLabel('Key for the app').inputValue();
    await other.getByLabel('Code from the app').fill(new TOTP({ secret }).generate());
    await other.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click();
    await other.getByRole('button', { name: 'Copy codes' }).click();
    await other.getByRole('button', { name: 'Copied' }).waitFor();
    await other.keyboard.press('Escape');
    await heading(other, 'Folders').waitFor();
    await heading(page, 'Folders').waitFor();
    await step.waitFor({ state: 'detached' });
  });

  it('has one passkey on a device: a new one replaces what was removed, also in another window', async () => {
    const { login } = await app.fixture.person('dan');
    const { page } = await app.window();
    const dialog = page.getByRole('dialog');
    const add = async (name: string): Promise<void> => {
      await section(page).getByRole('button', { name: 'Add a passkey' }).click();
      await dialog.getByLabel('Name of the passkey').fill(name);
      await dialog.getByLabel('Current password').fill(password);
      await dialog.getByRole('button', { name: 'Add a passkey' }).click();
    };
    const closeCodes = async (): Promise<void> => {
      await dialog.getByRole('button', { name: 'Copy codes' }).click();
      await dialog.getByRole('button', { name: 'Copied' }).waitFor();
      await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
    };
    const { cdp, authenticatorId } = await addDevice(page);
    await typePassword(page, login);
    await heading(page, 'Folders').waitFor();
    await open(page, '/myprofile');
    await add('First');
    await closeCodes();
    await add('Second');
    await dialog.getByText('This device already has a passkey for your account.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();

    await section(page).getByRole('button', { name: 'Remove' }).click();
    await dialog.getByLabel('Current password').fill(password);
    const other = await page.context().newPage();
    await open(other, '/myprofile');
    await section(other).getByRole('button', { name: 'Remove' }).click();
    await other.getByLabel('Current password').fill(password);
    await other.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await other.getByText('“First” was removed.').waitFor();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('“First” was removed.').waitFor();

    await add('Third');
    await closeCodes();
    const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId });
    expect(credentials).to.have.length(1);
  });
});
