/** What the tables of permissions share: who asks, the group and the pad in question, and one test for each row. */
import { expect } from 'chai';
import type { Actor, Role, Unlocked } from '../../model/access/permissions';
import type { LinkRecord, StoredPassword, Visibility } from '../../model/store/entities';

const groupPassword: StoredPassword = { scheme: 'bcrypt', hash: 'of the group' };
const padPassword: StoredPassword = { scheme: 'bcrypt', hash: 'of the pad' };

export type Proved = 'nothing' | "the group's password" | "the pad's password";
const proofs: Proved[] = ['nothing', "the group's password", "the pad's password"];

export const names = {
  guest: 'a guest',
  user: 'an outsider with an account',
  reader: 'a reader',
  member: 'a member',
  groupAdmin: 'a group admin',
  serverAdmin: 'a server admin',
} as const satisfies Record<Role, string>;
export const relations = Object.keys(names) as Role[];

export function build(who: Role, proved: Proved = 'nothing'): Actor {
  if (who === 'serverAdmin') return { kind: 'admin' };
  const unlocked: Unlocked = (what, id, password) =>
    what === 'group'
      ? proved === "the group's password" && id === 'group-1' && password === groupPassword
      : what === 'pad' && proved === "the pad's password" && id === 'pad-1' && password === padPassword;
  if (who === 'guest') return { kind: 'guest', unlocked };
  const ids = { user: 'outsider', reader: 'ruth', member: 'bob', groupAdmin: 'alice' };
  return { kind: 'user', id: ids[who], unlocked };
}

function provable(who: Role): Proved[] {
  return who === 'serverAdmin' ? ['nothing'] : proofs;
}

export function buildGroup(visibility: Visibility, extra: Partial<ReturnType<typeof plainGroup>> = {}) {
  return { ...plainGroup(visibility), ...extra };
}

function plainGroup(visibility: Visibility) {
  return {
    _id: 'group-1',
    visibility,
    password: groupPassword as StoredPassword | string | null,
    readonly: false,
    archived: false,
    admins: ['alice'],
    users: ['bob'],
    readers: ['ruth'],
    links: [] as LinkRecord[],
    allowUsersToCreatePads: false,
  };
}

export function buildPad(visibility: Visibility | null, readonly: boolean | null = null) {
  return { _id: 'pad-1', visibility, readonly, password: padPassword as StoredPassword | string | null };
}

/** Links that have ended by now ended before this time. */
export const now = 1_000;
const linksBy = 'managers' as const;
const templatesFolder = '';
export const off = { allPadsPublicsAuthentifiedOnly: false, linksBy, templatesFolder, now };
export const on = { allPadsPublicsAuthentifiedOnly: true, linksBy, templatesFolder, now };

/** Everybody, with nothing proved and with each password proved. */
export const everybody = relations.flatMap((who) =>
  provable(who).map((proved) => ({
    who,
    proved,
    actor: build(who, proved),
    /** For messages. */
    subject: `${names[who]}${proved === 'nothing' ? '' : ` who proved ${proved}`}`,
  })),
);

/** A cell of a table: what it is about, what the product decides, and what the table expects. */
export type Cell = [subject: string, actual: unknown, expected: unknown];

/** One test for a row of a table; it names every cell that is wrong. */
export function row(title: string, cells: () => Cell[]): void {
  it(title, () => {
    const all = cells();
    expect(all).not.to.deep.equal([]);
    const wrong = all
      .filter(([, actual, expected]) => actual !== expected)
      .map(([subject, actual, expected]) => `${subject}: ${actual} instead of ${expected}`);
    expect(wrong, wrong.join('; ')).to.deep.equal([]);
  });
}

export const visibilities = ['public', 'private', 'restricted'] as const;
export const ownSettings = [null, ...visibilities] as const;
export const policies = [
  { prefix: '', policy: off },
  { prefix: 'signed-in-only mode: ', policy: on },
];
