/** The invitation whose link a person has opened. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ShownInvitation } from '../../../api/invitation/schema';
import { writeItem } from '../lib/storage';
import { folderOf, paths } from '../navigation/paths';
import { call, isError } from './client';
import { keys } from './keys';
import { useCall } from './useCall';

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
  writeItem(keptItem, invitation === undefined ? null : JSON.stringify(invitation), 'sessionStorage');
}

export function keptInvitation(): Kept | undefined {
  try {
    return kept ?? (JSON.parse(sessionStorage.getItem(keptItem) ?? 'null') as Kept | null) ?? undefined;
  } catch {
    return kept;
  }
}

/** Whether a call failed because the invitation was accepted or withdrawn, or has expired. */
export const isInvitationGone = (error: unknown): boolean =>
  isError(error, 'BACKEND.ERROR.TOKEN.EXPIRED', 'BACKEND.ERROR.TOKEN.INCORRECT');

/** What the link of an email is for. Throws TOKEN.INCORRECT, TOKEN.EXPIRED. */
export function useShownInvitation(token: string) {
  return useQuery({
    queryKey: keys.invitation(token),
    queryFn: async ({ signal }): Promise<ShownInvitation> =>
      (await call('POST /invitations/show', { body: { token }, token: null, signal })).value,
  });
}

/** Accepts an invitation. Resolves to the place that it opens. */
export function useAcceptInvitation() {
  const client = useQueryClient();
  return useCall(async (token: string) => {
    const { key, isPad } = await call('POST /invitations/accept', { body: { token } });
    keepInvitation(undefined);
    const changed = [keys.configuration, keys.groups, keys.recent, keys.padNames, keys.group(key)];
    for (const queryKey of changed) void client.invalidateQueries({ queryKey });
    return isPad ? paths.pad(folderOf({ group: null }), key) : paths.folder(key);
  });
}

export const useRefuseInvitations = () =>
  useCall((token: string) => call('POST /invitations/refuse', { body: { token }, token: null }));
