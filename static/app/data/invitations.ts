/** Invitations to a folder by email. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { GroupAnswer } from '../../../api/group/schema';
import type {
  Invitation,
  InvitationFields,
  InvitationsAnswer,
  InvitingAnswer,
} from '../../../api/invitation/schema';
import { call } from './client';
import { refetchGroups } from './folderChanges';
import { keys } from './keys';

/** Milliseconds between two looks at emails that are being sent. */
const whileSending = 2_000;

/** The invitations of a folder, for those who may share it. */
export function useInvitations(group: string) {
  return useQuery({
    queryKey: keys.invitations(group),
    queryFn: ({ signal }): Promise<InvitationsAnswer> =>
      call('GET /group/{id}/invitations', { params: { id: group }, signal }),
    refetchInterval: ({ state }) =>
      state.data?.value.some(({ mail }) => mail === 'waiting') ? whileSending : false,
  });
}

/** Invites addresses. Those who have got an account meanwhile are added. */
export function useInvite(group: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: InvitationFields): Promise<InvitingAnswer> =>
      call('POST /group/{id}/invitations', { params: { id: group }, body }),
    onSuccess: ({ value, users }) => {
      client.setQueryData<GroupAnswer>(keys.group(group), (known) => known && { ...known, value, users });
      refetchGroups(client, group);
      return client.invalidateQueries({ queryKey: keys.invitations(group) });
    },
  });
}

/** Changes the role of an invitation, sends its email again, or withdraws it. */
export function useInvitationChange(group: string) {
  const client = useQueryClient();
  const onSuccess = () => client.invalidateQueries({ queryKey: keys.invitations(group) });
  return {
    setRole: useMutation({
      mutationFn: ({ id, role }: { id: string; role: Invitation['role'] }) =>
        call('PUT /invitations/{id}', { params: { id }, body: { role } }),
      onSuccess,
    }),
    resend: useMutation({
      mutationFn: (id: string) => call('POST /invitations/{id}/resend', { params: { id } }),
      onSuccess,
    }),
    withdraw: useMutation({
      mutationFn: (id: string) => call('DELETE /invitations/{id}', { params: { id } }),
      onSuccess,
    }),
  };
}
