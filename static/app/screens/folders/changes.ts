/** Changes to several folders at once, one call after the other. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../data/client';
import { keys } from '../../data/keys';
import { inSequence } from '../../data/padChanges';
import { deletionOf } from '../../data/useCall';

interface Folders {
  ids: readonly string[];
}

/** Returns those that could not be changed. */
function useChange<Input extends Folders>(change: (id: string, input: Input) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (input: Input) => (await inSequence(input.ids, (id) => change(id, input))).failed,
    onSuccess: async (_failed, { ids }) => {
      const others = [keys.recent, keys.padNames, ...ids.map((id) => keys.group(id))];
      for (const queryKey of others) void client.invalidateQueries({ queryKey });
      await client.invalidateQueries({ queryKey: keys.groups });
    },
  });
}

/** Archives folders or restores them. */
export const useArchiveGroups = () =>
  useChange((id, { archived }: Folders & { archived: boolean }) =>
    call('PUT /group/{id}', { params: { id }, body: { archived } }),
  );

/** Removes folders with their pads. */
export const useRemoveGroups = () =>
  useChange((id) => deletionOf(id, call('DELETE /group/{id}', { params: { id } })));
