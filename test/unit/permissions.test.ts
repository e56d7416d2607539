/**
 * Who may do what, as a table: one test for each row, with all actors. The words of the tables are those of the agreed
 * rules. A failing row names its wrong cells.
 */
import { expect } from 'chai';
import {
  type Actor,
  effectiveSettings,
  groupAbilities,
  groupSight,
  groupUnlocked,
  isPadListed,
  mayAdministrate,
  mayChangeAccount,
  mayCreateGroup,
  mayReceivePad,
  padAbilities,
  padEntry,
  peopleSight,
  type Role,
  roleIn,
} from '../../model/access/permissions';
import type { StoredPassword, Visibility } from '../../model/store/entities';

const groupPassword: StoredPassword = { scheme: 'bcrypt', hash: 'of the group' };
const padPassword: StoredPassword = { scheme: 'bcrypt', hash: 'of the pad' };

type Proved = 'nothing' | "the group's password" | "the pad's password";
const proofs: Proved[] = ['nothing', "the group's password", "the pad's password"];

const names = {
  guest: 'a guest',
  user: 'an outsider with an account',
  member: 'a member',
  groupAdmin: 'a group admin',
  serverAdmin: 'a server admin',
} as const satisfies Record<Role, string>;
const relations = Object.keys(names) as Role[];

function build(who: Role, proved: Proved = 'nothing'): Actor {
  if (who === 'serverAdmin') return { kind: 'admin' };
  const unlocked = (what: 'group' | 'pad', id: string, password: StoredPassword): boolean =>
    what === 'group'
      ? proved === "the group's password" && id === 'group-1' && password === groupPassword
      : proved === "the pad's password" && id === 'pad-1' && password === padPassword;
  if (who === 'guest') return { kind: 'guest', unlocked };
  return { kind: 'user', id: { user: 'outsider', member: 'bob', groupAdmin: 'alice' }[who], unlocked };
}

