/** A person's own lists of people. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { untilTitle, useApp } from '../support/browser';

describe('user lists', function () {
  this.timeout(60_000);
  const app = useApp();
  const ann = app.usePerson('ann', beforeEach);
  const bob = app.usePerson('bob');
  const carol = app.usePerson('carol');

  const open = (path: string): Promise<Page> => app.open(path, { as: ann });

  const list = (page: Page, name: string) => page.getByRole('link', { name, exact: true });

  async function stored(): Promise<Record<string, string[]>> {
    const { body } = await app.etherpad.api('GET', 'userlist', { token: ann.token });
    const lists = (body as { value: Record<string, { name: string; uids: string[] }> }).value;
    return Object.fromEntries(Object.values(lists).map(({ name, uids }) => [name, uids]));
  }

  async function create(name: string, loginsOrEmails: string[]): Promise<string> {
    const body = { name, loginsOrEmails };
    const answer = await app.etherpad.api('POST', 'userlist', { token: ann.token, body });
    return (answer.body as { key: string }).key;
  }

  it('an empty page says what lists are for, and leads from the sidebar to the first list', async () => {
    const page = await open('/mypads');
    await page.getByRole('link', { name: 'People lists' }).click();
    await page.getByText('No lists yet').waitFor();
    await page.getByRole('link', { name: 'New list' }).click();
    await page.getByLabel('Name').fill('Class 7b');
    const people = page.getByRole('combobox');
    await people.fill(`${bob.login}; "Carol" <${carol.login}@example.org>, nobody@nowhere.example;`);
    await page.getByRole('button', { name: 'Create list' }).click();
    await page.getByText('1 entry has no account here').waitFor();
    await page.getByRole('button', { name: 'Remove nobody@nowhere.example' }).click();
    await page.getByRole('button', { name: 'Save list' }).click();
    await page.getByText('The list “Class 7b” was saved.').waitFor();
    await list(page, 'Class 7b').waitFor();
    await untilTitle(page, 'People lists | MyPads');
    expect(await stored()).to.deep.equal({ 'Class 7b': [bob.id, carol.id] });
  });

  it('a list is renamed, and people leave it while another window adds somebody', async () => {
    const loginsOrEmails = [bob.login, `${carol.login}@example.org`];
    const key = await create('Choir', loginsOrEmails);
    const page = await open('/myuserlists');
    await list(page, 'Choir').click();
    await page.getByLabel('Name').fill('');
    await page.getByRole('button', { name: 'Save list' }).click();
    await page.getByRole('link', { name: 'Give the list a name.' }).waitFor();
    await page.getByLabel('Name').fill('Choir of the school');
    await page.getByRole('button', { name: `Remove ${bob.login}` }).click();
    const body = { loginsOrEmails: [...loginsOrEmails, ann.login] };
    await app.etherpad.api('PUT', `userlist/${key}`, { token: ann.token, body });
    await page.getByRole('button', { name: 'Save list' }).click();
    await list(page, 'Choir of the school').waitFor();
    expect(await stored()).to.deep.equal({ 'Choir of the school': [carol.id, ann.id] });
    await list(page, 'Choir of the school').click();
    await page.getByRole('button', { name: `Remove ${carol.login}@example.org` }).waitFor();
  });

  it('a list is removed after a question, which the address of 1.x asks too', async () => {
    const key = await create('Band', [bob.login]);
    const page = await open(`/myuserlists/${key}/remove`);
    const dialog = page.getByRole('dialog', { name: 'Delete the list “Band”?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Actions for “Band”' }).click();
    await page.getByRole('menuitem', { name: 'Delete list' }).click();
    await dialog.getByRole('button', { name: 'Delete list' }).click();
    await page.getByText('No lists yet').waitFor();
    expect(await stored()).to.deep.equal({});
    await app.goTo(`/myuserlists/${key}/edit`);
    await page.getByText('List not found').waitFor();
  });
});
