/** Sharing a pad alone with people, without opening its group to them. permissions.ts has the access checks. */

import type { Users } from '../accounts/user';
import { MyPadsError } from '../errors';
import { limits } from '../limits';
import { forEachInBatches } from '../store/batches';
import type { GrantRole, GroupRecord, PadRecord } from '../store/entities';
import { accountsNamed } from './membership';
import type { PadCheck } from './padRecords';

/** `present`: the entries that name an account; `absent`: the others. */
export interface SharedPad {
  pad: PadRecord;
  present: string[];
  absent: string[];
}

/** Decides the new record under the lock. `target`: moves the pad to this group. */
export type ChangePad = (
  id: string,
  decide: (pad: PadRecord, group: GroupRecord, target?: GroupRecord) => PadRecord,
  changed: string[],
  target?: string,
) => Promise<PadRecord>;

export interface PadShares {
  /**
   * Shares this pad alone with the people that the entries name (username or email), in this role, whichever they had
   * before. Unknown entries are reported and change nothing. Throws KEY_NOT_FOUND, TYPE.PARAM_INVALID when it would be
   * shared with too many.
   */
  share(id: string, entries: readonly string[], role: GrantRole, check?: PadCheck): Promise<SharedPad>;
  /** Shares this pad alone with an account, unless it has a role with more rights in it. Throws as `share`. */
  give(id: string, user: string, role: GrantRole, check?: PadCheck): Promise<PadRecord>;
  /** Ends the share of this account. Throws KEY_NOT_FOUND. */
  unshare(id: string, user: string, check?: PadCheck): Promise<PadRecord>;
}

type Shares = NonNullable<PadRecord['people']>;

/** Keeps `sharedPads` of accounts as the pads' `people` are. */
export interface ShareIndex {
  /** Before the pad is written: an access that nobody knows of cannot remain after a crash. */
  join(before: PadRecord, after: PadRecord): Promise<void>;
  /** After the pad was written. */
  leave(before: PadRecord, after: PadRecord): Promise<void>;
}

/** Throws TYPE.PARAM_INVALID when the pad would be shared with too many. */
function withShares(pad: PadRecord, given: Shares): PadRecord {
  const people: Shares = { ...pad.people, ...given };
  if (Object.keys(people).length > limits.padPeople)
    throw new MyPadsError('BACKEND.ERROR.TYPE.PARAM_INVALID', { field: 'loginsOrEmails' });
  return { ...pad, people };
}

const peopleOf = ({ people = {} }: PadRecord): string[] => Object.keys(people);

export function createShareIndex(users: Pick<Users, 'update'>): ShareIndex {
  return {
    async join(before, after) {
      const joined = peopleOf(after).filter((person) => before.people?.[person] === undefined);
      await forEachInBatches(joined, (person) =>
        users.update(person, (user) => {
          const { sharedPads = [] } = user;
          const listed = sharedPads.includes(after._id);
          return listed ? undefined : { ...user, sharedPads: [...sharedPads, after._id] };
        }),
      );
    },
    async leave(before, after) {
      const left = peopleOf(before).filter((person) => after.people?.[person] === undefined);
      await forEachInBatches(left, (person) =>
        users.update(person, (user) => {
          const { sharedPads = [] } = user;
          const kept = sharedPads.filter((id) => id !== after._id);
          return kept.length === sharedPads.length ? undefined : { ...user, sharedPads: kept };
        }),
      );
    },
  };
}

export function createPadShares(
  { users }: { users: Pick<Users, 'findByEntries'> },
  change: ChangePad,
): PadShares {
  return {
    async share(id, entries, role, check) {
      const { people, ...named } = await accountsNamed(users, entries);
      const given = Object.fromEntries(
        [...people.values()].map((person): [string, GrantRole] => [person, role]),
      );
      const pad = await change(
        id,
        (current, group) => {
          check?.(current, group);
          return withShares(current, given);
        },
        ['people'],
      );
      return { pad, ...named };
    },
    give: (id, user, role, check) =>
      change(
        id,
        (current, group) => {
          check?.(current, group);
          const now = current.people?.[user];
          return withShares(current, { [user]: now === 'writer' ? now : role });
        },
        ['people'],
      ),
    unshare: (id, user, check) =>
      change(
        id,
        (current, group) => {
          check?.(current, group);
          const { [user]: _, ...people } = current.people ?? {};
          return { ...current, people };
        },
        ['people'],
      ),
  };
}
