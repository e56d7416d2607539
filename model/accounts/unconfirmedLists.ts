/** Lists of unconfirmed accounts, by the hour in which they may expire; see model/people/unconfirmed.ts. */
import { texts } from '../store/records';
import type { Store } from '../store/store';

const idsAt = async (store: Store, key: string): Promise<string[]> =>
  texts((await store.get<{ uids?: unknown }>(key))?.uids);

/** Adds an account to the list `key`. Needs its lock. */
export async function addToUnconfirmed(store: Store, key: string, id: string): Promise<void> {
  const uids = await idsAt(store, key);
  if (!uids.includes(id)) await store.set(key, { uids: [...uids, id] });
}

/** Removes an account from the list `key`, and the list with its last account. */
export async function removeFromUnconfirmed(store: Store, key: string, id: string): Promise<void> {
  await store.locked([key], async () => {
    const uids = await idsAt(store, key);
    const others = uids.filter((other) => other !== id);
    if (others.length === uids.length) return;
    await (others.length === 0 ? store.remove(key) : store.set(key, { uids: others }));
  });
}
