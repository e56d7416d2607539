/** Lists are built from cached parts. The answer must be the same as without the cache, whatever changes in between. */
import { expect } from 'chai';
import fc from 'fast-check';
import type { Pad } from '../../api/answers';
import type { GroupsAnswer, OverviewAnswer } from '../../api/group/schema';
import { keys } from '../../model/store/store';
import { type TestApp, useTestAppForEach } from '../support/app';
import { callerOf, type Method } from '../support/caller';
import { buildGroup, buildPad, buildUser, signIn, signInAsAdmin, type TestUser } from '../support/factories';
import { inProcessOnly } from '../support/network';
import { actorWith, uncachedGroup, uncachedGroups } from '../support/uncachedLists';

/** The value as JSON: without `undefined`. The order of properties does not matter for comparisons. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** The list of one's own groups may lack times that are not known yet. If it has a time, it must be the right one. */
function withTimesOf(
  told: Record<string, Pad>,
  expected: Record<string, Pad>,
  right: Map<string, number | null>,
) {
  for (const [id, pad] of Object.entries(expected)) {
    const { lastUpdate = null } = told[id] ?? {};
    if (lastUpdate === null && pad.lastUpdate === null) continue;
    expect(lastUpdate, id).to.equal(right.get(id));
    pad.lastUpdate = lastUpdate;
  }
}

/** The expected answer of `GET overview`, made from that of `GET group`. */
function summaryOf({ groups, pads, users, bookmarks }: GroupsAnswer['value']) {
  const inShort = (all: typeof groups) =>
    Object.fromEntries(
      Object.entries(all).map(([id, group]) => {
        const { description, hasPassword, allowUsersToCreatePads, pads: ids, ...rest } = group;
        const inside = ids.flatMap((pad) => pads[pad] ?? []);
        const times = inside.map((pad) => pad.lastUpdate ?? pad.ctime);
        const lastUpdate = Math.max(group.ctime, ...times);
        const { lastEditor } = inside.find((pad) => pad.lastUpdate === lastUpdate) ?? {};
        const told = lastEditor === undefined ? {} : { lastEditor };
        return [id, { ...rest, padCount: ids.length, lastUpdate, ...told }];
      }),
    );
  const marked = Object.entries(bookmarks.pads).map(([id, pad]) => {
    const { _id, name, group, ctime, lastUpdate, lastEditor } = pad;
    const told = lastEditor === undefined ? {} : { lastEditor };
    return [id, { _id, name, group, ctime, lastUpdate, ...told, visibility: pad.effective.visibility }];
  });
  return {
    groups: inShort(groups),
    bookmarks: { groups: inShort(bookmarks.groups), pads: Object.fromEntries(marked) },
    users,
  };
}

/** The answer of `GET overview` with the abilities of each group in place of their key. */
function resolved({ groups, bookmarks, users, abilities }: OverviewAnswer['value']) {
  const resolve = (all: typeof groups) =>
    Object.fromEntries(
      Object.entries(all).map(([id, group]) => [id, { ...group, abilities: abilities[group.abilities] }]),
    );
  return {
    groups: resolve(groups),
    bookmarks: { groups: resolve(bookmarks.groups), pads: bookmarks.pads },
    users,
  };
}

type Step = [action: number, who: number, group: number, pad: number, value: number];

/** The number of runs. `RUNS` is a number of requests; each run makes dozens and compares all lists after each. */
const runs = Math.ceil(Number(process.env.RUNS ?? 100) / 20);

const password = 'secret';

class Fixture {
  readonly groups: string[] = [];
  readonly pads: string[] = [];
  guestToken: string | undefined;
  /** The last answer to each call, with its ETag. */
  private readonly kept = new Map<string, { tag: string; body: unknown }>();

  constructor(
    readonly app: TestApp,
    readonly people: TestUser[],
    readonly admin: string,
  ) {}

