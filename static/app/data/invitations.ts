/** Invitations to a folder by email. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  Invitation,
  InvitationFields,
  InvitationsAnswer,
  InvitingAnswer,
} from '../../../api/invitation/schema';
import { call } from './client';
import { putRoles } from './folderChanges';
import { keys } from './keys';
import { useCall } from './useCall';

/** Milliseconds between two looks at emails that are being sent. */
const whileSending = 2_000;

/** The invitations of a folder, for those who may share it. */
export function useInvitations(group: string) {
  return useQuery({
    queryKey: keys.invitations(group),
    queryFn: ({ signal }): Promise<InvitationsAnswer> =>
      call('GET /group/{id}/invitations', { params: { id: group }, signal }),
    refetchInterval: ({ state }) =>
      state.error === null && state.data?.value.some(({ mail }) => mail === 'waiting') ? whileSending : false,
  });
}

/** Invites addresses. Those who have got an account meanwhile are added. */
export function useInvite(group: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: InvitationFields): Promise<InvitingAnswer> =>
      call('POST /group/{id}/invitations', { params: { id: group }, body }),
    onSuccess: (answer) => {
      putRoles(client, group, answer);
      return client.invalidateQueries({ queryKey: keys.invitations(group) });
    },
  });
}

/** Changes the role of an invitation, sends its email again, or withdraws it. */
export const useInvitationChange = (group: string) => ({
  setRole: useCall(
    ({ id, role }: { id: string; role: Invitation['role'] }) =>
      call('PUT /invitations/{id}', { params: { id }, body: { role } }),
    keys.invitations(group),
  ),
  resend: useCall(
    (id: string) => call('POST /invitations/{id}/resend', { params: { id } }),
    keys.invitations(group),
  ),
  withdraw: useCall(
    (id: string) => call('DELETE /invitations/{id}', { params: { id } }),
    keys.invitations(group),
  ),
});
