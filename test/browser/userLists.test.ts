/** A person's own lists of people. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { onStage, type Stage, type Visitor, visitor } from '../support/browser';
import type { Person } from '../support/hostWorld';

describe('user lists', function () {
  this.timeout(60_000);
  let stage: Stage;
  let ann: Person;
  let bob: Person;
  let carol: Person;
  let now: Visitor | undefined;

  before(async function () {
    this.timeout(180_000);
    stage = await onStage();
    bob = await stage.world.person('bob');
    carol = await stage.world.person('carol');
  });

  beforeEach(async () => {
    ann = await stage.world.person('ann');
  });

  afterEach(async () => {
    expect(now?.complaints() ?? []).to.deep.equal([]);
    await now?.close();
    now = undefined;
  });

  async function at(place: string): Promise<Page> {
    now = await visitor(stage, { as: ann });
    await now.open(place);
    return now.page;
  }

  const list = (page: Page, name: string) => page.getByRole('link', { name, exact: true });

  async function stored(): Promise<Record<string, string[]>> {
    const { body } = await stage.etherpad.api('GET', 'userlist', { token: ann.token });
    const lists = (body as { value: Record<string, { name: string; uids: string[] }> }).value;
    return Object.fromEntries(Object.values(lists).map(({ name, uids }) => [name, uids]));
  }

  async function create(name: string, loginsOrEmails: string[]): Promise<string> {
    const body = { name, loginsOrEmails };
    const answer = await stage.etherpad.api('POST', 'userlist', { token: ann.token, body });
    return (answer.body as { key: string }).key;
  }

  it('an empty page says what lists are for, and leads from the sidebar to the first list', async () => {
    const page = await at('/mypads');
    await page.getByRole('link', { name: 'User lists' }).click();
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
    expect(await page.title()).to.match(/^User lists \|/);
    expect(await stored()).to.deep.equal({ 'Class 7b': [bob.id, carol.id] });
  });

  it('a list is renamed, and people leave it', async () => {
    await create('Choir', [bob.login, `${carol.login}@example.org`]);
    const page = await at('/myuserlists');
    await list(page, 'Choir').click();
    await page.getByLabel('Name').fill('');
    await page.getByRole('button', { name: 'Save list' }).click();
    await page.getByRole('link', { name: 'Give the list a name.' }).waitFor();
    await page.getByLabel('Name').fill('Choir of the school');
    await page.getByRole('button', { name: `Remove ${bob.login}` }).click();
    await page.getByRole('button', { name: 'Save list' }).click();
    await list(page, 'Choir of the school').waitFor();
    expect(await stored()).to.deep.equal({ 'Choir of the school': [carol.id] });
    await list(page, 'Choir of the school').click();
    await page.getByRole('button', { name: `Remove ${carol.login}@example.org` }).waitFor();
  });

  it('a list is removed after a question, which the address of 1.x asks too', async () => {
    const key = await create('Band', [bob.login]);
    const page = await at(`/myuserlists/${key}/remove`);
    const dialog = page.getByRole('dialog', { name: 'Remove the list “Band”?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Actions for “Band”' }).click();
    await page.getByRole('menuitem', { name: 'Remove list' }).click();
    await dialog.getByRole('button', { name: 'Remove list' }).click();
    await page.getByText('No lists yet').waitFor();
    expect(await stored()).to.deep.equal({});
    await now?.open(`/myuserlists/${key}/edit`);
    await page.getByText('This list does not exist').waitFor();
  });
});
