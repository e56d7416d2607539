/** A class comes from another server as a ZIP, and notes come from a computer. */
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { accessibilityProblems, heading, signInByForm, untilFocused, useApp } from '../support/browser';
import { frameOf, untilShows } from '../support/editor';
import { type RunningEtherpad, startOneEtherpad } from '../support/etherpad';
import { createFixture } from '../support/hostFixture';
import { PadClient } from '../support/socketClient';
import { zipOf } from '../support/zips';

const index = JSON.stringify({
  format: 'ep_mypads',
  version: 1,
  folders: [
    {
      name: 'Class 5a',
      visibility: 'public',
      people: [{ username: 'x', name: 'X', role: 'writer' }],
      pads: [
        { name: 'Homework', files: { html: 'Class 5a/Homework.html' } },
        { name: 'Trip', files: { text: 'Class 5a/Trip.txt' } },
        { name: 'Lost', files: { text: 'Class 5a/Lost.txt' } },
      ],
    },
  ],
});

describe('importing pads', function () {
  this.timeout(240_000);
  const app = useApp();

  it('makes a folder of a class that was exported elsewhere, after a preview', async () => {
    const ida = await app.fixture.person('ida');
    const page = await app.open('/mypads', { as: ida });
    await page.getByRole('link', { name: 'Import' }).click();
    await heading(page, 'Import').waitFor();
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    const zip = await zipOf({
      'index.json': index,
      'Class 5a/Homework.html': '<p>Page <b>12</b></p>',
      'Class 5a/Trip.txt': 'To the sea',
    });
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose files' }).click();
    await (await chooser).setFiles({ name: 'class.zip', mimeType: 'application/zip', buffer: zip });
    await page.getByRole('heading', { name: 'What will be made' }).waitFor();
    const main = page.getByRole('main');
    await main.getByText('Class 5a', { exact: true }).waitFor();
    await main.getByText('Homework', { exact: true }).waitFor();
    await main.getByText(/become restricted. People who had access to the folders are not added/).waitFor();
    await main.getByText('The file is missing from the ZIP file.').waitFor();
    const { body } = await app.etherpad.api('GET', 'overview', { token: ida.token });
    expect(JSON.stringify(body), 'made before it is confirmed').to.not.contain('Class 5a');
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    await main.getByRole('button', { name: 'Import' }).click();
    await main.getByText('The import is finished.').waitFor();
    expect(await accessibilityProblems(page)).to.deep.equal([]);
    await main.getByRole('link', { name: 'Class 5a' }).click();
    await heading(page, 'Class 5a').waitFor();
    await main.getByRole('link', { name: 'Trip' }).click();
    await untilShows(frameOf(page), 'To the sea');
  });

  it('makes pads of files in a folder, and says what to do with files that it cannot use', async () => {
    const ida = await app.fixture.person('ida');
    const folder = await app.fixture.group(ida, { name: 'Board' });
    const page = await app.open(`/mypads/group/${folder}/view`, { as: ida });
    await page.getByRole('main').getByRole('button', { name: 'More actions for this folder' }).click();
    await page.getByRole('menuitem', { name: 'Import' }).click();
    await heading(page, 'Import').waitFor();
    const main = page.getByRole('main');
    const choose = async (...files: { name: string; mimeType: string; buffer: Buffer }[]) => {
      const chooser = page.waitForEvent('filechooser');
      await main.getByRole('button', { name: /^Choose (other )?files$/ }).click();
      await (await chooser).setFiles(files);
    };
    const file = (name: string, content: string) => ({
      name,
      mimeType: 'text/plain',
      buffer: Buffer.from(content),
    });
    await choose(file('broken.zip', 'no ZIP'));
    await main.getByText('This is not a ZIP file, or it is damaged. Create it again.').waitFor();
    await main.getByRole('button', { name: 'Choose other files' }).click();
    await choose(file('Minutes.md', '# Minutes'), file('photo.jpg', 'x'));
    await main.getByText('Markdown, as text').waitFor();
    await untilFocused(heading(page, 'Import'));
    await main.getByText('This kind of file cannot become a pad.').waitFor();
    expect(await main.getByLabel('Where').inputValue()).to.equal(folder);
    // No folder is made, so none is shown.
    expect(await main.getByRole('group').count()).to.equal(0);
    await main.getByLabel('Where').selectOption({ label: 'In new folders' });
    await main.getByRole('group').waitFor();
    await main.getByLabel('Where').selectOption(folder);
    await main.getByRole('group').waitFor({ state: 'detached' });
    await main.getByRole('button', { name: 'Import' }).click();
    await main.getByRole('link', { name: 'Minutes' }).click();
    await untilShows(frameOf(page), '# Minutes');
  });

  it('keeps the focus on the choice of names while the preview is made again', async () => {
    const ida = await app.fixture.person('ida');
    const folder = await app.fixture.group(ida, { name: 'Board' });
    const page = await app.open(`/myimport&group=${folder}`, { as: ida });
    const zip = await zipOf({ 'One/a.txt': 'a', 'Two/b.txt': 'b' });
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose files' }).click();
    await (await chooser).setFiles({ name: 'two.zip', mimeType: 'application/zip', buffer: zip });
    const names = page.getByLabel('Put the name of the folder before the name of each pad');
    await names.focus();
    const main = page.getByRole('main');
    await main.getByText('One / a', { exact: true }).waitFor();
    await page.keyboard.press('Space');
    await main.getByText('a', { exact: true }).waitFor();
    await untilFocused(names);
  });

  it('says when it has gone while it was shown', async () => {
    const ida = await app.fixture.person('ida');
    const { page, goTo } = await app.window({ as: ida });
    const running = { key: 'gone', state: 'running', done: 1, total: 2, groups: [], pads: [], failed: [] };
    let asked = 0;
    await page.route('**/api/imports/gone', (route) => {
      asked += 1;
      return asked === 1 ? route.fulfill({ json: running }) : route.continue();
    });
    await goTo('/myimport&id=gone');
    await page.getByText('The import was not found').waitFor();
    await page.getByRole('button', { name: 'Choose other files' }).click();
    await page.getByRole('button', { name: 'Choose files' }).waitFor();
    expect(asked).to.equal(2);
  });

  it('says at once that files are too much, before they are sent', async () => {
    const ida = await app.fixture.person('ida');
    const page = await app.open('/myimport', { as: ida });
    const sent: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
    const place = await mkdtemp(join(tmpdir(), 'mypads-'));
    const large = join(place, 'large.txt');
    await writeFile(large, '');
    await truncate(large, 50_000_001);
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose files' }).click();
    await (await chooser).setFiles(large);
    await page.getByText('This is too much for one import. Import it in several parts.').waitFor();
    await rm(place, { recursive: true });
    expect(sent).to.deep.equal([]);
  });
});

