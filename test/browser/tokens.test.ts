/** API tokens: a person makes one, uses it and ends it; an administrator sees it, and makes their own. */
import { expect } from 'chai';
import { accessibilityProblems, contrastProblems, heading, sidewaysScroll, useApp } from '../support/browser';

describe('the screens of API tokens', function () {
  this.timeout(90_000);
  const app = useApp();
  const ann = app.usePerson('ann', beforeEach);

  const statusWith = async (token: string, path = 'group'): Promise<number> =>
    (await app.etherpad.api('GET', path, { token })).status;

  it('show a token once, list it, and end it after a question', async () => {
    const page = await app.open('/myprofile', { as: ann, screen: 'phone' });
    const section = page.getByRole('region', { name: 'API tokens' });
    await section.getByText('No API tokens').waitFor();
    await section.getByRole('button', { name: 'New token' }).click();
    const form = page.getByRole('dialog', { name: 'New token' });
    await form.getByLabel('Read').uncheck();
    await form.getByRole('button', { name: 'Create token' }).click();
    await form.getByText('Say what the token is for.').first().waitFor();
    const about = await form.getByRole('group', { name: 'What it allows' }).getAttribute('aria-describedby');
    expect(await form.locator(`[id="${about}"]`).textContent()).to.equal(
      'Choose at least one thing that the token allows.',
    );
    expect(await form.getByLabel('Administration').count()).to.equal(0);
    await form.getByLabel('What it is for').fill('Backup at night');
    await form.getByLabel('Read').check();
    await form.getByLabel('It ends').selectOption('After a week');
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    await form.getByRole('button', { name: 'Create token' }).click();
    const made = page.getByRole('dialog', { name: 'The new token' });
    await made.getByText('Copy it now. You will not see it again.').waitFor();
    const token = await made.getByLabel('Token', { exact: true }).inputValue();
    expect(token).to.match(/^mp_[0-9a-f]{40}$/);
    expect(await statusWith(token)).to.equal(200);
    const unsure = page.getByRole('dialog', { name: 'Close without copying?' });
    for (const close of [
      () => page.keyboard.press('Escape'),
      () => page.mouse.click(20, 5),
      () => made.getByRole('button', { name: 'Close' }).first().click(),
      () => made.getByRole('button', { name: 'Close' }).last().click(),
    ]) {
      await close();
      expect(await accessibilityProblems(page)).to.deep.equal([]);
      await unsure.getByRole('button', { name: 'Cancel' }).click();
      await unsure.waitFor({ state: 'detached' });
      expect(await made.getByLabel('Token', { exact: true }).inputValue()).to.equal(token);
    }
    await made.getByRole('button', { name: 'Copy token' }).click();
    await made.getByRole('button', { name: 'Copied' }).waitFor();
    await made.getByRole('button', { name: 'Close' }).last().click();
    await made.waitFor({ state: 'detached' });
    await section.getByText('Backup at night').waitFor();
    await section.getByText(`mp_…${token.slice(-4)}`).waitFor();
    expect(await page.content()).not.to.include(token);
    expect(await sidewaysScroll(page)).to.deep.equal([]);
    expect(await contrastProblems(page, 'dark')).to.deep.equal([]);
    await page.reload();
    await section.getByText(/^last used /).waitFor();
    await section.getByRole('button', { name: /^End token/ }).click();
    const question = page.getByRole('dialog', { name: 'End the token “Backup at night”?' });
    await question.getByRole('button', { name: 'End token' }).click();
    await page.getByText('The token “Backup at night” was ended.').waitFor();
    await section.getByText('No API tokens').waitFor();
    expect(await statusWith(token)).to.equal(401);
  });

  it('ask before Back loses a token that was not copied', async () => {
    const page = await app.open('/mypads', { as: ann });
    await page.getByRole('button', { name: /ann Test/ }).click();
    await page.getByRole('menuitem', { name: 'Account' }).click();
    await page.getByRole('region', { name: 'API tokens' }).getByRole('button', { name: 'New token' }).click();
    await page.getByLabel('What it is for').fill('Backup');
    await page.getByRole('button', { name: 'Create token' }).click();
    const made = page.getByRole('dialog', { name: 'The new token' }).getByLabel('Token', { exact: true });
    const token = await made.inputValue();
    await page.goBack();
    await page.getByRole('button', { name: 'Keep editing' }).or(heading(page, 'Folders')).waitFor();
    await page.getByRole('button', { name: 'Keep editing' }).click();
    expect(await made.inputValue()).to.equal(token);
  });

  it('list the tokens of everyone for administrators, who make their own', async () => {
    const body = { name: 'Of Ann', scopes: ['read'] };
    const path = `user/${ann.login}/tokens`;
    const { token } = (await app.etherpad.api('POST', path, { token: ann.token, body })).body as {
      token: string;
    };
    const adminToken = await app.signInAsAdmin();
    const page = await app.open('/admin/tokens', { adminToken });
    await heading(page, 'API tokens').waitFor();
    const row = page.getByRole('listitem').filter({ hasText: 'Of Ann' });
    await row.getByRole('link', { name: ann.login }).waitFor();
    await row.getByRole('button', { name: /^End token/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End token' }).click();
    await row.waitFor({ state: 'detached' });
    expect(await statusWith(token)).to.equal(401);
    await page.getByRole('button', { name: 'New token' }).click();
    const form = page.getByRole('dialog', { name: 'New token' });
    await form.getByLabel('What it is for').fill('Monitoring');
    await form.getByLabel('Administration').check();
    await form.getByRole('button', { name: 'Create token' }).click();
    const made = page.getByRole('dialog', { name: 'The new token' });
    const own = await made.getByLabel('Token', { exact: true }).inputValue();
    expect(await statusWith(own, 'admin/log')).to.equal(200);
    // Copied by hand.
    await made.getByLabel('Token', { exact: true }).focus();
    await page.keyboard.press('Control+c');
    await page.keyboard.press('Escape');
    await made.waitFor({ state: 'detached' });
    await page.getByText(`${app.etherpad.admin.name} (server administrator)`).waitFor();
    expect(await accessibilityProblems(page)).to.deep.equal([]);
  });
});
