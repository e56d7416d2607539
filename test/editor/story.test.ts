/** The main use of the app from beginning to end: three people with three browsers and one pad. */
import { expect } from 'chai';
import { type AppWindow, useApp } from '../support/browser';
import { frameOf, type, untilSaved, untilShows } from '../support/editor';
import type { Person } from '../support/hostFixture';

describe('three people and a pad', function () {
  this.timeout(180_000);
  const app = useApp();
  let ann: AppWindow;
  let bob: Person;
  let bobs: AppWindow;
  let folder = '';
  let pad = '';

  before(async () => {
    bob = await app.fixture.person('bob');
    ann = await app.window();
    bobs = await app.window({ as: bob });
  });

  it('Ann registers and is signed in at once', async () => {
    const { page } = ann;
    await ann.goTo('');
    await page.getByRole('link', { name: 'Register' }).click();
    await page.getByLabel('Username', { exact: true }).fill(`ann-${Date.now()}`);
    await page.getByLabel('Email').fill(`ann-${Date.now()}@example.org`);
    await page.getByLabel('Password', { exact: true }).fill('a good long password');
    await page.getByLabel('Password again').fill('a good long password');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('heading', { level: 1, name: 'Folders' }).waitFor();
    await page.getByText('No folders yet').waitFor();
  });

  it('Ann creates a folder and a pad in it, and types', async () => {
    const { page } = ann;
    await page.getByRole('link', { name: 'Create your first folder' }).click();
    await page.getByLabel('Name').fill('Board of the school');
    await page.getByRole('button', { name: 'Create folder' }).click();
    await page.getByRole('heading', { level: 1, name: 'Board of the school' }).waitFor();
    folder = /group\/([^/]+)\/view/.exec(page.url())?.[1] ?? '';
    await page.getByRole('main').getByRole('button', { name: 'New pad' }).click();
    await page.getByRole('heading', { level: 1, name: 'Untitled' }).getByRole('button').click();
    await page.getByRole('textbox', { name: 'New name of Untitled' }).fill('Minutes');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Minutes' }).waitFor();
    pad = /pad\/view\/([^/&]+)/.exec(page.url())?.[1] ?? '';
    await type(page, 'Present: Ann. ');
    await untilSaved(page, pad, 'Present: Ann.');
  });

  it('no ticket stays in the address of the editor', () => {
    const frame = ann.page.frames().find((one) => one.url().includes(`/p/${pad}`));
    expect(frame).not.to.equal(undefined);
    expect(frame?.url()).not.to.contain('auth_token');
  });

  it('Ann invites Bob', async () => {
    const { page } = ann;
    await page.getByRole('link', { name: /Back to/ }).click();
    await page.getByRole('button', { name: /^Share( \d|$)/ }).click();
    await page.getByRole('combobox', { name: 'Add people', exact: true }).fill(`${bob.login},`);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText(bob.login).first().waitFor();
  });

  it('Bob finds the folder, reads what Ann has typed, and types too', async () => {
    const { page } = bobs;
    await bobs.goTo('/mypads');
    await page.getByRole('link', { name: 'Board of the school' }).click();
    await page.getByRole('link', { name: 'Minutes' }).click();
    await untilShows(frameOf(page), 'Present: Ann.');
    await type(page, 'And Bob. ');
    await untilSaved(page, pad, 'And Bob.');
  });

  it('each of them sees what the other types', async () => {
    await ann.goTo(`/mypads/group/${folder}/pad/view/${pad}`);
    await untilShows(frameOf(ann.page), 'And Bob.');
    await type(ann.page, 'Item one: money. ');
    await untilShows(frameOf(bobs.page), 'Item one: money.');
    await type(bobs.page, 'Item two: cake. ');
    await untilShows(frameOf(ann.page), 'Item two: cake.');
  });

  for (const [who, signedIn] of [
    ['Carol, who was not invited,', true],
    ['a visitor without account', false],
  ] as const) {
    it(`${who} can open neither the folder, nor the pad, nor the editor itself`, async () => {
      const carol = signedIn ? await app.fixture.person('carol') : undefined;
      const { page, goTo } = await app.window({ as: carol });
      const what = (thing: string) =>
        signedIn ? `This ${thing} is not shared with you` : new RegExp(`Sign in to (see|open) this ${thing}`);
      await goTo(`/mypads/group/${folder}/view`);
      await page.getByText(what('folder')).waitFor();
      expect(await page.getByText('Minutes').count()).to.equal(0);
      await goTo(`/mypads/group/${folder}/pad/view/${pad}`);
      await page.getByText(what('pad')).waitFor();
      expect(await page.locator('iframe').count()).to.equal(0);
      await page.goto(`/p/${pad}`);
      await page.getByText(what('pad')).waitFor();
      // Not the folder, whose id begins with its name.
      expect(page.url()).to.contain(`?/mypads/group/-/pad/view/${pad}`);
    });
  }

  it('when Ann removes Bob, the editor that Bob has open closes with an explanation', async () => {
    const { page } = ann;
    await ann.goTo(`/mypads/group/${folder}/user/invite`);
    await page.getByLabel(/^Role of bob/).selectOption('Remove');
    await page.getByText(/Will lose access: bob/).waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await bobs.page.getByText('This pad is not shared with you').waitFor();
    expect(await bobs.page.locator('iframe').count()).to.equal(0);
  });
});
