/**
 * Who may do what, as a table: every actor in every setting, one line each. The words of the tables below are the ones in which
 * the rules were agreed; this file turns each cell into a sentence and holds model/permissions.ts against it.
 */
import { expect } from 'chai';
import type { StoredPassword, Visibility } from '../../model/entities';
import {
  type Actor,
  effectiveSettings,
  groupAbilities,
  groupSight,
  groupUnlocked,
  listsPad,
  mayAdministrate,
  mayChangeAccount,
  mayCreateGroup,
  mayReceivePad,
  padAbilities,
  padEntry,
  peopleSight,
  type Relation,
  relation,
} from '../../model/permissions';

const groupPassword: StoredPassword = { scheme: 'bcrypt', hash: 'of the group' };
const padPassword: StoredPassword = { scheme: 'bcrypt', hash: 'of the pad' };

type Proved = 'nothing' | "the group's password" | "the pad's password";
const proofs: Proved[] = ['nothing', "the group's password", "the pad's password"];

const names = {
  guest: 'a guest',
  user: 'a stranger with an account',
  member: 'a member',
  groupAdmin: 'a group admin',
  serverAdmin: 'a server admin',
} as const satisfies Record<Relation, string>;
const relations = Object.keys(names) as Relation[];

function build(who: Relation, proved: Proved = 'nothing'): Actor {
  if (who === 'serverAdmin') return { kind: 'admin' };
  const unlocked = (what: 'group' | 'pad', id: string, password: StoredPassword): boolean =>
    what === 'group'
      ? proved === "the group's password" && id === 'group-1' && password === groupPassword
      : proved === "the pad's password" && id === 'pad-1' && password === padPassword;
  if (who === 'guest') return { kind: 'guest', unlocked };
  return { kind: 'user', id: { user: 'stranger', member: 'bob', groupAdmin: 'alice' }[who], unlocked };
}

function provable(who: Relation): Proved[] {
  return who === 'serverAdmin' ? ['nothing'] : proofs;
}

function buildGroup(visibility: Visibility, extra: Partial<ReturnType<typeof plainGroup>> = {}) {
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
    allowUsersToCreatePads: false,
  };
}

function buildPad(visibility: Visibility | null, readonly: boolean | null = null) {
  return { _id: 'pad-1', visibility, readonly, password: padPassword as StoredPassword | string | null };
}

const off = { allPadsPublicsAuthentifiedOnly: false };
const on = { allPadsPublicsAuthentifiedOnly: true };

/** The sentence of a row says the actor first, then what was proved. */
function subject(who: Relation, proved: Proved): string {
  return `${names[who]}${proved === 'nothing' ? '' : ` who proved ${proved}`}`;
}

