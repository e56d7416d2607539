import type { GroupRecord } from './entities';
import { readGroup, storedGroup } from './records';
import { keys, type Store } from './store';

/**
 * Changes a group under its lock. `decide` gets `undefined` if there is no such group, and returns `undefined` to write
 * nothing; an error that it throws is passed on. Resolves to what was written.
 */
export async function updateGroup(
  store: Pick<Store, 'update'>,
  id: string,
  decide: (group: GroupRecord | undefined) => GroupRecord | undefined,
): Promise<GroupRecord | undefined> {
  let after: GroupRecord | undefined;
  await store.update<unknown>(keys.group(id), (stored) => {
    after = decide(readGroup(id, stored));
    return after && storedGroup(after);
  });
  return after;
}
