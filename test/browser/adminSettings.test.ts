/** Each setting on the screen of the administration: saving, refused values, and what others save meanwhile. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import texts from '../../locales/en.json';
import { accessibilityProblems, hold, untilFocused, useApp, type WindowOptions } from '../support/browser';
import { startCasServer } from '../support/casServer';
import { closedPort, startSmtpServer } from '../support/smtpServer';
import { until } from '../support/waiting';

describe('the settings of the administration', function () {
  this.timeout(90_000);
  const app = useApp();
  let token = '';

  before(async () => {
    token = await app.signInAsAdmin();
  });

  /** Opens a path as an administrator. */
  const open = (path: string, options: WindowOptions = {}): Promise<Page> =>
    app.open(path, { adminToken: token, ...options });

  it('keeps what was typed for a setting while settings are searched, and while an earlier value is saved', async () => {
    const page = await open('/admin');
    const search = page.getByRole('searchbox', { name: 'Search settings' });
    const title = page.getByRole('textbox', { name: 'Name of this server' });
    await title.fill('First');
    await search.fill('length pass');
    await page.getByText('3 settings').waitFor();
    expect(await title.inputValue()).to.equal('First');
    const address = '**/api/configuration/title';
    const answer = await hold(page, address);
    const asked = page.waitForRequest(address);
    await title.press('Enter');
    await asked;
    await title.fill('Second');
    answer();
    await until('the first is stored', async () => (await app.setting('title')) === 'First');
    expect(await title.inputValue()).to.equal('Second');
    await page.unroute(address);
    // The page may not have the answer about the first yet. It sends nothing before.
    await until('the second is stored', async () => {
      await title.press('Enter');
      return (await app.setting('title')) === 'Second';
    });
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await title.evaluate((field) => field === document.activeElement)).to.equal(true);
    await search.fill('length');
    await title.waitFor({ state: 'detached' });
    await app.fixture.configure('title', 'MyPads');
  });

  it('keeps what a colleague has saved while a setting was being changed', async () => {
    const page = await open('/admin?q=title');
    const title = page.getByRole('textbox', { name: 'Name of this server' });
    await title.fill('Mine');
    await app.fixture.configure('title', 'Theirs');
    await title.press('Enter');
    await page.getByText('Someone else has changed this meanwhile').waitFor();
    expect(await app.setting('title')).to.equal('Theirs');
    expect(await title.inputValue()).to.equal('Mine');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await until('theirs is shown', async () => (await title.inputValue()) === 'Theirs');
    await title.fill('Mine');
    await title.press('Enter');
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await app.setting('title')).to.equal('Mine');

    await title.fill('Still mine');
    await app.fixture.configure('title', 'Theirs again');
    await title.press('Enter');
    await page.getByText('To replace it with yours, save again').waitFor();
    await until('what was typed replaces it', async () => {
      await title.press('Enter');
      return (await app.setting('title')) === 'Still mine';
    });
    await app.fixture.configure('title', 'MyPads');
  });

  it('each setting is saved on its own; a refused value stays in the field, with the reason', async () => {
    const page = await open('/admin');
    await page.getByRole('searchbox', { name: 'Search settings' }).fill('length pass');
    await page.getByText('2 settings').waitFor();
    const least = page.getByRole('textbox', { name: 'Minimum length of passwords' });
    await least.fill('0');
    await page.keyboard.press('Enter');
    await page.getByText('Not saved. Enter a whole number from 1 to 1000.').waitFor();
    expect(await least.inputValue()).to.equal('0');
    expect(await least.getAttribute('aria-invalid')).to.equal('true');
    await page.getByRole('textbox', { description: /^Not saved\. Enter a whole number/ }).waitFor();
    await least.fill('500');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Not saved. The minimum must not be larger than the maximum.').waitFor();
    await least.fill('9');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await app.setting('passwordMin')).to.equal(9);
    await page.getByRole('button', { name: 'Reset to default' }).click();
    await page.getByRole('button', { name: 'Reset to default' }).waitFor({ state: 'detached' });
    expect(await app.setting('passwordMin')).to.equal(8);
  });

  it('a switch is saved at once, and a new name of the server is shown at once', async () => {
    const page = await open('/admin?q=title');
    const title = page.getByRole('textbox', { name: 'Name of this server' });
    await title.fill('Our pads');
    await page.keyboard.press('Enter');
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Back to Our pads' }).waitFor();
    await page.getByRole('button', { name: 'Reset to default' }).click();
    await page.getByRole('link', { name: 'Back to MyPads' }).waitFor();
    await page.getByRole('searchbox').fill('hints below');
    await page.getByLabel('Hide hints below fields').check();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await app.setting('hideHelpBlocks')).to.equal(true);
    await page.getByLabel('Hide hints below fields').uncheck();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await app.setting('hideHelpBlocks')).to.equal(false);
  });

  it('by keyboard a choice is saved by its button, and after saving the focus is at the setting', async () => {
    const page = await open('/admin?q=second');
    const setting = page.locator('[data-setting="secondFactor"]');
    const choice = setting.getByRole('combobox');
    await choice.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await untilFocused(choice);
    const chosen = await choice.inputValue();
    await setting.getByRole('button', { name: 'Save' }).waitFor();
    expect(await app.setting('secondFactor')).to.equal('optional');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await setting.getByText('Saved', { exact: true }).waitFor();
    expect(await app.setting('secondFactor')).to.equal(chosen);
    await untilFocused(setting);
    await setting.getByRole('button', { name: 'Reset to default' }).focus();
    await page.keyboard.press('Enter');
    await setting.getByRole('button', { name: 'Reset to default' }).waitFor({ state: 'detached' });
    await untilFocused(setting);
    await page.getByRole('searchbox').fill('hints below');
    const hints = page.getByLabel('Hide hints below fields');
    for (const isOn of [true, false]) {
      await hints.focus();
      await page.keyboard.press('Space');
      await page.getByText('Saved', { exact: true }).waitFor();
      await until('it is stored', async () => (await app.setting('hideHelpBlocks')) === isOn);
      await untilFocused(hints);
    }
  });

  it('the message above the sign-in is written by language, with a preview', async () => {
    const page = await open('/admin?q=message above');
    await page.getByLabel('Message above the sign-in').last().fill('<p>Ask <b>the desk</b>.</p>');
    await page.getByRole('region', { name: 'Preview' }).getByText('Ask the desk.').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await app.setting('loginMsg')).to.include({ en: '<p>Ask <b>the desk</b>.</p>' });
    await page.getByRole('button', { name: 'Reset to default' }).click();
    await page.getByRole('region', { name: 'Preview' }).waitFor({ state: 'detached' });
  });

  it('the settings of a service are fields or JSON; broken JSON stays on the screen', async () => {
    const page = await open('/admin?q=cas');
    await page.getByText('Single sign-on (CAS)').first().click();
    await page.getByLabel('Address of the server').fill('nowhere');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('(Address of the server is not of the form https://host/path)').first().waitFor();
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    const reasons = page.getByRole('alert').filter({ hasText: 'is not of the form' });
    await reasons
      .filter({ hasText: 'It does not work with these settings: Address of the server' })
      .waitFor();
    expect(await reasons.count(), 'one result below the form').to.equal(1);
    await page.getByRole('button', { name: 'Save' }).click();
    await reasons.filter({ hasText: 'One of the values cannot be used.' }).first().waitFor();
    expect(await reasons.filter({ hasText: 'It does not work' }).count()).to.equal(0);
    const cas = await startCasServer();
    await app.fixture.configure('rootUrl', app.etherpad.url);
    await page.getByLabel('Address of the server').fill(cas.url);
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByText('It works with these settings.').waitFor();
    await cas.stop();
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByText(/It does not work with these settings:.*ECONNREFUSED/).waitFor();
    await app.reset('rootUrl');
    await page.getByLabel('Address of the server').fill('https://cas.test/cas/login');
    await page.getByRole('button', { name: 'Edit as JSON' }).click();
    const json = page.getByLabel('All settings as JSON');
    const typed = (await json.inputValue()).replace('"protocolVersion": 3', '"protocolVersion": 2');
    await json.fill(`${typed},`);
    await page.getByText('This is not a JSON object yet.').waitFor();
    await json.fill(typed);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await app.setting('authCasSettings')).to.include({
      serverUrl: 'https://cas.test/cas',
      protocolVersion: 2,
    });
    await page.getByRole('button', { name: 'Reset to default' }).click();
    await page.getByRole('button', { name: 'Reset to default' }).waitFor({ state: 'detached' });
  });

  it('the settings of a service keep what was typed while they are folded, and ask before broken JSON is lost', async () => {
    const page = await open('/admin?q=cas');
    const summary = page.getByText('Single sign-on (CAS)').first();
    await summary.click();
    await page.getByLabel('Address of the server').fill('https://cas.test/half');
    await summary.click();
    await page.getByLabel('Address of the server').waitFor({ state: 'hidden' });
    await summary.click();
    expect(await page.getByLabel('Address of the server').inputValue()).to.equal('https://cas.test/half');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Edit as JSON' }).click();
    await page.getByLabel('All settings as JSON').fill('{ "serverUrl": "https://cas.test/long",');
    await page.getByRole('link', { name: 'Accounts', exact: true }).click();
    await page.getByRole('button', { name: 'Keep editing' }).click();
    expect(await page.getByLabel('All settings as JSON').inputValue()).to.contain('cas.test/long');
  });

  it('adding a provider with its button keeps the focus', async () => {
    const page = await open('/admin?q=openid');
    await page.getByText('Single sign-on (OpenID Connect)').first().click();
    const button = page.getByRole('button', { name: 'Add a provider' });
    // A name that the server refuses, because every object has it.
    await page.getByLabel(texts['admin.oidc.id']).fill('constructor');
    expect(await button.isDisabled()).to.equal(true);
    await page.getByLabel(texts['admin.oidc.id']).fill('school');
    await button.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('group', { name: 'school' }).waitFor();
    await untilFocused(page.getByLabel(texts['admin.oidc.id']));
  });

  it('a test mail says why it was not sent, and what the mail server said', async () => {
    const mail = await startSmtpServer();
    const values = {
      rootUrl: app.etherpad.url,
      SMTPHost: '127.0.0.1',
      SMTPPort: await closedPort(),
      SMTPTLS: false,
      SMTPEmailFrom: 'pads@example.org',
      mailContact: 'help@example.org',
    };
    try {
      for (const [key, value] of Object.entries(values)) await app.fixture.configure(key, value);
      const page = await open('/admin?q=SMTP');
      const to = page.getByRole('textbox', { name: 'Send a test email to' });
      expect(await to.inputValue()).to.equal('help@example.org');
      await to.fill('ada,bob@example.org');
      await page.getByRole('button', { name: 'Send test email' }).click();
      await page.getByText(texts['BACKEND.ERROR.TYPE.MAIL']).waitFor();
      await to.fill('ada@example.org');
      await page.getByRole('button', { name: 'Send test email' }).click();
      await page.getByText(/Not sent\. The mail server cannot be reached.*ECONNREFUSED/).waitFor();
      expect(await accessibilityProblems(page)).to.deep.equal([]);
      await app.fixture.configure('SMTPPort', mail.port);
      await page.getByRole('button', { name: 'Send test email' }).click();
      await page.getByText(/127\.0\.0\.1 accepted the email: 250/).waitFor();
      await mail.next('ada@example.org');
    } finally {
      await mail.close();
      await app.reset(...Object.keys(values));
    }
  });
});
