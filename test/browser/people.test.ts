/** Inviting people into a folder, and sharing its administration. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { onStage, type Stage, type Visitor, visitor } from '../support/browser';
import type { Person } from '../support/hostWorld';

describe('people of a folder', function () {
  this.timeout(60_000);
  let stage: Stage;
  let ann: Person;
  let bob: Person;
  let carol: Person;
  let folder = '';
  let now: Visitor | undefined;

  before(async function () {
    this.timeout(180_000);
    stage = await onStage();
    [ann, bob, carol] = [
      await stage.world.person('ann'),
      await stage.world.person('bob'),
      await stage.world.person('carol'),
    ];
  });

  beforeEach(async () => {
    folder = await stage.world.group(ann, { name: 'Choir' });
  });

  afterEach(async () => {
    expect(now?.complaints() ?? []).to.deep.equal([]);
    await now?.close();
    now = undefined;
  });

  async function at(action: 'invite' | 'share', as = ann): Promise<Page> {
    now = await visitor(stage, { as });
    await now.open(`/mypads/group/${folder}/user/${action}`);
    return now.page;
  }

  const box = (page: Page) => page.getByRole('combobox');
  const saved = (page: Page) => page.getByText('The people of “Choir” were saved.').waitFor();

  /** Puts text where Ctrl+V would. */
  async function paste(page: Page, text: string): Promise<void> {
    await box(page).focus();
    await box(page).evaluate((input, pasted) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text', pasted);
      input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, text);
  }

  async function roles(): Promise<{ admins: string[]; users: string[] }> {
    const answer = await stage.etherpad.api('GET', `group/${folder}`, { token: ann.token });
    const { value } = answer.body as { value: { admins: string[]; users: string[] } };
    return { admins: value.admins, users: value.users };
  }

  it('a pasted list of logins and addresses becomes people, each once', async () => {
    const page = await at('invite');
    await paste(page, `${bob.login}\n${carol.login}@example.org; ${bob.login}`);
    await page
      .getByText(`Come in, if they have an account here: ${bob.login} and ${carol.login}@example.org`)
      .waitFor();
    await page.getByRole('button', { name: 'Save users' }).click();
    await saved(page);
    expect(await roles()).to.deep.equal({ admins: [ann.id], users: [bob.id, carol.id] });
  });

  it('says plainly who has no account, has saved the others, and lets it be corrected', async () => {
    const page = await at('invite');
    await box(page).fill(`${bob.login}, nobody@nowhere.example,`);
    await page.getByRole('button', { name: 'Save users' }).click();
    await page.getByText('1 entry has no account here').waitFor();
    expect((await roles()).users).to.deep.equal([bob.id]);
    await page.getByRole('button', { name: 'Remove nobody@nowhere.example' }).click();
    await box(page).fill(`${carol.login},`);
    await page.getByRole('button', { name: 'Save users' }).click();
    await saved(page);
    expect((await roles()).users).to.deep.equal([bob.id, carol.id]);
  });

  it('completes people it knows from other folders, by login, name or address', async () => {
    const other = await stage.world.group(ann, { name: 'Band' });
    await stage.world.invite(ann, other, [bob.login, carol.login]);
    const page = await at('invite');
    await box(page).fill(`${carol.login}@exam`);
    const option = page.getByRole('option', { name: /carol Test/ });
    await option.waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByText('Come in: carol Test').waitFor();
    await page.getByRole('button', { name: 'Save users' }).click();
    await saved(page);
    expect((await roles()).users).to.deep.equal([carol.id]);
  });

  it('says before saving who loses access and who changes sides', async () => {
    await stage.world.invite(ann, folder, [bob.login, carol.login]);
    const page = await at('share');
    await box(page).fill(`${bob.login},`);
    await page.getByText('Users who become administrators: bob Test').waitFor();
    await page.getByRole('button', { name: 'Save administrators' }).click();
    await saved(page);
    expect(await roles()).to.deep.equal({ admins: [ann.id, bob.id], users: [carol.id] });

    await now?.open(`/mypads/group/${folder}/user/invite`);
    await page.getByRole('button', { name: `Remove ${carol.login}` }).click();
    await page.getByText('Lose access: carol Test').waitFor();
    await box(page).fill(`${bob.login},`);
    await page.getByText('Administrators who become users: bob Test').waitFor();
    await page.getByRole('button', { name: 'Save users' }).click();
    await saved(page);
    expect(await roles()).to.deep.equal({ admins: [ann.id], users: [bob.id] });
  });

  it('does not let the last administrator go', async () => {
    await stage.world.invite(ann, folder, [bob.login]);
    const page = await at('share');
    await page.getByRole('button', { name: `Remove ${ann.login}` }).click();
    await page.getByRole('button', { name: 'Save administrators' }).click();
    await page.getByRole('link', { name: 'Somebody must remain to administer this folder.' }).waitFor();
    await now?.open(`/mypads/group/${folder}/user/invite`);
    await box(page).fill(`${ann.login},`);
    await page.getByRole('button', { name: 'Save users' }).click();
    await page.getByRole('link', { name: 'Somebody must remain to administer this folder.' }).waitFor();
    expect(await roles()).to.deep.equal({ admins: [ann.id], users: [bob.id] });
  });

  it('warns somebody who takes himself out, and leads away afterwards', async () => {
    await stage.world.invite(ann, folder, [ann.login, bob.login], false);
    const page = await at('share', bob);
    await page.getByRole('button', { name: `Remove ${bob.login}` }).click();
    await page.getByRole('button', { name: 'Save administrators' }).click();
    const dialog = page.getByRole('dialog', { name: 'Take yourself out of this folder?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect((await roles()).admins).to.deep.equal([ann.id, bob.id]);
    await page.getByRole('button', { name: 'Save administrators' }).click();
    await dialog.getByRole('button', { name: 'Save all the same' }).click();
    await page.getByRole('heading', { level: 1, name: 'Folders' }).waitFor();
    expect((await roles()).admins).to.deep.equal([ann.id]);
  });

  it('is not for members', async () => {
    await stage.world.invite(ann, folder, [bob.login]);
    const page = await at('invite', bob);
    await page.getByText('Only administrators of a folder can do this.').waitFor();
    expect(await box(page).count()).to.equal(0);
  });
});
