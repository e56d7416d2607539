/** Who may see and change what, as tables like those of permissions.test.ts. */
import {
  groupAbilities,
  groupSight,
  isPadListed,
  mayAcceptInvitation,
  mayAdministrate,
  mayAskForAccess,
  mayChangeAccount,
  mayCreateGroup,
  mayReceivePad,
  mayRegister,
  mayUseTrash,
  padAbilities,
  peopleSight,
  type Role,
} from '../../model/access/permissions';
import type { Visibility } from '../../model/store/entities';
import {
  build,
  buildGroup,
  buildPad,
  type Cell,
  everybody,
  names,
  on,
  ownSettings,
  type Proved,
  policies,
  relations,
  row,
  visibilities,
} from '../support/permissionTable';

describe('permissions to see and change', () => {
  describe('seeing a group', () => {
    type Sight = 'all' | 'open' | 'name, open when unlocked' | 'no';
    const insiders = { reader: 'all', member: 'all', groupAdmin: 'all', serverAdmin: 'all' } as const;
    const byPassword = 'name, open when unlocked';
    const seeing: Record<Visibility | 'mode', Record<Role, Sight>> = {
      public: { guest: 'open', user: 'open', ...insiders },
      private: { guest: byPassword, user: byPassword, ...insiders },
      restricted: { guest: 'no', user: 'no', ...insiders },
      mode: { guest: 'no', user: 'all', ...insiders },
    };
    const people: Record<Role, 'none' | 'logins' | 'full'> = {
      guest: 'none',
      user: 'logins',
      reader: 'logins',
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
          const sight = cell === byPassword ? (unlocked ? 'open' : 'name') : cell;
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
      reader: false,
      member: false,
      groupAdmin: true,
      serverAdmin: true,
    };
    const accounts: Record<Role, { create: boolean; self: boolean; other: boolean; settings: boolean }> = {
      guest: { create: false, self: false, other: false, settings: false },
      user: { create: true, self: true, other: false, settings: false },
      reader: { create: true, self: true, other: false, settings: false },
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
              [`${subject}, its trash`, mayUseTrash(actor, null, group), administrates[who]],
              [`${subject}, trash of another`, mayUseTrash(actor, 'another', group), administrates[who]],
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
        row(`${prefix}who may export a ${visibility} group: its people`, () =>
          everybody.map(({ who, actor, subject }) => [
            subject,
            groupAbilities(actor, group, policy).export,
            who === 'reader' || who === 'member' || who === 'groupAdmin',
          ]),
        );
        const unlocked = (proved: Proved): boolean =>
          visibility === 'private' && proved === "the group's password";
        row(`${prefix}who may ask for access to a ${visibility} group: people who are not members`, () =>
          everybody.map(({ who, actor, subject }) => [
            subject,
            mayAskForAccess(actor, group, policy),
            policy !== on && (who === 'user' || who === 'reader'),
          ]),
        );
        row(
          `${prefix}who may ask for access to a pad of a ${visibility} group: who could do more with the pad alone`,
          () =>
            everybody.flatMap(({ who, proved, actor, subject }) =>
              ownSettings.flatMap((own) =>
                [false, true].flatMap((readonly): Cell[] => {
                  const pad = buildPad(own, readonly);
                  const effective = own ?? visibility;
                  const byPassword =
                    own === 'private'
                      ? proved === "the pad's password"
                      : own === null && effective === 'private' && unlocked(proved);
                  const enters =
                    effective === 'public' || byPassword || (who === 'reader' && own !== 'private');
                  const readsOnly =
                    enters && (readonly || (who === 'reader' && effective !== 'public' && !byPassword));
                  const shared = readonly ? 1 : 2;
                  const now = !enters ? 0 : readsOnly ? 1 : 2;
                  const may = policy !== on && (who === 'user' || who === 'reader') && shared > now;
                  const what = `${subject}, ${own ?? 'inheriting'}, ${readonly ? 'read-only' : 'writable'}`;
                  return [
                    [what, mayAskForAccess(actor, group, policy, pad), may],
                    [
                      `${what}, to write`,
                      padAbilities(actor, pad, group, policy).askToWrite,
                      may && now === 1,
                    ],
                  ];
                }),
              ),
            ),
        );
        row(`${prefix}who may leave a ${visibility} group: everybody in it but its last admin`, () =>
          everybody.flatMap(({ who, actor, subject }) =>
            [['alice'], ['alice', 'carol']].map(
              (admins): Cell => [
                `${subject}, ${admins.length} admins`,
                groupAbilities(actor, changed({ admins }), policy).leave,
                who === 'reader' || who === 'member' || (who === 'groupAdmin' && admins.length > 1),
              ],
            ),
          ),
        );

        const inGroup = (who: Role): boolean => who === 'reader' || who === 'member' || who === 'groupAdmin';
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

  describe('invitations by email', () => {
    const invited = 'erin@example.org';
    row('who may accept one: only the account of its address', () =>
      everybody.flatMap(({ who, actor, subject }) =>
        [invited, 'frank@example.org', ''].map(
          (own): Cell => [
            `${subject}, with the address “${own}”`,
            mayAcceptInvitation(actor, own, invited),
            who !== 'guest' && who !== 'serverAdmin' && own === invited,
          ],
        ),
      ),
    );
    row('an account without an address accepts none, also one without an address', () =>
      everybody.map(({ actor, subject }) => [subject, mayAcceptInvitation(actor, '', ''), false]),
    );
    row('who may register: everyone where it is open, the invited also where they may', () =>
      [true, false].flatMap((storePasswords) =>
        [true, false].flatMap((openRegistration) =>
          [true, false].flatMap((invitationsCreateAccounts) =>
            [true, false].map(
              (isInvited): Cell => [
                JSON.stringify({ storePasswords, openRegistration, invitationsCreateAccounts, isInvited }),
                mayRegister({ storePasswords, openRegistration, invitationsCreateAccounts }, isInvited),
                storePasswords && (openRegistration || (isInvited && invitationsCreateAccounts)),
              ],
            ),
          ),
        ),
      ),
    );
  });
});
