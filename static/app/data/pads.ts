/** Reads pads. Changes of them are in padChanges.ts. */
import { type QueryClient, skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Pad } from '../../../api/answers';
import type { GroupAnswer, PresentIds } from '../../../api/group/schema';
import type { Present } from '../../../api/pad/schema';
import { call } from './client';
import { useUser } from './configuration';
import { keys } from './keys';
import { shouldRetry } from './queryClient';

/** The pads that the person opened, most recent first. Reads nothing for a guest. */
export function useRecentPads() {
  const user = useUser();
  return useQuery({
    queryKey: keys.recent,
    queryFn: async ({ signal }) => (await call('GET /overview/recent', { signal })).value,
    enabled: user !== undefined,
  });
}

/** Ids and names of all pads in the folders of the person's lists, by folder. Read when first needed. */
export function usePadNames(enabled = true) {
  return useQuery({
    queryKey: keys.padNames,
    queryFn: async ({ signal }) => (await call('GET /overview/pads', { signal })).value,
    enabled,
  });
}

/**
 * A pad. The error says if a password or a sign-in is needed. `every`: milliseconds between reads. It is also read
 * whenever the person returns to the window.
 */
export function usePad(id: string, every?: number) {
  const client = useQueryClient();
  return useQuery({
    queryKey: keys.pad(id),
    queryFn: async ({ signal }) => {
      const { value, present } = await call('GET /pad/{id}', { params: { id }, signal }).catch((error) => {
        if (!shouldRetry(0, error)) void client.invalidateQueries({ queryKey: keys.recent });
        throw error;
      });
      client.setQueryData<Present>(keys.present(id), present);
      return value;
    },
    placeholderData: () => padFromFolders(client, id),
    refetchOnWindowFocus: every === undefined ? true : 'always',
    refetchInterval: every ?? false,
    enabled: id !== '',
  });
}

/** Whether somebody has written in a pad, as the server knows now. */
export async function isWritten(id: string): Promise<boolean> {
  return (await call('GET /pad/{id}', { params: { id } })).value.lastUpdate !== null;
}

/** Who has the pad open, as of the last reading of the pad by `usePad`. */
export function usePresent(id: string): Present | undefined {
  return useQuery<Present>({ queryKey: keys.present(id), queryFn: skipToken }).data;
}

/** Milliseconds between two readings of who is in the pads of a list. */
const presentEvery = 20_000;

/** Who has pads open, of all folders by folder, or of `folder` by pad. An unchanged entry stays the same object. */
export function usePresentIn(folder?: string): Record<string, PresentIds> {
  const { data } = useQuery({
    queryKey: keys.presentIn(folder),
    queryFn: async ({ signal }) => {
      if (folder === undefined) return (await call('GET /overview/present', { signal })).value;
      return (await call('GET /group/{id}/present', { params: { id: folder }, signal })).value;
    },
    refetchInterval: ({ state }) => state.error === null && presentEvery,
  });
  return data ?? {};
}

function padFromFolders(client: QueryClient, id: string): Pad | undefined {
  for (const [, answer] of client.getQueriesData<GroupAnswer>({ queryKey: keys.everyGroup })) {
    const pad = answer?.pads?.[id];
    if (pad !== undefined) return pad;
  }
  return undefined;
}

/** A ticket that opens the editor once, within a minute. Each opening has its own `visit` number. */
export function useTicket(id: string, visit: number) {
  return useQuery({
    queryKey: keys.ticket(id, visit),
    queryFn: async ({ client }) => {
      const answer = await call('POST /pad/{id}/ticket', { params: { id } });
      void client.invalidateQueries({ queryKey: keys.recent });
      return answer;
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: shouldRetry,
  });
}
