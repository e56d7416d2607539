import { expect } from 'chai';
import { createTokens } from '../../model/access/token';
import type { SessionRecord } from '../../model/store/entities';
import { keys } from '../../model/store/store';
import { useTestApp } from '../support/app';
import { buildUser, type TestUser } from '../support/factories';
import { until } from '../support/waiting';

const minute = 60_000;
const day = 24 * 3600_000;

describe('sessions', () => {
  const app = useTestApp();
  let user: TestUser;
  beforeEach(async () => {
    user = await buildUser(app);
  });

  const start = (kind: SessionRecord['kind'], owner: string) =>
    app.model.sessions.create({ kind, owner, browser: 'Browser' });

  it('of a person end thirty days after they were last used', async () => {
    const { token } = await start('user', user.id);
    app.ports.advance(29 * day);
    expect(await app.model.sessions.read(token, ['user'])).not.to.equal(undefined);
    app.ports.advance(29 * day);
    expect(await app.model.sessions.read(token, ['user'])).not.to.equal(undefined);
    app.ports.advance(30 * day);
    expect(await app.model.sessions.read(token, ['user'])).to.equal(undefined);
  });

  it('of a person end after ninety days in any case', async () => {
    const { token, session } = await start('user', user.id);
    for (let days = 0; days < 88; days += 22) {
      app.ports.advance(22 * day);
      expect(await app.model.sessions.find(session._id)).not.to.equal(undefined);
    }
    app.ports.advance(3 * day);
    expect(await app.model.sessions.find(session._id)).to.equal(undefined);
    expect(await app.model.sessions.read(token, ['user'])).to.equal(undefined);
  });

  it('have ended when the database has removed them, not before', async () => {
    const { session } = await start('user', user.id);
    await app.inject({ fault: 'block', calls: ['remove'], keys: keys.session(session._id) });
    let ended = false;
    const ending = app.model.sessions.end(session._id).then(() => {
      ended = true;
    });
    const isAsked = async () => (await app.operations()).some(({ what }) => what === 'remove');
    await until('the database is asked', isAsked);
    // Calls that take at least as long as the steps of `end` after the removal.
    await app.model.sessions.list(user.id);
    await app.model.users.update(user.id, (record) => record);
    expect(ended).to.equal(false);
    await app.inject({ fault: 'none' });
    await ending;
    expect(await app.model.sessions.find(session._id)).to.equal(undefined);
  });

  it('of guests end after a day', async () => {
    const { session, entryToken } = await start('guest', '');
    expect((await app.model.sessions.read(entryToken, ['entry']))?._id).to.equal(session._id);
    app.ports.advance(day);
    expect(await app.model.sessions.find(session._id)).to.equal(undefined);
  });

  it('of administrators have no token that opens pads', async () => {
    const { session, entryToken } = await start('admin', 'root');
    expect(entryToken).to.equal(undefined);
    expect(app.model.sessions.entryTokenFor(session)).to.equal(undefined);
  });

  it('are found by a token of their own kind only', async () => {
    const made = { user: await start('user', user.id), guest: await start('guest', '') };
    const { now } = app.ports;
    const tokens = await createTokens({ store: app.model.store, now });
    const read = (audience: 'user' | 'guest', id: string) =>
      app.model.sessions.read(tokens.sign(id, audience, now() + day), ['user', 'admin', 'guest']);
    for (const kind of ['user', 'guest'] as const) {
      const id = made[kind].session._id;
      expect((await read(kind, id))?._id).to.equal(id);
      expect(await read(kind === 'user' ? 'guest' : 'user', id)).to.equal(undefined);
    }
  });

  it('store their last use at most every five minutes', async () => {
    const { session } = await start('user', user.id);
    const seen = async () => (await app.model.store.get<SessionRecord>(keys.session(session._id)))?.lastSeen;
    app.ports.advance(4 * minute);
    await app.model.sessions.find(session._id);
    expect(await seen()).to.equal(session.lastSeen);
    app.ports.advance(2 * minute);
    await app.model.sessions.find(session._id);
    expect(await seen()).to.be.greaterThan(session.lastSeen);
  });

  it('end when the account is removed', async () => {
    const { token } = await start('user', user.id);
    const ended: string[] = [];
    app.model.events.on('session', ({ id }) => ended.push(id));
    await app.model.users.remove(user.id, async () => {});
    expect(await app.model.sessions.read(token, ['user'])).to.equal(undefined);
    expect(ended).to.have.length(2);
  });

  it('leave nothing in the database when they have ended one after the other', async () => {
    const list = keys.sessionsOf('admin', 'leaver');
    const [one, other] = [await start('admin', 'leaver'), await start('admin', 'leaver')];
    await app.model.sessions.end(one.session._id);
    expect(await app.model.store.get(list)).to.deep.equal({ ids: [other.session._id] });
    await app.model.sessions.end(other.session._id);
    expect(await app.ports.database.findKeys('mypads:session*leaver*', null)).to.deep.equal([]);
    expect(await app.model.store.get(list)).to.equal(undefined);
  });

  it('of one person are fifty at most; one more ends the oldest', async () => {
    app.ports.advance(minute);
    const first = await start('user', user.id);
    app.ports.advance(minute);
    const all = [];
    for (let count = 0; count < 50; count += 1) all.push(await start('user', user.id));
    expect(await app.model.sessions.find(first.session._id)).to.equal(undefined);
    const living = await Promise.all(all.map(({ session }) => app.model.sessions.find(session._id)));
    expect(living.every((session) => session !== undefined)).to.equal(true);
  });

  it('remember an entered password until it changes', async () => {
    const { session } = await start('guest', '');
    const { sessions } = app.model;
    const password = { scheme: 'bcrypt', hash: 'one' } as const;
    expect(sessions.unlockedOf(session)('group', 'g', password)).to.equal(false);
    const changed: string[] = [];
    app.model.events.on('session', ({ id }) => changed.push(id));
    const unlocked = sessions.unlockedOf(await sessions.unlock(session._id, 'group', 'g', password));
    expect(changed).to.deep.equal([session._id]);
    expect(unlocked('group', 'g', password)).to.equal(true);
    expect(unlocked('pad', 'g', password)).to.equal(false);
    expect(unlocked('group', 'g', { scheme: 'bcrypt', hash: 'two' })).to.equal(false);
    expect(unlocked('group', 'constructor', password)).to.equal(false);
    expect(sessions.unlockedOf(undefined)('group', 'g', password)).to.equal(false);
  });

  it('that have ended remember no password', async () => {
    const { session } = await start('guest', '');
    await app.model.sessions.end(session._id);
    await app.model.sessions.end(session._id);
    expect(await app.model.sessions.unlock(session._id, 'pad', 'p', { hash: 'x' })).to.equal(undefined);
    expect(await app.model.store.get(keys.session(session._id))).to.equal(undefined);
  });
});
