/** The configuration, the signed-in person, and whether the server is ready. */
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { OwnUser } from '../../../api/answers';
import type { ConfigurationAnswer, PublicConfiguration } from '../../../api/configuration/schema';
import { claimDrafts } from '../forms/drafts';
import { isWanted } from '../texts/i18n';
import { call } from './client';
import { keys } from './keys';
import { endSession, forgetSession, readSession, useSessionState } from './session';

/**
 * After the session has ended, the person is kept, because their screen stays visible behind the dialog to sign in
 * again.
 */
async function fetchConfiguration(signal: AbortSignal, client: QueryClient): Promise<ConfigurationAnswer> {
  const { token } = readSession();
  const known = client.getQueryData<ConfigurationAnswer>(keys.configuration)?.user;
  const answer = await call('GET /configuration', { signal, token });
  if (answer.user) claimDrafts(answer.user._id);
  if (!answer.auth && token !== null && token === readSession().token) {
    if (known === undefined) forgetSession();
    else endSession();
  }
  return readSession().ended ? { ...answer, user: known } : answer;
}

/** The public configuration and the signed-in person. `useSettings` and `useUser` read the same answer. */
export function useConfiguration() {
  return useQuery({
    queryKey: keys.configuration,
    queryFn: ({ signal, client }) => fetchConfiguration(signal, client),
    staleTime: 60_000,
    gcTime: Number.POSITIVE_INFINITY,
  });
}

/** Changes the cached answer. */
export function changeConfiguration(
  client: QueryClient,
  change: (known: ConfigurationAnswer) => ConfigurationAnswer,
): void {
  client.setQueryData<ConfigurationAnswer>(keys.configuration, (known) => known && change(known));
}

/** Takes over one's own account as an answer has it, unless somebody else has signed in meanwhile. */
export function putUser(client: QueryClient, user: OwnUser): void {
  changeConfiguration(client, (known) => (known.user?._id === user._id ? { ...known, user } : known));
}

/** The public configuration. Only for use inside the shell, which loads it before it renders its children. */
export function useSettings(): PublicConfiguration {
  const { data } = useConfiguration();
  if (data === undefined) throw new Error('The configuration is read before it was loaded');
  return data.value;
}

/** Whether there is a guide, ours or the administrators' own page. */
export function useHasHelp(): boolean {
  const { guide, guidePage } = useSettings();
  return guide || Object.values(guidePage).some(Boolean);
}

/** The signed-in person; `undefined` for a guest. */
export function useUser(): OwnUser | undefined {
  const { token, ended } = useSessionState();
  const { data } = useConfiguration();
  return token === null && !ended ? undefined : data?.user;
}

/**
 * A function that stores a language in the person's account, so that it is theirs in every browser. Does nothing for
 * one in whose place another was chosen meanwhile.
 */
export function useSaveLanguage(): (lang: string) => Promise<void> {
  const client = useQueryClient();
  const user = useUser();
  return useMutation({
    scope: { id: 'language' },
    mutationFn: async (lang: string): Promise<void> => {
      if (user === undefined || !isWanted(lang)) return;
      const { value } = await call('PUT /user/{login}', { params: { login: user.login }, body: { lang } });
      if (isWanted(lang)) putUser(client, value);
    },
  }).mutateAsync;
}

/**
 * Whether the server has built its index of accounts. Asks every half second until it has. Until then, forms that need
 * it say that the service is starting.
 */
export function useServiceReady(): boolean {
  const { data } = useQuery({
    queryKey: keys.ready,
    queryFn: ({ signal }) => call('GET /cache/check', { signal, token: null }),
    refetchInterval: ({ state }) => (state.data?.userCacheReady ? false : 500),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return data?.userCacheReady ?? false;
}
