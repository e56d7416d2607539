/** Handing over groups to another person: one by its managers, or all that an account manages alone. */
import { forEachInBatches } from '../store/batches';
import type { GroupRecord } from '../store/entities';
import { eachOnOneList } from '../store/records';
import { type GroupCheck, type GroupRecords, unique } from './groupRecords';
import type { Membership } from './membership';

export interface Handover {
  /**
   * Makes the account `to` the only manager of the group. The others become members. Throws KEY_NOT_FOUND,
   * GROUP.RESIGN_UNIQUE_ADMIN if there is no such account.
   */
  handOver(group: string, to: string, check?: GroupCheck): Promise<GroupRecord>;
  /** Makes `to` a manager of all groups that nobody but this account manages. Resolves to these groups. */
  handOverAll(user: Parameters<Membership['previewDetach']>[0], to: string): Promise<GroupRecord[]>;
}

export function createHandover(
  records: Pick<GroupRecords, 'change'>,
  { previewDetach }: Pick<Membership, 'previewDetach'>,
): Handover {
  return {
    handOver: (id, to, check) =>
      records.change(id, (current) => {
        check?.(current);
        const lists = eachOnOneList({
          ...current,
          admins: [to],
          users: unique([...current.users, ...current.admins]),
        });
        return { after: { ...current, ...lists }, changed: ['admins', 'users', 'readers'] };
      }),

    async handOverAll(user, to) {
      const { removed: alone } = await previewDetach(user);
      const after: GroupRecord[] = [];
      await forEachInBatches(alone, async ({ _id }) => {
        const change = (current: GroupRecord) => {
          const lists = eachOnOneList({ ...current, admins: unique([...current.admins, to]) });
          return { after: { ...current, ...lists }, changed: ['admins'] };
        };
        after.push(await records.change(_id, change));
      });
      return after;
    },
  };
}
