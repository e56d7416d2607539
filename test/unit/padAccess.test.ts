import { AsyncLocalStorage } from 'node:async_hooks';
import { expect } from 'chai';
import type { Visitor } from '../../model/access/padDecisions';
import { limits } from '../../model/limits';
import { createModel, type Model } from '../../model/model';
import type { SessionRecord, Visibility } from '../../model/store/entities';
import { createFormerPads } from '../../model/store/formerPads';
import { keys } from '../../model/store/store';
import { oldPassword } from '../support/legacy';
import { createTestPorts } from '../support/ports';

function sessionOf({ session }: Visitor): SessionRecord {
  if (session === undefined) throw new Error('a session was expected');
  return session;
}

describe('pad access', () => {
  let ports: Awaited<ReturnType<typeof createTestPorts>>;
  let model: Model;
  let people = 0;
  before(async () => {
    ports = await createTestPorts();
    model = await createModel(ports);
    await model.users.ready;
  });
  after(async () => {
    await model.close();
    await ports.closeDatabase();
  });

  /** Registers a person. Returns the id. */
  async function person(): Promise<string> {
    people += 1;
    const login = `person${people}`;
    const email = `${login}@example.org`;
    return (await model.users.register({ login, email, password: 'long enough', active: true }))._id;
  }

  /** A signed-in visitor with their own session. */
  async function visit(owner: string): Promise<Visitor> {
    const { entryToken } = await model.sessions.create({ kind: 'user', owner, browser: undefined });
    return model.padAccess.visitor(entryToken);
  }

  /** A pad with one visitor of each kind. The outsider is signed in, not in the group. */
  async function build(visibility: Visibility) {
    const [owner, user] = [await person(), await person()];
    const fields = { name: 'Group', visibility, users: [user], password: 'of the group' };
    const group = await model.groups.create(owner, fields);
    const pad = await model.pads.create(group._id, { name: 'Pad' });
    const guest = await model.padAccess.visitor(undefined);
    const [admin, member, outsider] = [await visit(owner), await visit(user), await visit(await person())];
    return { group, pad, guest, outsider, member, admin };
  }

  /** What a visitor may do with a pad now. */
  const entry = async (padId: string, visitor: Visitor): Promise<string> =>
    (await model.padAccess.decide(padId, await model.padAccess.refresh(visitor))).entry;

  /** The keys that `work` reads. Work in the background reads others meanwhile. */
  async function keysRead(work: () => Promise<void>): Promise<string[]> {
    const reads: string[] = [];
    const within = new AsyncLocalStorage<true>();
    const { get } = ports.database;
    ports.database.get = (key) => {
      if (within.getStore()) reads.push(key);
      return get(key);
    };
    try {
      await within.run(true, work);
    } finally {
      ports.database.get = get;
    }
    return reads;
  }

  describe('pads that are being removed', () => {
    it('are closed to everybody while their removal is pending', async () => {
      const { pad, group, admin } = await build('public');
      await model.store.set(keys.deletePad(pad._id), pad._id);
      expect(await model.padAccess.decide(pad._id, admin)).to.deep.equal({
        entry: 'closed',
        managed: true,
        removed: true,
        group: group._id,
        seenGroup: group._id,
      });
      const closed = await build('restricted');
      await model.store.set(keys.deletePad(closed.pad._id), closed.pad._id);
      for (const visitor of [closed.guest, closed.outsider]) {
        const { entry: decided, ...decision } = await model.padAccess.decide(closed.pad._id, visitor);
        expect([decided, decision.group, decision.seenGroup]).to.deep.equal([
          'closed',
          closed.group._id,
          undefined,
        ]);
      }
      await model.store.remove(keys.pad(pad._id));
      expect(await model.padAccess.decide(pad._id, admin)).to.deep.equal({
        entry: 'closed',
        managed: true,
        removed: true,
      });
    });

    describe('that were removed', () => {
      const day = 24 * 3600_000;

      /** A pad that was removed, and a guest. */
      async function removed() {
        const { pad, guest } = await build('public');
        await model.pads.remove(pad._id);
        await model.jobs.idle();
        return { id: pad._id, guest };
      }

      it('are looked up once for all of their editors', async () => {
        const { id, guest } = await removed();
        const reads = await keysRead(async () => {
          const snapshot = model.padAccess.snapshot();
          for (let editor = 0; editor < 3; editor += 1)
            expect((await snapshot.decide(id, guest)).entry).to.equal('removed');
        });
        const lookUps = reads.filter((key) => key.startsWith(keys.formerPads('')) || key === `pad:${id}`);
        expect(lookUps).to.have.length(2);
      });

      it('are forgotten after a year, with their records', async () => {
        const { id, guest } = await removed();
        const records = () => ports.database.findKeys(`${keys.formerPads('')}*`, null);
        expect(await records()).not.to.deep.equal([]);
        expect(
          JSON.stringify(await Promise.all((await records()).map((key) => ports.database.get(key)))),
        ).not.to.include(id);
        ports.advance(364 * day);
        expect(await entry(id, guest)).to.equal('removed');
        ports.advance(2 * day);
        expect(await entry(id, guest)).to.equal('write');
        await createFormerPads({ store: model.store, now: ports.now }).sweep();
        expect(await records()).to.deep.equal([]);
      });

      it('are remembered by a process whose clock is behind', async () => {
        const midnight = Math.floor(ports.now() / day) * day;
        const ahead = createFormerPads({ store: model.store, now: () => midnight });
        const behind = createFormerPads({ store: model.store, now: () => midnight - 1_000 });
        await ahead.add(['just-removed']);
        expect(await behind.has('just-removed')).to.equal(true);
        await behind.sweep();
        expect(await ahead.has('just-removed')).to.equal(true);
      });

      it('take little space, however many they are', async () => {
        const pads = createFormerPads({ store: model.store, now: ports.now });
        const ids = Array.from({ length: 1_500 }, (_, number) => `pad-${number}`);
        const key = keys.formerPads('00');
        const days = Object.fromEntries(
          ids.map((id, number) => [id, Math.floor(ports.now() / day) - (number % 9)]),
        );
        await model.store.set(key, { days });
        const same = Array.from({ length: 3_000 }, (_, number) => `new-${number}`);
        await pads.add(same);
        const stored = await model.store.get<{ days: Record<string, number> }>(key);
        expect(Object.keys(stored?.days ?? {})).to.have.length(limits.formerPads);
        const oldest = Math.min(...Object.values(stored?.days ?? {}));
        expect(oldest, 'the oldest go first').to.equal(Math.floor(ports.now() / day) - 5);
        for (const id of same) expect(await pads.has(id), id).to.equal(true);
        for (const each of await ports.database.findKeys(`${keys.formerPads('')}*`, null))
          await model.store.remove(each);
      });

      it('are ignored where a record of them is damaged', async () => {
        const { id, guest } = await removed();
        const [key = ''] = await ports.database.findKeys(`${keys.formerPads('')}*`, null);
        for (const damaged of ['text', 7, [], {}, { days: null }, { days: [1] }]) {
          await model.store.set(key, damaged);
          expect(await entry(id, guest)).to.equal('write');
        }
        await model.store.remove(key);
      });
    });

    it('are closed when their group does not exist', async () => {
      const { pad, group, admin } = await build('public');
      await model.store.remove(keys.group(group._id));
      const { entry: decided, removed } = await model.padAccess.decide(pad._id, admin);
      expect({ decided, removed }).to.deep.equal({ decided: 'closed', removed: false });
    });

    describe('are reported as removed when another process removes their group during the decision', () => {
      const moments: Record<string, (padId: string, groupId: string) => Promise<void>> = {
        'and has begun': (_, groupId) => ports.database.set(keys.deleteGroup(groupId), { _id: groupId }),
        'and has reached the pad': (padId) => ports.database.set(keys.deletePad(padId), padId),
        'and has ended': (padId) => ports.database.remove(keys.pad(padId)),
      };
      for (const [moment, write] of Object.entries(moments)) {
        for (const how of ['alone', 'in a snapshot']) {
          it(`${moment}, ${how}`, async () => {
            const { pad, group, admin } = await build('public');
            const { get } = ports.database;
            ports.database.get = async (key) => {
              if (key === keys.group(group._id)) {
                await write(pad._id, group._id);
                await ports.database.remove(key);
              }
              return get(key);
            };
            try {
              const decisions = how === 'alone' ? model.padAccess : model.padAccess.snapshot();
              const { entry: decided, removed } = await decisions.decide(pad._id, admin);
              expect({ decided, removed }).to.deep.equal({ decided: 'closed', removed: true });
            } finally {
              ports.database.get = get;
            }
          });
        }
      }
    });

    it('are closed when their record is damaged', async () => {
      const { pad, admin } = await build('public');
      for (const damaged of ['text', 7, [], {}, { group: null }]) {
        await model.store.set(keys.pad(pad._id), damaged);
        expect(await entry(pad._id, admin)).to.equal('closed');
      }
    });

    it('stay closed when the database is not available', async () => {
      const { pad, admin } = await build('public');
      const who = { kind: 'user', owner: await person(), browser: undefined } as const;
      const { entryToken } = await model.sessions.create(who);
      const { get } = ports.database;
      ports.database.get = () => Promise.reject(new Error('no database'));
      try {
        const failed = await model.padAccess.decide(pad._id, admin).catch((error: unknown) => error);
        expect(failed).to.be.an('error');
        const unknown = await model.padAccess.visitor(entryToken).catch((error: unknown) => error);
        expect(unknown, 'nobody is taken for a guest').to.be.an('error');
        expect((await model.padAccess.visitor('anything')).actor.kind).to.equal('guest');
      } finally {
        ports.database.get = get;
      }
    });
  });

  it('reads fewer than six records for a decision, none of them twice (P6)', async () => {
    const { pad, group, member } = await build('restricted');
    const reads = await keysRead(async () => {
      const visitor = await model.padAccess.refresh(member);
      expect((await model.padAccess.decide(pad._id, visitor)).entry).to.equal('write');
    });
    expect(reads).to.include.members([keys.pad(pad._id), keys.group(group._id)]);
    expect(reads).to.have.length.below(6);
    expect(new Set(reads)).to.have.length(reads.length);
  });

  it('is the same in a snapshot, which reads shared records once and does not extend a session', async () => {
    const { pad, group, guest, outsider, member, admin } = await build('restricted');
    const all = [guest, outsider, member, admin];
    const expected = await Promise.all(all.map((visitor) => model.padAccess.decide(pad._id, visitor)));
    ports.advance(600_000);
    const reads = await keysRead(async () => {
      const { refresh, decide } = model.padAccess.snapshot();
      for (const round of [1, 2]) {
        const found = await Promise.all(all.map(async (visitor) => decide(pad._id, await refresh(visitor))));
        expect(found, `round ${round}`).to.deep.equal(expected);
      }
    });
    expect(reads).to.have.length(new Set(reads).size);
    expect(reads).to.include.members([keys.pad(pad._id), keys.group(group._id)]);
    const { _id, lastSeen } = sessionOf(member);
    expect(await model.store.get(keys.session(_id))).to.have.property('lastSeen', lastSeen);
    await model.groups.invite(group._id, 'users', []);
    const after = model.padAccess.snapshot();
    expect((await after.decide(pad._id, await after.refresh(member))).entry).to.equal('no');
  });

  it('is not given by a ticket whose session has ended', async () => {
    const { pad, guest, member } = await build('restricted');
    const ticket = await model.tickets.create(sessionOf(member)._id, pad._id);
    await model.sessions.end(sessionOf(member)._id);
    expect(await model.padAccess.redeem({ padId: pad._id, ticket, visitor: guest })).to.deep.equal({});
  });

  it('starts no session for the password of a pad that asks for none', async () => {
    const { pad, guest } = await build('restricted');
    const password = Buffer.from('of the group').toString('base64');
    expect(await model.padAccess.redeem({ padId: pad._id, password, visitor: guest })).to.deep.equal({});
  });

  it('is given by a password of 1.x, which is stored in the current format at the first use', async () => {
    const { pad, group, outsider, guest } = await build('private');
    await model.store.set(keys.group(group._id), { ...group, password: oldPassword });
    const proofs = await Promise.all(
      [outsider, await visit(sessionOf(outsider).owner)].map((visitor) =>
        model.unlocks.unlock({ what: 'group', id: group._id }, 'correct hörse', {
          session: sessionOf(visitor),
          browser: undefined,
        }),
      ),
    );
    expect(proofs).to.not.include(undefined);
    expect((await model.groups.find(group._id))?.password).to.include({ scheme: 'bcrypt' });
    expect(await entry(pad._id, outsider)).to.equal('write');
    expect(await entry(pad._id, guest)).to.equal('password');
  });
});
