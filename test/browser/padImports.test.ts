/** A class comes from another server as a ZIP, and notes come from a computer. */
import { expect } from 'chai';
import { accessibilityProblems, heading, useApp } from '../support/browser';
import { frameOf, untilShows } from '../support/editor';
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
    await main.getByText(/become restricted. The people of the folders are not added/).waitFor();
    await main.getByText('The file is missing in the ZIP.').waitFor();
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
    await page.getByRole('main').getByRole('button', { name: 'More about this folder' }).click();
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
    await main.getByText('This is not a ZIP, or it is damaged. Make it again.').waitFor();
    await main.getByRole('button', { name: 'Choose other files' }).click();
    await choose(file('Minutes.md', '# Minutes'), file('photo.jpg', 'x'));
    await main.getByText('Markdown, as text').waitFor();
    await main.getByText('This kind of file cannot become a pad.').waitFor();
    expect(await main.getByLabel('Where').inputValue()).to.equal(folder);
    await main.getByRole('button', { name: 'Import' }).click();
    await main.getByRole('link', { name: 'Minutes' }).click();
    await untilShows(frameOf(page), '# Minutes');
  });
});
