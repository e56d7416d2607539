/** Sharing a pad alone with people, without opening its group to them. permissions.ts has the access checks. */

import type { Users } from '../accounts/user';
import { MyPadsError } from '../errors';
import { limits } from '../limits';
import { forEachInBatches } from '../store/batches';
import type { GrantRole, GroupRecord, PadRecord, RequestRecord } from '../store/entities';
import type { GroupRequests } from './groupRequests';
import { accountsNamed } from './membership';
import type { PadCheck } from './padRecords';

/** `present`: the entries that name an account; `absent`: the others. */
export interface SharedPad {
  pad: PadRecord;
  present: string[];
  absent: string[];
}

/** A change of the pad's group under the same lock, so that nothing comes between this change and that of the pad. */
export interface ChangeInGroup {
  of: (group: GroupRecord) => GroupRecord;
  changed: string[];
}

/** Decides the new record under the lock. `target`: moves the pad to this group. */
export type ChangePad = (
  id: string,
  decide: (pad: PadRecord, group: GroupRecord, target?: GroupRecord) => PadRecord,
  changed: string[],
  target?: string,
  inGroup?: ChangeInGroup,
) => Promise<PadRecord>;

type Shares = NonNullable<PadRecord['people']>;

/** Throws MEMBER.TOO_MANY when the pad would be shared with too many. */
function withShares(pad: PadRecord, given: Shares): PadRecord {
  const people: Shares = { ...pad.people, ...given };
  if (Object.keys(people).length > limits.padPeople)
    throw new MyPadsError('BACKEND.ERROR.MEMBER.TOO_MANY', { most: limits.padPeople });
  return { ...pad, people };
}

/** Shares the pad with an account, unless it has a role with more rights in it. */
const giving =
  (user: string, role: GrantRole, check: PadCheck | undefined): Parameters<ChangePad>[1] =>
  (current, group) => {
    check?.(current, group);
    const now = current.people?.[user];
    return withShares(current, { [user]: now === 'writer' ? now : role });
  };

const peopleOf = ({ people = {} }: PadRecord): string[] => Object.keys(people);

/** Keeps `sharedPads` of accounts as the pads' `people` are. */
export function createShareIndex(users: Pick<Users, 'update'>) {
  return {
    /** Before the pad is written: an access that nobody knows of cannot remain after a crash. */
    async join(before: PadRecord, after: PadRecord): Promise<void> {
      const joined = peopleOf(after).filter((person) => before.people?.[person] === undefined);
      await forEachInBatches(joined, (person) =>
        users.update(person, (user) => {
          const { sharedPads = [] } = user;
          const listed = sharedPads.includes(after._id);
          return listed ? undefined : { ...user, sharedPads: [...sharedPads, after._id] };
        }),
      );
    },
    /** After the pad was written. */
    async leave(before: PadRecord, after: PadRecord): Promise<void> {
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

export interface PadSharesContext {
  users: Pick<Users, 'findByEntries'>;
  groups: Pick<GroupRequests, 'removeRequests'>;
}

export function createPadShares({ users, groups }: PadSharesContext, change: ChangePad) {
  /** Ends the requests for the pad of people whose role in it changes. Who loses the pad stays declined. */
  async function changeShares(id: string, decide: Parameters<ChangePad>[1]): Promise<PadRecord> {
    let answered: RequestRecord[] = [];
    const changed = await change(
      id,
      (current, group) => {
        const after = decide(current, group);
        answered = group.requests.filter(({ pad, user, declined }) => {
          const role = after.people?.[user];
          return (
            pad === id && role !== current.people?.[user] && (declined === undefined || role !== undefined)
          );
        });
        return after;
      },
      ['people'],
    );
    const ids = answered.map(({ _id }) => _id);
    if (ids.length > 0) await groups.removeRequests(changed.group, ids);
    return changed;
  }

  return {
    /**
     * Shares this pad alone with the people that the entries name (username or email), in this role, whichever they had
     * before. Unknown entries are reported and change nothing. Throws KEY_NOT_FOUND, MEMBER.TOO_MANY when it would
     * be shared with too many.
     */
    async share(
      id: string,
      entries: readonly string[],
      role: GrantRole,
      check?: PadCheck,
    ): Promise<SharedPad> {
      const { people, ...named } = await accountsNamed(users, entries);
      const given = Object.fromEntries(
        [...people.values()].map((person): [string, GrantRole] => [person, role]),
      );
      const pad = await changeShares(id, (current, group) => {
        check?.(current, group);
        return withShares(current, given);
      });
      return { pad, ...named };
    },
    /**
     * Shares this pad alone with an account, unless it has a role with more rights in it. Ends no request but what
     * `inGroup` ends. Throws as `share`.
     */
    give: (
      id: string,
      user: string,
      role: GrantRole,
      check?: PadCheck,
      inGroup?: ChangeInGroup,
    ): Promise<PadRecord> => change(id, giving(user, role, check), ['people'], undefined, inGroup),
    /** Ends the share of this account. Throws KEY_NOT_FOUND. */
    unshare: (id: string, user: string, check?: PadCheck): Promise<PadRecord> =>
      changeShares(id, (current, group) => {
        check?.(current, group);
        const { [user]: _, ...people } = current.people ?? {};
        return { ...current, people };
      }),
  };
}

export type PadShares = ReturnType<typeof createPadShares>;
