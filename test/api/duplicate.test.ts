/** Copies of pads: who may make one, and what it gets. */
import { expect } from 'chai';
import type { PadRecord } from '../../model/store/entities';
import { keys } from '../../model/store/store';
import type { Call } from '../support/caller';
import { buildGroup, buildPad } from '../support/factories';
import { usePeople } from '../support/people';

describe('duplicating a pad over HTTP', () => {
  const people = usePeople();
  const { alice, bob, asAlice, asBob, asRoot, asGuest } = people;

  const record = (id: string): Promise<PadRecord | undefined> =>
    people.app.model.store.get<PadRecord>(keys.pad(id));

  it('makes a pad with the same settings and password in the same group, under the name that was sent', async () => {
    const group = await buildGroup(people.app, alice);
    const settings = { visibility: 'private', password: 'hémi', readonly: true };
    const pad = await buildPad(people.app, alice, group, settings);
    const { body } = await asAlice('post', `pad/${pad._id}/duplicate`, { name: 'Second' });
    expect(body.value).to.deep.include({
      name: 'Second',
      group: group._id,
      visibility: 'private',
      readonly: true,
      hasPassword: true,
    });
    expect(body.key).to.not.equal(pad._id);
    expect((await record(body.key))?.password).to.deep.equal((await record(pad._id))?.password);
    await asGuest('post', `pad/${body.key}/unlock`, { password: 'hémi' }).expect(200);
    const { pads } = (await asAlice('get', `group/${group._id}`)).body;
    expect(Object.keys(pads)).to.have.members([pad._id, body.key]);
    expect(pads[body.key].lastUpdate).to.be.a('number');
    expect(await people.app.ports.pads.exists(body.key)).to.equal(true);
  });

  it('is for those who may create pads in the group and enter the pad', async () => {
    const closed = await buildGroup(people.app, alice, { users: [bob.id] });
    const open = await buildGroup(people.app, alice, { users: [bob.id], allowUsersToCreatePads: true });
    const foreign = await buildGroup(people.app, alice, { visibility: 'public' });
    const locked = await buildPad(people.app, alice, open, { visibility: 'private', password: 'p' });
    const pads = await Promise.all(
      [closed, open, foreign].map((group) => buildPad(people.app, alice, group)),
    );
    const [inClosed, inOpen, inForeign] = pads.map(({ _id }) => _id);
    const duplicate = async (call: Call, id: string | undefined): Promise<[number, unknown]> => {
      const { status, body } = await call('post', `pad/${id}/duplicate`, { name: 'Copy' });
      return [status, body.error];
    };
    const denied = [403, 'BACKEND.ERROR.AUTHENTICATION.DENIED'];
    const notAuth = [401, 'BACKEND.ERROR.AUTHENTICATION.NOT_AUTH'];
    expect(await duplicate(asBob, inOpen)).to.deep.equal([200, undefined]);
    expect((await duplicate(asBob, inClosed))[1]).to.equal(denied[1]);
    expect((await duplicate(asBob, inForeign))[1]).to.equal(denied[1]);
    expect(await duplicate(asGuest, inForeign)).to.deep.equal(notAuth);
    expect(await duplicate(asRoot, inOpen)).to.deep.equal(notAuth);
    expect((await duplicate(asBob, locked._id))[1]).to.equal('BACKEND.ERROR.TYPE.PASSWORD_MISSING');
    await asBob('post', `pad/${locked._id}/unlock`, { password: 'p' }).expect(200);
    expect(await duplicate(asBob, locked._id)).to.deep.equal([200, undefined]);
    expect((await duplicate(asBob, 'nothing-here'))[0]).to.equal(404);
  });

  it('says which name cannot be used', async () => {
    const pad = await buildPad(people.app, alice, await buildGroup(people.app, alice));
    for (const name of [undefined, '', 5, 'x'.repeat(41)]) {
      const { status, body } = await asAlice('post', `pad/${pad._id}/duplicate`, { name });
      expect([status, body.field], String(name)).to.deep.equal([400, 'name']);
    }
  });
});
