import { expect } from 'chai';
import type { Visitor } from '../../model/access/padDecisions';
import { MyPadsError } from '../../model/errors';
import { createModel, type Model } from '../../model/model';
import type { GroupRecord, PadRecord, SessionRecord, Visibility } from '../../model/store/entities';
import { keys } from '../../model/store/store';
import { createTestPorts, type TestPorts } from '../support/app';

describe('pad access', () => {
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

  /** A signed-in visitor with their own session. */
  async function visit(owner: string): Promise<Visitor> {
    const { entryToken } = await model.sessions.create({ kind: 'user', owner, browser: undefined });
    return model.padAccess.visitor(entryToken);
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
      guest: await model.padAccess.visitor(undefined),
      stranger: await visit(stranger),
      member: await visit(member),
      admin: await visit(admin),
    };
  }

  async function entry(padId: string, visitor: Visitor): Promise<string> {
    return (await model.padAccess.decide(padId, await model.padAccess.refresh(visitor))).entry;
  }

  function sessionOf(visitor: Visitor): SessionRecord {
    if (visitor.session === undefined) throw new Error('a session was expected');
    return visitor.session;
  }

  async function prove(visitor: Visitor, what: 'group' | 'pad', id: string): Promise<void> {
    const caller = { session: sessionOf(visitor), browser: undefined };
    expect(await model.unlocks.unlock({ what, id }, `of the ${what}`, caller)).to.not.equal(undefined);
  }

  describe('who may open a pad', () => {
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
        title: 'private, inherited from the group: members, and others with the password of the group',
        group: 'private',
        own: null,
        guest: 'password',
        stranger: 'password',
        member: 'write',
        admin: 'write',
        opens: 'group',
      },
      {
        title: 'private by itself: group administrators, and others with the password of the pad',
        group: 'private',
        own: 'private',
        guest: 'password',
        stranger: 'password',
        member: 'password',
        admin: 'write',
        opens: 'pad',
      },
      {
        title: 'restricted: members of the group only',
        group: 'restricted',
        own: null,
        guest: 'signIn',
        stranger: 'no',
        member: 'write',
        admin: 'write',
      },
      {
        title: 'restricted by itself, in a public group: members of the group only',
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

      it(`${row.title}; with allPadsPublicsAuthentifiedOnly: everybody with an account`, async () => {
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

    it('in a read-only group everybody can only read, group administrators too', async () => {
      const world = await build('public', null, { group: { readonly: true } });
      for (const who of ['guest', 'stranger', 'member', 'admin'] as const) {
        expect(await entry(world.pad._id, world[who])).to.equal('read');
      }
    });

    it('a pad can be read-only in a writable group, and writable in a read-only group', async () => {
      const readonly = await build('public', null, { pad: { readonly: true } });
      expect(await entry(readonly.pad._id, readonly.admin)).to.equal('read');
      const writable = await build('public', null, { group: { readonly: true }, pad: { readonly: false } });
      expect(await entry(writable.pad._id, writable.guest)).to.equal('write');
    });

    it('archiving does not change access', async () => {
      const world = await build('restricted', null, { group: { archived: true } });
      expect(await entry(world.pad._id, world.member)).to.equal('write');
    });

    it("a server administrator's session opens no pad", async () => {
      const world = await build('public');
      const { session } = await model.sessions.create({ kind: 'admin', owner: 'root', browser: undefined });
      const visitor = await model.padAccess.refresh({ session, actor: world.guest.actor });
      expect(visitor.actor.kind).to.equal('admin');
      expect(await entry(world.pad._id, visitor)).to.equal('no');
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
      });
      await model.store.remove(keys.pad(pad._id));
      expect(await model.padAccess.decide(pad._id, admin)).to.deep.equal({
        entry: 'closed',
        managed: true,
        removed: true,
      });
    });

    it('are closed when their group does not exist', async () => {
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

  describe('access is lost', () => {
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
      const { pad, group, stranger } = await build('private');
      await prove(stranger, 'group', group._id);
      expect(await entry(pad._id, stranger)).to.equal('write');
      await model.groups.update(group._id, { password: 'a new one' });
      expect(await entry(pad._id, stranger)).to.equal('password');
    });

    it('when the password of the pad changes', async () => {
      const { pad, stranger } = await build('public', 'private');
      await prove(stranger, 'pad', pad._id);
      expect(await entry(pad._id, stranger)).to.equal('write');
      await model.pads.update(pad._id, { password: 'a new one' });
      expect(await entry(pad._id, stranger)).to.equal('password');
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

    it('in a snapshot too, which reads shared records once and does not count as a use of a session', async () => {
      const { pad, group, guest, stranger, member, admin } = await build('restricted');
      const visitors = [guest, stranger, member, admin];
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

    it('and each of these changes sends an event after it is stored', async () => {
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
      await expectEvent(`pad ${pad._id}`, () => model.pads.update(pad._id, { readonly: false }));
      await expectEvent(`session ${session._id}`, () => model.sessions.end(session._id));
      await expectEvent(`pad ${pad._id}`, () => model.pads.remove(pad._id));
      await expectEvent(`group ${group._id}`, () => model.groups.remove(group._id));
      for (const stop of off) stop();
    });
  });

  describe('the exchange of a ticket or password from a URL', () => {
    const base64 = (text: string): string => Buffer.from(text).toString('base64');

    it('gives the session cookie for a ticket, once and for one pad only', async () => {
      const { pad, guest, member } = await build('restricted');
      const ticket = await model.tickets.create(sessionOf(member)._id, pad._id);
      expect(await model.padAccess.redeem({ padId: 'another', ticket, visitor: guest })).to.deep.equal({});
      const good = await model.tickets.create(sessionOf(member)._id, pad._id);
      const { entryToken } = await model.padAccess.redeem({ padId: pad._id, ticket: good, visitor: guest });
      expect(await entry(pad._id, await model.padAccess.visitor(entryToken))).to.equal('write');
      expect(await model.padAccess.redeem({ padId: pad._id, ticket: good, visitor: guest })).to.deep.equal(
        {},
      );
    });

    it('refuses a ticket after a minute, or when its session has ended', async () => {
      const { pad, guest, member } = await build('restricted');
      const late = await model.tickets.create(sessionOf(member)._id, pad._id);
      ports.advance(61_000);
      expect(await model.padAccess.redeem({ padId: pad._id, ticket: late, visitor: guest })).to.deep.equal(
        {},
      );
      const ended = await model.tickets.create(sessionOf(member)._id, pad._id);
      await model.sessions.end(sessionOf(member)._id);
      expect(await model.padAccess.redeem({ padId: pad._id, ticket: ended, visitor: guest })).to.deep.equal(
        {},
      );
    });

    it('does not accept an API token as a ticket', async () => {
      const { pad, guest, member } = await build('restricted');
      const owner = sessionOf(member).owner;
      const { token } = await model.sessions.create({ kind: 'user', owner, browser: undefined });
      expect(await model.padAccess.redeem({ padId: pad._id, ticket: token, visitor: guest })).to.deep.equal(
        {},
      );
      expect((await model.padAccess.visitor(token)).actor.kind).to.equal('guest');
    });

    it('does not replace the session of another signed-in person', async () => {
      const { pad, member, stranger } = await build('restricted');
      const ticket = await model.tickets.create(sessionOf(member)._id, pad._id);
      expect(await model.padAccess.redeem({ padId: pad._id, ticket, visitor: stranger })).to.deep.equal({});
    });

    it('gives a guest a session for the right password and nothing for a wrong one', async () => {
      const { pad, guest } = await build('private');
      const wrong = { padId: pad._id, password: base64('wrong'), visitor: guest };
      expect(await model.padAccess.redeem(wrong)).to.deep.equal({});
      const right = { padId: pad._id, password: base64('of the group'), visitor: guest };
      const { entryToken } = await model.padAccess.redeem(right);
      expect(await entry(pad._id, await model.padAccess.visitor(entryToken))).to.equal('write');
    });

    it('stores a proved password in the existing session', async () => {
      const { pad, stranger } = await build('public', 'private');
      const exchange = { padId: pad._id, password: base64('of the pad'), visitor: stranger };
      expect(await model.padAccess.redeem(exchange)).to.deep.equal({});
      expect(await entry(pad._id, stranger)).to.equal('write');
    });

    it('ignores the password of a member, who needs none', async () => {
      const { pad, member } = await build('private');
      const before = await model.sessions.find(sessionOf(member)._id);
      const exchange = { padId: pad._id, password: base64('of the group'), visitor: member };
      expect(await model.padAccess.redeem(exchange)).to.deep.equal({});
      const after = await model.sessions.find(sessionOf(member)._id);
      expect(after?.unlocked).to.deep.equal(before?.unlocked);
    });

    it('creates no session for a pad without a password', async () => {
      const { pad, guest } = await build('restricted');
      const exchange = { padId: pad._id, password: base64('of the group'), visitor: guest };
      expect(await model.padAccess.redeem(exchange)).to.deep.equal({});
    });
  });

  describe('passwords stored by ep_mypads 1.x', () => {
    /** A known password in the format of ep_mypads 1.x. */
    const old = {
      salt: '00112233445566778899'.repeat(4),
      hash: 'f48f69ad2089ff9bce744383f0ea0734dd04ca98f5a455e0072940460311ffa35a0e6dfa1059e7accb20366cb468d1c36cdd3ad593a8e2b72fd501104242695c',
    };

    it('still work, and are stored in the current format at the first use', async () => {
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

    it('in plain text are refused', async () => {
      const { group, stranger } = await build('private');
      await model.store.set(keys.group(group._id), { ...group, password: 'plain' });
      const caller = { session: sessionOf(stranger), browser: undefined };
      expect(await model.unlocks.unlock({ what: 'group', id: group._id }, 'plain', caller)).to.equal(
        undefined,
      );
    });
  });

  it('reads fewer than six records for a decision, none of them twice (P6)', async () => {
    const { pad, group, member } = await build('restricted');
    const reads: string[] = [];
    const { get } = ports.database;
    ports.database.get = (key) => {
      reads.push(key);
      return get(key);
    };
    try {
      expect((await model.padAccess.decide(pad._id, await model.padAccess.refresh(member))).entry).to.equal(
        'write',
      );
    } finally {
      ports.database.get = get;
    }
    expect(reads).to.include.members([keys.pad(pad._id), keys.group(group._id)]);
    expect(reads).to.have.length.below(6);
    expect(new Set(reads)).to.have.length(reads.length);
  });

  it('throws only MyPadsError', async () => {
    const failure = await model.groups.remove('nothing-here').catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(MyPadsError);
  });
});
