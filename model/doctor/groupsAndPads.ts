/** Finds invalid records, damage in groups and pads, and data that Etherpad still has of removed pads. */

import { isDeepStrictEqual } from 'node:util';
import type { RemovalKind } from '../removal/unfinished';
import type { GroupRecord, PadRecord } from '../store/entities';
import { digestsOf, tidied } from '../store/formerPads';
import { peopleOf, storedByRule } from '../store/records';
import { withoutGrants } from '../store/ruleGrants';
import { keys } from '../store/store';
import type { Facts, Found } from './facts';
import { type Change, changeFields, type Finding, sameList } from './findings';

const validOf = <Valid>(found: ReadonlyMap<string, Found<Valid>>): [Valid, Record<string, unknown>][] =>
  [...found.values()].flatMap(({ record, stored }) =>
    record ? [[record, stored as Record<string, unknown>]] : [],
  );

const groupsOf = ({ groups }: Facts) => validOf(groups);
const padsOf = ({ pads }: Facts) => validOf(pads);

const invalidOf = (
  found: ReadonlyMap<string, Found<unknown>>,
  kind: Finding['kind'],
  keyOf: (id: string) => string,
): Finding[] =>
  [...found].flatMap(([id, { record }]) =>
    record === undefined ? [{ kind, of: keyOf(id), removes: [keyOf(id)] }] : [],
  );

export const invalidRecords = ({ users, groups, pads }: Facts): Finding[] => [
  ...invalidOf(users, 'junkUser', keys.user),
  ...invalidOf(groups, 'junkGroup', keys.group),
  ...invalidOf(pads, 'junkPad', keys.pad),
];

// 1. Groups

/** A crash while a link or an invitation is made can leave a note without one. */
const lostNotes = (
  { groups, trash }: Facts,
  notes: ReadonlyMap<string, unknown>,
  [kind, list, keyOf]: [Finding['kind'], 'links' | 'invitations', (id: string) => string],
): Finding[] => {
  const known = new Set(
    [...groups.values()].flatMap(({ record }) => record?.[list].map(({ _id }) => _id) ?? []),
  );
  return [...notes.keys()]
    .filter((id) => !known.has(id) && !trash.parts.has(id))
    .map((id) => ({ kind, of: keyOf(id), removes: [keyOf(id)] }));
};

export const lostLinks = (facts: Facts): Finding[] =>
  lostNotes(facts, facts.links, ['lostLinks', 'links', keys.link]);

export const lostInvitations = (facts: Facts): Finding[] =>
  lostNotes(facts, facts.invitations, ['lostInvitations', 'invitations', keys.invitation]);

export function danglingPeople(facts: Facts): Finding[] {
  const exists = (id: unknown): boolean =>
    typeof id === 'string' && facts.users.get(id)?.record !== undefined;
  const ofGroups = groupsOf(facts).flatMap(([group, stored]): Finding[] => {
    const admins = group.admins.filter(exists);
    // If no person of the group exists, the ids are kept: they are the only hint to the owner.
    if (!peopleOf(group).some(exists)) return [{ kind: 'ownerless', of: group._id, detail: group.name }];
    const ownerless: Finding[] =
      admins.length === 0 ? [{ kind: 'ownerless', of: group._id, detail: group.name }] : [];
    const users = group.users.filter(exists);
    const readers = group.readers.filter(exists);
    const areReadersSame = sameList(stored.readers ?? [], readers);
    const requests = group.requests.filter(({ user }) => exists(user));
    const areRequestsSame = requests.length === group.requests.length;
    const areMembersSame = sameList(stored.admins, admins) && sameList(stored.users, users);
    if (areMembersSame && areReadersSame && areRequestsSame) return ownerless;
    const own = areRequestsSame ? {} : { requests };
    const gone = new Set([...(group.byRule?.keys() ?? [])].filter((person) => !exists(person)));
    const grants = group.byRule && { byRule: undefined, ...storedByRule(withoutGrants(group, gone)) };
    const people = { admins, users, readers, ...grants };
    const change = changeFields(keys.group(group._id), () => ({ ...people, ...own }));
    return [{ kind: 'danglingPeople', of: group._id, changes: [change] }, ...ownerless];
  });
  // Pads of ep_mypads 1.x list users. That list gives no rights.
  const ofPads = padsOf(facts).flatMap(([{ _id, people = {} }, { users }]): Finding[] => {
    const listed = Array.isArray(users) ? users : [];
    if ([...listed, ...Object.keys(people)].every(exists)) return [];
    const left = Object.entries(people).filter(([person]) => exists(person));
    const change = changeFields(keys.pad(_id), (pad) => ({
      ...(Array.isArray(users) && { users: users.filter(exists) }),
      ...(pad.people !== undefined && { people: Object.fromEntries(left) }),
    }));
    return [{ kind: 'danglingPeople', of: _id, changes: [change] }];
  });
  return [...ofGroups, ...ofPads];
}

export function wrongPadLists(facts: Facts): Finding[] {
  const owner = new Map(padsOf(facts).map(([pad]) => [pad._id, pad.group]));
  const listed = new Set<string>();
  const findings = groupsOf(facts).flatMap(([group, stored]): Finding[] => {
    // Also pads on their way out: without them in the list, the group would lose the invitations to them.
    const pads = group.pads.filter((id) => owner.get(id) === group._id);
    for (const id of pads) listed.add(id);
    if (sameList(stored.pads, pads)) return [];
    const change = changeFields(keys.group(group._id), () => ({ pads }));
    return [{ kind: 'wrongPadLists', of: group._id, changes: [change] }];
  });
  // An import that is not finished lists a pad when its text is complete, or removes it.
  const isBeingMade = ({ ctime }: PadRecord): boolean => ctime >= facts.unfinished.importsSince;
  const unlinked = padsOf(facts).filter(
    ([pad]) => !listed.has(pad._id) && !facts.padRemovals.has(pad._id) && !isBeingMade(pad),
  );
  for (const [{ _id, group }] of unlinked) {
    if (facts.groups.get(group)?.record === undefined) continue;
    const change = changeFields(keys.group(group), ({ pads }) => ({
      pads: [...(Array.isArray(pads) ? pads.filter((id) => id !== _id) : []), _id],
    }));
    findings.push({ kind: 'unlinkedPads', of: _id, detail: `of ${group}`, changes: [change] });
  }
  return findings;
}

