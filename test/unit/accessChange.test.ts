/** Compares what a change reports with the access rules: everybody whose access differs afterwards must be reported. */
import { expect } from 'chai';
import { groupAccessChange, padAccessChanged, unchangedAccess } from '../../model/access/accessChange';
import { type Actor, padEntry } from '../../model/access/permissions';
import { configurationKeys, settings } from '../../model/settings/definitions';
import type {
  GroupRecord,
  LinkRecord,
  PadRecord,
  StoredPassword,
  Visibility,
} from '../../model/store/entities';

const password = (hash: string): StoredPassword => ({ hash }) as StoredPassword;
const [one, two] = [password('one'), password('two')];
const visibilities: Visibility[] = ['restricted', 'private', 'public'];
const passwords = [null, one, two];

const group: GroupRecord = {
  _id: 'group',
  name: 'A group',
  description: '',
  visibility: 'restricted',
  password: null,
  readonly: false,
  archived: false,
  allowUsersToCreatePads: false,
  tags: [],
  admins: ['admin'],
  users: [],
  readers: [],
  links: [],
  requests: [],
  invitations: [],
  pads: [],
  ctime: 1,
};

const pad: PadRecord = {
  _id: 'pad',
  name: 'A pad',
  group: 'group',
  visibility: null,
  password: null,
  readonly: null,
  users: [],
  ctime: 1,
};

const link: LinkRecord = {
  _id: 'one',
  role: 'writer',
  label: '',
  ends: null,
  password: null,
  asksName: false,
  seed: '',
  by: null,
  created: 1,
};

const groups = visibilities.flatMap((visibility) =>
  passwords.flatMap((own) =>
    [false, true].flatMap((readonly) =>
      [
        {},
        { links: [link] },
        { readers: ['somebody'] },
        { users: ['somebody'] },
        { admins: ['admin', 'somebody'] },
      ].map((people): GroupRecord => ({ ...group, visibility, password: own, readonly, ...people })),
    ),
  ),
);

const pads = [null, ...visibilities].flatMap((visibility) =>
  passwords.flatMap((own) =>
    [null, false, true].flatMap((readonly) =>
      [{}, { people: { somebody: 'reader' as const } }, { people: { somebody: 'writer' as const } }].map(
        (people): PadRecord => ({ ...pad, visibility, password: own, readonly, ...people }),
      ),
    ),
  ),
);

/** All kinds of actors. Only the person `somebody` is added to groups and removed from them. */
const actors: Actor[] = [undefined, one, two].flatMap((proved): Actor[] => {
  const unlocked = (_what: unknown, id: string, stored: StoredPassword | null) =>
    (stored?.hash ?? id) === proved?.hash;
  return [
    { kind: 'guest', unlocked },
    { kind: 'user', id: 'somebody', unlocked },
    { kind: 'user', id: 'admin', unlocked },
  ];
});

const policies = [true, false].map((allPadsPublicsAuthentifiedOnly) => ({
  allPadsPublicsAuthentifiedOnly,
  templatesFolder: '',
  linksBy: 'managers' as const,
  now: 1_000,
}));

/** The access of an actor to these pads under each policy, as one text. */
const entries = (actor: Actor, to: readonly PadRecord[], within: GroupRecord): string =>
  policies.flatMap((policy) => to.map((one) => padEntry(actor, one, within, policy))).join();

describe('a change of', () => {
  it('a group concerns everybody whose access changes', () => {
    const ways = groups.map((within) => actors.map((actor) => entries(actor, pads, within)));
    for (const [from, before] of groups.entries()) {
      for (const [to, after] of groups.entries()) {
        const { everybody, people } = groupAccessChange(before, after);
        if (everybody) continue;
        for (const [index, actor] of actors.entries()) {
          if (ways[from]?.[index] === ways[to]?.[index]) continue;
          expect(actor.kind === 'user' && people.includes(actor.id)).to.equal(true);
        }
      }
    }
  });

  it('a pad tells whether the access of anybody changes', () => {
    const ways = pads.map((one) =>
      actors.flatMap((actor) => groups.map((within) => entries(actor, [one], within))).join(),
    );
    for (const [from, before] of pads.entries()) {
      for (const [to, after] of pads.entries()) {
        if (ways[from] !== ways[to]) expect(padAccessChanged(before, after)).to.equal(true);
      }
    }
    expect(padAccessChanged(pad, { ...pad, group: 'another' })).to.equal(true);
  });

  it('a field that does not decide about access concerns nobody', () => {
    const words = { name: 'Another', description: 'Text', tags: ['tag'], archived: true, pads: ['pad'] };
    const renamed: GroupRecord = { ...group, ...words, allowUsersToCreatePads: true };
    expect(groupAccessChange(group, renamed)).to.deep.equal(unchangedAccess);
    const same = { ...group, password: { ...one } };
    expect(groupAccessChange({ ...group, password: one }, same)).to.deep.equal(unchangedAccess);
    const touched: PadRecord = { ...pad, name: 'Another', lastUpdate: 2 };
    expect(padAccessChanged(pad, touched)).to.equal(false);
    const deciding = configurationKeys.filter((key) => settings[key].decidesAccess);
    expect(deciding).to.have.members(['allowEtherPads', 'allPadsPublicsAuthentifiedOnly']);
  });

  it('the people of a group concerns those who are added, removed or change roles, and nobody else', () => {
    const before = { ...group, admins: ['a', 'b'], users: ['c', 'd', 'e'] };
    const after = { ...group, admins: ['a', 'c'], users: ['b', 'd', 'f'] };
    const { everybody, people } = groupAccessChange(before, after);
    expect(everybody).to.equal(false);
    expect(people.sort()).to.deep.equal(['b', 'c', 'e', 'f']);
  });
});