function provable(who: Role): Proved[] {
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

/** Everybody, with nothing proved and with each password proved. */
const everybody = relations.flatMap((who) =>
  provable(who).map((proved) => ({
    who,
    proved,
    actor: build(who, proved),
    /** For messages. */
    subject: `${names[who]}${proved === 'nothing' ? '' : ` who proved ${proved}`}`,
  })),
);

/** What the cell is about, what the product says, and what the table says. */
type Cell = [subject: string, actual: unknown, expected: unknown];

/** One test for a row of a table; it names every cell that is wrong. */
function row(title: string, cells: () => Cell[]): void {
  it(title, () => {
    const all = cells();
    expect(all).not.to.deep.equal([]);
    const wrong = all
      .filter(([, actual, expected]) => actual !== expected)
      .map(([subject, actual, expected]) => `${subject}: ${actual} instead of ${expected}`);
    expect(wrong, wrong.join('; ')).to.deep.equal([]);
  });
}

const visibilities = ['public', 'private', 'restricted'] as const;
const ownSettings = [null, ...visibilities] as const;
const policies = [
  { prefix: '', policy: off },
  { prefix: 'signed-in-only mode: ', policy: on },
];

describe('permissions', () => {
  describe('who somebody is to a group', () => {
    const rows: { title: string; actor: Actor; admins?: string[]; users?: string[]; is: Role }[] = [
      { title: 'without a session: a guest', actor: build('guest'), is: 'guest' },
      { title: 'signed in, in neither list: an outsider', actor: build('user'), is: 'user' },
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
        title: 'somebody whose id is a built-in name of JavaScript: an outsider',
        actor: { kind: 'user', id: 'constructor', unlocked: () => false },
        is: 'user',
      },
    ];
    for (const { title, actor, admins = ['alice'], users = ['bob'], is } of rows) {
      it(title, () => {
        expect(roleIn(actor, { admins, users })).to.equal(is);
      });
    }
  });

  describe('the settings that count for a pad', () => {
    const inherited = { public: null, private: 'group', restricted: null } as const;
    const own = { public: null, private: 'pad', restricted: null } as const;
    for (const group of visibilities) {
      it(`in a ${group} group, inherited or its own`, () => {
        const settings = (setting: Visibility | null) =>
          effectiveSettings(buildPad(setting), buildGroup(group));
        expect(settings(null)).to.deep.equal({
          visibility: group,
          passwordOf: inherited[group],
          readonly: false,
        });
        for (const visibility of visibilities) {
          expect(settings(visibility), `own ${visibility}`).to.deep.equal({
            visibility,
            passwordOf: own[visibility],
            readonly: false,
          });
        }
      });
    }
    const readonly: [group: boolean, own: boolean | null, is: boolean][] = [
      [true, true, true],
      [true, false, false],
      [true, null, true],
      [false, true, true],
      [false, false, false],
      [false, null, false],
    ];
    row('readonly: its own setting, else that of its group', () =>
      readonly.map(([group, setting, is]) => [
        `group ${group}, pad ${setting}`,
        effectiveSettings(buildPad(null, setting), buildGroup('public', { readonly: group })).readonly,
        is,
      ]),
    );
  });

  type Entry = 'enter' | 'if unlocked' | 'no';
  const entering: Record<string, Record<Exclude<Role, 'serverAdmin'>, Entry>> = {
    public: { guest: 'enter', user: 'enter', member: 'enter', groupAdmin: 'enter' },
    'private, inherited': { guest: 'if unlocked', user: 'if unlocked', member: 'enter', groupAdmin: 'enter' },
    'private, own': { guest: 'if unlocked', user: 'if unlocked', member: 'if unlocked', groupAdmin: 'enter' },
    restricted: { guest: 'no', user: 'no', member: 'enter', groupAdmin: 'enter' },
  };
  const situations: [title: string, row: keyof typeof entering, group: Visibility, own: Visibility | null][] =
    [
      ['a pad that inherits public', 'public', 'public', null],
      ['an own public pad in a public group', 'public', 'public', 'public'],
      ['an own public pad in a private group', 'public', 'private', 'public'],
      ['an own public pad in a restricted group', 'public', 'restricted', 'public'],
      ['a pad that inherits private', 'private, inherited', 'private', null],
      ['an own private pad in a public group', 'private, own', 'public', 'private'],
      ['an own private pad in a private group', 'private, own', 'private', 'private'],
      ['an own private pad in a restricted group', 'private, own', 'restricted', 'private'],
      ['a pad that inherits restricted', 'restricted', 'restricted', null],
      ['an own restricted pad in a public group', 'restricted', 'public', 'restricted'],
      ['an own restricted pad in a private group', 'restricted', 'private', 'restricted'],
      ['an own restricted pad in a restricted group', 'restricted', 'restricted', 'restricted'],
    ];
  const writing: { title: string; group: boolean; own: boolean | null; archived?: boolean; is: string }[] = [
    { title: 'writable', group: false, own: null, is: 'write' },
    { title: 'archived', group: false, own: null, archived: true, is: 'write' },
    { title: 'readonly by its group', group: true, own: null, is: 'read' },
    { title: 'readonly by itself', group: false, own: true, is: 'read' },
    { title: 'writable in a readonly group', group: true, own: false, is: 'write' },
  ];

  describe('entering a pad', () => {
    /** What somebody gets who may not just go in, from the table. */
    function expected(rowName: keyof typeof entering, who: Role, proved: Proved, inside: string): string {
      if (who === 'serverAdmin') return 'no';
      const opens = rowName === 'private, own' ? "the pad's password" : "the group's password";
      const entry = entering[rowName]?.[who];
      if (entry === 'enter') return inside;
      if (entry === 'if unlocked') return proved === opens ? inside : 'password';
      return who === 'guest' ? 'signIn' : 'no';
    }
    const inMode: Record<Role, string | undefined> = {
      guest: 'signIn',
      serverAdmin: 'no',
      user: undefined,
      member: undefined,
      groupAdmin: undefined,
    };
    for (const [title, rowName, visibility, own] of situations) {
      for (const { prefix, policy } of policies) {
        row(`${prefix}${title}: who gets in, and as what; the page is told the same`, () =>
          writing.flatMap(({ title: how, group: readonly, own: ownReadonly, archived = false, is }) =>
            everybody.flatMap(({ who, proved, actor, subject }): Cell[] => {
              const group = buildGroup(visibility, { readonly, archived });
              const pad = buildPad(own, ownReadonly);
              const wanted = policy === on ? (inMode[who] ?? is) : expected(rowName, who, proved, is);
              return [
                [`${subject}, ${how}`, padEntry(actor, pad, group, policy), wanted],
                [`${subject}, ${how}, as told`, padAbilities(actor, pad, group, policy).enter, wanted],
              ];
            }),
          ),
        );
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
        title: 'a private group without password stays closed',
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
        title: 'a private pad without password stays closed',
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

    for (const visibility of visibilities) {
      row(
        `a ${visibility} group is unlocked by ${visibility === 'private' ? 'its password' : 'nothing'}`,
        () =>
          everybody.map(({ who, proved, actor, subject }) => [
            subject,
            groupUnlocked(actor, buildGroup(visibility)),
            visibility === 'private' && proved === "the group's password" && who !== 'serverAdmin',
          ]),
      );
    }
  });

  describe('seeing a group', () => {
    type Sight = 'all' | 'open' | 'name, open when unlocked' | 'no';
    const seeing: Record<Visibility | 'mode', Record<Role, Sight>> = {
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
    const people: Record<Role, 'none' | 'logins' | 'full'> = {
      guest: 'none',
      user: 'logins',
      member: 'logins',
      groupAdmin: 'full',
      serverAdmin: 'full',
    };

    for (const { prefix, policy } of policies) {
      for (const visibility of visibilities) {
        const group = buildGroup(visibility);
        const seen = everybody.map((one) => {
          const cell = seeing[policy === on ? 'mode' : visibility][one.who];
          const unlocked = one.proved === "the group's password";
          const sight = cell === 'name, open when unlocked' ? (unlocked ? 'open' : 'name') : cell;
          return { ...one, sight };
        });
        row(`${prefix}what of a ${visibility} group is seen`, () =>
          seen.map(({ actor, subject, sight }) => [subject, groupSight(actor, group, policy), sight]),
        );
        row(`${prefix}which pads of a ${visibility} group are listed`, () =>
          seen.flatMap(({ actor, subject, sight }) =>
            ownSettings.map((own): Cell => {
              const open = own === null || (visibility === 'public' && own === 'public');
              const listed = sight === 'all' || (sight === 'open' && open);
              return [
                `${subject}, ${own ?? 'inheriting'}`,
                isPadListed(actor, buildPad(own), group, policy),
                listed,
              ];
            }),
          ),
        );
        row(`${prefix}what is told of the people in a ${visibility} group`, () =>
          seen.flatMap(({ who, actor, subject, sight }): Cell[] => {
            const known = sight === 'all' || sight === 'open' ? people[who] : 'none';
            return [
              [subject, peopleSight(actor, group, policy), known],
              [`${subject}, as told`, groupAbilities(actor, group, policy).seePeople, known !== 'none'],
            ];
          }),
        );
      }
    }
  });

  describe('changing things', () => {
    const administrates: Record<Role, boolean> = {
      guest: false,
      user: false,
      member: false,
      groupAdmin: true,
      serverAdmin: true,
    };
    const accounts: Record<Role, { create: boolean; self: boolean; other: boolean; settings: boolean }> = {
      guest: { create: false, self: false, other: false, settings: false },
      user: { create: true, self: true, other: false, settings: false },
      member: { create: true, self: true, other: false, settings: false },
      groupAdmin: { create: true, self: true, other: false, settings: false },
      serverAdmin: { create: true, self: true, other: true, settings: true },
    };
    const everyKind = relations.map((who) => ({
      actor: build(who),
      subject: names[who],
      may: accounts[who],
    }));
    row('who may create a group', () =>
      everyKind.map(({ actor, subject, may }) => [subject, mayCreateGroup(actor), may.create]),
    );
    row('who may change an account: their own, or that of somebody else', () =>
      everyKind.flatMap(({ actor, subject, may }): Cell[] => {
        const self = actor.kind === 'user' ? actor.id : 'somebody';
        return [
          [`${subject}, their own`, mayChangeAccount(actor, self), may.self],
          [`${subject}, another`, mayChangeAccount(actor, 'somebody else'), may.other],
        ];
      }),
    );
    row('who may change settings and search accounts', () =>
      everyKind.map(({ actor, subject, may }) => [subject, mayAdministrate(actor), may.settings]),
    );

    for (const { prefix, policy } of policies) {
      for (const visibility of visibilities) {
        const group = buildGroup(visibility);
        const changed = (extra: Parameters<typeof buildGroup>[1]) => buildGroup(visibility, extra);

        row(
          `${prefix}who may edit, remove, invite into and share a ${visibility} group, and move pads there`,
          () =>
            everybody.flatMap(({ who, actor, subject }): Cell[] => [
              ...(['edit', 'remove', 'invite', 'share'] as const).map(
                (change): Cell => [
                  `${subject}, ${change}`,
                  groupAbilities(actor, group, policy)[change],
                  administrates[who],
                ],
              ),
              [`${subject}, move a pad there`, mayReceivePad(actor, group), administrates[who]],
            ]),
        );
        row(
          `${prefix}who may edit, remove and move pads of a ${visibility} group, and remove their chats`,
          () =>
            everybody.flatMap(({ who, actor, subject }) =>
              ownSettings.flatMap((own) =>
                (['edit', 'remove', 'removeChatHistory', 'move'] as const).map(
                  (change): Cell => [
                    `${subject}, ${change}, ${own ?? 'inheriting'}`,
                    padAbilities(actor, buildPad(own), group, policy)[change],
                    administrates[who],
                  ],
                ),
              ),
            ),
        );
        row(
          `${prefix}who may create pads in a ${visibility} group: its admins, and its users where they may`,
          () =>
            everybody.flatMap(({ who, actor, subject }) =>
              [false, true].map(
                (allowed): Cell => [
                  `${subject}, users ${allowed ? 'may' : 'may not'}`,
                  groupAbilities(actor, changed({ allowUsersToCreatePads: allowed }), policy).createPad,
                  administrates[who] || (who === 'member' && allowed),
                ],
              ),
            ),
        );
        row(`${prefix}who may leave a ${visibility} group: everybody in it but its last admin`, () =>
          everybody.flatMap(({ who, actor, subject }) =>
            [['alice'], ['alice', 'carol']].map(
              (admins): Cell => [
                `${subject}, ${admins.length} admins`,
                groupAbilities(actor, changed({ admins }), policy).leave,
                who === 'member' || (who === 'groupAdmin' && admins.length > 1),
              ],
            ),
          ),
        );

        const inGroup = (who: Role): boolean => who === 'member' || who === 'groupAdmin';
        const unlocked = (proved: Proved): boolean =>
          visibility === 'private' && proved === "the group's password";
        row(`${prefix}who may bookmark a ${visibility} group: who is in it, and outsiders who see it`, () =>
          everybody.map(({ who, proved, actor, subject }) => {
            const outsiderSees = policy === on || visibility === 'public' || unlocked(proved);
            return [
              subject,
              groupAbilities(actor, group, policy).bookmark,
              inGroup(who) || (who === 'user' && outsiderSees),
            ];
          }),
        );
        row(
          `${prefix}who may bookmark pads of a ${visibility} group: who is in it, and outsiders who get in`,
          () =>
            everybody.flatMap(({ who, proved, actor, subject }) =>
              ownSettings.map((own): Cell => {
                const outsiderEnters =
                  policy === on ||
                  (own ?? visibility) === 'public' ||
                  (own === 'private' && proved === "the pad's password") ||
                  (own === null && unlocked(proved));
                return [
                  `${subject}, ${own ?? 'inheriting'}`,
                  padAbilities(actor, buildPad(own), group, policy).bookmark,
                  inGroup(who) || (who === 'user' && outsiderEnters),
                ];
              }),
            ),
        );
      }
    }
  });
});
