/** Which account a person of a service has: a record for each identity, found by its key. */
import { type ExternalIdentity, isSameIdentity } from '../externalIdentity';
import type { UserRecord } from '../store/entities';
import { keys, type Store } from '../store/store';

interface IdentityNote {
  user: string;
}

/** Whether the account is remembered as this person's. */
export const knows = (
  { identities = [] }: Pick<UserRecord, 'identities'>,
  identity: ExternalIdentity,
): boolean => identities.some((one) => isSameIdentity(one, identity));

/** The id of the account that was noted for this person. The account may not exist any more. */
export const notedAccount = async (store: Store, identity: ExternalIdentity): Promise<string | undefined> =>
  (await store.get<IdentityNote>(keys.identity(identity)))?.user;

/** Call it under the lock of the key. */
export const noteAccount = (store: Store, identity: ExternalIdentity, user: string): Promise<void> =>
  store.set(keys.identity(identity), { user } satisfies IdentityNote);

/** Removes the notes of a removed account. */
export async function forgetIdentities(
  store: Store,
  { _id, identities = [] }: Pick<UserRecord, '_id' | 'identities'>,
): Promise<void> {
  for (const identity of identities) {
    const key = keys.identity(identity);
    await store.locked([key], async () => {
      if ((await notedAccount(store, identity)) === _id) await store.remove(key);
    });
  }
}
