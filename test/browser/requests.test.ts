/** Somebody who was refused asks for access, and gets in while the refusal is on their screen. */
import { expect } from 'chai';
import { returnToWindow, untilFocused, useApp } from '../support/browser';
import { frameOf, type, untilEditable, untilSaved } from '../support/editor';
import type { Person } from '../support/hostFixture';
import { startSmtpServer, type TestSmtpServer } from '../support/smtpServer';

describe('asking for access', function () {
  this.timeout(240_000);
  const app = useApp();
  let mail: TestSmtpServer;
  let ada: Person;
  let bert: Person;
  let folder: string;
  let pad: string;

  before(async () => {
    mail = await startSmtpServer();
    const { configure } = app.fixture;
    await configure('rootUrl', app.etherpad.url);
    await configure('SMTPHost', '127.0.0.1');
    await configure('SMTPPort', mail.port);
    await configure('SMTPTLS', false);
    await configure('SMTPEmailFrom', 'pads@example.org');
    ada = await app.fixture.person('ada');
    bert = await app.fixture.person('bert');
    folder = await app.fixture.group(ada, { name: 'Class 5b' });
    pad = await app.fixture.pad(ada, folder, { name: 'Trip' });
  });
  after(async () => {
    await app.fixture.configure('SMTPHost', '');
    await app.fixture.configure('rootUrl', '');
    await mail.close();
  });

  it('lets the person in while the refusal is on their screen', async () => {
    const asking = await app.window({ as: bert });
    await asking.goTo(`/mypads/group/${folder}/view`);
    await asking.page.getByText('This folder is not shared with you').waitFor();
    await asking.page.getByRole('button', { name: 'Ask for access' }).click();
    const dialog = asking.page.getByRole('dialog', { name: 'Ask for access' });
    await dialog.getByLabel('Message to the managers').fill('I am the <b>new</b> teacher.');
    await dialog.getByRole('button', { name: 'Send request' }).click();
    await asking.page.getByText('Request sent. This page opens as soon as').waitFor();
    expect(await asking.page.getByRole('button', { name: 'Ask for access' }).count()).to.equal(0);

    const received = await mail.next(`${ada.login}@example.org`);
    expect(received.subject).to.equal(`bert Test (${bert.login}) asks for access to “Class 5b” – MyPads`);
    const link = received.text.split('\n').find((line) => line.startsWith(app.etherpad.url)) ?? '';

    const manager = await app.window({ as: ada });
    await manager.goTo('/mypads');
    const entry = manager.page.getByRole('navigation').getByRole('link', { name: 'Requests for access 1' });
    await entry.waitFor();
    await manager.page.goto(link);
    const share = manager.page.getByRole('dialog', { name: /^Share/ });
    const request = share.getByRole('list', { name: 'Requests for access' }).getByRole('listitem');
    await request.getByText('I am the <b>new</b> teacher.').waitFor();
    await request.getByText('Wants access to the folder “Class 5b”').waitFor();
    await request.getByLabel('Role of bert Test').selectOption('Reader');
    await request.getByRole('button', { name: 'Give access: bert Test' }).click();
    await manager.page.getByText('bert Test has access').waitFor();
    await request.waitFor({ state: 'detached' });
    await untilFocused(share.getByRole('button', { name: 'Close', exact: true }));
    await entry.waitFor({ state: 'detached' });

    await asking.page.getByRole('heading', { name: 'Class 5b' }).waitFor();
    const told = await mail.next(`${bert.login}@example.org`);
    expect(told.subject).to.equal('You have access to “Class 5b” – MyPads');
    expect([...asking.takeErrors(), ...manager.takeErrors()]).to.deep.equal([]);
  });

  it('lets a reader write in the pad that they have open', async () => {
    const reader = await app.window({ as: bert });
    await reader.goTo(`/mypads/group/${folder}/pad/view/${pad}`);
    await untilEditable(frameOf(reader.page), false);
    await reader.page.getByRole('button', { name: 'Ask to write' }).click();
    await reader.page.getByRole('dialog').getByRole('button', { name: 'Send request' }).click();
    await reader.page.getByText('Request sent. You can write as soon as').waitFor();

    const manager = await app.open('/mypads', { as: ada });
    await manager.keyboard.press('Control+k');
    await manager.getByRole('combobox').fill('requests');
    await manager.getByRole('option', { name: 'Requests for access' }).click();
    await manager.getByRole('heading', { name: 'Requests for access', level: 1 }).waitFor();
    await manager.getByText('Can read, and wants to write in “Trip”').waitFor();
    await manager.getByRole('button', { name: 'Allow writing: bert Test' }).click();
    await manager.getByText('Nobody is asking for access').waitFor();
    await untilFocused(manager.getByRole('heading', { name: 'Requests for access', level: 1 }));

    await untilEditable(frameOf(reader.page), true);
    await type(reader.page, 'See you.');
    await untilSaved(reader.page, pad, 'See you.');
    await reader.page.getByRole('button', { name: 'Ask to write' }).waitFor({ state: 'detached' });
  });

  it('keeps what is typed, and that it was sent, when the person returns to the window', async () => {
    const [dora, eva] = [await app.fixture.person('dora'), await app.fixture.person('eva')];
    const of = await app.fixture.group(eva, { name: 'Choir' });
    const song = await app.fixture.pad(eva, of, { name: 'Song' });
    for (const [path, read] of [
      [`/mypads/group/${of}/view`, `/api/group/${of}`],
      [`/mypads/group/${of}/edit`, `/api/group/${of}`],
      [`/mypads/group/${of}/pad/view/${song}`, `/api/pad/${song}`],
    ] as const) {
      const page = await app.open(path, { as: dora });
      await page.getByRole('button', { name: 'Ask for access' }).click();
      const text = page.getByRole('dialog').getByLabel('Message to the managers');
      await text.fill('I am');
      await returnToWindow(page, read);
      await untilFocused(text);
      await text.pressSequentially(' new.');
      expect(await text.inputValue()).to.equal('I am new.');
      await page.getByRole('button', { name: 'Send request' }).click();
      await page.getByText('Request sent. This page opens as soon as').waitFor();
      await returnToWindow(page, read);
      await page.getByText('Request sent. This page opens as soon as').waitFor();
      await app.fixture.group(dora, { name: 'Another' });
      await page.waitForResponse((answer) => answer.url().endsWith(read));
      await page.getByText('Request sent. This page opens as soon as').waitFor();
      await app.close();
    }
  });

  it('can be declined, and offers nothing where it is switched off', async () => {
    const carl = await app.fixture.person('carl');
    const { page } = await app.window({ as: carl, screen: 'phone' });
    await page.goto(`${app.etherpad.url}/mypads/?/mypads/group/-/pad/view/${pad}`);
    await page.getByText('This pad is not shared with you').waitFor();
    await page.getByRole('button', { name: 'Ask for access' }).click();
    await page.getByRole('button', { name: 'Send request' }).click();
    await page.getByText('Request sent. This page opens as soon as').waitFor();

    const manager = await app.open('/myrequests', { as: ada });
    await manager.getByText('Wants access to the pad “Trip”').waitFor();
    await manager.getByRole('button', { name: 'Decline: carl Test' }).click();
    await manager.getByText('Declined: carl Test').waitFor();
    await manager.getByText('Nobody is asking for access').waitFor();
    await app.fixture.configure('allowRequests', false);
    try {
      await page.reload();
      await page.getByText('This pad is not shared with you').waitFor();
      expect(await page.getByRole('button', { name: 'Ask for access' }).count()).to.equal(0);
    } finally {
      await app.fixture.configure('allowRequests', true);
    }
  });
});
