/**
 * Tells which changes of a record can change who may enter a pad. A field that the rules in permissions.ts
 * or padDecisions.ts begin to read must be compared here too; test/unit/accessChange.test.ts checks that.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  type GroupRecord,
  type LinkRecord,
  type MemberList,
  memberLists,
  type PadRecord,
} from '../store/entities';
import { listChange } from '../store/listChanges';

export interface GroupAccessChange {
  /** True when the change affects everybody who has a pad of the group open. */
  everybody: boolean;
  /** Ids of the users whose role in the group has changed. */
  people: string[];
}

type GroupRules = Pick<GroupRecord, 'visibility' | 'password' | 'readonly' | 'links' | MemberList>;
type PadRules = Pick<PadRecord, 'group' | 'visibility' | 'password' | 'readonly' | 'people'>;

const rulesOfLink = ({ _id, role, pad, ends, password }: LinkRecord) => ({ _id, role, pad, ends, password });

export function groupAccessChange(before: GroupRules, after: GroupRules): GroupAccessChange {
  return {
    everybody:
      before.visibility !== after.visibility ||
      before.readonly !== after.readonly ||
      !isDeepStrictEqual(before.password, after.password) ||
      !isDeepStrictEqual(before.links.map(rulesOfLink), after.links.map(rulesOfLink)),
    people: [
      ...new Set(
        memberLists.flatMap((list) => {
          const { left, joined } = listChange(before[list], after[list]);
          return [...left, ...joined];
        }),
      ),
    ],
  };
}

/** The change when a group is created or removed. */
export const changedForEverybody: GroupAccessChange = { everybody: true, people: [] };
/** The change when only the name, the description or the list of pads is new. */
export const unchangedAccess: GroupAccessChange = { everybody: false, people: [] };

export function padAccessChanged(before: PadRules, after: PadRules): boolean {
  return (
    before.group !== after.group ||
    (before.visibility ?? null) !== (after.visibility ?? null) ||
    (before.readonly ?? null) !== (after.readonly ?? null) ||
    !isDeepStrictEqual(before.password, after.password) ||
    !isDeepStrictEqual(before.people ?? {}, after.people ?? {})
  );
}
