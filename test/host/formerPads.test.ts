/** The addresses of pads that were removed: an old link does not create a new pad that everybody can open. */
import { expect } from 'chai';
import { hostApi } from '../support/hostApi';
import { PadClient } from '../support/socketClient';
import { useEtherpad } from '../support/useEtherpad';
import { until } from '../support/waiting';

describe('the address of a removed pad', function () {
  this.timeout(300_000);
  const { etherpad, fixture, owner } = useEtherpad();

  async function removedPad(whileOpen = false): Promise<string> {
    const pad = await fixture.pad(owner, await fixture.group(owner, { visibility: 'public' }));
    const editor = whileOpen ? await PadClient.enter(etherpad, '', pad) : undefined;
    const gone = editor?.gone();
    expect(
      (await etherpad.api('DELETE', `pad/${pad}?permanent=true`, { token: owner.token })).status,
    ).to.equal(200);
    await gone;
    return pad;
  }

  const exists = async (padID: string): Promise<boolean> =>
    ((await hostApi(etherpad, 'listAllPads', {})) as { padIDs: string[] }).padIDs.includes(padID);

  it('opens nothing and creates nothing', async () => {
    const pad = await removedPad();
    const page = await etherpad.get(`/p/${pad}`, { accept: 'text/html' });
    expect([page.status, page.headers.get('location')]).to.deep.equal([
      302,
      `../mypads/?/mypads/group/-/pad/view/${pad}`,
    ]);
    for (const path of [`/p/${pad}`, `/p/${pad}/export/txt`, `/p/${pad}/timeslider`]) {
      const { status, body } = await etherpad.get(path, { cookie: owner.cookie });
      expect([status, body], path).to.deep.equal([
        404,
        { error: 'BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND' },
      ]);
    }
    const form = new FormData();
    form.append('file', new Blob(['imported text\n'], { type: 'text/plain' }), 'text.txt');
    const imported = await etherpad.get(`/p/${pad}/import`, { method: 'POST', form, cookie: owner.cookie });
    expect(imported.status, 'import').to.equal(404);
    const client = await PadClient.connect(etherpad);
    expect(await client.join(pad)).to.equal('refused');
    client.close();
    expect(await exists(pad)).to.equal(false);
  });

  it('is free again for a program that creates a pad there', async () => {
    const pad = await removedPad(true);
    await hostApi(etherpad, 'createPad', { padID: pad, text: 'Of a program' });
    const client = await PadClient.writer(etherpad, '', pad);
    client.close();
    expect((await etherpad.get(`/p/${pad}/export/txt`)).body).to.contain('Of a program');
    await hostApi(etherpad, 'deletePad', { padID: pad });
    await until('the address is closed again', async () => (await etherpad.get(`/p/${pad}`)).status === 404);
  });

  it('stays closed after a restart', async () => {
    const pad = await removedPad();
    await etherpad.restart();
    expect((await etherpad.get(`/p/${pad}`)).status).to.equal(404);
  });
});