  /** One change, which may be refused. */
  async act([action, by, which, one, value]: Step): Promise<void> {
    const pick = <Item>(items: readonly Item[], index: number): Item => items[index % items.length] as Item;
    const person = pick(this.people, by);
    const group = pick(this.groups, which);
    const pad = pick(this.pads, one);
    const visibility = pick(['restricted', 'private', 'public'] as const, value);
    const other = pick(this.people, value);
    const call = (method: Method, path: string, body?: object, token: string = person.token) =>
      callerOf(this.app, token)(method, path, body);
    const owned =
      visibility === 'private' ? { visibility, password: `${password}${value % 2}` } : { visibility };
    const actions: (() => PromiseLike<{ status: number; body?: { key?: string; token?: string } }>)[] = [
      () => call('post', 'group', { name: `G${value}`, ...owned }),
      () => call('post', 'pad', { name: `P${value}`, group, ...(value % 3 ? {} : owned) }),
      () => call('put', `group/${group}`, { ...owned, name: `G${value}`, readonly: value % 2 === 0 }),
      () =>
        call('put', `group/${group}`, { archived: value % 2 === 0, allowUsersToCreatePads: value % 3 === 0 }),
      () =>
        call('put', `pad/${pad}`, { ...owned, name: `P${value}`, readonly: pick([true, false, null], one) }),
      () => call('put', `pad/${pad}`, { group }),
      () =>
        call('post', 'group/invite', {
          gid: group,
          invite: value % 2 === 0,
          loginsOrEmails: [other.login, person.login],
        }),
      () => call('post', 'group/resign', { gid: group }),
      () => call('delete', `pad/${pad}`),
      () =>
        value % 4
          ? call('post', 'usermark', { type: 'groups', key: group })
          : call('delete', `group/${group}`),
      () => call('post', 'usermark', { type: 'pads', key: pad }),
      () =>
        call('put', `user/${person.login}`, { firstname: `F${value}`, lastname: 'é"\\', color: '#aabbcc' }),
      () => call('post', `group/${group}/unlock`, { password: `${password}${value % 2}` }),
      () => call('post', `pad/${pad}/unlock`, { password: `${password}${value % 2}` }),
      () =>
        callerOf(this.app, this.guestToken)('post', `group/${group}/unlock`, {
          password: `${password}${value % 2}`,
        }),
      () =>
        call('put', 'configuration/allPadsPublicsAuthentifiedOnly', { value: value % 3 === 0 }, this.admin),
      () => call('put', `user/${other.login}`, { active: value % 5 !== 0 }, this.admin),
      async () => {
        this.app.ports.advance(61_000);
        await this.app.model.pads.touch(pad, pick([person.id, other.id, null, undefined], value));
        return { status: 200 };
      },
    ];
    const { status, body } = await pick(actions, action)();
    expect(status, `action ${action % actions.length}`).to.be.below(500);
    if (status !== 200 || body?.key === undefined) return;
    if (action % actions.length === 0) this.groups.push(body.key);
    if (action % actions.length === 1) this.pads.push(body.key);
    if (action % actions.length === 14) this.guestToken = body.token ?? this.guestToken;
  }

  /** Makes a call as a program that caches answers: after a 304 it uses its cached answer. */
  private async ask(path: string, token: string | undefined): Promise<{ status: number; body: unknown }> {
    const name = `${token} ${path}`;
    const last = this.kept.get(name);
    const request = callerOf(this.app, token)('get', path);
    if (last !== undefined) request.set('If-None-Match', last.tag);
    const { status, body, headers } = await request;
    if (status === 304 && last !== undefined) return { status: 200, body: structuredClone(last.body) };
    if (status === 200 && headers['cache-control'] === 'private, no-cache') {
      this.kept.set(name, { tag: String(headers.etag), body: structuredClone(body) });
    }
    return { status, body };
  }

  /** Compares the answers for everybody with those that are made without a cache. */
  async check(): Promise<void> {
    const { model } = this.app;
    for (const { token } of this.people) {
      const actor = await actorWith(model, token);
      const full = await this.ask('group', token);
      const short = await this.ask('overview', token);
      if (actor.kind !== 'user') {
        expect([full.status, short.status]).to.deep.equal([401, 401]);
        continue;
      }
      const expected = await uncachedGroups(model, actor);
      const { value } = full.body as GroupsAnswer;
      const { value: brief } = short.body as OverviewAnswer;
      const all = await model.pads.findMany([
        ...Object.keys(expected.pads),
        ...Object.keys(expected.bookmarks.pads),
      ]);
      const right = await model.pads.lastUpdates([...all.values()]);
      withTimesOf(value.pads, expected.pads, right);
      withTimesOf(value.bookmarks.pads, expected.bookmarks.pads, right);
      expect(value).to.deep.equal(plain(expected));
      expect(resolved(brief).groups).to.deep.equal(summaryOf(value).groups);
      expect(Object.keys(brief.bookmarks.groups)).to.have.members(Object.keys(value.bookmarks.groups));
      expect(brief.bookmarks.pads).to.deep.equal(summaryOf(value).bookmarks.pads);
      expect(brief.users).to.deep.equal(value.users);
    }
    for (const token of [...this.people.map((person) => person.token), this.guestToken, this.admin]) {
      const actor = await actorWith(model, token);
      for (const id of this.groups) {
        const { status, body } = await this.ask(`group/${id}`, token);
        const expected = await uncachedGroup(model, actor, id);
        expect(status === 200, `${id}: ${status}`).to.equal(expected !== undefined);
        if (expected !== undefined) expect(body).to.deep.equal(plain(expected));
      }
    }
  }
}

