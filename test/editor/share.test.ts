/** Sharing folders and pads: people and their roles, who can open them, and the link. */
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { hold, shareButton, untilFocused, useApp } from '../support/browser';
import { frameOf, textOf, untilEditorIsReady } from '../support/editor';
import type { Person } from '../support/hostFixture';
import { until } from '../support/waiting';

describe('sharing', function () {
  this.timeout(300_000);
  const app = useApp();
  const ann = app.usePerson('ann', beforeEach);
  const bob = app.usePerson('bob');
  const carol = app.usePerson('carol');
  let folder = '';

  beforeEach(async () => {
    folder = await app.fixture.group(ann, { name: 'Choir' });
  });

  async function open(path: string, as: Person | undefined = ann): Promise<Page> {
    const { page } = await app.window({ as });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await app.goTo(path);
    return page;
  }

  const view = () => `/mypads/group/${folder}/view`;
  const dialogOf = (page: Page) => page.getByRole('dialog', { name: /^Share “/ });
  const addPeople = (page: Page) => page.getByRole('combobox', { name: 'Add people', exact: true });
  const roleOf = (page: Page, name: string) => dialogOf(page).getByLabel(`Role of ${name} Test`);
  const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true });
  const saved = (page: Page) => page.getByText('The sharing settings of “Choir” were saved.').waitFor();
  const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

  async function openDialog(page: Page, from: Locator = page.locator('main header')): Promise<Locator> {
    await from.getByRole('button', { name: /^Share( \d|$)/ }).click();
    await dialogOf(page).waitFor();
    return dialogOf(page);
  }

  /** Pastes text as Ctrl+V does. */
  async function paste(page: Page, text: string): Promise<void> {
    await addPeople(page).focus();
    await addPeople(page).evaluate((input, pasted) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text', pasted);
      input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, text);
  }

  type Stored = Record<'admins' | 'users' | 'readers', string[]> & { visibility: string };
  async function stored(): Promise<Stored> {
    const answer = await app.etherpad.api('GET', `group/${folder}`, { token: ann.token });
    const { admins, users, readers, visibility } = (answer.body as { value: Stored }).value;
    return { admins, users, readers, visibility };
  }

  /** The people with whom the pad alone is shared, and their roles. */
  async function sharedWith(pad: string): Promise<string[]> {
    const answer = await app.etherpad.api('GET', `pad/${pad}/access`, { token: ann.token });
    const { value } = answer.body as { value: { why: string; user?: string; role: string }[] };
    return value.filter(({ why }) => why === 'pad').map(({ user, role }) => `${user} ${role}`);
  }

  it('three people are invited by two clicks and typing: from a list, by login and by address', async () => {
    const dave = await app.fixture.person('dave');
    const body = { name: 'Sopranos', loginsOrEmails: [bob.login] };
    await app.etherpad.api('POST', 'userlist', { token: ann.token, body });
    const page = await open(view());
    await openDialog(page);
    await addPeople(page).fill('sopr');
    await page.getByRole('option', { name: /Sopranos/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText(`Will be added: ${bob.login}`).waitFor();
    await addPeople(page).fill(carol.login);
    await page.keyboard.press('Enter');
    await addPeople(page).fill(`${dave.login}@example.org`);
    await page.keyboard.press('Enter');
    await page
      .getByText(new RegExp(`if they have an account here: ${carol.login} and ${dave.login}@`))
      .waitFor();
    await save(page).click();
    await saved(page);
    expect(await stored()).to.deep.include({ admins: [ann.id], users: [bob.id, carol.id, dave.id] });
    await page.getByRole('button', { name: 'Share 4 people' }).waitFor();
  });

  it('the first press after typing a login works, although the login becomes an entry and moves what is below', async () => {
    const pad = await app.fixture.pad(ann, folder, { name: 'Songs' });
    for (const screen of ['phone', 'desktop'] as const) {
      const { page } = await app.window({ as: ann, screen });
      await app.goTo(`/mypads/group/${folder}/pad/view/${pad}`);
      const share = shareButton(page);
      await share.click();
      await addPeople(page).click();
      await page.keyboard.type(`somebody.with.a.long.login.${screen}`);
      const card = dialogOf(page).getByText('Public', { exact: true });
      if (screen === 'phone') await card.tap();
      else await card.click();
      const chosen = dialogOf(page).getByRole('radio', { name: 'Public', exact: true });
      expect(await chosen.isChecked(), screen).to.equal(true);
      await page.getByText('Who can open it: Public').waitFor();
      await page.getByText(/Will be added, .*somebody/).waitFor();
    }
  });

  it('what is typed while the editor loads stays in the dialog, and otherwise the caret is in the text', async () => {
    const pad = await app.fixture.pad(ann, folder, { name: 'Songs' });
    const address = `/mypads/group/${folder}/pad/view/${pad}`;
    const { page } = await app.window({ as: ann });
    const load = await hold(page, `**/p/${pad}*`);
    await app.goTo(address);
    await openDialog(page, page.getByRole('main'));
    await addPeople(page).click();
    await page.keyboard.type('some');
    load();
    await untilEditorIsReady(page);
    // Etherpad takes the focus shortly after its editor is ready. Nothing shows that it has not taken it here.
    await page.waitForTimeout(500);
    await page.keyboard.type('body');
    expect(await addPeople(page).inputValue()).to.equal('somebody');
    await page.reload();
    await untilEditorIsReady(page);
    await page.waitForFunction(() => document.activeElement?.tagName === 'IFRAME');
    await page.keyboard.type('Written at once');
    await textOf(frameOf(page)).getByText('Written at once').waitFor();
  });

  it('a folder becomes public and its link is copied by three clicks', async () => {
    const page = await open(view());
    const dialog = await openDialog(page);
    await dialog.getByText('Only people with access can open it with this link.').waitFor();
    await dialog.getByRole('radio', { name: 'Public' }).check({ force: true });
    await dialog.getByText('Anyone with this link can open it, even without an account.').waitFor();
    await dialog.getByRole('button', { name: 'Save and copy link' }).click();
    await dialog.getByRole('button', { name: 'Copied' }).waitFor();
    await dialog.getByRole('button', { name: 'Done' }).waitFor();
    expect((await stored()).visibility).to.equal('public');
    expect(await copied(page)).to.equal(`${app.etherpad.url}/mypads/?${view()}`);
  });

  it('a folder that becomes private needs a password', async () => {
    const page = await open(view());
    const dialog = await openDialog(page);
    await dialog.getByRole('radio', { name: 'Password-protected' }).check({ force: true });
    await save(page).click();
    await dialog.getByRole('link', { name: 'A password-protected folder needs a password.' }).click();
    await page.keyboard.type('sesame');
    await page.keyboard.press('Enter');
    await saved(page);
    expect((await stored()).visibility).to.equal('private');
    await app.fixture.unlock(`group/${folder}`, 'sesame');
  });

  it('a pasted list adds each person once; entries without account are named, the others are saved', async () => {
    const page = await open(`/mypads/group/${folder}/user/invite`);
    await paste(
      page,
      `${bob.login}\nCarol <${carol.login}@example.org>; ${bob.login}, nobody@nowhere.example`,
    );
    await save(page).click();
    await page.getByText('1 entry has no account here').waitFor();
    expect((await stored()).users).to.deep.equal([bob.id, carol.id]);
    await page.getByRole('button', { name: 'Remove nobody@nowhere.example' }).click();
    await save(page).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('heading', { level: 1, name: 'Choir' }).waitFor();
    expect(page.url()).to.contain(view());
  });

  it('people of other folders are suggested, and members of this folder are not added twice', async () => {
    const other = await app.fixture.group(ann, { name: 'Band' });
    await app.fixture.invite(ann, other, [carol.login]);
    await app.fixture.invite(ann, folder, [bob.login]);
    const page = await open(view());
    await openDialog(page);
    await addPeople(page).fill(`${bob.login},`);
    await page.getByText('bob Test is already in this folder.').waitFor();
    expect(await page.getByRole('listbox').count(), 'suggestions for no text').to.equal(0);
    await addPeople(page).fill(`${carol.login}@exam`);
    await page.getByRole('option', { name: /carol Test/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Will be added: carol Test').waitFor();
    await save(page).click();
    await saved(page);
    expect((await stored()).users).to.deep.equal([bob.id, carol.id]);
  });

  it('a list names its people who are here already, and raises those whose role had fewer rights', async () => {
    for (const name of ['Altos', 'Basses']) {
      const body = { name, loginsOrEmails: [bob.login] };
      await app.etherpad.api('POST', 'userlist', { token: ann.token, body });
    }
    await app.fixture.invite(ann, folder, [bob.login]);
    const page = await open(`/mypads/group/${folder}/user/invite`);
    await addPeople(page).fill('alt');
    await page.getByRole('option', { name: /Altos/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('bob Test is already in this folder.').waitFor();
    expect(await page.getByRole('button', { name: 'Remove Altos' }).count()).to.equal(0);
    await page.getByLabel('Role of the people to add').selectOption('Manager');
    await addPeople(page).fill('Basses');
    await page.keyboard.press('Enter');
    await page.getByText('Will be managers: bob Test').waitFor();
  });

  it('shows before saving whose role changes and who loses access', async () => {
    const dave = await app.fixture.person('dave');
    await app.fixture.invite(ann, folder, [bob.login, carol.login]);
    await app.fixture.invite(ann, folder, [ann.login, dave.login], false);
    const page = await open(view());
    await openDialog(page);
    await roleOf(page, 'bob').selectOption('Manager');
    await roleOf(page, 'carol').selectOption('Remove');
    await roleOf(page, 'dave').selectOption('Writer');
    await page.getByText('Will be managers: bob Test').waitFor();
    await page.getByText('Will be writers: dave Test').waitFor();
    await page.getByText('Will lose access: carol Test').waitFor();
    await save(page).click();
    await saved(page);
    expect(await stored()).to.deep.include({ admins: [ann.id, bob.id], users: [dave.id] });
  });

  it('lists readers apart from the others, and asks managers who would become one', async () => {
    await app.fixture.invite(ann, folder, [ann.login, bob.login], false);
    const page = await open(view(), bob);
    const dialog = await openDialog(page);
    await dialog.getByLabel('Role of the people to add').selectOption('Reader');
    await dialog.getByText('Readers open the pads of this folder').waitFor();
    await addPeople(page).fill(carol.login);
    await roleOf(page, 'bob').selectOption('Reader');
    await page.getByText('Will be readers: bob Test').waitFor();
    await save(page).click();
    await page.getByRole('button', { name: 'Save anyway' }).click();
    await saved(page);
    await page.getByRole('button', { name: 'Edit folder' }).waitFor({ state: 'detached' });
    expect((await stored()).readers).to.have.members([bob.id, carol.id]);
    const panel = (await open(view())).getByRole('complementary', { name: 'People' });
    await panel.getByRole('heading', { name: /^Readers/ }).waitFor();
    await panel.getByText('bob Test').waitFor();
    // Below the heading of the writers: it does not say that nobody has been invited.
    await panel.getByText('Nobody yet', { exact: true }).waitFor();
  });

  it('can be undone: people have their roles again, and those who were added are removed', async () => {
    await app.fixture.invite(ann, folder, [bob.login]);
    const page = await open(view());
    const dialog = await openDialog(page);
    await roleOf(page, 'bob').selectOption('Remove');
    await addPeople(page).fill(`${carol.login},`);
    await dialog.getByRole('radio', { name: 'Public' }).check({ force: true });
    await save(page).click();
    await saved(page);
    expect(await stored()).to.deep.include({ users: [carol.id], visibility: 'public' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await until('the sharing is as before', async () => {
      const { users, visibility } = await stored();
      return users.join() === bob.id && visibility === 'restricted';
    });
    const pad = await app.fixture.pad(ann, folder, { name: 'Songs' });
    await app.fixture.sharePad(ann, pad, 'reader', [carol.login]);
    await app.goTo(`/mypads/group/${folder}/pad/view/${pad}`);
    await openDialog(page);
    await roleOf(page, 'carol').selectOption('Writer');
    await addPeople(page).fill((await app.fixture.person('dave')).login);
    await addPeople(page).press('Enter');
    await save(page).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await until('the pad is shared as before', async () => {
      return (await sharedWith(pad)).join() === `${carol.id} reader`;
    });
  });

  it('is undone only for the people whom it was about, whatever others have changed meanwhile', async () => {
    const [dave, erin] = [await app.fixture.person('dave'), await app.fixture.person('erin')];
    await app.fixture.invite(ann, folder, [bob.login]);
    const page = await open(view());
    const dialog = await openDialog(page);
    // The page does not hear of what another manager changes.
    await page.route(`**/api/group/${folder}*`, (route) => route.abort());
    await app.fixture.change(ann, `group/${folder}/members`, {
      ...{ admins: [], users: [], readers: [erin.login] },
      removed: [bob.login],
    });
    await addPeople(page).fill(`${carol.login},`);
    await save(page).click();
    await saved(page);
    expect(await stored()).to.deep.include({ users: [carol.id], readers: [erin.id] });
    await page.unroute(`**/api/group/${folder}*`);
    await page.getByRole('button', { name: 'Undo' }).click();
    await until('the folder is not shared with her', async () => (await stored()).users.length === 0);
    expect(await stored()).to.deep.include({ admins: [ann.id], users: [], readers: [erin.id] });

    await openDialog(page);
    await addPeople(page).fill(`${carol.login},${dave.login},`);
    await dialog.getByRole('radio', { name: 'Public' }).check({ force: true });
    await save(page).click();
    await dialog.waitFor({ state: 'detached' });
    await app.fixture.change(ann, `group/${folder}/members`, { admins: [carol.login] });
    await app.fixture.change(ann, `group/${folder}`, { visibility: 'private', password: 'a secret' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await until('the folder is not shared with Dave', async () => (await stored()).users.length === 0);
    await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' });
    await saved(page);
    expect(await stored()).to.deep.include({ admins: [ann.id, carol.id], visibility: 'private' });
    await app.fixture.change(ann, `group/${folder}/members`, { removed: [carol.login] });

    const pad = await app.fixture.pad(ann, folder, { name: 'Songs' });
    await app.fixture.sharePad(ann, pad, 'reader', [carol.login, bob.login]);
    await app.goTo(`/mypads/group/${folder}/pad/view/${pad}`);
    await openDialog(page);
    await roleOf(page, 'carol').selectOption('Writer');
    await roleOf(page, 'bob').selectOption('Writer');
    await save(page).click();
    await dialog.waitFor({ state: 'detached' });
    await app.fixture.sharePad(ann, pad, 'writer', [dave.login]);
    await app.etherpad.api('DELETE', `pad/${pad}/people/${bob.login}`, { token: ann.token });
    await page.getByRole('button', { name: 'Undo' }).click();
    await until('the role is as before', async () => (await sharedWith(pad)).includes(`${carol.id} reader`));
    expect(await sharedWith(pad)).to.have.members([`${carol.id} reader`, `${dave.id} writer`]);
  });

  it('has nothing to undo when the password before is not known', async () => {
    await app.fixture.change(ann, `group/${folder}`, { visibility: 'private', password: 'a secret' });
    const page = await open(view());
    const dialog = await openDialog(page);
    await dialog.getByRole('radio', { name: 'Public' }).check({ force: true });
    await save(page).click();
    await saved(page);
    expect(await page.getByRole('button', { name: 'Undo' }).count()).to.equal(0);
  });

  it('the address of 1.x for adding administrators works', async () => {
    const page = await open(`/mypads/group/${folder}/user/share`);
    await addPeople(page).fill(`${bob.login},`);
    await save(page).click();
    await saved(page);
    expect(await stored()).to.deep.include({ admins: [ann.id, bob.id], users: [] });
  });

  it('the last administrator cannot leave, and people who remove themselves are asked first', async () => {
    const page = await open(view());
    await openDialog(page);
    await roleOf(page, 'ann').selectOption('Remove');
    await save(page).click();
    await page.getByRole('link', { name: 'A folder needs at least one manager.' }).waitFor();
    await page.getByLabel('Role of the people to add').selectOption('Manager');
    await addPeople(page).fill(`${bob.login},`);
    await save(page).click();
    const question = page.getByRole('dialog', { name: 'Remove yourself from this folder?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect((await stored()).admins).to.deep.equal([ann.id]);
    // Nothing was saved, so closing would lose the changes.
    await page.keyboard.press('Escape');
    const leaving = page.getByRole('dialog', { name: 'Leave without saving?' });
    await leaving.getByRole('button', { name: 'Keep editing' }).click();
    await save(page).click();
    await question.getByRole('button', { name: 'Save anyway' }).click();
    await page.getByRole('heading', { level: 1, name: 'Folders' }).waitFor();
  });

  it('asks before changes are lost', async () => {
    const page = await open(view());
    const dialog = await openDialog(page);
    await dialog.getByRole('radio', { name: 'Public' }).check({ force: true });
    await page.keyboard.press('Escape');
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await save(page).waitFor();
    await page.keyboard.press('Escape');
    await question.getByRole('button', { name: 'Leave' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await stored()).visibility).to.equal('restricted');
    await untilFocused(page.locator('main header').getByRole('button', { name: /^Share/ }));
  });

  it('Back asks before it loses a login that was typed and not confirmed', async () => {
    const page = await open('/mypads');
    await page.getByRole('link', { name: 'Choir', exact: true }).click();
    await openDialog(page);
    await addPeople(page).fill('somebody');
    await page.goBack();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await page.getByText(/Will be added, .*: somebody$/).waitFor();
    expect(page.url()).to.contain(view());
  });

  it('on a phone: rows are one line high, and scrolling the suggestions adds nobody', async () => {
    const body = { name: 'Sopranos', loginsOrEmails: [bob.login, carol.login] };
    await app.etherpad.api('POST', 'userlist', { token: ann.token, body });
    const { page } = await app.window({ as: ann, screen: 'phone' });
    await app.goTo(`/mypads/group/${folder}/user/invite`);
    const row = await dialogOf(page).getByRole('listitem').first().boundingBox();
    const role = await roleOf(page, 'ann').boundingBox();
    expect(row?.height).to.be.lessThan(64);
    expect(role?.height).to.be.at.least(44);
    await addPeople(page).tap();
    await page.keyboard.type('o');
    const option = page.getByRole('option').first();
    const { x, y } = (await option.boundingBox()) ?? { x: 0, y: 0 };
    const touch = await page.context().newCDPSession(page);
    const point = (up: number) => [{ x: x + 40, y: y + 20 - up }];
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: point(0) });
    await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: point(60) });
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    expect(await page.getByText(/^Will be added/).count()).to.equal(0);
    await option.tap();
    await page.getByText(/^Will be added/).waitFor();
  });

  it('a pad has a setting of its own, or follows its folder again', async () => {
    const pad = await app.fixture.pad(ann, folder, { name: 'Songs' });
    const visibility = async () => {
      const answer = await app.etherpad.api('GET', `pad/${pad}`, { token: ann.token });
      return (answer.body as { value: { visibility: string | null } }).value.visibility;
    };
    const page = await open(`/mypads/group/${folder}/pad/view/${pad}`);
    for (const [choice, expected] of [
      ['Public', 'public'],
      ['Same as the folder', null],
    ] as const) {
      const dialog = await openDialog(page);
      await dialog.getByRole('radio', { name: choice }).check({ force: true });
      await save(page).click();
      await dialog.waitFor({ state: 'detached' });
      expect(await visibility()).to.equal(expected);
    }
  });

  it('with thirty people, who can open it and “Copy link” are seen without scrolling', async () => {
    const logins = await Promise.all(
      Array.from({ length: 29 }, async () => (await app.fixture.person('singer')).login),
    );
    await app.fixture.invite(ann, folder, logins);
    const pad = await app.fixture.pad(ann, folder, { name: 'Songs' });
    const member = await app.fixture.signIn(logins[0] ?? '');
    const ofPad = `/mypads/group/${folder}/pad/view/${pad}`;
    for (const [who, screen, path] of [
      [ann, 'phone', view()],
      [ann, 'phone', ofPad],
      [ann, { width: 1440, height: 900 }, ofPad],
      [{ ...member, login: logins[0] ?? '' }, 'phone', view()],
    ] as const) {
      const { page } = await app.window({ as: who, screen });
      await app.goTo(path);
      const dialog = await openDialog(page, page.getByRole('main'));
      await dialog.getByRole('listitem').first().waitFor();
      const wanted = [dialog.getByRole('button', { name: 'Copy link' })];
      if (who === ann) wanted.push(...(await dialog.locator('label:has([type=radio])').all()));
      wanted.push(dialog.getByText('Only people with access can open it with this link.'));
      for (const element of wanted) {
        const what = `${JSON.stringify(screen)} ${path}: ${await element.textContent()} is seen`;
        await until(what, () =>
          element.evaluate((shown) => {
            const { left, top, right, bottom } = shown.getBoundingClientRect();
            const corners = [document.elementFromPoint(left + 4, top + 4)];
            corners.push(document.elementFromPoint(right - 4, bottom - 4));
            return corners.every((corner) => shown.contains(corner));
          }),
        );
      }
      await app.close();
    }
  });

  it('members see people, roles and the link, and cannot change them', async () => {
    await app.fixture.invite(ann, folder, [bob.login]);
    const page = await open(`/mypads/group/${folder}/user/invite`, bob);
    const dialog = dialogOf(page);
    await dialog.getByText('Only managers of the folder can change this.').waitFor();
    await dialog.getByRole('listitem').filter({ hasText: ann.login }).getByText('Manager').waitFor();
    await dialog.getByRole('button', { name: 'Copy link' }).click();
    await dialog.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await copied(page)).to.equal(`${app.etherpad.url}/mypads/?${view()}`);
    expect(await addPeople(page).count()).to.equal(0);
  });

  it('the avatars in the list of folders open the dialog', async () => {
    await app.fixture.invite(ann, folder, [bob.login]);
    const page = await open('/mypads');
    await page.getByRole('button', { name: 'Share “Choir”, 2 people' }).click();
    await dialogOf(page).getByText('bob Test').waitFor();
  });
});
