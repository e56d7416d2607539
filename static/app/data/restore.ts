/** Restoring what was deleted. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from './client';
import { refetchGroups } from './folderChanges';
import { keys } from './keys';

/** Restores pads and folders, one after another. Throws the first failure after all others are restored. */
export function useRestore() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (ids: readonly string[]) => {
      let failure: unknown;
      for (const id of ids)
        await call('POST /trash/{id}/restore', { params: { id }, body: {} }).catch((error: unknown) => {
          failure ??= error;
        });
      if (failure) throw failure;
    },
    onSettled: () => {
      refetchGroups(client);
      for (const queryKey of [keys.everyGroup, keys.everyPad]) void client.invalidateQueries({ queryKey });
      // The button stays busy until its row has gone.
      return client.invalidateQueries({ queryKey: keys.everyTrash });
    },
  });
}
