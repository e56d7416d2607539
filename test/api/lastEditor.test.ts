/** Who changed a pad last: stored with the time, and shown to those who may see the people of the folder. */
import { expect } from 'chai';
import type { Group, Pad } from '../../api/answers';
import type { PadRecord } from '../../model/store/entities';
import { keys } from '../../model/store/store';
import { type Call, callerOf } from '../support/caller';
import { checkEach } from '../support/cases';
import { buildPad, buildUser } from '../support/factories';
import { inProcessOnly } from '../support/network';
import { usePeople } from '../support/people';
import { until } from '../support/waiting';

// The clock of a real server cannot be moved: test/host/lastEditor.test.ts.
inProcessOnly.describe('who changed a pad last', () => {
  const people = usePeople();
  const { alice, bob } = people;
  let group: Group;
  let pad: Pad;

  beforeEach(async () => {
    group = await people.buildShared({ visibility: 'public' });
    pad = await buildPad(people.app, alice, group);
  });

  const stored = async (id = pad._id): Promise<PadRecord | undefined> =>
    people.app.model.store.get<PadRecord>(keys.pad(id));
  const listed = async (call: Call): Promise<Pad> =>
    (await call('get', `group/${group._id}`)).body.pads[pad._id];

  it('is a person of the folder or a guest, for those who may see the people', async () => {
    const cases: Record<string, [editor: string | null | undefined, shown: string | null | undefined]> = {
      'an administrator': [alice.id, alice.id],
      'a member': [bob.id, bob.id],
      'a guest': [null, null],
      'somebody who is not in the folder': [people.carol.id, undefined],
      'somebody without an account': ['nobody-here', undefined],
      'nobody knows who': [undefined, undefined],
    };
    await checkEach(cases, async ([editor, shown]) => {
      people.app.ports.advance(61_000);
      await people.app.model.pads.touch(pad._id, editor);
      for (const call of [people.asAlice, people.asBob, people.asCarol, people.asRoot]) {
        expect(await listed(call)).to.have.property('lastUpdate', (await stored())?.lastUpdate);
        expect((await listed(call)).lastEditor).to.equal(shown);
        expect((await call('get', `pad/${pad._id}`)).body.value.lastEditor).to.equal(shown);
      }
      expect(await listed(people.asGuest)).not.to.have.property('lastEditor');
      expect((await people.asAlice('get', 'group')).body.value.pads[pad._id].lastEditor).to.equal(shown);
    });
  });

  it('is, in the list of folders, the one of the pad that changed last', async () => {
    const summary = async (call: Call) => (await call('get', 'overview')).body.value.groups[group._id];
    expect(await summary(people.asBob)).not.to.have.property('lastEditor');
    const later = await buildPad(people.app, alice, group);
    people.app.ports.advance(61_000);
    await people.app.model.pads.touch(later._id, bob.id);
    people.app.ports.advance(61_000);
    await people.app.model.pads.touch(pad._id, alice.id);
    const { lastUpdate } = (await stored()) ?? {};
    for (const call of [people.asAlice, people.asBob]) {
      expect(await summary(call)).to.include({ lastUpdate, lastEditor: alice.id });
    }
    people.app.ports.advance(61_000);
    await people.app.model.pads.touch(later._id, null);
    expect(await summary(people.asBob)).to.include({ lastEditor: null });
    people.app.ports.advance(61_000);
    await people.app.model.pads.touch(pad._id, people.carol.id);
    expect(await summary(people.asBob)).not.to.have.property('lastEditor');
  });

  it('is not named after they have left the folder or removed their account', async () => {
    const gone = await buildUser(people.app);
    const invite = { gid: group._id, invite: true, loginsOrEmails: [bob.login, gone.login] };
    await people.asAlice('post', 'group/invite', invite).expect(200);
    await people.app.model.pads.touch(pad._id, gone.id);
    expect((await listed(people.asBob)).lastEditor).to.equal(gone.id);
    await people.asRoot('delete', `user/${gone.login}`).expect(200);
    expect(await listed(people.asBob)).not.to.have.property('lastEditor');
    await people.app.idle();
    expect(await stored()).not.to.have.property('lastEditor');

    people.app.ports.advance(61_000);
    await people.app.model.pads.touch(pad._id, bob.id);
    await people.asBob('post', 'group/resign', { gid: group._id }).expect(200);
    expect(await listed(people.asAlice)).not.to.have.property('lastEditor');
  });

  it('is not named if they have no name in pads', async () => {
    await people.asBob('put', `user/${bob.login}`, { useLoginAndColorInPads: false }).expect(200);
    await people.app.model.pads.touch(pad._id, alice.id);
    people.app.ports.advance(61_000);
    await people.app.model.pads.touch(pad._id, bob.id);
    expect(await listed(people.asAlice)).not.to.have.property('lastEditor');

    await people.asRoot('put', 'configuration/useFirstLastNameInPads', { value: true }).expect(200);
    people.app.ports.advance(61_000);
    await people.app.model.pads.touch(pad._id, bob.id);
    expect((await listed(people.asAlice)).lastEditor).to.equal(bob.id);
    await people.asRoot('put', 'configuration/useFirstLastNameInPads', { value: false }).expect(200);
    await people.asBob('put', `user/${bob.login}`, { useLoginAndColorInPads: true }).expect(200);
  });

  it('is in the lists of bookmarks and of server administrators; of a copy, it is who made the copy', async () => {
    await people.app.model.pads.touch(pad._id, alice.id);
    await people.asBob('post', 'usermark', { type: 'pads', key: pad._id }).expect(200);
    const { value } = (await people.asBob('get', 'overview')).body;
    expect(value.bookmarks.pads[pad._id].lastEditor).to.equal(alice.id);
    expect(value.users).to.have.property(alice.id);

    const copy = (await people.asAlice('post', `pad/${pad._id}/duplicate`, { name: 'Copy' })).body.key;
    expect(await stored(copy)).to.have.property('lastEditor', alice.id);
    const { pads } = (await people.asRoot('get', `admin/pads?group=${group._id}`)).body;
    expect(pads).to.have.length(2);
    for (const row of pads) expect(row.lastEditor).to.include({ _id: alice.id, email: alice.email });
  });

  it('is stored, with the time, after the clock was set back', async () => {
    const { ports } = people.app;
    ports.advance(3600_000);
    await people.app.model.pads.touch(pad._id, alice.id);
    ports.advance(-3600_000);
    await people.app.model.pads.touch(pad._id, bob.id);
    expect(await stored()).to.have.property('lastEditor', bob.id);
    expect((await stored())?.lastUpdate).to.be.within(ports.now() - 60_000, ports.now());
  });

  inProcessOnly.it('is stored at the end of the minute where somebody else wrote meanwhile', async () => {
    const { schedule } = people.app.ports;
    const writes = async (): Promise<number> =>
      (await people.app.operations()).filter(
        (operation) => operation.what === 'set' && operation.key === keys.pad(pad._id),
      ).length;
    await writes();
    for (let round = 0; round < 50; round += 1) {
      await people.app.model.pads.touch(pad._id, alice.id);
      await people.app.model.pads.touch(pad._id, bob.id);
    }
    const first = (await stored())?.lastUpdate;
    expect(await stored()).to.have.property('lastEditor', alice.id);
    people.app.ports.advance(30_000);
    await people.app.model.pads.touch(pad._id, null);
    schedule.run('store who wrote last');
    await until('the guest is stored', async () => (await stored())?.lastEditor === null);
    expect(((await stored())?.lastUpdate ?? 0) - (first ?? 0)).to.be.within(30_000, 31_000);
    expect(await writes()).to.equal(2);

    await people.app.model.pads.touch(pad._id, bob.id);
    await people.app.model.pads.close();
    expect(await stored()).to.have.property('lastEditor', bob.id);
  });

  it('is not known of pads of earlier versions, until somebody writes', async () => {
    const { lastEditor: _, ...old } = (await stored()) as PadRecord;
    await people.app.ports.database.set(keys.pad(pad._id), { ...old, lastUpdate: 1_000, lastEditor: 7 });
    await people.app.restart();
    expect(await listed(callerOf(people.app, alice.token))).to.include({ lastUpdate: 1_000 });
    expect(await listed(callerOf(people.app, alice.token))).not.to.have.property('lastEditor');
  });
});
