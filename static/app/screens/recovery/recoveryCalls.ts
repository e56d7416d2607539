/** Calls of the links in mails: a new password, and the confirmation of an address. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { NewPassword } from '../../../../api/recovery/schema';
import { call } from '../../data/client';
import { useUser } from '../../data/configuration';
import { keys } from '../../data/keys';
import { clearSession } from '../../data/signIn';
import { useCall } from '../../data/useCall';

/** Asks for a mail with a link. The answer is the same for an unknown address. */
export const useAskForLink = () =>
  useCall((email: string) => call('POST /passrecover', { body: { email }, token: null }));

/** Finds out whether the mailed link for a new password still works. */
export function useLinkCheck(token: string) {
  return useQuery({
    queryKey: keys.mailedLink(token),
    queryFn: ({ signal }) => call('GET /passrecover/{token}', { params: { token }, signal, token: null }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
}

/** Sets a new password through a mailed link. Returns the login. All sessions of the account have ended then. */
export function useChoosePassword(token: string) {
  const client = useQueryClient();
  const user = useUser();
  return useCall(async (body: NewPassword) => {
    const { login } = await call('PUT /passrecover/{token}', { params: { token }, body, token: null });
    if (login === user?.login) clearSession(client);
    return login;
  });
}

/** Confirms an address through a mailed link. Returns the login. */
export const useConfirm = () =>
  useCall(
    async (token: string) => (await call('POST /accountconfirm', { body: { token }, token: null })).login,
    keys.configuration,
  );
