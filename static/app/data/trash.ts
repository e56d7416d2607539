/** What was deleted and can be restored. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { call, isError } from './client';
import { keys } from './keys';
import { notInTrash, unlessEnded, useCall } from './useCall';

export function useTrash(query: { offset: number; limit: number }) {
  return useQuery({
    queryKey: keys.trash(query),
    queryFn: ({ signal }) => call('GET /trash', { query, signal }),
    placeholderData: keepPreviousData,
    // It may have changed with each deletion.
    gcTime: 0,
  });
}

/** Ids of what may have been deleted for good: the answer did not arrive. */
const unanswered = new Set<string>();

export const useDeleteForGood = () =>
  useCall(
    (id: string) =>
      call('DELETE /trash/{id}', { params: { id } }).catch((error: unknown) => {
        if (isError(error) && error.status === 0) unanswered.add(id);
        return unanswered.has(id) ? unlessEnded(error) : notInTrash(error);
      }),
    keys.everyTrash,
  );

export const useEmptyTrash = () => useCall(() => call('DELETE /trash', {}), keys.everyTrash);
