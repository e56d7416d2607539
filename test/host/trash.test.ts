/** What is in the trash is closed to every way into a pad of a real Etherpad, and open again when it is restored. */
import { expect } from 'chai';
import { hostApi } from '../support/hostApi';
import { PadClient } from '../support/socketClient';
import { useEtherpad } from '../support/useEtherpad';
import { until } from '../support/waiting';

describe('a pad in the trash', function () {
  this.timeout(90_000);
  const { etherpad, fixture, owner } = useEtherpad();

  const call = async (method: string, path: string, body?: object): Promise<number> =>
    (await etherpad.api(method, path, { token: owner.token, ...(body && { body }) })).status;
  const textOf = async (pad: string) =>
    (await etherpad.get(`/p/${pad}/export/txt`, { cookie: owner.cookie })).body;
  const trashed = async (): Promise<string[]> => {
    const { body } = await etherpad.api('GET', 'trash', { token: owner.token });
    return (body as { entries: { _id: string }[] }).entries.map(({ _id }) => _id);
  };

  /** Every way in, for the manager and for somebody with a link, answers as for a deleted pad. */
  async function expectClosed(pad: string, readOnly: string, guest: string): Promise<void> {
    for (const cookie of [owner.cookie, guest, '']) {
      for (const id of [pad, readOnly]) {
        for (const path of ['', '/timeslider', '/export/txt', '/export/html', '/export/etherpad']) {
          const answer = await etherpad.get(`/p/${id}${path}`, { cookie });
          expect(answer.status, `${id}${path}`).to.equal(404);
        }
        const client = await PadClient.connect(etherpad, cookie);
        expect(await client.join(id), `websocket of ${id}`).to.equal('refused');
        client.close();
      }
      const form = new FormData();
      form.append('file', new Blob(['imported text\n'], { type: 'text/plain' }), 'text.txt');
      const imported = await etherpad.get(`/p/${pad}/import`, { method: 'POST', form, cookie });
      expect(imported.status, 'import').to.equal(404);
    }
    expect(await call('POST', `pad/${pad}/ticket`), 'ticket').to.equal(404);
  }

  for (const what of ['pad', 'group'] as const) {
    it(`is closed everywhere, with its open editors, when ${what === 'pad' ? 'it' : 'its folder'} is deleted`, async () => {
      const group = await fixture.group(owner, { visibility: 'public' });
      const pad = await fixture.pad(owner, group);
      await hostApi(etherpad, 'setText', { padID: pad, text: 'Worth keeping\n' });
      const { readOnlyID } = (await hostApi(etherpad, 'getReadOnlyID', { padID: pad })) as {
        readOnlyID: string;
      };
      const link = await fixture.link(owner, `pad/${pad}`, { role: 'writer' });
      const guest = (await fixture.openLink(link.secret)).cookie ?? '';
      const editors = [await PadClient.enter(etherpad, owner.cookie, pad)];
      editors.push(await PadClient.enter(etherpad, guest, readOnlyID));
      const gone = Promise.all(editors.map((editor) => editor.gone()));
      const id = what === 'pad' ? pad : group;
      expect(await call('DELETE', `${what}/${id}`)).to.equal(200);
      await gone;
      await expectClosed(pad, readOnlyID, guest);
      await etherpad.restart();
      await expectClosed(pad, readOnlyID, guest);
      expect(await trashed()).to.include(id);
      expect(await call('POST', `trash/${id}/restore`, {})).to.equal(200);
      expect(await textOf(pad)).to.contain('Worth keeping');
      for (const [cookie, opened] of [
        [owner.cookie, pad],
        [guest, readOnlyID],
      ] as const)
        (await PadClient.enter(etherpad, cookie, opened)).close();
    });
  }

  it('cannot be created again by a program, and goes for good when Etherpad deletes it', async () => {
    const pad = await fixture.pad(owner, await fixture.group(owner, { visibility: 'public' }));
    expect(await call('DELETE', `pad/${pad}`)).to.equal(200);
    const created = await hostApi(etherpad, 'createPad', { padID: pad, text: 'Mine' }).then(
      () => 'created',
      () => 'refused',
    );
    expect(created).to.equal('refused');
    expect(await trashed()).to.include(pad);
    await hostApi(etherpad, 'deletePad', { padID: pad });
    await until('it is not in the trash any more', async () => !(await trashed()).includes(pad));
    const statusOf = async () => (await etherpad.get(`/p/${pad}`, { cookie: owner.cookie })).status;
    await until('it is known to be deleted', async () => (await statusOf()) === 404);
  });

  it('is gone from Etherpad when it is deleted for good', async () => {
    const pad = await fixture.pad(owner, await fixture.group(owner));
    await call('DELETE', `pad/${pad}`);
    expect(await call('DELETE', `trash/${pad}`)).to.equal(200);
    const { padIDs } = (await hostApi(etherpad, 'listAllPads', {})) as { padIDs: string[] };
    expect(padIDs).not.to.include(pad);
    expect((await etherpad.get(`/p/${pad}`, { cookie: owner.cookie })).status).to.equal(404);
  });
});
