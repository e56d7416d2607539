import { expect } from 'chai';
import type { Visitor } from '../../model/door';
import type { GroupRecord, PadRecord, SessionRecord, Visibility } from '../../model/entities';
import { MyPadsError } from '../../model/errors';
import { createModel, type Model } from '../../model/model';
import { keys } from '../../model/store';
import { createTestPorts, type TestPorts } from '../support/app';

describe('the door', () => {
  let ports: TestPorts & { closeDatabase(): Promise<void> };
  let model: Model;
  let counter = 0;

  before(async () => {
    ports = await createTestPorts();
    model = await createModel(ports);
    await model.users.ready;
  });
  after(async () => {
    await model.close();
    await ports.closeDatabase();
  });

  async function person(): Promise<string> {
    counter += 1;
    const login = `person${counter}`;
    const user = await model.users.register({
      login,
      password: 'long enough',
      email: `${login}@example.org`,
      active: true,
    });
    return user._id;
  }

  /** Somebody at the door with a session of their own. */
  async function visit(owner: string): Promise<Visitor> {
    const { entryToken } = await model.sessions.create({ kind: 'user', owner, browser: undefined });
    return model.door.visitor(entryToken);
  }

  interface World {
    group: GroupRecord;
    pad: PadRecord;
    guest: Visitor;
    stranger: Visitor;
    member: Visitor;
    admin: Visitor;
  }

  async function build(
    visibility: Visibility,
    own: Visibility | null = null,
    more: { group?: object; pad?: object } = {},
  ): Promise<World> {
    const [admin, member, stranger] = [await person(), await person(), await person()];
    const fields = { name: 'Group', visibility, users: [member], password: 'of the group', ...more.group };
    const group = await model.groups.create(admin, fields);
    const pad = await model.pads.create(group._id, {
      name: 'Pad',
      visibility: own,
      password: 'of the pad',
      ...more.pad,
    });
    return {
      group,
      pad,
      guest: await model.door.visitor(undefined),
      stranger: await visit(stranger),
      member: await visit(member),
      admin: await visit(admin),
    };
  }

  async function entry(padId: string, visitor: Visitor): Promise<string> {
    return (await model.door.decide(padId, await model.door.refresh(visitor))).entry;
  }

  function sessionOf(visitor: Visitor): SessionRecord {
    if (visitor.session === undefined) throw new Error('a session was expected');
    return visitor.session;
  }

  async function prove(visitor: Visitor, what: 'group' | 'pad', id: string): Promise<void> {
    const caller = { session: sessionOf(visitor), browser: undefined };
    expect(await model.unlocks.unlock({ what, id }, `of the ${what}`, caller)).to.not.equal(undefined);
  }

  describe('who may enter', () => {
    const rows: {
      title: string;
      group: Visibility;
      own: Visibility | null;
      guest: string;
      stranger: string;
      member: string;
      admin: string;
      opens?: 'group' | 'pad';
    }[] = [
      {
        title: 'public: everybody',
        group: 'public',
        own: null,
        guest: 'write',
        stranger: 'write',
        member: 'write',
        admin: 'write',
      },
      {
        title: 'public by itself, in a restricted group: everybody',
        group: 'restricted',
        own: 'public',
        guest: 'write',
        stranger: 'write',
        member: 'write',
        admin: 'write',
      },
      {
        title: 'private, inherited: the group, and whoever has proved its password',
        group: 'private',
        own: null,
        guest: 'password',
        stranger: 'password',
        member: 'write',
        admin: 'write',
        opens: 'group',
      },
      {
        title: "private, the pad's own: admins, and whoever has proved its password",
        group: 'private',
        own: 'private',
        guest: 'password',
        stranger: 'password',
        member: 'password',
        admin: 'write',
        opens: 'pad',
      },
      {
        title: 'restricted: the group',
        group: 'restricted',
        own: null,
        guest: 'signIn',
        stranger: 'no',
        member: 'write',
        admin: 'write',
      },
      {
        title: 'restricted by itself, in a public group: the group',
        group: 'public',
        own: 'restricted',
        guest: 'signIn',
        stranger: 'no',
        member: 'write',
        admin: 'write',
      },
    ];
    for (const row of rows) {
      it(row.title, async () => {
        const world = await build(row.group, row.own);
        for (const who of ['guest', 'stranger', 'member', 'admin'] as const) {
          expect(await entry(world.pad._id, world[who]), who).to.equal(row[who]);
        }
        for (const who of ['stranger', 'member'] as const) {
          for (const what of ['group', 'pad'] as const) {
            const id = what === 'group' ? world.group._id : world.pad._id;
            const stored = what === 'group' ? world.group.password : world.pad.password;
            if (stored === null) continue;
            await prove(world[who], what, id);
            const expected = row[who] === 'password' && row.opens === what ? 'write' : row[who];
            expect(await entry(world.pad._id, world[who]), `${who} with ${what}`).to.equal(expected);
            await model.sessions.end(sessionOf(world[who])._id);
            world[who] = await visit(sessionOf(world[who]).owner);
          }
        }
      });

      it(`${row.title}; in the signed-in-only mode everybody with an account`, async () => {
        const world = await build(row.group, row.own);
        await model.configuration.set('allPadsPublicsAuthentifiedOnly', true);
        try {
          expect(await entry(world.pad._id, world.guest)).to.equal('signIn');
          for (const who of ['stranger', 'member', 'admin'] as const) {
            expect(await entry(world.pad._id, world[who])).to.equal('write');
          }
        } finally {
          await model.configuration.set('allPadsPublicsAuthentifiedOnly', false);
        }
      });
    }

    it('readonly by the group: whoever enters reads, admins included', async () => {
      const world = await build('public', null, { group: { readonly: true } });
      for (const who of ['guest', 'stranger', 'member', 'admin'] as const) {
        expect(await entry(world.pad._id, world[who])).to.equal('read');
      }
    });

    it('a pad may be readonly alone, or writable in a readonly group', async () => {
      const readonly = await build('public', null, { pad: { readonly: true } });
      expect(await entry(readonly.pad._id, readonly.admin)).to.equal('read');
      const writable = await build('public', null, { group: { readonly: true }, pad: { readonly: false } });
      expect(await entry(writable.pad._id, writable.guest)).to.equal('write');
    });

    it('archived changes nothing', async () => {
      const world = await build('restricted', null, { group: { archived: true } });
      expect(await entry(world.pad._id, world.member)).to.equal('write');
    });

    it("a server administrator's session opens no pad", async () => {
      const world = await build('public');
      const { session } = await model.sessions.create({ kind: 'admin', owner: 'root', browser: undefined });
      const visitor = await model.door.refresh({ session, actor: world.guest.actor });
      expect(visitor.actor.kind).to.equal('admin');
      expect(await entry(world.pad._id, visitor)).to.equal('no');
      expect(model.sessions.entryTokenFor(session)).to.equal(undefined);
    });
  });

  describe('pads that are not ours, or not any more', () => {
    it("are the host's business, or nobody's, as it is configured", async () => {
      const guest = await model.door.visitor(undefined);
      expect(await model.door.decide('free', guest)).to.deep.equal({ entry: 'write', known: false });
      await model.configuration.set('allowEtherPads', false);
      try {
        for (const id of ['free', '__proto__', 'constructor', '']) {
          expect(await model.door.decide(id, guest)).to.deep.equal({ entry: 'unknown', known: false });
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

    it('are closed to everybody while they wait for their removal', async () => {
      const { pad, group, admin } = await build('public');
      await model.store.set(keys.deletePad(pad._id), pad._id);
      expect(await model.door.decide(pad._id, admin)).to.deep.equal({
        entry: 'closed',
        known: true,
        group: group._id,
      });
      await model.store.remove(keys.pad(pad._id));
      expect(await model.door.decide(pad._id, admin)).to.deep.equal({ entry: 'closed', known: true });
    });

    it('are closed when their group is gone', async () => {
      const { pad, group, admin } = await build('public');
      await model.store.remove(keys.group(group._id));
      expect(await entry(pad._id, admin)).to.equal('closed');
    });

    it('are closed when their record is damaged', async () => {
      const { pad, admin } = await build('public');
      for (const damaged of ['text', 7, [], {}, { group: null }]) {
        await model.store.set(keys.pad(pad._id), damaged);
        expect(await entry(pad._id, admin)).to.equal('closed');
      }
    });

    it('stay shut when the database cannot be asked', async () => {
      const { pad, admin } = await build('public');
      const who = { kind: 'user', owner: await person(), browser: undefined } as const;
      const { entryToken } = await model.sessions.create(who);
      const { get } = ports.database;
      ports.database.get = () => Promise.reject(new Error('no database'));
      try {
        const failed = await model.door.decide(pad._id, admin).catch((error: unknown) => error);
        expect(failed).to.be.an('error');
        const unknown = await model.door.visitor(entryToken).catch((error: unknown) => error);
        expect(unknown, 'nobody is taken for a guest').to.be.an('error');
        expect((await model.door.visitor('anything')).actor.kind).to.equal('guest');
      } finally {
        ports.database.get = get;
      }
    });
  });

  describe('rights that are lost', () => {
    it('by being taken out of the group', async () => {
      const { pad, group, member } = await build('restricted');
      await model.groups.update(group._id, { users: [] });
      expect(await entry(pad._id, member)).to.equal('no');
    });

    it('by another visibility', async () => {
      const { pad, group, guest } = await build('public');
      await model.groups.update(group._id, { visibility: 'restricted' });
      expect(await entry(pad._id, guest)).to.equal('signIn');
    });

    it("by another password, the group's", async () => {
      const { pad, group, stranger } = await build('private');
      await prove(stranger, 'group', group._id);
      expect(await entry(pad._id, stranger)).to.equal('write');
      await model.groups.update(group._id, { password: 'a new one' });
      expect(await entry(pad._id, stranger)).to.equal('password');
    });

    it("by another password, the pad's", async () => {
      const { pad, stranger } = await build('public', 'private');
      await prove(stranger, 'pad', pad._id);
      expect(await entry(pad._id, stranger)).to.equal('write');
      await model.pads.update(pad, { password: 'a new one' });
      expect(await entry(pad._id, stranger)).to.equal('password');
    });

    it('to write, by readonly', async () => {
      const { pad, group, member } = await build('restricted');
      await model.groups.update(group._id, { readonly: true });
      expect(await entry(pad._id, member)).to.equal('read');
    });

    it('by signing out, and only there', async () => {
      const { pad, member } = await build('restricted');
      const elsewhere = await visit(sessionOf(member).owner);
      await model.sessions.end(sessionOf(member)._id);
      expect(await entry(pad._id, member)).to.equal('signIn');
      expect(await entry(pad._id, elsewhere)).to.equal('write');
    });

    it('by a closed or removed account', async () => {
      const { pad, member, admin } = await build('restricted');
      await model.users.updateProfile(sessionOf(member).owner, { active: false });
      expect(await entry(pad._id, member)).to.equal('signIn');
      await model.store.remove(keys.user(sessionOf(admin).owner));
      expect(await entry(pad._id, admin)).to.equal('signIn');
    });

    it('by time', async () => {
      const { pad, member } = await build('restricted');
      ports.advance(31 * 24 * 3600_000);
      expect(await entry(pad._id, member)).to.equal('signIn');
    });

    it('by moving the pad', async () => {
      const one = await build('restricted');
      const other = await build('restricted');
      await model.pads.update(one.pad, { group: other.group._id });
      expect(await entry(one.pad._id, one.member)).to.equal('no');
      expect(await entry(one.pad._id, other.member)).to.equal('write');
    });

    it('and each of these tells the gates, after the database has it', async () => {
      const { pad, group, stranger } = await build('private');
      const heard: string[] = [];
      const off = (['group', 'pad', 'session', 'user'] as const).map((name) =>
        model.events.on(name, ({ id }) => void heard.push(`${name} ${id}`)),
      );
      async function expectEvent(event: string, work: () => Promise<unknown>): Promise<void> {
        heard.length = 0;
        await work();
        expect(heard).to.include(event);
      }
      const session = sessionOf(stranger);
      await expectEvent(`session ${session._id}`, () => prove(stranger, 'group', group._id));
      await expectEvent(`group ${group._id}`, () => model.groups.update(group._id, { readonly: true }));
      await expectEvent(`group ${group._id}`, () => model.groups.invite(group._id, 'users', []));
      await expectEvent(`pad ${pad._id}`, () => model.pads.update(pad, { readonly: false }));
      await expectEvent(`session ${session._id}`, () => model.sessions.end(session._id));
      await expectEvent(`pad ${pad._id}`, () => model.pads.remove(pad._id));
      await expectEvent(`group ${group._id}`, () => model.groups.remove(group._id));
      for (const stop of off) stop();
    });
  });

  describe('the exchange of what a frame’s URL carries', () => {
    const base64 = (text: string): string => Buffer.from(text).toString('base64');

    it("gives the holder of a ticket the session's cookie, once, for that pad", async () => {
      const { pad, guest, member } = await build('restricted');
      const ticket = model.tickets.create(sessionOf(member)._id, pad._id);
      expect(await model.door.redeem({ padId: 'another', ticket, visitor: guest })).to.deep.equal({});
      const good = model.tickets.create(sessionOf(member)._id, pad._id);
      const { entryToken } = await model.door.redeem({ padId: pad._id, ticket: good, visitor: guest });
      expect(await entry(pad._id, await model.door.visitor(entryToken))).to.equal('write');
      expect(await model.door.redeem({ padId: pad._id, ticket: good, visitor: guest })).to.deep.equal({});
    });

    it('is worth nothing after a minute, or when the session has ended', async () => {
      const { pad, guest, member } = await build('restricted');
      const late = model.tickets.create(sessionOf(member)._id, pad._id);
      ports.advance(61_000);
      expect(await model.door.redeem({ padId: pad._id, ticket: late, visitor: guest })).to.deep.equal({});
      const ended = model.tickets.create(sessionOf(member)._id, pad._id);
      await model.sessions.end(sessionOf(member)._id);
      expect(await model.door.redeem({ padId: pad._id, ticket: ended, visitor: guest })).to.deep.equal({});
    });

    it('takes no API token for a ticket', async () => {
      const { pad, guest, member } = await build('restricted');
      const owner = sessionOf(member).owner;
      const { token } = await model.sessions.create({ kind: 'user', owner, browser: undefined });
      expect(await model.door.redeem({ padId: pad._id, ticket: token, visitor: guest })).to.deep.equal({});
      expect((await model.door.visitor(token)).actor.kind).to.equal('guest');
    });

    it('does not turn somebody who is signed in into somebody else', async () => {
      const { pad, member, stranger } = await build('restricted');
      const ticket = model.tickets.create(sessionOf(member)._id, pad._id);
      expect(await model.door.redeem({ padId: pad._id, ticket, visitor: stranger })).to.deep.equal({});
    });

    it('gives a guest with the right password a session, and one with a wrong password nothing', async () => {
      const { pad, guest } = await build('private');
      const wrong = { padId: pad._id, password: base64('wrong'), visitor: guest };
      expect(await model.door.redeem(wrong)).to.deep.equal({});
      const right = { padId: pad._id, password: base64('of the group'), visitor: guest };
      const { entryToken } = await model.door.redeem(right);
      expect(await entry(pad._id, await model.door.visitor(entryToken))).to.equal('write');
    });

    it('notes a proved password in the session that is there', async () => {
      const { pad, stranger } = await build('public', 'private');
      const exchange = { padId: pad._id, password: base64('of the pad'), visitor: stranger };
      expect(await model.door.redeem(exchange)).to.deep.equal({});
      expect(await entry(pad._id, stranger)).to.equal('write');
    });

    it('makes no session for a pad that asks for no password', async () => {
      const { pad, guest } = await build('restricted');
      const exchange = { padId: pad._id, password: base64('of the group'), visitor: guest };
      expect(await model.door.redeem(exchange)).to.deep.equal({});
    });
  });

  describe('old passwords', () => {
    /** The vector of the earlier generation's format. */
    const old = {
      salt: '00112233445566778899'.repeat(4),
      hash: 'f48f69ad2089ff9bce744383f0ea0734dd04ca98f5a455e0072940460311ffa35a0e6dfa1059e7accb20366cb468d1c36cdd3ad593a8e2b72fd501104242695c',
    };

    it('open once as they are and are stored in the new way', async () => {
      const { pad, group, stranger, guest } = await build('private');
      await model.store.set(keys.group(group._id), { ...group, password: old });
      const guarded = { what: 'group', id: group._id } as const;
      const proofs = await Promise.all(
        [stranger, await visit(sessionOf(stranger).owner)].map((visitor) =>
          model.unlocks.unlock(guarded, 'correct hörse', { session: sessionOf(visitor), browser: undefined }),
        ),
      );
      expect(proofs).to.not.include(undefined);
      expect((await model.groups.find(group._id))?.password).to.include({ scheme: 'bcrypt' });
      expect(await entry(pad._id, stranger)).to.equal('write');
      expect(await entry(pad._id, guest)).to.equal('password');
    });

    it('that stand there as plain text open nothing', async () => {
      const { group, stranger } = await build('private');
      await model.store.set(keys.group(group._id), { ...group, password: 'plain' });
      const caller = { session: sessionOf(stranger), browser: undefined };
      expect(await model.unlocks.unlock({ what: 'group', id: group._id }, 'plain', caller)).to.equal(
        undefined,
      );
    });
  });

  it('decides in less than a tenth of a millisecond (P6)', async () => {
    const { pad, member } = await build('restricted');
    let best = Number.POSITIVE_INFINITY;
    // The best of some batches: the others measure what else this machine is doing.
    for (const end = performance.now() + 5_000; best >= 0.1 && performance.now() < end; ) {
      const start = performance.now();
      for (let round = 0; round < 100; round++) {
        await model.door.decide(pad._id, await model.door.refresh(member));
      }
      best = Math.min(best, (performance.now() - start) / 100);
    }
    expect(best).to.be.lessThan(0.1);
  });

  it('answers with our errors only', async () => {
    const failure = await model.groups.remove('nothing-here').catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(MyPadsError);
  });
});
