/** Changes of one's own account, and its sessions. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { OwnUser } from '../../../../api/answers';
import type { ApiToken, TokenFields } from '../../../../api/token/schema';
import type { OwnSession, ProfileChange } from '../../../../api/user/schema';
import { call, mailTimeout } from '../../data/client';
import { putUser } from '../../data/configuration';
import { keys } from '../../data/keys';
import { clearSession } from '../../data/signIn';
import { unlessEnded, useCall } from '../../data/useCall';
import { startLeaving } from '../login/leave';

/** Changes the person's account and returns it. Another `email` or `password` needs `currentPassword`. */
export function useChangeAccount(login: string) {
  const client = useQueryClient();
  return useMutation({
    // One after the other: what was chosen last is what stays.
    scope: { id: 'account' },
    mutationFn: async (body: ProfileChange): Promise<OwnUser> =>
      (await call('PUT /user/{login}', { params: { login }, body, timeout: mailTimeout })).value,
    onSuccess: (user, { password }) => {
      putUser(client, user);
      if (password === undefined) return;
      // A new password ends all other sessions, and all tokens.
      void client.invalidateQueries({ queryKey: keys.sessions });
      void client.invalidateQueries({ queryKey: keys.tokens });
    },
  });
}

/** Where the person is signed in, the last used session first. */
export function useOwnSessions(login: string) {
  return useQuery({
    queryKey: keys.sessions,
    queryFn: async ({ signal }): Promise<OwnSession[]> =>
      (await call('GET /user/{login}/sessions', { params: { login }, signal })).value,
  });
}

/** Ends one of the person's sessions, or with `null` all but the current one. */
export const useEndSession = (login: string) =>
  useCall(async (session: OwnSession | null): Promise<void> => {
    await (session === null
      ? call('DELETE /user/{login}/sessions', { params: { login } })
      : call('DELETE /user/{login}/sessions/{session}', { params: { login, session: session._id } })
    ).catch(unlessEnded);
  }, keys.sessions);

/** The person's API tokens, the newest first. */
export function useOwnTokens(login: string) {
  return useQuery({
    queryKey: keys.tokens,
    queryFn: async ({ signal }): Promise<ApiToken[]> =>
      (await call('GET /user/{login}/tokens', { params: { login }, signal })).value,
  });
}

/** Makes an API token. Returns its text, which cannot be read again. */
export const useMakeToken = (login: string) =>
  useCall(
    async (body: TokenFields) => (await call('POST /user/{login}/tokens', { params: { login }, body })).token,
    keys.tokens,
  );

/** Ends one of the person's API tokens. */
export const useEndToken = (login: string) =>
  useCall(async ({ _id: id }: ApiToken): Promise<void> => {
    await call('DELETE /user/{login}/tokens/{id}', { params: { login, id } }).catch(unlessEnded);
  }, keys.tokens);

/** What is removed with the person's account now. */
export const useRemovalLoss = (login: string) =>
  useQuery({
    queryKey: ['removalLoss'],
    queryFn: async ({ signal }) =>
      (await call('DELETE /user/{login}', { params: { login }, query: { preview: true }, body: {}, signal }))
        .removed,
    gcTime: 0,
  });

interface RemovedAccount {
  password: string | undefined;
  to: string | undefined;
  /** From `shownGroups`. */
  groups: string[] | undefined;
}

/**
 * Removes the person's account. `password` is `undefined` for people who sign in elsewhere and have none here. `to`
 * gets the folders that only this person manages. Without it, they are removed.
 */
export function useRemoveAccount(login: string) {
  const client = useQueryClient();
  return useCall(async ({ password, to, groups }: RemovedAccount) => {
    const body = {
      ...(groups && { groups }),
      ...(password !== undefined && { currentPassword: password }),
      ...(to !== undefined && { folders: { to } }),
    };
    await call('DELETE /user/{login}', { params: { login }, body, timeout: 60_000 });
    // Otherwise the sign-in screen would send the person to CAS, and signing in there creates the account again.
    startLeaving();
    clearSession(client);
  });
}
