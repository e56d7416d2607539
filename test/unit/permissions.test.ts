/**
 * Who may enter what, as tables: one test for each row, with all actors. The tables use the words of the agreed rules.
 * A failing row names its wrong cells.
 */
import { expect } from 'chai';
import {
  type Actor,
  effectiveSettings,
  endOfLinks,
  groupSight,
  groupUnlocked,
  isPadListed,
  padAbilities,
  padEntry,
  padPasswordHelps,
  peopleSight,
  type Role,
  roleIn,
} from '../../model/access/permissions';
import type { LinkRecord, Visibility } from '../../model/store/entities';
import {
  build,
  buildGroup,
  buildPad,
  type Cell,
  everybody,
  now,
  off,
  on,
  type Proved,
  policies,
  row,
  visibilities,
} from '../support/permissionTable';

describe('permissions to enter', () => {
  describe('who somebody is to a group', () => {
    const rows: { title: string; actor: Actor; admins?: string[]; users?: string[]; is: Role }[] = [
      { title: 'without a session: a guest', actor: build('guest'), is: 'guest' },
      { title: 'signed in, in neither list: an outsider', actor: build('user'), is: 'user' },
      { title: 'in the list of readers: a reader', actor: build('reader'), is: 'reader' },
      {
        title: 'in the lists of users and of readers: a member',
        actor: build('reader'),
        users: ['bob', 'ruth'],
        is: 'member',
      },
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
        expect(roleIn(actor, { admins, users, readers: ['ruth'] })).to.equal(is);
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

  /** `read`: to read; after proving the password as everybody else who has proved it. */
  type Entry = 'enter' | 'if unlocked' | 'read' | 'no';
  const entering: Record<string, Record<Exclude<Role, 'serverAdmin'>, Entry>> = {
    public: { guest: 'enter', user: 'enter', reader: 'enter', member: 'enter', groupAdmin: 'enter' },
    'private, inherited': {
      guest: 'if unlocked',
      user: 'if unlocked',
      reader: 'read',
      member: 'enter',
      groupAdmin: 'enter',
    },
    'private, own': {
      guest: 'if unlocked',
      user: 'if unlocked',
      reader: 'if unlocked',
      member: 'if unlocked',
      groupAdmin: 'enter',
    },
    restricted: { guest: 'no', user: 'no', reader: 'read', member: 'enter', groupAdmin: 'enter' },
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
    /** The entry that the table expects for this role and these proved passwords. */
    function expected(rowName: keyof typeof entering, who: Role, proved: Proved, inside: string): string {
      if (who === 'serverAdmin') return 'no';
      const opens = rowName === 'private, own' ? "the pad's password" : "the group's password";
      const entry = entering[rowName]?.[who];
      if (entry === 'enter') return inside;
      if (entry === 'read') return rowName !== 'restricted' && proved === opens ? inside : 'read';
      if (entry === 'if unlocked') return proved === opens ? inside : 'password';
      return who === 'guest' ? 'signIn' : 'no';
    }
    const inMode: Record<Role, string | undefined> = {
      guest: 'signIn',
      serverAdmin: 'no',
      user: undefined,
      reader: undefined,
      member: undefined,
      groupAdmin: undefined,
    };
    row('a password is asked of those who get in by it, and of readers, who may then write', () =>
      situations.flatMap(([title, rowName, visibility, own]) =>
        everybody.map(({ who, proved, actor, subject }): Cell => {
          const outcomes = (["the group's password", "the pad's password"] as const).map((password) =>
            who === 'serverAdmin' ? 'no' : expected(rowName, who, password, 'write'),
          );
          const now = expected(rowName, who, proved, 'write');
          return [
            `${subject}, ${title}`,
            padPasswordHelps(actor, buildPad(own), buildGroup(visibility), off),
            now !== 'write' && outcomes.includes('write'),
          ];
        }),
      ),
    );

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

  const rank = ['write', 'read', 'password', 'signIn', 'no'];
  const better = (one: string, other: string): string =>
    rank.indexOf(one) <= rank.indexOf(other) ? one : other;

  describe('a pad that is shared alone', () => {
    for (const role of ['reader', 'writer'] as const) {
      row(`with a ${role}: gives them this role, and takes none away`, () =>
        situations.flatMap(([title, , visibility, own]) =>
          everybody.flatMap(({ actor, subject }) =>
            policies.flatMap(({ prefix, policy }) =>
              [false, true].map((readonly): Cell => {
                const group = buildGroup(visibility, { readonly });
                const pad = buildPad(own);
                const without = padEntry(actor, pad, group, policy);
                const given = role === 'writer' && !readonly ? 'write' : 'read';
                const person = actor.kind === 'user' ? actor.id : 'somebody else';
                return [
                  `${prefix}${subject}, ${title}, readonly ${readonly}`,
                  padEntry(actor, { ...pad, people: { [person]: role } }, group, policy),
                  policy === off && actor.kind === 'user' ? better(given, without) : without,
                ];
              }),
            ),
          ),
        ),
      );
    }

    row('shows this pad where the person sees the group, and nothing else', () =>
      situations.flatMap(([title, , visibility, own]) =>
        everybody.map(({ actor, subject }): Cell => {
          const person = actor.kind === 'user' ? actor.id : 'somebody else';
          const pad = { ...buildPad(own), people: { [person]: 'reader' as const } };
          const group = buildGroup(visibility);
          const sight = groupSight(actor, group, off);
          const sees = actor.kind === 'user' && sight === 'open';
          return [
            `${subject}, ${title}`,
            isPadListed(actor, pad, group, off),
            sees || isPadListed(actor, buildPad(own), group, off),
          ];
        }),
      ),
    );
  });

  describe('a link', () => {
    type Target = 'the group' | 'the pad' | 'another pad';
    const targets: Target[] = ['the group', 'the pad', 'another pad'];
    const padOf = { 'the group': undefined, 'the pad': 'pad-1', 'another pad': 'pad-2' } as const;
    const linkTo = (target: Target, role: LinkRecord['role'], ends: number | null = null): LinkRecord => ({
      _id: 'link-1',
      role,
      label: '',
      ...(padOf[target] !== undefined && { pad: padOf[target] }),
      ends,
      password: null,
      asksName: false,
      seed: '',
      by: null,
      created: 0,
    });
    /** The actor, who has opened the link. */
    const opening = (actor: Actor): Actor =>
      actor.kind === 'admin'
        ? actor
        : {
            ...actor,
            unlocked: (what, id, password) =>
              what === 'link' ? id === 'link-1' : actor.unlocked(what, id, password),
          };
    for (const role of ['reader', 'writer'] as const) {
      for (const target of targets) {
        row(`of a ${role} to ${target}: gives this role where it leads, and takes none away`, () =>
          situations.flatMap(([title, , visibility, own]) =>
            everybody.flatMap(({ actor, subject }) =>
              policies.flatMap(({ prefix, policy }) =>
                [false, true].map((readonly): Cell => {
                  const pad = buildPad(own);
                  const without = padEntry(actor, pad, buildGroup(visibility, { readonly }), policy);
                  const leads = target === 'the pad' || (target === 'the group' && own === null);
                  const counts = leads && policy === off && actor.kind !== 'admin';
                  const given = role === 'writer' && !readonly ? 'write' : 'read';
                  const group = buildGroup(visibility, { readonly, links: [linkTo(target, role)] });
                  return [
                    `${prefix}${subject}, ${title}, readonly ${readonly}`,
                    padEntry(opening(actor), pad, group, policy),
                    counts ? better(given, without) : without,
                  ];
                }),
              ),
            ),
          ),
        );
      }
    }

    row('shows the group, and its people to nobody', () =>
      visibilities.flatMap((visibility) =>
        everybody.flatMap(({ actor, subject }) =>
          targets.flatMap((target): Cell[] => {
            const plain = buildGroup(visibility);
            const group = buildGroup(visibility, { links: [linkTo(target, 'writer')] });
            const without = groupSight(actor, plain, off);
            const opens = target === 'the group' && actor.kind !== 'admin';
            const seen = opens && (without === 'no' || without === 'name') ? 'open' : without;
            return [
              [`${subject}, ${visibility}, ${target}`, groupSight(opening(actor), group, off), seen],
              [
                `${subject}, ${visibility}, ${target}, people`,
                peopleSight(opening(actor), group, off),
                peopleSight(actor, plain, off),
              ],
            ];
          }),
        ),
      ),
    );

    it('that has ended, or that somebody else has opened, gives nothing', () => {
      const guest = build('guest');
      const entry = (actor: Actor, link: LinkRecord) =>
        padEntry(actor, buildPad(null), buildGroup('restricted', { links: [link] }), off);
      expect(entry(opening(guest), linkTo('the group', 'writer', now + 1))).to.equal('write');
      expect(entry(opening(guest), linkTo('the group', 'writer', now))).to.equal('signIn');
      expect(entry(guest, linkTo('the group', 'writer'))).to.equal('signIn');
      const other = { ...linkTo('the group', 'writer'), _id: 'link-2' };
      expect(entry(opening(guest), other)).to.equal('signIn');
      const ends = (...links: LinkRecord[]) =>
        endOfLinks(opening(guest), buildGroup('restricted', { links }), off);
      expect(ends(linkTo('the group', 'reader'))).to.equal(undefined);
      expect(ends(linkTo('the group', 'reader', now + 9), linkTo('the pad', 'reader', now + 5))).to.equal(
        now + 5,
      );
    });
  });

  describe('passwords that count', () => {
    const always: Actor = { kind: 'guest', unlocked: () => true };
    const plainText = { password: 'secret' };
    const none = { password: null };
    const rows: [
      title: string,
      group: Visibility,
      own: Visibility | null,
      is: string,
      ofGroup?: object,
      ofPad?: object,
    ][] = [
      ['an old plain-text group password opens nothing', 'private', null, 'password', plainText],
      ['a private group without password stays closed', 'private', null, 'password', none],
      ['an old plain-text pad password opens nothing', 'public', 'private', 'password', {}, plainText],
      ['a private pad without password stays closed', 'public', 'private', 'password', {}, none],
      ['a left-over group password does not open a restricted group', 'restricted', null, 'signIn'],
      ['a left-over group password does not lock a public group', 'public', null, 'write'],
      ['a left-over pad password does not open a restricted pad', 'public', 'restricted', 'signIn'],
      ['a left-over pad password does not lock a public pad', 'restricted', 'public', 'write'],
    ];
    for (const [title, visibility, own, is, ofGroup, ofPad] of rows) {
      it(title, () => {
        const group = buildGroup(visibility, ofGroup);
        expect(padEntry(always, { ...buildPad(own), ...ofPad }, group, off)).to.equal(is);
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
});
