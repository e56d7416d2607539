/** One's own account: profile, address, password, sessions, removal. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import {
  accessibilityProblems,
  heading,
  untilFocused,
  untilTitle,
  useApp,
  type WindowOptions,
} from '../support/browser';
import { password } from '../support/hostFixture';

describe('the account screen', function () {
  this.timeout(90_000);
  const app = useApp();
  const ann = app.usePerson('ann', beforeEach);

  const open = (path = '/myprofile', options: WindowOptions = {}): Promise<Page> =>
    app.open(path, { as: ann, ...options });
  const own = async (): Promise<Record<string, unknown>> => {
    const answer = await app.etherpad.api('GET', `user/${ann.login}`, { token: ann.token });
    return (answer.body as { value: Record<string, unknown> }).value;
  };

  it('opens from the menu, saves changes, and changes the language at once', async () => {
    const page = await open('/mypads');
    await page.getByRole('button', { name: 'ann Test' }).click();
    await page.getByRole('menuitem', { name: 'Account' }).click();
    await heading(page, 'Account').waitFor();
    await untilTitle(page, 'Account | MyPads');
    await page.getByLabel('First name').fill('Ânne');
    await page.getByLabel('Organisation').fill('Garden club');
    await page.getByLabel('Name in pads').fill('Annie');
    await page.getByLabel('Your colour').fill('#2266aa');
    await page.getByLabel('Use my name and colour in pads').uncheck();
    await page.getByLabel('Hide hints below fields').check();
    await page.getByLabel('Language').selectOption('fr');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Votre profil a été enregistré.').waitFor();
    await heading(page, 'Compte').waitFor();
    expect(await own()).to.include({
      firstname: 'Ânne',
      lastname: 'Test',
      organization: 'Garden club',
      padNickname: 'Annie',
      color: '#2266aa',
      lang: 'fr',
      useLoginAndColorInPads: false,
      hideHelp: true,
    });
    await page.getByRole('button', { name: 'Ânne Test' }).waitFor();
    expect(await page.getByText('Ce que les autres voient').isVisible()).to.equal(false);
    await page.getByRole('link', { name: 'Favoris' }).click();
    await heading(page, 'Favoris').waitFor();

    const hints = page.locator('html[data-help="hidden"]');
    await page.reload();
    await hints.waitFor();
    await page.getByRole('button', { name: 'Ânne Test' }).click();
    await page.getByRole('menuitem', { name: 'Se déconnecter' }).click();
    await heading(page, 'Se connecter').waitFor();
    await hints.waitFor({ state: 'detached' });
  });

  it('changes address and password only with the current password', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Change email' }).click();
    const email = page.getByRole('dialog', { name: /^Change your email address$/ });
    await email.getByLabel('New email address').fill(`new.${ann.login}@example.org`);
    await email.getByLabel('Current password').fill('not the one');
    await email.getByRole('button', { name: 'Save address' }).click();
    await email.getByText('This is not your current password.').first().waitFor();
    await email.getByLabel('Current password').fill(password);
    await email.getByRole('button', { name: 'Save address' }).click();
    await page.getByText(`Your email address is now new.${ann.login}@example.org.`).waitFor();

    await page.getByRole('button', { name: 'Change password' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change your password' });
    await dialog.getByLabel('Current password').fill(password);
    await dialog.getByLabel('New password', { exact: true }).fill('another long secret');
    await dialog.getByLabel('New password again').fill('another one');
    await dialog.getByRole('button', { name: 'Save password' }).click();
    await dialog.getByRole('link', { name: 'The two passwords differ.' }).waitFor();
    await dialog.getByLabel('New password again').fill('another long secret');
    await dialog.getByRole('button', { name: 'Save password' }).click();
    await page.getByText('Your password was changed.').waitFor();
    const body = { login: `new.${ann.login}@example.org`, password: 'another long secret' };
    expect((await app.etherpad.api('POST', 'auth/login', { body })).status).to.equal(200);
  });

  it('lists sessions, and ends one of them or all others', async () => {
    const others = [await app.fixture.signIn(ann.login), await app.fixture.signIn(ann.login)];
    const page = await open();
    const rows = page.getByRole('region', { name: 'Where you are signed in' }).getByRole('listitem');
    await rows.nth(2).waitFor();
    expect(await rows.count()).to.equal(3);
    expect(await rows.filter({ hasText: 'This browser' }).count()).to.equal(1);
    await rows.getByRole('button').first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'End session' }).click();
    await page.getByText('The session has ended.').waitFor();
    await rows.nth(2).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere else' }).click();
    await page.getByText('You are now signed in only here.').waitFor();
    await rows.nth(1).waitFor({ state: 'detached' });
    for (const { token } of others) {
      const answer = await app.etherpad.api('GET', 'configuration', { token });
      expect(answer.body).to.include({ auth: false });
    }
    expect(await own()).to.include({ login: ann.login });
  });

  it('removes the account only with the password, and says before what is lost', async () => {
    const bob = await app.fixture.person('bob');
    const folder = await app.fixture.group(ann, { name: 'Mine' });
    await app.fixture.pad(ann, folder);
    await app.fixture.pad(ann, folder);
    await app.fixture.invite(ann, folder, [bob.login]);
    const former = await app.fixture.group(ann, { name: 'Former' });
    await app.fixture.pad(ann, former);
    await app.etherpad.api('DELETE', `group/${former}`, { token: ann.token });
    const readers = [(await app.fixture.person('ray')).login];
    await app.etherpad.api('PUT', `group/${folder}/members`, { token: ann.token, body: { readers } });
    const page = await open();
    await page.getByRole('button', { name: 'Delete my account' }).click();
    const dialog = page.getByRole('dialog', { name: `Delete the account “${ann.login}”?` });
    await dialog.getByText('2 folders that only you manage will be deleted.').waitFor();
    await dialog.getByText('3 pads and their texts will be deleted for good.').waitFor();
    await dialog.getByText('2 other people will lose access.').waitFor();
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    await dialog.getByLabel('Current password').fill('not the one');
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await dialog.getByText('This is not your current password.').first().waitFor();
    await dialog.getByLabel('Current password').fill(password);
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await heading(page, 'Sign in').waitFor();
    await page.getByText(`The account “${ann.login}” was deleted.`).waitFor();
    expect(await page.evaluate(() => localStorage.getItem('token'))).to.equal(null);
  });

  it('keeps what was changed in the menu since it was opened when other things are saved', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'ann Test' }).click();
    await page.getByRole('menuitem', { name: 'Language' }).click();
    await page.getByRole('button', { name: 'Deutsch' }).click();
    await heading(page, 'Konto').waitFor();
    await page.getByLabel('Organisation').fill('Garden club');
    await page.getByRole('button', { name: 'Änderungen speichern' }).first().click();
    await page.getByText('Ihr Profil ist gespeichert.').waitFor();
    expect(await own()).to.include({ organization: 'Garden club', lang: 'de' });
    await heading(page, 'Konto').waitFor();
  });

  it('lists its parts beside them, or in a menu, and says which one is shown', async () => {
    const page = await open('/myprofile');
    const parts = page.getByRole('navigation', { name: 'On this page' });
    const current = (name: string) => parts.locator('[aria-current]').filter({ hasText: name }).waitFor();
    const part = (name: string) => page.getByRole('heading', { level: 2, name });
    await page.getByText('This browser').waitFor();
    await current('Profile');
    await parts.getByRole('link', { name: 'API tokens' }).press('Enter');
    await untilFocused(part('API tokens'));
    await current('API tokens');
    expect((await part('API tokens').boundingBox())?.y).to.be.within(0, 200);
    await page.evaluate(() => scrollTo(0, 0));
    await current('Profile');
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await current('Delete account');

    await page.setViewportSize({ width: 390, height: 844 });
    await parts.getByRole('button', { name: /^On this page: ./ }).click();
    await page.getByRole('menuitemradio', { name: 'Profile' }).click();
    await untilFocused(part('Profile'));
    await parts.getByRole('button', { name: 'On this page: Profile' }).waitFor();
    expect((await part('Profile').boundingBox())?.y, 'below the bars').to.be.above(96);
  });

  it('that administrators have switched off says so, and is not in the menu', async () => {
    await app.fixture.configure('disableUserProfile', true);
    try {
      const page = await open();
      await page.getByText('Accounts cannot be changed here').waitFor();
      await page.getByRole('link', { name: 'Go to your folders' }).waitFor();
      await page.getByRole('button', { name: 'ann Test' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
      expect(await page.getByRole('menuitem', { name: 'Account' }).count()).to.equal(0);
    } finally {
      await app.fixture.configure('disableUserProfile', false);
    }
  });
});
