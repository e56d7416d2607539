/** The cache of all answers. */
import { focusManager, QueryClient, type QueryFilters } from '@tanstack/react-query';
import type { ConfigurationAnswer } from '../../../api/configuration/schema';
import { toasts } from '../components/Toasts';
import { keepDrafts } from '../forms/drafts';
import { isError } from './client';
import { changeConfiguration } from './configuration';
import { onServerReturn } from './connection';
import { keys } from './keys';
import { readSession, watchOtherTabs } from './session';

/** Milliseconds for which an answer is fresh. After that, returning to the window or screen reads it again. */
const freshFor = 5_000;

/** Retries only failures that may be temporary. Other calls would fail the same way again. */
export function shouldRetry(failures: number, error: Error): boolean {
  if (failures >= 2) return false;
  return isError(error, 'CLIENT.ERROR.NETWORK', 'BACKEND.ERROR.SERVER.BUSY');
}

/** Reads again when the person returns: when the tab becomes visible, and when the window gets the focus. */
function watchFocus(): void {
  focusManager.setEventListener((changed) => {
    const listen = (): void => changed();
    addEventListener('visibilitychange', listen);
    addEventListener('focus', listen);
    return () => {
      removeEventListener('visibilitychange', listen);
      removeEventListener('focus', listen);
    };
  });
}

/** Creates the cache of all answers, one for the page. */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: freshFor,
        retry: shouldRetry,
        refetchOnWindowFocus: true,
        throwOnError: false,
        networkMode: 'always',
      },
      // `gcTime`: what is shown once, such as a token, is kept hardly longer than its dialog.
      mutations: { retry: false, networkMode: 'always', gcTime: 1_000 },
    },
  });
  watchFocus();
  onServerReturn(() => void client.invalidateQueries());
  watchOtherTabs(() => void followOtherTab(client));
  return client;
}

/** Another tab has signed somebody in or out. The screen stays until the server says that it is another person. */
async function followOtherTab(client: QueryClient): Promise<void> {
  const userNow = (): string | undefined =>
    client.getQueryData<ConfigurationAnswer>(keys.configuration)?.user?._id;
  const before = userNow();
  if (readSession().token === null) {
    keepDrafts(before);
    changeConfiguration(client, ({ value }) => ({ value, auth: false }));
  } else await client.refetchQueries({ queryKey: keys.configuration });
  if (userNow() === before) await readAgain(client);
  else await forgetAnswers(client);
}

const exceptConfiguration: QueryFilters = {
  predicate: ({ queryKey }) => queryKey[0] !== keys.configuration[0],
};

/**
 * Clears messages, and all answers except the configuration, and reads those again that the screen shows. They name
 * folders and pads, which the next person must not read.
 */
export function forgetAnswers(client: QueryClient): Promise<void> {
  toasts.clear();
  return client.resetQueries(exceptConfiguration);
}

/** The same for the person who is signed in: their screen, and what they have typed, stays until it has been read. */
export const readAgain = (client: QueryClient): Promise<void> =>
  client.invalidateQueries(exceptConfiguration);
