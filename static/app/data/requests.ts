/** Requests for access to the person's folders, and the answers. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { AccessRequest, RequestReply } from '../../../api/request/schema';
import { call } from './client';
import { refetchGroups } from './folderChanges';
import { keys } from './keys';

/** The open requests for access to folders that the person manages, the oldest first. */
export function useRequests(enabled = true) {
  return useQuery({
    queryKey: keys.requests,
    queryFn: async ({ signal }) => (await call('GET /requests', { signal })).value,
    enabled,
  });
}

/** Gives access, or declines. */
export function useAnswerRequest() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ request, reply }: { request: AccessRequest; reply: RequestReply }) =>
      call('PUT /requests/{id}', { params: { id: request._id }, body: reply }),
    onSettled: (_answer, _error, { request }) => {
      refetchGroups(client, request.group._id);
      return client.invalidateQueries({ queryKey: keys.requests });
    },
  });
}
