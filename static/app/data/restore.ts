/** Restoring what was deleted. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from './client';
import { refetchGroups } from './folderChanges';
import { keys } from './keys';
import { deletedHere, notInTrash } from './useCall';

interface Restoring {
  ids: readonly string[];
  /** Called with the number of those that are restored. */
  report?: (done: number) => void;
}

/** Restores pads and folders, one after another. Throws the first failure after all others are restored. */
export function useRestore() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ ids, report }: Restoring) => {
      let failure: unknown;
      let done = 0;
      report?.(done);
      for (const id of ids)
        await call('POST /trash/{id}/restore', { params: { id }, body: {} })
          .catch(notInTrash)
          .then(
            () => {
              deletedHere.delete(id);
              done += 1;
              report?.(done);
            },
            (error: unknown) => {
              failure ??= error;
            },
          );
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
