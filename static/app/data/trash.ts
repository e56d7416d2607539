/** What was deleted and can be restored. */
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { call } from './client';
import { keys } from './keys';

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
  useMutation({ mutationFn: (id: string) => call('DELETE /trash/{id}', { params: { id } }) });

export const useEmptyTrash = () => useMutation({ mutationFn: () => call('DELETE /trash', {}) });
