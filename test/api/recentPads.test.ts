/** The pads that a person opened last, and the names of all their pads for a search. */
import { expect } from 'chai';
import type { PadSummary } from '../../api/answers';
import { limits } from '../../model/limits';
import { keys } from '../../model/store/store';
import { useTestAppForEach } from '../support/app';
import { type Call, callerOf, snapshot } from '../support/caller';
import { buildGroup, buildPad, signIn } from '../support/factories';
import { usePerson } from '../support/people';
import { until } from '../support/waiting';

describe('recent pads over HTTP', () => {
  const app = useTestAppForEach();
  const { user: alice, call: asAlice } = usePerson(app, beforeEach);
  const { user: bob, call: asBob } = usePerson(app, beforeEach);

  async function recent(call: Call): Promise<string[]> {
    const { body } = await call('get', 'overview/recent').expect(200);
    return body.value.map(({ _id }: PadSummary) => _id);
  }

  const open = (call: Call, id: string) => call('post', `pad/${id}/ticket`, {});

  it('are the pads that were opened, the latest first, in every session of the person', async () => {
    const group = await buildGroup(app, alice);
    const pads = [];
    for (let made = 0; made < 3; made += 1) pads.push((await buildPad(app, alice, group))._id);
    const [one = '', two = '', three = ''] = pads;
    for (const id of [one, two, three, one]) await open(asAlice, id).expect(200);
    expect(await recent(asAlice)).to.deep.equal([one, three, two]);
    const elsewhere = await signIn(app, alice.login, alice.password);
    expect(await recent(callerOf(app, elsewhere.token))).to.deep.equal([one, three, two]);
    expect(await recent(asBob)).to.deep.equal([]);
  });

  it('are at most twenty', async () => {
    const group = await buildGroup(app, alice);
    const ids: string[] = [];
    for (let made = 0; made < limits.recent + 2; made += 1) {
      ids.push((await buildPad(app, alice, group))._id);
      await open(asAlice, ids.at(-1) ?? '').expect(200);
    }
    expect(await recent(asAlice)).to.deep.equal(ids.reverse().slice(0, limits.recent));
  });

  it('and bookmarks contain no pad whose removal has failed half-way, because nobody can open it', async () => {
    const group = await buildGroup(app, alice, { visibility: 'public' });
    const [stays, goes] = [await buildPad(app, alice, group), await buildPad(app, alice, group)];
    for (const { _id } of [goes, stays]) {
      await open(asBob, _id).expect(200);
      await asBob('post', 'usermark', { type: 'pads', key: _id }).expect(200);
    }
    await app.inject({ fault: 'fail', why: 'full', calls: ['remove', 'set'], keys: keys.pad('') });
    await app.inject({ fault: 'fail', why: 'full', calls: ['set'], keys: keys.group(group._id) });
    await app.inject({ fault: 'fail', why: 'full', calls: ['set'], keys: keys.user(bob.id) });
    expect((await asAlice('delete', `pad/${goes._id}`)).status).to.be.above(499);
    expect((await open(asBob, goes._id)).status, 'to open it').to.equal(404);
    await app.inject({ fault: 'none' });
    // Failed writes are rolled back first. Until then their records cannot be read.
    await until('lists can be read', async () => (await asBob('get', 'overview/recent')).status === 200);
    expect(await recent(asBob)).to.deep.equal([stays._id]);
    for (const path of ['overview', 'group']) {
      const { body } = await asBob('get', path).expect(200);
      expect(Object.keys(body.value.bookmarks.pads), path).to.deep.equal([stays._id]);
    }
  });

  it('contain a pad only while the person may open it', async () => {
    const group = await buildGroup(app, alice, { users: [bob.id] });
    const [stays, goes] = [await buildPad(app, alice, group), await buildPad(app, alice, group)];
    for (const { _id } of [stays, goes]) await open(asBob, _id).expect(200);
    await asAlice('delete', `pad/${goes._id}`).expect(200);
    expect(await recent(asBob)).to.deep.equal([stays._id]);
    await asAlice('put', `group/${group._id}`, { users: [] }).expect(200);
    expect(await recent(asBob)).to.deep.equal([]);
    expect((await open(asBob, stays._id)).status).to.equal(401);
    await asAlice('put', `group/${group._id}`, { visibility: 'public' }).expect(200);
    expect(await recent(asBob)).to.deep.equal([stays._id]);
  });

  it('are removed with the account', async () => {
    const pad = await buildPad(app, alice, await buildGroup(app, alice, { users: [bob.id] }));
    await open(asBob, pad._id).expect(200);
    expect(Object.keys(await snapshot(app))).to.include(keys.recent(bob.id));
    await asBob('delete', `user/${bob.login}`, { currentPassword: bob.password }).expect(200);
    await app.idle();
    expect(Object.keys(await snapshot(app))).to.not.include(keys.recent(bob.id));
  });

  it('come with a list for searches: all pads of own and bookmarked groups that the person may see', async () => {
    const own = await buildGroup(app, bob);
    const shared = await buildGroup(app, alice, { users: [bob.id] });
    const marked = await buildGroup(app, alice, { visibility: 'public' });
    const foreign = await buildGroup(app, alice);
    const pads = [];
    for (const group of [shared, marked, foreign]) pads.push(await buildPad(app, alice, group));
    const [inShared, inMarked] = pads;
    const inOwn = await buildPad(app, bob, own, { name: 'Menu' });
    await buildPad(app, alice, marked, { visibility: 'restricted' });
    await asBob('post', 'usermark', { type: 'groups', key: marked._id }).expect(200);
    const { body, headers } = await asBob('get', 'overview/pads').expect(200);
    const named = (pad: { _id: string; name: string } | undefined) => [{ _id: pad?._id, name: pad?.name }];
    expect(body.value).to.deep.equal({
      [own._id]: named(inOwn),
      [shared._id]: named(inShared),
      [marked._id]: named(inMarked),
    });
    const again = asBob('get', 'overview/pads').set('If-None-Match', String(headers.etag));
    await again.expect(304);
    await asBob('put', `pad/${inOwn._id}`, { name: 'Menu of the week' }).expect(200);
    const after = await asBob('get', 'overview/pads').set('If-None-Match', String(headers.etag)).expect(200);
    expect(after.body.value[own._id]).to.deep.equal([{ _id: inOwn._id, name: 'Menu of the week' }]);
  });
});
