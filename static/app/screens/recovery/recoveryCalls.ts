/** Calls of the links in mails: a new password, and the confirmation of an address. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { SuccessAnswer } from '../../../../api/answers';
import type { LinkUsedAnswer, NewPassword } from '../../../../api/recovery/schema';
import { call, joinPath } from '../../data/client';
import { useUser } from '../../data/configuration';
import { keys } from '../../data/keys';
import { clearSession } from '../../data/signIn';

/** Asks for a mail with a link. The answer is the same for an unknown address. */
export function useAskForLink() {
  return useMutation({
    mutationFn: (email: string) =>
      call<SuccessAnswer>('passrecover', { method: 'POST', body: { email }, token: null }),
  });
}

/** Sets a new password through a mailed link. Returns the login. All sessions of the account have ended then. */
export function useChoosePassword(token: string) {
  const client = useQueryClient();
  const user = useUser();
  return useMutation({
    mutationFn: async (body: NewPassword): Promise<string> => {
      const address = `passrecover/${joinPath(token)}`;
      const { login } = await call<LinkUsedAnswer>(address, { method: 'PUT', body, token: null });
      if (login === user?.login) clearSession(client);
      return login;
    },
  });
}

/** Confirms an address through a mailed link. Returns the login. */
export function useConfirm() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (token: string): Promise<string> => {
      const body = { token };
      const { login } = await call<LinkUsedAnswer>('accountconfirm', { method: 'POST', body, token: null });
      await client.invalidateQueries({ queryKey: keys.configuration });
      return login;
    },
  });
}
