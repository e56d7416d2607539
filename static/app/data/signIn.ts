/** Signing in and out. */
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import type { Credentials, LoginAnswer } from '../../../api/auth/schema';
import type { ConfigurationAnswer } from '../../../api/configuration/schema';
import { notSaved } from '../components/useForm';
import { claimDrafts } from '../forms/drafts';
import { navigate } from '../navigation/location';
import { call, isError } from './client';
import { changeConfiguration } from './configuration';
import { onServerReturn } from './connection';
import { keys } from './keys';
import { askForPasskey } from './passkeys';
import { forgetAnswers, readAgain } from './queryClient';
import { askSecondStep } from './secondStep';
import { forgetSession, guestToken, readSession, startSession } from './session';
import { useCall } from './useCall';

/** Stores the token of a sign-in and reads everything again as this person. */
export async function completeSignIn(client: QueryClient, { token, user }: LoginAnswer): Promise<void> {
  const before = client.getQueryData<ConfigurationAnswer>(keys.configuration)?.user?._id;
  claimDrafts(user._id);
  startSession(token);
  changeConfiguration(client, (known) => ({ ...known, auth: true, user }));
  await (user._id === before ? readAgain(client) : forgetAnswers(client));
}

/** Signs in with a password, and asks for the second step if there is one. False if the person gives up there. */
export async function signInBy(body: Credentials, client: QueryClient): Promise<boolean> {
  const first = await call('POST /auth/login', { body, token: guestToken() });
  const answer = 'pending' in first ? await askSecondStep(first) : first;
  if (answer !== null) await completeSignIn(client, answer);
  return answer !== null;
}

/** Signs in. Resolves to `notSaved` if the person gives up at the second step. */
export function useSignIn() {
  const client = useQueryClient();
  return useCall(async (credentials: Credentials) => {
    if (!(await signInBy(credentials, client))) return notSaved;
  });
}

/** Signs in with a passkey alone. */
export function usePasskeySignIn() {
  const client = useQueryClient();
  return useCall(async () => {
    const body = { passkey: await askForPasskey() };
    await completeSignIn(client, await call('POST /auth/login/passkey', { body, token: guestToken() }));
  });
}

/**
 * If the account has no password here (it comes from LDAP or CAS), leads to the screen that mails a link to choose one,
 * and returns true.
 */
export function leadsToPassword(error: unknown): boolean {
  const isNeeded = isError(error, 'BACKEND.ERROR.AUTHENTICATION.PLEASE_CHANGE_YOUR_PASSWORD');
  if (isNeeded) navigate('/passrecover?needed=1');
  return isNeeded;
}

/**
 * Signs out. Returns where the browser goes to sign out at the service too, if there is one. Rejects if the server has
 * not ended the session, whose cookie goes on opening pads; it is asked once more when it answers again.
 */
export function useSignOut() {
  const client = useQueryClient();
  return useCall(async () => {
    const { token } = readSession();
    // The server waits up to five seconds for the address of a provider.
    const end = () => call('POST /auth/logout', { token, timeout: 8_000 });
    try {
      return token && (await end()).url;
    } catch (error) {
      // It had ended already.
      if (isError(error, 'BACKEND.ERROR.AUTHENTICATION.NOT_AUTH')) return undefined;
      const stop = onServerReturn(() => void end().then(stop, stop));
      throw error;
    } finally {
      clearSession(client);
    }
  });
}

/** Clears the session and all cached answers. */
export function clearSession(client: QueryClient): void {
  forgetSession();
  changeConfiguration(client, ({ value }) => ({ value, auth: false }));
  void forgetAnswers(client);
}