describe('a class that moves to another server', function () {
  this.timeout(240_000);
  const app = useApp();
  let other: RunningEtherpad;
  before(async () => {
    other = await startOneEtherpad();
  });
  after(() => other?.stop());

  const names = ['Homework', 'Minutes', 'Trip'] as const;
  const people = ['ida', 'max'] as const;

  /** A folder of one teacher and another one, who have both written in each pad, and a link to it. */
  async function makeClass() {
    const { fixture, etherpad } = app;
    const [ida, max] = [await fixture.person('ida'), await fixture.person('max')];
    const folder = await fixture.group(ida, {
      name: 'Class 5b',
      description: 'Mathematics, and a trip in May',
      tags: ['school', 'year 5'],
    });
    await fixture.invite(ida, folder, [max.login]);
    for (const name of names) {
      const pad = await fixture.pad(ida, folder, { name });
      for (const [index, { cookie }] of [ida, max].entries()) {
        const client = await PadClient.connect(etherpad, cookie);
        await client.join(pad);
        await client.write(`${name} as ${people[index]} sees it.\n`);
        client.close();
      }
      if (name === 'Minutes') await fixture.change(ida, `pad/${pad}`, { template: true });
    }
    const { secret } = await fixture.link(ida, `group/${folder}`, { role: 'reader' });
    return { ida, max, folder, secret };
  }

  it('has there what it was: pads with their authors, tags and template, but no people and no link', async () => {
    const { ida, max, folder, secret } = await makeClass();
    const page = await app.open(`/mypads/group/${folder}/view`, { as: ida });
    await page.getByRole('button', { name: 'More actions for this folder' }).click();
    await page.getByRole('menuitem', { name: 'Export' }).click();
    const dialog = page.getByRole('dialog', { name: 'Export' });
    await dialog.getByRole('button', { name: 'Prepare file' }).click();
    await dialog.getByText(/^3 pads · .* · until /).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: /^Download/ }).click(),
    ]);
    const name = download.suggestedFilename();
    expect(name).to.equal('Class 5b.zip');
    const buffer = await readFile(await download.path());

    const teacher = await createFixture(other).person('teacher');
    const { page: there } = await app.window();
    await there.goto(`${other.url}/mypads/`);
    await signInByForm(there, teacher.login);
    await there.getByRole('link', { name: 'Import' }).click();
    const chooser = there.waitForEvent('filechooser');
    await there.getByRole('button', { name: 'Choose files' }).click();
    await (await chooser).setFiles({ name, mimeType: 'application/zip', buffer });
    const main = there.getByRole('main');
    await main.getByRole('heading', { name: 'What will be made' }).waitFor();
    for (const pad of names) await main.getByText(pad, { exact: true }).waitFor();
    await main.getByText(/People who had access to the folders are not added/).waitFor();
    await main.getByRole('button', { name: 'Import' }).click();
    await main.getByText('The import is finished.').waitFor();
    await untilFocused(heading(there, 'Import'));
    await main.getByRole('link', { name: 'Class 5b' }).click();
    await heading(there, 'Class 5b').waitFor();
    await main.getByText('Mathematics, and a trip in May').waitFor();
    await main.getByRole('link', { name: 'Trip' }).click();
    for (const one of people) await untilShows(frameOf(there), `Trip as ${one} sees it.`);

    const { token, cookie } = teacher;
    const { body } = await other.api('GET', 'group', { token });
    const { groups, pads } = (body as { value: { groups: object; pads: object } }).value;
    const [made, ...more] = Object.values(groups);
    expect(more).to.deep.equal([]);
    expect(made).to.deep.include({ tags: ['school', 'year 5'], visibility: 'restricted', users: [] });
    const found = Object.values(pads) as { _id: string; name: string; template?: boolean }[];
    expect(found.map((pad) => [pad.name, pad.template ?? false])).to.have.deep.members([
      ['Homework', false],
      ['Minutes', true],
      ['Trip', false],
    ]);
    for (const pad of found) {
      const { body: file } = await other.get(`/p/${pad._id}/export/etherpad`, { cookie });
      const records = Object.entries<{ name?: string }>(JSON.parse(String(file)));
      const authors = records.filter(([key]) => key.startsWith('globalAuthor:'));
      expect(authors.map(([, author]) => author.name)).to.include.members([ida.login, max.login]);
      const text = (await other.get(`/p/${pad._id}/export/txt`, { cookie })).body;
      for (const one of people) expect(text).to.include(`${pad.name} as ${one} sees it.`);
    }
    expect((await other.api('POST', 'links/open', { body: { secret } })).status).to.equal(404);
  });
});