// The lists that it compares with are made in the process.
inProcessOnly.describe('cached lists', () => {
  const app = useTestAppForEach();

  it('equal new lists, for everybody and after every change', async () => {
    const number = fc.nat({ max: 200 });
    const steps = fc.array(fc.tuple(number, number, number, number, number), { minLength: 5, maxLength: 15 });
    const admin = await signInAsAdmin(app);
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        await app.model.configuration.set('allPadsPublicsAuthentifiedOnly', false);
        const people = await Promise.all(Array.from({ length: 3 }, () => buildUser(app)));
        const fixture = new Fixture(app, people, admin);
        const [one, two] = people as [TestUser, TestUser];
        const first = await buildGroup(app, one, {
          users: [two.id],
          visibility: 'private',
          password: 'secret0',
        });
        const second = await buildGroup(app, two, { visibility: 'public' });
        fixture.groups.push(first._id, second._id);
        fixture.pads.push((await buildPad(app, one, first))._id);
        fixture.pads.push(
          (await buildPad(app, two, second, { visibility: 'private', password: 'secret1' }))._id,
        );
        await fixture.check();
        for (const step of all) {
          await fixture.act(step);
          await fixture.check();
        }
      }),
      { numRuns: runs, seed: Number(process.env.SEED ?? 4711) },
    );
  }).timeout(120_000);

  it('are correct when they are made and changed at the same moment', async () => {
    const owner = await buildUser(app);
    const call = callerOf(app, owner.token);
    const group = await buildGroup(app, owner);
    const pads = await Promise.all(Array.from({ length: 5 }, () => buildPad(app, owner, group)));
    for (let round = 0; round < 10; round += 1) {
      await app.model.store.update(keys.group(group._id), (record) => record);
      const changes = pads.map(({ _id }) => call('put', `pad/${_id}`, { name: `Round ${round}` }));
      await Promise.all([...changes, ...Array.from({ length: 5 }, () => call('get', 'group'))]);
      const { value } = (await call('get', 'group')).body as GroupsAnswer;
      const names = Object.values(value.pads).map(({ name }) => name);
      expect(names).to.deep.equal(pads.map(() => `Round ${round}`));
    }
  });

  it('are complete, however many pads a group has and however many ask at the same moment', async () => {
    const owner = await buildUser(app);
    const call = callerOf(app, owner.token);
    const group = await buildGroup(app, owner, { name: 'Ünïcode “quoted” \\ \u2028' });
    const first = await buildPad(app, owner, group);
    const pads = Array.from({ length: 321 }, (_, index) => `${first._id}-${index}`);
    const { model } = app;
    const record = await model.pads.find(first._id);
    for (const [index, id] of pads.entries()) {
      await model.store.set(keys.pad(id), { ...record, _id: id, name: `“${index}”`, lastUpdate: index });
    }
    await model.store.update<object>(keys.group(group._id), (current) => ({ ...current, pads }));
    const actor = await actorWith(model, owner.token);
    const expected = plain(await uncachedGroup(model, actor, group._id));
    const answers = await Promise.all(Array.from({ length: 5 }, () => call('get', `group/${group._id}`)));
    for (const { body } of answers) expect(body).to.deep.equal(expected);
    expect(Object.keys((await call('get', 'group')).body.value.pads)).to.have.members(pads);
    expect((await call('get', 'overview')).body.value.groups[group._id].padCount).to.equal(321);
  });

  describe('do not show what the person may not see any more', () => {
    let owner: TestUser;
    let member: TestUser;
    let group: string;
    const get = (path: string, { token }: { token?: string } = {}) => callerOf(app, token)('get', path);
    const names = async (who: TestUser) => {
      const [full, short] = [await get('group', who), await get('overview', who)];
      return [Object.keys(full.body.value.groups), Object.keys(short.body.value.groups)];
    };

    beforeEach(async () => {
      [owner, member] = [await buildUser(app, { firstname: 'Ada' }), await buildUser(app)];
      group = (await buildGroup(app, owner, { users: [member.id] }))._id;
      await buildPad(app, owner, { _id: group });
      expect(await names(member)).to.deep.equal([[group], [group]]);
      expect((await get(`group/${group}`, member)).status).to.equal(200);
    });
    const change = (body: object) => callerOf(app, owner.token)('put', `group/${group}`, body);

    it('to somebody who was removed from a group', async () => {
      await change({ users: [] });
      expect(await names(member)).to.deep.equal([[], []]);
      expect((await get(`group/${group}`, member)).status).to.equal(401);
    });

    it('to an administrator who became a member', async () => {
      await change({ admins: [owner.id, member.id] });
      expect((await get('group', member)).body.value.users[owner.id].firstname).to.equal('Ada');
      await change({ admins: [owner.id], users: [member.id] });
      for (const path of ['group', 'overview']) {
        expect((await get(path, member)).body.value.users[owner.id], path).not.to.have.property('firstname');
      }
      expect((await get(`group/${group}`, member)).body.users[owner.id]).not.to.have.property('email');
    });

    it('to somebody who entered a password that has been changed', async () => {
      const outsider = await buildUser(app);
      await change({ visibility: 'private', password: 'first' });
      await callerOf(app, outsider.token)('post', `group/${group}/unlock`, { password: 'first' });
      const open = await get(`group/${group}`, outsider);
      expect(Object.keys(open.body.pads)).to.have.length(1);
      await change({ password: 'second' });
      const locked = await callerOf(app, outsider.token)('get', `group/${group}`).set(
        'If-None-Match',
        String(open.headers.etag),
      );
      expect(locked.status).to.equal(200);
      expect(Object.keys(locked.body)).to.deep.equal(['key', 'value']);
      expect(locked.body.value).to.have.all.keys('name', 'visibility');
    });

    it('to somebody who has signed out, or whose account is closed', async () => {
      const { etag } = (await get('group', member)).headers;
      const again = await signIn(app, member.login, member.password);
      await callerOf(app, member.token)('post', 'auth/logout');
      const ask = (token: string) => callerOf(app, token)('get', 'group').set('If-None-Match', String(etag));
      expect((await ask(member.token)).status).to.equal(401);
      expect((await ask(again.token)).status).to.equal(304);
      await callerOf(app, await signInAsAdmin(app))('put', `user/${member.login}`, { active: false });
      expect((await ask(again.token)).status).to.equal(401);
    });

    it('to another person who sends the same ETag', async () => {
      const { etag } = (await get('group', owner)).headers;
      const answer = await callerOf(app, member.token)('get', 'group').set('If-None-Match', String(etag));
      expect([answer.status, answer.body.value.groups[group].abilities.edit]).to.deep.equal([200, false]);
    });

    it('show the current names of people, and nobody whose account was removed', async () => {
      await callerOf(app, owner.token)('put', `user/${owner.login}`, { color: '#123456' });
      await callerOf(app, member.token)('put', `user/${member.login}`, { firstname: 'Grace' });
      expect((await get('group', member)).body.value.users[owner.id].color).to.equal('#123456');
      expect((await get('overview', owner)).body.value.users[member.id].firstname).to.equal('Grace');
      await callerOf(app, await signInAsAdmin(app))('delete', `user/${member.login}`);
      const { value } = (await get('group', owner)).body as GroupsAnswer;
      expect([Object.keys(value.users), value.groups[group]?.users]).to.deep.equal([[owner.id], []]);
    });

    it('follow the setting that opens all pads to everybody who is signed in', async () => {
      const outsider = await buildUser(app);
      expect((await get(`group/${group}`, outsider)).status).to.equal(401);
      await app.model.configuration.set('allPadsPublicsAuthentifiedOnly', true);
      expect((await get(`group/${group}`, outsider)).status).to.equal(200);
      await app.model.configuration.set('allPadsPublicsAuthentifiedOnly', false);
      expect((await get(`group/${group}`, outsider)).status).to.equal(401);
    });
  });
});
