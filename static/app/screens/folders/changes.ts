/** Changes to several folders at once, one call after the other. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../data/client';
import { keys } from '../../data/keys';
import { unlessEnded } from '../../data/useCall';

export interface FailedChange {
  id: string;
  error: unknown;
}

type Change = (id: string) => Promise<unknown>;

async function inSequence(ids: readonly string[], change: Change): Promise<FailedChange[]> {
  const failed: FailedChange[] = [];
  for (const id of ids) await change(id).catch((error: unknown) => failed.push({ id, error }));
  return failed;
}

function useChange<Input extends { ids: readonly string[] }>(change: (input: Input) => Change) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => inSequence(input.ids, change(input)),
    onSuccess: async (_failed, { ids }) => {
      const others = [keys.recent, keys.padNames, ...ids.map((id) => keys.group(id))];
      for (const queryKey of others) void client.invalidateQueries({ queryKey });
      await client.invalidateQueries({ queryKey: keys.groups });
    },
  });
}

/** Archives folders or restores them. Returns those that could not be changed. */
export function useArchiveGroups() {
  return useChange<{ ids: readonly string[]; archived: boolean }>(
    ({ archived }) =>
      (id) =>
        call('PUT /group/{id}', { params: { id }, body: { archived } }),
  );
}

/** Removes folders with their pads. Returns those that could not be removed. */
export function useRemoveGroups() {
  return useChange<{ ids: readonly string[] }>(
    () => (id) => call('DELETE /group/{id}', { params: { id } }).catch(unlessEnded),
  );
}
