import { AsyncLocalStorage } from 'node:async_hooks';
import { expect } from 'chai';
import { MyPadsError } from '../../model/errors';
import { limits } from '../../model/limits';
import type { Model } from '../../model/model';
import type { Visibility } from '../../model/store/entities';
import { createFormerPads } from '../../model/store/formerPads';
import { keys } from '../../model/store/store';
import { type PadVisitors, sessionOf, startPadVisitors } from '../support/padVisitors';
import type { TestPorts } from '../support/ports';

describe('pad access', () => {
  let visitors: PadVisitors;
  let build: PadVisitors['build'];
  let entry: PadVisitors['entry'];
  let model: Model;
  let person: PadVisitors['person'];
  let ports: TestPorts;
  let prove: PadVisitors['prove'];
  let visit: PadVisitors['visit'];
  before(async () => {
    visitors = await startPadVisitors();
    ({ build, entry, model, person, ports, prove, visit } = visitors);
  });
  after(() => visitors.close());

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

  describe('who may open a pad', () => {
    const rows: {
      title: string;
      group: Visibility;
      own: Visibility | null;
      guest: string;
      outsider: string;
      member: string;
      admin: string;
      opens?: 'group' | 'pad';
    }[] = [
      {
        title: 'public: everybody',
        group: 'public',
        own: null,
        guest: 'write',
        outsider: 'write',
        member: 'write',
        admin: 'write',
      },
      {
        title: 'public by itself, in a restricted group: everybody',
        group: 'restricted',
        own: 'public',
        guest: 'write',
        outsider: 'write',
        member: 'write',
        admin: 'write',
      },
      {
        title: 'private, inherited from the group: members, and others with the password of the group',
        group: 'private',
        own: null,
        guest: 'password',
        outsider: 'password',
        member: 'write',
        admin: 'write',
        opens: 'group',
      },
      {
        title: 'private by itself: group administrators, and others with the password of the pad',
        group: 'private',
        own: 'private',
        guest: 'password',
        outsider: 'password',
        member: 'password',
        admin: 'write',
        opens: 'pad',
      },
      {
        title: 'restricted: members of the group only',
        group: 'restricted',
        own: null,
        guest: 'signIn',
        outsider: 'no',
        member: 'write',
        admin: 'write',
      },
      {
        title: 'restricted by itself, in a public group: members of the group only',
        group: 'public',
        own: 'restricted',
        guest: 'signIn',
        outsider: 'no',
        member: 'write',
        admin: 'write',
      },
    ];
    for (const row of rows) {
      it(row.title, async () => {
        const built = await build(row.group, row.own);
        for (const who of ['guest', 'outsider', 'member', 'admin'] as const) {
          expect(await entry(built.pad._id, built[who]), who).to.equal(row[who]);
        }
        for (const who of ['outsider', 'member'] as const) {
          for (const what of ['group', 'pad'] as const) {
            const id = what === 'group' ? built.group._id : built.pad._id;
            const stored = what === 'group' ? built.group.password : built.pad.password;
            if (stored === null) continue;
            await prove(built[who], what, id);
            const expected = row[who] === 'password' && row.opens === what ? 'write' : row[who];
            expect(await entry(built.pad._id, built[who]), `${who} with ${what}`).to.equal(expected);
            await model.sessions.end(sessionOf(built[who])._id);
            built[who] = await visit(sessionOf(built[who]).owner);
          }
        }
      });

      it(`${row.title}; with allPadsPublicsAuthentifiedOnly: everybody with an account`, async () => {
        const built = await build(row.group, row.own);
        await model.configuration.set('allPadsPublicsAuthentifiedOnly', true);
        try {
          expect(await entry(built.pad._id, built.guest)).to.equal('signIn');
          for (const who of ['outsider', 'member', 'admin'] as const) {
            expect(await entry(built.pad._id, built[who])).to.equal('write');
          }
        } finally {
          await model.configuration.set('allPadsPublicsAuthentifiedOnly', false);
        }
      });
    }

    it('in a read-only group everybody can only read, group administrators too', async () => {
      const built = await build('public', null, { group: { readonly: true } });
      for (const who of ['guest', 'outsider', 'member', 'admin'] as const) {
        expect(await entry(built.pad._id, built[who])).to.equal('read');
      }
    });

    it('a pad can be read-only in a writable group, and writable in a read-only group', async () => {
      const readonly = await build('public', null, { pad: { readonly: true } });
      expect(await entry(readonly.pad._id, readonly.admin)).to.equal('read');
      const writable = await build('public', null, { group: { readonly: true }, pad: { readonly: false } });
      expect(await entry(writable.pad._id, writable.guest)).to.equal('write');
    });

    it('archiving does not change access', async () => {
      const built = await build('restricted', null, { group: { archived: true } });
      expect(await entry(built.pad._id, built.member)).to.equal('write');
    });

    it("a server administrator's session opens no pad", async () => {
      const built = await build('public');
      const { session } = await model.sessions.create({ kind: 'admin', owner: 'root', browser: undefined });
      const visitor = await model.padAccess.refresh({ session, actor: built.guest.actor });
      expect(visitor.actor.kind).to.equal('admin');
      expect(await entry(built.pad._id, visitor)).to.equal('no');
      expect(model.sessions.entryTokenFor(session)).to.equal(undefined);
    });
  });

  describe('pads that are not managed, or are being removed', () => {
    it('are left to Etherpad or closed to everybody, as allowEtherPads says', async () => {
      const guest = await model.padAccess.visitor(undefined);
      expect(await model.padAccess.decide('free', guest)).to.deep.equal({ entry: 'write', managed: false });
      await model.configuration.set('allowEtherPads', false);
      try {
        for (const id of ['free', '__proto__', 'constructor', '']) {
          expect(await model.padAccess.decide(id, guest)).to.deep.equal({ entry: 'unknown', managed: false });
        }
      } finally {
        await model.configuration.set('allowEtherPads', true);
      }
    });

    it('are not created by a refusal', async () => {
      const { pad, guest } = await build('restricted');
      await ports.pads.remove(pad._id);
      expect(await entry(pad._id, guest)).to.equal('signIn');
      expect(await ports.pads.exists(pad._id)).to.equal(false);
    });

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

      it('are not created again by an old link, and take no place of a pad of Etherpad', async () => {
        const { id, guest } = await removed();
        expect(await model.padAccess.decide(id, guest)).to.deep.equal({ entry: 'removed', managed: false });
        expect(await entry(`${id}x`, guest)).to.equal('write');
        expect(await ports.pads.exists(id)).to.equal(false);
      });

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

      it("are Etherpad's own when a program has created them again", async () => {
        const { id, guest } = await removed();
        await ports.pads.create(id);
        expect(await entry(id, guest)).to.equal('write');
        await ports.pads.remove(id);
        expect(await entry(id, guest)).to.equal('removed');
      });

      it('are remembered too if Etherpad has removed them', async () => {
        const { pad, guest } = await build('public');
        await ports.pads.remove(pad._id);
        await model.removals.padVanished(pad._id);
        ports.advance(3600_000);
        await model.jobs.runDue();
        expect(await entry(pad._id, guest)).to.equal('removed');
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

  it('throws only MyPadsError', async () => {
    const failure = await model.groups.remove('nothing-here').catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(MyPadsError);
  });
});
