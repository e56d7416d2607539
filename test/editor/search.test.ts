/** The search in texts, as a person uses it: in the palette and on its screen. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { SearchAnswer } from '../../api/search/schema';
import { useApp } from '../support/browser';
import { frameOf, textOf, type, untilEditorIsReady, untilSaved } from '../support/editor';

describe('a word in the text of a pad', function () {
  this.timeout(300_000);
  const app = useApp();

  it('is found a minute later, leads to its place, and is not found after the right is gone', async () => {
    const ann = await app.fixture.person('ann');
    const ben = await app.fixture.person('ben');
    const folder = await app.fixture.group(ann, { name: 'Kitchen' });
    await app.fixture.invite(ann, folder, [ben.login]);
    const pad = await app.fixture.pad(ann, folder, { name: 'Recipes' });
    const view = `/mypads/group/${folder}/pad/view/${pad}`;
    const writing = await app.open(view, { as: ann });
    await untilEditorIsReady(writing);
    for (let line = 0; line < 40; line += 1) await writing.keyboard.press('Enter');
    // With a soft hyphen, as texts of web pages have.
    await type(writing, 'Stew the rhu\u00adbarb with sugar. ');
    await untilSaved(writing, pad, 'Stew the rhu\u00adbarb with sugar.');
    await app.close();

    const found = async (): Promise<number> =>
      ((await app.etherpad.api('GET', 'search?text=rhubar', { token: ben.token })).body as SearchAnswer)
        .count;
    for (let waited = 0; (await found()) === 0 && waited < 200; waited += 1) await pause(1_000);
    expect(await found()).to.equal(1);

    const page = await app.open('/mypads', { as: ben });
    await page.getByRole('main').getByRole('link', { name: 'Kitchen' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('rhubar');
    const option = page.getByRole('option', { name: /^Recipes/ });
    await option.waitFor();
    await option.click();
    await untilEditorIsReady(page);
    const text = textOf(frameOf(page));
    await text.getByText('Stew the rhu\u00adbarb').waitFor();
    const marked = () =>
      text.evaluate(({ ownerDocument: { defaultView: view } }) =>
        String([...(view?.CSS.highlights.get('mypads') ?? [])][0]),
      );
    for (let waited = 0; (await marked()) !== 'rhu\u00adbarb' && waited < 100; waited += 1) await pause(100);
    expect(await marked()).to.equal('rhu\u00adbarb');

    await app.goTo('/mysearch');
    await page.getByRole('searchbox').fill('"stew the rhubarb"');
    const match = page.getByRole('listitem').filter({ hasText: 'Stew the rhubarb with sugar.' });
    await match.getByRole('link', { name: 'Recipes' }).waitFor();
    expect(await match.locator('mark').first().innerText()).to.equal('Stew the rhubarb');
    const removal = { token: ann.token, body: { users: [] } };
    expect((await app.etherpad.api('PUT', `group/${folder}`, removal)).status).to.equal(200);
    await page.reload();
    await page.getByRole('status').getByText('No pad has these words').waitFor({ state: 'attached' });
    await page.getByText('No pad has these words').last().waitFor();
  });
});
