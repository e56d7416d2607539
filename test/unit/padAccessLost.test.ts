import { expect } from 'chai';
import type { Model } from '../../model/model';
import { keys } from '../../model/store/store';
import { type PadVisitors, sessionOf, startPadVisitors } from '../support/padVisitors';
import type { TestPorts } from '../support/ports';

describe('access to a pad ends', () => {
  let visitors: PadVisitors;
  let build: PadVisitors['build'];
  let entry: PadVisitors['entry'];
  let model: Model;
  let ports: TestPorts;
  let prove: PadVisitors['prove'];
  let visit: PadVisitors['visit'];
  before(async () => {
    visitors = await startPadVisitors();
    ({ build, entry, model, ports, prove, visit } = visitors);
  });
  after(() => visitors.close());

  it('when the person is removed from the group', async () => {
    const { pad, group, member } = await build('restricted');
    await model.groups.update(group._id, { users: [] });
    expect(await entry(pad._id, member)).to.equal('no');
  });

  it('when the visibility changes', async () => {
    const { pad, group, guest } = await build('public');
    await model.groups.update(group._id, { visibility: 'restricted' });
    expect(await entry(pad._id, guest)).to.equal('signIn');
  });

  it('when the password of the group changes', async () => {
    const { pad, group, outsider } = await build('private');
    await prove(outsider, 'group', group._id);
    expect(await entry(pad._id, outsider)).to.equal('write');
    await model.groups.update(group._id, { password: 'a new one' });
    expect(await entry(pad._id, outsider)).to.equal('password');
  });

  it('when the password of the pad changes', async () => {
    const { pad, outsider } = await build('public', 'private');
    await prove(outsider, 'pad', pad._id);
    expect(await entry(pad._id, outsider)).to.equal('write');
    await model.pads.update(pad._id, { password: 'a new one' });
    expect(await entry(pad._id, outsider)).to.equal('password');
  });

  it('for writing, when the pad becomes read-only', async () => {
    const { pad, group, member } = await build('restricted');
    await model.groups.update(group._id, { readonly: true });
    expect(await entry(pad._id, member)).to.equal('read');
  });

  it('after signing out, but not in other sessions of the person', async () => {
    const { pad, member } = await build('restricted');
    const elsewhere = await visit(sessionOf(member).owner);
    await model.sessions.end(sessionOf(member)._id);
    expect(await entry(pad._id, member)).to.equal('signIn');
    expect(await entry(pad._id, elsewhere)).to.equal('write');
  });

  it('when the account is closed or removed', async () => {
    const { pad, member, admin } = await build('restricted');
    await model.users.updateProfile(sessionOf(member).owner, { active: false });
    expect(await entry(pad._id, member)).to.equal('signIn');
    await model.store.remove(keys.user(sessionOf(admin).owner));
    expect(await entry(pad._id, admin)).to.equal('signIn');
  });

  it('when the session expires', async () => {
    const { pad, member } = await build('restricted');
    ports.advance(31 * 24 * 3600_000);
    expect(await entry(pad._id, member)).to.equal('signIn');
  });

  it('when the pad is moved to another group', async () => {
    const one = await build('restricted');
    const other = await build('restricted');
    await model.pads.update(one.pad._id, { group: other.group._id });
    expect(await entry(one.pad._id, one.member)).to.equal('no');
    expect(await entry(one.pad._id, other.member)).to.equal('write');
  });

  it('in a snapshot too, which reads shared records once and does not extend a session', async () => {
    const { pad, group, guest, outsider, member, admin } = await build('restricted');
    const visitors = [guest, outsider, member, admin];
    const expected = await Promise.all(visitors.map((visitor) => model.padAccess.decide(pad._id, visitor)));
    ports.advance(600_000);
    const { get } = ports.database;
    const read: string[] = [];
    ports.database.get = (key) => {
      read.push(key);
      return get(key);
    };
    const { refresh, decide } = model.padAccess.snapshot();
    for (const round of [1, 2]) {
      const found = await Promise.all(
        visitors.map(async (visitor) => decide(pad._id, await refresh(visitor))),
      );
      expect(found, `round ${round}`).to.deep.equal(expected);
    }
    ports.database.get = get;
    expect(read).to.have.length(new Set(read).size);
    expect(read).to.include.members([keys.pad(pad._id), keys.group(group._id)]);
    const { _id, lastSeen } = sessionOf(member);
    expect(await model.store.get(keys.session(_id))).to.have.property('lastSeen', lastSeen);
    await model.groups.invite(group._id, 'users', []);
    const after = model.padAccess.snapshot();
    expect((await after.decide(pad._id, await after.refresh(member))).entry).to.equal('no');
  });

  it('with an event after each of these changes is stored', async () => {
    const { pad, group, outsider } = await build('private');
    const heard: string[] = [];
    const off = (['group', 'pad', 'session', 'user'] as const).map((name) =>
      model.events.on(name, ({ id }) => void heard.push(`${name} ${id}`)),
    );
    async function expectEvent(event: string, work: () => Promise<unknown>): Promise<void> {
      heard.length = 0;
      await work();
      expect(heard).to.include(event);
    }
    const session = sessionOf(outsider);
    await expectEvent(`session ${session._id}`, () => prove(outsider, 'group', group._id));
    await expectEvent(`group ${group._id}`, () => model.groups.update(group._id, { readonly: true }));
    await expectEvent(`group ${group._id}`, () => model.groups.invite(group._id, 'users', []));
    await expectEvent(`pad ${pad._id}`, () => model.pads.update(pad._id, { readonly: false }));
    await expectEvent(`session ${session._id}`, () => model.sessions.end(session._id));
    await expectEvent(`pad ${pad._id}`, () => model.pads.remove(pad._id));
    await expectEvent(`group ${group._id}`, () => model.groups.remove(group._id));
    for (const stop of off) stop();
  });
});
