/** What was deleted and can be restored. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { call } from './client';
import { keys } from './keys';
import { notInTrash, useCall } from './useCall';

export function useTrash(query: { offset: number; limit: number }) {
  return useQuery({
    queryKey: keys.trash(query),
    queryFn: ({ signal }) => call('GET /trash', { query, signal }),
    placeholderData: keepPreviousData,
    // It may have changed with each deletion.
    gcTime: 0,
  });
}

export const useDeleteForGood = () =>
  useCall((id: string) => call('DELETE /trash/{id}', { params: { id } }).catch(notInTrash), keys.everyTrash);

export const useEmptyTrash = () => useCall(() => call('DELETE /trash', {}), keys.everyTrash);
