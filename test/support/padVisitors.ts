/** A pad with one visitor of each kind, below the API, for tests of pad access. */
import { expect } from 'chai';
import type { Visitor } from '../../model/access/padDecisions';
import { createModel, type Model } from '../../model/model';
import type { GroupRecord, PadRecord, SessionRecord, Visibility } from '../../model/store/entities';
import { createTestPorts, type TestPorts } from './ports';

export interface PadAndVisitors {
  group: GroupRecord;
  pad: PadRecord;
  guest: Visitor;
  /** Signed in, not in the group. */
  outsider: Visitor;
  member: Visitor;
  admin: Visitor;
}

export interface PadVisitors {
  model: Model;
  ports: TestPorts;
  /** Registers a person. Returns the id. */
  person(): Promise<string>;
  /** A signed-in visitor with their own session. */
  visit(owner: string): Promise<Visitor>;
  build(
    visibility: Visibility,
    own?: Visibility | null,
    more?: { group?: object; pad?: object },
  ): Promise<PadAndVisitors>;
  /** What a visitor may do with a pad now. */
  entry(padId: string, visitor: Visitor): Promise<string>;
  /** Enters the password of the group or pad. */
  prove(visitor: Visitor, what: 'group' | 'pad', id: string): Promise<void>;
  close(): Promise<void>;
}

export function sessionOf(visitor: Visitor): SessionRecord {
  if (visitor.session === undefined) throw new Error('a session was expected');
  return visitor.session;
}

export async function startPadVisitors(): Promise<PadVisitors> {
  const ports = await createTestPorts();
  const model = await createModel(ports);
  await model.users.ready;
  let counter = 0;

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

  async function visit(owner: string): Promise<Visitor> {
    const { entryToken } = await model.sessions.create({ kind: 'user', owner, browser: undefined });
    return model.padAccess.visitor(entryToken);
  }

  async function build(
    visibility: Visibility,
    own: Visibility | null = null,
    more: { group?: object; pad?: object } = {},
  ): Promise<PadAndVisitors> {
    const [admin, member, outsider] = [await person(), await person(), await person()];
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
      outsider: await visit(outsider),
      member: await visit(member),
      admin: await visit(admin),
    };
  }

  return {
    model,
    ports,
    person,
    visit,
    build,
    entry: async (padId, visitor) =>
      (await model.padAccess.decide(padId, await model.padAccess.refresh(visitor))).entry,
    async prove(visitor, what, id) {
      const caller = { session: sessionOf(visitor), browser: undefined };
      expect(await model.unlocks.unlock({ what, id }, `of the ${what}`, caller)).to.not.equal(undefined);
    },
    async close() {
      await model.close();
      await ports.closeDatabase();
    },
  };
}
