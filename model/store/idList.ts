/** Stored lists of ids, such as those of the sessions of a person. A list without ids is no record. */
import { texts } from './records';
import type { Store } from './store';

export interface IdList {
  ids?: unknown;
}

export const idsIn = async (store: Pick<Store, 'get'>, list: string): Promise<string[]> =>
  texts((await store.get<IdList>(list))?.ids);

/** Resolves to whether these were the last ones of the list, which is removed then. */
export function dropIds(store: Store, list: string, dropped: readonly string[]): Promise<boolean> {
  return store.locked([list], async () => {
    const ids = await idsIn(store, list);
    const kept = ids.filter((id) => !dropped.includes(id));
    if (kept.length === ids.length) return false;
    await (kept.length === 0 ? store.remove(list) : store.set(list, { ids: kept }));
    return kept.length === 0;
  });
}