describe('permissions', () => {
  describe('who somebody is to a group', () => {
    const rows: { title: string; actor: Actor; admins?: string[]; users?: string[]; is: Relation }[] = [
      { title: 'without a session: a guest', actor: build('guest'), is: 'guest' },
      { title: 'signed in, in neither list: a stranger', actor: build('user'), is: 'user' },
      { title: 'in the list of users: a member', actor: build('member'), is: 'member' },
      { title: 'in the list of admins: a group admin', actor: build('groupAdmin'), is: 'groupAdmin' },
      {
        title: 'in both lists: a group admin',
        actor: build('member'),
        admins: ['alice', 'bob'],
        is: 'groupAdmin',
      },
      { title: "an administrator's session: a server admin", actor: build('serverAdmin'), is: 'serverAdmin' },
      {
        title: 'somebody whose id is a word of the language: a stranger',
        actor: { kind: 'user', id: 'constructor', unlocked: () => false },
        is: 'user',
      },
    ];
    for (const row of rows) {
      it(row.title, () => {
        expect(
          relation(row.actor, { admins: row.admins ?? ['alice'], users: row.users ?? ['bob'] }),
        ).to.equal(row.is);
      });
    }
  });

  describe('the settings that count for a pad', () => {
    const rows: {
      title: string;
      group: Visibility;
      own: Visibility | null;
      is: Visibility;
      passwordOf: 'pad' | 'group' | null;
    }[] = [
      { title: 'inherits public', group: 'public', own: null, is: 'public', passwordOf: null },
      { title: 'inherits private', group: 'private', own: null, is: 'private', passwordOf: 'group' },
      { title: 'inherits restricted', group: 'restricted', own: null, is: 'restricted', passwordOf: null },
      ...(['public', 'private', 'restricted'] as const).flatMap((group) => [
        {
          title: `own public in ${group}`,
          group,
          own: 'public' as const,
          is: 'public' as const,
          passwordOf: null,
        },
        {
          title: `own private in ${group}`,
          group,
          own: 'private' as const,
          is: 'private' as const,
          passwordOf: 'pad' as const,
        },
        {
          title: `own restricted in ${group}`,
          group,
          own: 'restricted' as const,
          is: 'restricted' as const,
          passwordOf: null,
        },
      ]),
    ];
    for (const row of rows) {
      it(row.title, () => {
        expect(effectiveSettings(buildPad(row.own), buildGroup(row.group))).to.deep.equal({
          visibility: row.is,
          passwordOf: row.passwordOf,
          readonly: false,
        });
      });
    }
    for (const group of [true, false]) {
      for (const own of [true, false, null]) {
        it(`readonly: group ${group}, pad ${own ?? 'not set'} makes ${own ?? group}`, () => {
          expect(
            effectiveSettings(buildPad(null, own), buildGroup('public', { readonly: group })).readonly,
          ).to.equal(own ?? group);
        });
      }
    }
  });

  type Cell = 'enter' | 'if unlocked' | 'no';
  const entering: Record<string, Record<Exclude<Relation, 'serverAdmin'>, Cell>> = {
    public: { guest: 'enter', user: 'enter', member: 'enter', groupAdmin: 'enter' },
    'private, inherited': { guest: 'if unlocked', user: 'if unlocked', member: 'enter', groupAdmin: 'enter' },
    'private, own': { guest: 'if unlocked', user: 'if unlocked', member: 'if unlocked', groupAdmin: 'enter' },
    restricted: { guest: 'no', user: 'no', member: 'enter', groupAdmin: 'enter' },
  };
  const situations: {
    title: string;
    row: keyof typeof entering;
    group: Visibility;
    own: Visibility | null;
  }[] = [
    { title: 'a pad that inherits public', row: 'public', group: 'public', own: null },
    { title: 'an own public pad in a public group', row: 'public', group: 'public', own: 'public' },
    { title: 'an own public pad in a private group', row: 'public', group: 'private', own: 'public' },
    { title: 'an own public pad in a restricted group', row: 'public', group: 'restricted', own: 'public' },
    { title: 'a pad that inherits private', row: 'private, inherited', group: 'private', own: null },
    { title: 'an own private pad in a public group', row: 'private, own', group: 'public', own: 'private' },
    { title: 'an own private pad in a private group', row: 'private, own', group: 'private', own: 'private' },
    {
      title: 'an own private pad in a restricted group',
      row: 'private, own',
      group: 'restricted',
      own: 'private',
    },
    { title: 'a pad that inherits restricted', row: 'restricted', group: 'restricted', own: null },
    {
      title: 'an own restricted pad in a public group',
      row: 'restricted',
      group: 'public',
      own: 'restricted',
    },
    {
      title: 'an own restricted pad in a private group',
      row: 'restricted',
      group: 'private',
      own: 'restricted',
    },
    {
      title: 'an own restricted pad in a restricted group',
      row: 'restricted',
      group: 'restricted',
      own: 'restricted',
    },
  ];
  const writing: {
    title: string;
    group: boolean;
    own: boolean | null;
    archived?: boolean;
    inside: 'write' | 'read';
  }[] = [
    { title: '', group: false, own: null, inside: 'write' },
    { title: ', archived', group: false, own: null, archived: true, inside: 'write' },
    { title: ', readonly by its group', group: true, own: null, inside: 'read' },
    { title: ', readonly by itself', group: false, own: true, inside: 'read' },
    { title: ', writable in a readonly group', group: true, own: false, inside: 'write' },
  ];

  describe('entering a pad', () => {
    for (const situation of situations) {
      for (const mode of writing) {
        for (const who of relations) {
          for (const proved of provable(who)) {
            const opens =
              situation.row === 'private, own'
                ? proved === "the pad's password"
                : situation.row === 'private, inherited' && proved === "the group's password";
            const cell = who === 'serverAdmin' ? 'no' : (entering[situation.row]?.[who] ?? 'no');
            const enters = cell === 'enter' || (cell === 'if unlocked' && opens);
            const refusal =
              cell === 'if unlocked' ? 'password' : who === 'guest' ? ('signIn' as const) : ('no' as const);
            const expected = enters ? mode.inside : refusal;
            it(`${subject(who, proved)} gets "${expected}" at ${situation.title}${mode.title}`, () => {
              const group = buildGroup(situation.group, {
                readonly: mode.group,
                archived: mode.archived ?? false,
              });
              expect(padEntry(build(who, proved), buildPad(situation.own, mode.own), group, off)).to.equal(
                expected,
              );
            });

            const modeOn = who === 'guest' ? 'signIn' : who === 'serverAdmin' ? 'no' : mode.inside;
            it(`signed-in-only mode: ${subject(who, proved)} gets "${modeOn}" at ${situation.title}${mode.title}`, () => {
              const group = buildGroup(situation.group, {
                readonly: mode.group,
                archived: mode.archived ?? false,
              });
              expect(padEntry(build(who, proved), buildPad(situation.own, mode.own), group, on)).to.equal(
                modeOn,
              );
            });
          }
        }
      }
    }
  });

  describe('passwords that count', () => {
    const always: Actor = { kind: 'guest', unlocked: () => true };
    const rows: {
      title: string;
      group: Visibility;
      own: Visibility | null;
      groupPassword?: StoredPassword | string | null;
      padPassword?: StoredPassword | string | null;
      is: string;
    }[] = [
      {
        title: 'an old plain-text group password opens nothing',
        group: 'private',
        own: null,
        groupPassword: 'secret',
        is: 'password',
      },
      {
        title: 'a private group without password stays shut',
        group: 'private',
        own: null,
        groupPassword: null,
        is: 'password',
      },
      {
        title: 'an old plain-text pad password opens nothing',
        group: 'public',
        own: 'private',
        padPassword: 'secret',
        is: 'password',
      },
      {
        title: 'a private pad without password stays shut',
        group: 'public',
        own: 'private',
        padPassword: null,
        is: 'password',
      },
      {
        title: 'a left-over group password does not open a restricted group',
        group: 'restricted',
        own: null,
        is: 'signIn',
      },
      {
        title: 'a left-over group password does not lock a public group',
        group: 'public',
        own: null,
        is: 'write',
      },
      {
        title: 'a left-over pad password does not open a restricted pad',
        group: 'public',
        own: 'restricted',
        is: 'signIn',
      },
      {
        title: 'a left-over pad password does not lock a public pad',
        group: 'restricted',
        own: 'public',
        is: 'write',
      },
    ];
    for (const row of rows) {
      it(row.title, () => {
        const group = buildGroup(
          row.group,
          'groupPassword' in row ? { password: row.groupPassword ?? null } : {},
        );
        const pad = {
          ...buildPad(row.own),
          ...('padPassword' in row ? { password: row.padPassword ?? null } : {}),
        };
        expect(padEntry(always, pad, group, off)).to.equal(row.is);
      });
    }

    for (const visibility of ['public', 'private', 'restricted'] as const) {
      for (const who of relations) {
        for (const proved of provable(who)) {
          const expected =
            visibility === 'private' && proved === "the group's password" && who !== 'serverAdmin';
          it(`${subject(who, proved)} has ${expected ? '' : 'not '}unlocked a ${visibility} group`, () => {
            expect(groupUnlocked(build(who, proved), buildGroup(visibility))).to.equal(expected);
          });
        }
      }
    }
  });

  describe('seeing a group', () => {
    type Sight = 'all' | 'open' | 'name' | 'name, open when unlocked' | 'no';
    const seeing: Record<Visibility | 'mode', Record<Relation, Sight>> = {
      public: { guest: 'open', user: 'open', member: 'all', groupAdmin: 'all', serverAdmin: 'all' },
      private: {
        guest: 'name, open when unlocked',
        user: 'name, open when unlocked',
        member: 'all',
        groupAdmin: 'all',
        serverAdmin: 'all',
      },
      restricted: { guest: 'no', user: 'no', member: 'all', groupAdmin: 'all', serverAdmin: 'all' },
      mode: { guest: 'no', user: 'all', member: 'all', groupAdmin: 'all', serverAdmin: 'all' },
    };
    const people: Record<Relation, 'none' | 'logins' | 'full'> = {
      guest: 'none',
      user: 'logins',
      member: 'logins',
      groupAdmin: 'full',
      serverAdmin: 'full',
    };
    const words = {
      all: 'everything',
      open: 'the record and the open pads',
      name: 'the name only',
      no: 'nothing',
    };

    for (const policy of [off, on]) {
      for (const visibility of ['public', 'private', 'restricted'] as const) {
        for (const who of relations) {
          for (const proved of provable(who)) {
            const mode = policy.allPadsPublicsAuthentifiedOnly;
            const cell = seeing[mode ? 'mode' : visibility][who];
            const unlocked = proved === "the group's password";
            const sight = cell === 'name, open when unlocked' ? (unlocked ? 'open' : 'name') : cell;
            const prefix = mode ? 'signed-in-only mode: ' : '';
            const actor = build(who, proved);
            const group = buildGroup(visibility);

            it(`${prefix}${subject(who, proved)} sees ${words[sight]} of a ${visibility} group`, () => {
              expect(groupSight(actor, group, policy)).to.equal(sight);
            });

            for (const own of [null, 'public', 'private', 'restricted'] as const) {
              const open = own === null || (visibility === 'public' && own === 'public');
              const listed = sight === 'all' || (sight === 'open' && open);
              const which = own === null ? 'the pads that inherit' : `the own ${own} pads`;
              it(`${prefix}${subject(who, proved)} ${listed ? 'gets' : 'does not get'} ${which} of a ${visibility} group listed`, () => {
                expect(listsPad(actor, buildPad(own), group, policy)).to.equal(listed);
              });
            }

            const known = sight === 'all' || sight === 'open' ? people[who] : 'none';
            it(`${prefix}${subject(who, proved)} gets ${known === 'full' ? 'names and e-mails' : known === 'logins' ? 'logins' : 'nothing'} of the people in a ${visibility} group`, () => {
              expect(peopleSight(actor, group, policy)).to.equal(known);
              expect(groupAbilities(actor, group, policy).seePeople).to.equal(known !== 'none');
            });
          }
        }
      }
    }
  });

  describe('changing things', () => {
    type Change = 'edit' | 'remove' | 'invite' | 'share';
    const rules: Record<Relation, boolean> = {
      guest: false,
      user: false,
      member: false,
      groupAdmin: true,
      serverAdmin: true,
    };
    const groupChanges: Record<Change, string> = {
      edit: 'edit the group',
      remove: 'remove the group',
      invite: 'invite into the group',
      share: 'share the administration',
    };
    const padChanges = {
      edit: 'edit a pad',
      remove: 'remove a pad',
      removeChatHistory: "remove a pad's chat history",
      move: 'move a pad out of the group',
    } as const;

    const accounts: Record<Relation, { create: boolean; self: boolean; other: boolean; settings: boolean }> =
      {
        guest: { create: false, self: false, other: false, settings: false },
        user: { create: true, self: true, other: false, settings: false },
        member: { create: true, self: true, other: false, settings: false },
        groupAdmin: { create: true, self: true, other: false, settings: false },
        serverAdmin: { create: true, self: true, other: true, settings: true },
      };
    for (const who of relations) {
      const actor = build(who);
      const self = actor.kind === 'user' ? actor.id : 'somebody';
      const expected = accounts[who];
      const may = (allowed: boolean): string => (allowed ? 'may' : 'may not');
      it(`${names[who]} ${may(expected.create)} create a group`, () => {
        expect(mayCreateGroup(actor)).to.equal(expected.create);
      });
      it(`${names[who]} ${may(expected.self)} change ${actor.kind === 'user' ? 'the own account' : 'an account'}`, () => {
        expect(mayChangeAccount(actor, self)).to.equal(expected.self);
      });
      it(`${names[who]} ${may(expected.other)} change the account of somebody else`, () => {
        expect(mayChangeAccount(actor, 'somebody else')).to.equal(expected.other);
      });
      it(`${names[who]} ${may(expected.settings)} change settings and search accounts`, () => {
        expect(mayAdministrate(actor)).to.equal(expected.settings);
      });
    }

    for (const policy of [off, on]) {
      const prefix = policy.allPadsPublicsAuthentifiedOnly ? 'signed-in-only mode: ' : '';
      for (const visibility of ['public', 'private', 'restricted'] as const) {
        for (const who of relations) {
          for (const proved of provable(who)) {
            const actor = build(who, proved);
            const group = buildGroup(visibility);
            const may = (allowed: boolean): string => (allowed ? 'may' : 'may not');

            for (const [change, text] of Object.entries(groupChanges) as [Change, string][]) {
              it(`${prefix}${subject(who, proved)} ${may(rules[who])} ${text} (${visibility})`, () => {
                expect(groupAbilities(actor, group, policy)[change]).to.equal(rules[who]);
              });
            }
            for (const [change, text] of Object.entries(padChanges) as [keyof typeof padChanges, string][]) {
              for (const own of [null, 'public', 'private', 'restricted'] as const) {
                it(`${prefix}${subject(who, proved)} ${may(rules[who])} ${text} (${own ?? 'inheriting'} in ${visibility})`, () => {
                  expect(padAbilities(actor, buildPad(own), group, policy)[change]).to.equal(rules[who]);
                });
              }
            }
            it(`${prefix}${subject(who, proved)} ${may(rules[who])} move a pad into the group (${visibility})`, () => {
              expect(mayReceivePad(actor, group)).to.equal(rules[who]);
            });

            for (const allowed of [false, true]) {
              const creates = rules[who] || (who === 'member' && allowed);
              it(`${prefix}${subject(who, proved)} ${may(creates)} create a pad where users ${may(allowed)} (${visibility})`, () => {
                const open = buildGroup(visibility, { allowUsersToCreatePads: allowed });
                expect(groupAbilities(actor, open, policy).createPad).to.equal(creates);
              });
            }

            for (const admins of [['alice'], ['alice', 'carol']]) {
              const leaves = who === 'member' || (who === 'groupAdmin' && admins.length > 1);
              it(`${prefix}${subject(who, proved)} ${may(leaves)} leave a group with ${admins.length === 1 ? 'one admin' : 'two admins'} (${visibility})`, () => {
                expect(groupAbilities(actor, buildGroup(visibility, { admins }), policy).leave).to.equal(
                  leaves,
                );
              });
            }

            const inGroup = who === 'member' || who === 'groupAdmin';
            const unlockedGroup = visibility === 'private' && proved === "the group's password";
            const strangerSees =
              policy.allPadsPublicsAuthentifiedOnly || visibility === 'public' || unlockedGroup;
            const bookmarksGroup = inGroup || (who === 'user' && strangerSees);
            it(`${prefix}${subject(who, proved)} ${may(bookmarksGroup)} bookmark a ${visibility} group`, () => {
              expect(groupAbilities(actor, group, policy).bookmark).to.equal(bookmarksGroup);
            });

            for (const own of [null, 'public', 'private', 'restricted'] as const) {
              const effective = own ?? visibility;
              const strangerEnters =
                policy.allPadsPublicsAuthentifiedOnly ||
                effective === 'public' ||
                (own === 'private' && proved === "the pad's password") ||
                (own === null && unlockedGroup);
              const bookmarksPad = inGroup || (who === 'user' && strangerEnters);
              it(`${prefix}${subject(who, proved)} ${may(bookmarksPad)} bookmark a pad (${own ?? 'inheriting'} in ${visibility})`, () => {
                expect(padAbilities(actor, buildPad(own), group, policy).bookmark).to.equal(bookmarksPad);
              });
            }
          }
        }
      }
    }
  });

  describe('what the page is told about entering', () => {
    for (const situation of situations) {
      for (const who of relations) {
        it(`${names[who]}: the ability says what the door says at ${situation.title}`, () => {
          const pad = buildPad(situation.own);
          const group = buildGroup(situation.group);
          expect(padAbilities(build(who), pad, group, off).enter).to.equal(
            padEntry(build(who), pad, group, off),
          );
        });
      }
    }
  });
});
