/** Damage to groups and pads, and what is left in the editor of pads that are gone. */
import type { GroupRecord, PadRecord } from '../entities';
import type { PendingKind } from '../pendingJobs';
import { peopleOf } from '../records';
import { keys } from '../store';
import type { Facts } from './facts';
import { type Change, changeFields, type Finding, sameList } from './findings';

const groupsOf = ({ groups }: Facts): [GroupRecord, Record<string, unknown>][] =>
  [...groups.values()].flatMap(({ record, stored }) =>
    record ? [[record, stored as Record<string, unknown>]] : [],
  );

const padsOf = ({ pads }: Facts): [PadRecord, Record<string, unknown>][] =>
  [...pads.values()].flatMap(({ record, stored }) =>
    record ? [[record, stored as Record<string, unknown>]] : [],
  );

export function junkPlaces({ groups, pads }: Facts): Finding[] {
  const isJunk = ([, { record }]: [string, { record: unknown }]): boolean => record === undefined;
  return [
    ...[...groups].filter(isJunk).map(([id]): Finding => {
      const key = keys.group(id);
      return { kind: 'junkGroup', of: key, removes: [key] };
    }),
    ...[...pads].filter(isJunk).map(([id]): Finding => {
      const key = keys.pad(id);
      return { kind: 'junkPad', of: key, removes: [key] };
    }),
  ];
}

// 1. Groups

export function people(facts: Facts): Finding[] {
  const exists = (id: unknown): boolean =>
    typeof id === 'string' && facts.users.get(id)?.record !== undefined;
  const ofGroups = groupsOf(facts).flatMap(([group, stored]): Finding[] => {
    const admins = group.admins.filter(exists);
    // A group that nobody would be left in keeps the names: they are all that tells whose it was.
    if (!peopleOf(group).some(exists)) return [{ kind: 'ownerless', of: group._id, detail: group.name }];
    const ownerless: Finding[] =
      admins.length === 0 ? [{ kind: 'ownerless', of: group._id, detail: group.name }] : [];
    const users = group.users.filter(exists);
    if (sameList(stored.admins, admins) && sameList(stored.users, users)) return ownerless;
    const change = changeFields(keys.group(group._id), () => ({ admins, users }));
    return [{ kind: 'danglingPeople', of: group._id, changes: [change] }, ...ownerless];
  });
  // Pads of the earlier generation name people, which gives no right.
  const ofPads = padsOf(facts).flatMap(([{ _id }, { users }]): Finding[] => {
    if (!Array.isArray(users) || users.every(exists)) return [];
    const change = changeFields(keys.pad(_id), () => ({ users: users.filter(exists) }));
    return [{ kind: 'danglingPeople', of: _id, changes: [change] }];
  });
  return [...ofGroups, ...ofPads];
}

export function padLists(facts: Facts): Finding[] {
  const owner = new Map(padsOf(facts).map(([pad]) => [pad._id, pad.group]));
  const listed = new Set<string>();
  const findings = groupsOf(facts).flatMap(([group, stored]): Finding[] => {
    const pads = group.pads.filter((id) => owner.get(id) === group._id && !facts.doomed.has(id));
    for (const id of pads) listed.add(id);
    if (sameList(stored.pads, pads)) return [];
    const change = changeFields(keys.group(group._id), () => ({ pads }));
    return [{ kind: 'ghostPads', of: group._id, changes: [change] }];
  });
  const unlinked = padsOf(facts).filter(([{ _id }]) => !listed.has(_id) && !facts.doomed.has(_id));
  for (const [{ _id, group }] of unlinked) {
    if (facts.groups.get(group)?.record === undefined) continue;
    const change = changeFields(keys.group(group), ({ pads }) => ({
      pads: [...(Array.isArray(pads) ? pads.filter((id) => id !== _id) : []), _id],
    }));
    findings.push({ kind: 'unlinkedPads', of: _id, detail: `of ${group}`, changes: [change] });
  }
  return findings;
}

// 2. Fields that count for nothing

function leftOver(
  key: string,
  record: Pick<GroupRecord | PadRecord, 'visibility'>,
  stored: Record<string, unknown>,
): Finding[] {
  const { password } = stored;
  if (password === null || password === undefined) return [];
  const inClear = typeof password !== 'object';
  if (record.visibility === 'private' && !inClear) return [];
  const change = changeFields(key, () => ({ password: null }));
  return [
    { kind: 'leftOverPasswords', of: key, detail: inClear ? 'in clear' : undefined, changes: [change] },
  ];
}

export function fields(facts: Facts): Finding[] {
  const passwords = [
    ...groupsOf(facts).flatMap(([group, stored]) => leftOver(keys.group(group._id), group, stored)),
    ...padsOf(facts).flatMap(([pad, stored]) => leftOver(keys.pad(pad._id), pad, stored)),
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

/** Notes that are on no list: an old database was imported after the first start, or a note was put there by hand. */
export function lostRemovals({ doomed, doomedGroups, pending }: Facts): Finding[] {
  // Before that, the next start looks for them by itself.
  if (!pending.searched) return [];
  const enlist = (kind: PendingKind, id: string): Finding => ({
    kind: 'lostRemovals',
    of: id,
    changes: [
      {
        key: keys.pendingJobs,
        change(now) {
          const lists = (now ?? {}) as Partial<Record<PendingKind, string[]>>;
          return { ...lists, [kind]: [...(lists[kind] ?? []), id] };
        },
      },
    ],
  });
  const pads = [...doomed].flatMap(([id, note]): Finding[] => {
    const kind = typeof note === 'object' && note !== null && 'vanished' in note ? 'vanished' : 'pads';
    return pending[kind].includes(id) ? [] : [enlist(kind, id)];
  });
  const groups = [...doomedGroups.keys()].filter((id) => !pending.groups.includes(id));
  return [...pads, ...groups.map((id) => enlist('groups', id))];
}

// 4. Pads that nobody can reach

/** Everything that the editor may have of a pad. */
function allOf(id: string, facts: Facts): string[] {
  return [...(facts.remains.get(id) ?? []), `pad:${id}:*`, `pad:${id}`];
}

/** The read-only address of a pad that is removed here is a left-over then, and goes in the next round. */
export function unreachable(facts: Facts): Finding[] {
  const orphans = padsOf(facts).filter(
    ([{ _id, group }]) => facts.groups.get(group)?.record === undefined && !facts.doomed.has(_id),
  );
  const foreign = facts.allowEtherPads
    ? []
    : [...facts.editorPads].filter((id) => !facts.pads.has(id) && !facts.doomed.has(id));
  const remains = [...facts.remains].filter(([id]) => !facts.pads.has(id) && !facts.doomed.has(id));
  return [
    ...remains.map(([id, removes]): Finding => ({ kind: 'remains', of: id, removes })),
    ...orphans.map(([{ _id, name }]): Finding => {
      return { kind: 'orphanPads', of: _id, detail: name, removes: [...allOf(_id, facts), keys.pad(_id)] };
    }),
    ...foreign.map((id): Finding => ({ kind: 'foreignPads', of: id, removes: allOf(id, facts) })),
  ];
}
