/** Requests for access to folders and pads: asking, and answering. */
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

/** What somebody asks for. */
export interface AskedFor {
  what: 'folder' | 'pad';
  id: string;
}

/** Asks for access. The answer does not say what the managers decide. */
export function useAskForAccess({ what, id }: AskedFor) {
  return useMutation({
    mutationFn: async (text: string): Promise<void> => {
      const input = { params: { id }, body: text === '' ? {} : { text } };
      await (what === 'folder'
        ? call('POST /group/{id}/requests', input)
        : call('POST /pad/{id}/requests', input));
    },
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