// 2. Fields without effect

function leftOverPassword(
  key: string,
  record: Pick<GroupRecord | PadRecord, 'visibility'>,
  stored: Record<string, unknown>,
): Finding[] {
  const { password } = stored;
  if (password === null || password === undefined) return [];
  const isPlainText = typeof password !== 'object';
  if (record.visibility === 'private' && !isPlainText) return [];
  const change = changeFields(key, () => ({ password: null }));
  return [
    {
      kind: 'leftOverPasswords',
      of: key,
      detail: isPlainText ? 'in plain text' : undefined,
      changes: [change],
    },
  ];
}

export function unusedFields(facts: Facts): Finding[] {
  const passwords = [
    ...groupsOf(facts).flatMap(([group, stored]) => leftOverPassword(keys.group(group._id), group, stored)),
    ...padsOf(facts).flatMap(([pad, stored]) => leftOverPassword(keys.pad(pad._id), pad, stored)),
  ];
  const moved = padsOf(facts).filter(([, stored]) => 'moveGroup' in stored);
  return [
    ...passwords,
    ...moved.map(([{ _id }]): Finding => {
      const change: Change = {
        key: keys.pad(_id),
        change(now) {
          if (typeof now !== 'object' || now === null) return now;
          const { moveGroup: _, ...rest } = now as Record<string, unknown>;
          return rest;
        },
      };
      return { kind: 'leftOverFields', of: _id, changes: [change] };
    }),
  ];
}

// 3. Removals

/** 1.x, whose notes are the id itself, did not shorten long ids in keys. */
function withShortKey(finding: Finding, note: unknown): Finding {
  const [long, short] = [keys.deletePad('') + finding.of, keys.deletePad(finding.of)];
  if (typeof note === 'object' || long === short) return finding;
  const written: Change = { key: short, change: (now) => now ?? { pad: finding.of } };
  return { ...finding, changes: [...(finding.changes ?? []), written], removes: [long] };
}

/** Notes about removals that no list names, so that no start continues them: imported late, or written by hand. */
export function lostRemovals({ padRemovals, groupRemovals, unfinished, trash }: Facts): Finding[] {
  // If the first search for old notes has not finished, the next start repeats it.
  if (!unfinished.searched) return [];
  const addToPending = (kind: RemovalKind, id: string): Finding => ({
    kind: 'lostRemovals',
    of: id,
    changes: [
      {
        key: keys.pendingJobs,
        change(now) {
          const lists = (now ?? {}) as Partial<Record<RemovalKind, string[]>>;
          return { ...lists, [kind]: [...(lists[kind] ?? []), id] };
        },
      },
    ],
  });
  const pads = [...padRemovals].flatMap(([id, note]): Finding[] => {
    const kind = typeof note === 'object' && note !== null && 'vanished' in note ? 'vanished' : 'pads';
    if (unfinished[kind].includes(id) || trash.pads.has(id)) return [];
    return [withShortKey(addToPending(kind, id), note)];
  });
  const groups = [...groupRemovals.keys()].filter(
    (id) => !unfinished.groups.includes(id) && !trash.groups.has(id),
  );
  return [...pads, ...groups.map((id) => addToPending('groups', id))];
}

/** The server ignores all of this. Pads that only Etherpad has stay, because nothing else needs to know of them. */
export function staleFormerPads({ formerPads, pads }: Facts, now: number): Finding[] {
  const existing = digestsOf(pads.keys());
  return [...formerPads].flatMap(([key, stored]): Finding[] => {
    const left = tidied(stored, now, existing);
    if (isDeepStrictEqual(left, stored)) return [];
    const change: Change = { key, change: (current) => tidied(current, now, existing) };
    return [{ kind: 'staleFormerPads', of: key, changes: [change] }];
  });
}

// 4. Pads that nobody can reach

/** All keys that Etherpad may have for a pad. */
function allOf(id: string, facts: Facts): string[] {
  return [...(facts.leftovers.get(id) ?? []), ...facts.keysOfPad(id)];
}

/** Finds pads that nobody can reach. The read-only id of a pad removed here is repaired in the next round. */
export function unreachablePads(facts: Facts): Finding[] {
  const orphans = padsOf(facts).filter(
    ([{ _id, group }]) =>
      facts.groups.get(group)?.record === undefined &&
      !facts.padRemovals.has(_id) &&
      !facts.trash.groups.has(group),
  );
  const foreign = facts.allowEtherPads
    ? []
    : [...facts.editorPads].filter((id) => !facts.pads.has(id) && !facts.padRemovals.has(id));
  const leftovers = [...facts.leftovers].filter(([id]) => !facts.pads.has(id) && !facts.padRemovals.has(id));
  return [
    ...leftovers.map(([id, removes]): Finding => ({ kind: 'leftovers', of: id, removes })),
    ...orphans.map(([{ _id, name }]): Finding => {
      return { kind: 'orphanPads', of: _id, detail: name, removes: [...allOf(_id, facts), keys.pad(_id)] };
    }),
    ...foreign.map((id): Finding => ({ kind: 'foreignPads', of: id, removes: allOf(id, facts) })),
  ];
}
