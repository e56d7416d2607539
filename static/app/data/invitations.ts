/** Invitations to folders by email: those of a folder, and the one whose link a person has opened. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { GroupAnswer } from '../../../api/group/schema';
import type {
  Invitation,
  InvitationFields,
  InvitationsAnswer,
  InvitingAnswer,
  ShownInvitation,
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

/* The invitation of this person */

/** What signing in and registering need to know of the invitation. */
interface Kept {
  token: string;
  address: string;
}

const keptItem = 'mypads_invitation';
let kept: Kept | undefined;

/** Keeps the invitation in this tab until it is accepted, because people may have to sign in first. */
export function keepInvitation(invitation: Kept | undefined): void {
  kept = invitation;
  try {
    if (invitation === undefined) sessionStorage.removeItem(keptItem);
    else sessionStorage.setItem(keptItem, JSON.stringify(invitation));
  } catch {
    // Without storage, it is kept until the page is loaded again.
  }
}

export function keptInvitation(): Kept | undefined {
  try {
    return kept ?? (JSON.parse(sessionStorage.getItem(keptItem) ?? 'null') as Kept | null) ?? undefined;
  } catch {
    return kept;
  }
}

/** What the link of an email is for. Throws TOKEN.INCORRECT, TOKEN.EXPIRED. */
export function useShownInvitation(token: string) {
  return useQuery({
    queryKey: keys.invitation(token),
    queryFn: async ({ signal }): Promise<ShownInvitation> =>
      (await call('POST /invitations/show', { body: { token }, token: null, signal })).value,
  });
}

/** Accepts an invitation. Resolves to the id of the folder. */
export function useAcceptInvitation() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (token: string): Promise<string> =>
      (await call('POST /invitations/accept', { body: { token } })).key,
    onSuccess: (group) => {
      keepInvitation(undefined);
      refetchGroups(client, group);
      void client.invalidateQueries({ queryKey: keys.configuration });
    },
  });
}

export function useRefuseInvitations() {
  return useMutation({
    mutationFn: (token: string) => call('POST /invitations/refuse', { body: { token }, token: null }),
  });
}
