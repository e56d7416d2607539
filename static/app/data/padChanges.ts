/** Changes of pads, and the cached answers that each of them updates. */
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Pad } from '../../../api/answers';
import type { GroupAnswer } from '../../../api/group/schema';
import type { PadChange, PadCreation } from '../../../api/pad/schema';
import { folderOf } from '../navigation/paths';
import { call, isError } from './client';
import { refetchGroups, removeFromCache } from './folderChanges';
import { keys } from './keys';
import { deletionOf, useCall } from './useCall';

function putPad(client: QueryClient, pad: Pad): void {
  client.setQueryData<Pad>(keys.pad(pad._id), pad);
  client.setQueryData<GroupAnswer>(
    keys.group(folderOf(pad)),
    (known) => known?.pads && { ...known, pads: { ...known.pads, [pad._id]: pad } },
  );
}

/** Reads folders and their pads again after pads were created, removed or changed. */
function refetchPads(client: QueryClient, ...groups: readonly string[]): void {
  refetchGroups(client, ...groups);
  void client.invalidateQueries({ queryKey: keys.everyPad });
}

function dropPad(client: QueryClient, id: string): void {
  client.setQueriesData<GroupAnswer>(
    { queryKey: keys.everyGroup },
    (known) => known && withoutPad(known, id),
  );
  removeFromCache(client, keys.pad(id));
}

function withoutPad(answer: GroupAnswer, id: string): GroupAnswer {
  if (answer.pads?.[id] === undefined || !('_id' in answer.value)) return answer;
  const { [id]: _gone, ...pads } = answer.pads;
  return { ...answer, pads, value: { ...answer.value, pads: answer.value.pads.filter((pad) => pad !== id) } };
}

/** A change that is answered with the pad. `refetch` reads again what it may change elsewhere. */
function usePadChange<Input>(send: (input: Input) => Promise<{ value: Pad }>, refetch: typeof refetchGroups) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (input: Input) => (await send(input)).value,
    onSuccess: (pad) => {
      putPad(client, pad);
      refetch(client, folderOf(pad));
    },
  });
}

/** Creates a pad in the folder `group` and returns it. */
export const useCreatePad = () =>
  usePadChange((body: PadCreation) => call('POST /pad', { body }), refetchGroups);

/** Makes a copy of the pad `id` in the same folder and returns it. */
export const useDuplicatePad = () =>
  usePadChange(
    ({ id, name }: { id: string; name: string }) =>
      call('POST /pad/{id}/duplicate', { params: { id }, body: { name } }),
    refetchGroups,
  );

/** Changes a pad. Fields that are missing in `body` keep their values. */
export const useUpdatePad = (id: string) =>
  usePadChange((body: PadChange) => call('PUT /pad/{id}', { params: { id }, body }), refetchPads);

/** Removes a pad's chat messages. */
export const useRemoveChatHistory = () =>
  useCall((id: string) => call('DELETE /pad/chathistory/{id}', { params: { id } }));

/** Progress of a sequence of calls. */
export interface Progress {
  done: number;
  total: number;
}

/** Result of a sequence of calls: the ids that succeeded, and those that failed with the error. */
export interface BulkResult {
  done: string[];
  failed: { id: string; error: Error }[];
}

/**
 * Makes calls one after another. A failure does not stop the rest, unless the others would fail too: when the session
 * has ended, or the server cannot be reached.
 */
export async function inSequence(
  ids: readonly string[],
  action: (id: string) => Promise<unknown>,
  report: (progress: Progress) => void = ignore,
): Promise<BulkResult> {
  const result: BulkResult = { done: [], failed: [] };
  let hopeless: Error | undefined;
  for (const id of ids) {
    report({ done: result.done.length + result.failed.length, total: ids.length });
    const error = hopeless ?? (await action(id).then(() => undefined, asError));
    if (error === undefined) result.done.push(id);
    else result.failed.push({ id, error });
    if (isError(error, 'CLIENT.ERROR.NETWORK', 'BACKEND.ERROR.AUTHENTICATION.NOT_AUTH')) hopeless = error;
  }
  return result;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** The pads, and a callback for the progress. */
export interface Bulk {
  ids: readonly string[];
  report?: (progress: Progress) => void;
}

/** Removes pads of a folder one after another. Never rejects: the result contains the failures. */
export function useRemovePads() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ ids, report }: Bulk & { group: string }): Promise<BulkResult> =>
      inSequence(ids, (id) => deletionOf(id, call('DELETE /pad/{id}', { params: { id } })), report),
    onSuccess: ({ done }, { group }) => {
      for (const id of done) dropPad(client, id);
      refetchGroups(client, group);
    },
  });
}

/** The pads, their folder, and the target folder. */
export interface Moving extends Bulk {
  from: string;
  target: string;
}

/** Moves pads to another folder one after another. Never rejects: the result contains the failures. */
export function useMovePads() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ ids, target, report }: Moving): Promise<BulkResult> =>
      inSequence(ids, (id) => call('PUT /pad/{id}', { params: { id }, body: { group: target } }), report),
    onSuccess: ({ done }, { from, target }) => {
      for (const id of done) dropPad(client, id);
      refetchPads(client, from, target);
    },
  });
}

function ignore(): void {}
