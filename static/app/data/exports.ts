/** Exports that the caller has asked for, and their files. */
import { useQuery } from '@tanstack/react-query';
import type { ErrorAnswer } from '../../../api/answers';
import type { InputOf } from '../../../api/calls';
import type { ExportAnswer } from '../../../api/export/schema';
import { saveFile } from '../lib/saveFile';
import { base } from '../navigation/location';
import { ApiError, type CallName, call, isError, isMissing } from './client';
import { keys } from './keys';
import { bearer } from './session';
import { unlessEnded, useCall } from './useCall';

/** In whose name calls are made: of the person, or of the server administrator. */
export interface ExportCaller {
  kind: 'person' | 'administrator';
  call: typeof call;
  token(): string | null;
}

export const asPerson: ExportCaller = { kind: 'person', call, token: bearer };

export type ExportInput = InputOf<'POST /exports'>['body'];

/** Milliseconds. */
const lookEvery = 2_000;

const isWorking = (value: ExportAnswer | undefined): boolean => value?.state === 'working';

/** An export of the person; read again while it is being made. */
export function useExport({ kind, call: send }: ExportCaller, id: string) {
  return useQuery({
    queryKey: keys.export(kind, id),
    queryFn: async ({ signal }) => (await send('GET /exports/{id}', { params: { id }, signal })).value,
    refetchInterval: ({ state }) => isWorking(state.data) && !isMissing(state.error) && lookEvery,
    gcTime: 0,
  });
}

export function useExports({ kind, call: send }: ExportCaller) {
  return useQuery({
    queryKey: keys.exports(kind),
    queryFn: async ({ signal }) => (await send('GET /exports', { signal })).value,
    refetchInterval: ({ state }) => (state.data?.some(isWorking) ?? false) && lookEvery,
    gcTime: 0,
  });
}

export const useStartExport = ({ kind, call: send }: ExportCaller) =>
  useCall(async (body: ExportInput) => (await send('POST /exports', { body })).value, keys.exports(kind));

export const useRemoveExport = ({ kind, call: send }: ExportCaller) =>
  useCall(
    (id: string) => send('DELETE /exports/{id}', { params: { id } }).catch(unlessEnded),
    keys.exports(kind),
  );

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Not made by `call`, because it answers no JSON. The build finds the texts of its errors by this name. */
const fileCall = 'GET /exports/{id}/file' satisfies CallName;

/** Saves the file. Waits while the server makes it again. */
async function download({ call: send, token }: ExportCaller, id: string, name: string): Promise<void> {
  const path = fileCall.replace('GET ', '').replace('{id}', encodeURIComponent(id));
  for (;;) {
    // It notices that the export or the session has ended.
    await send('GET /exports/{id}', { params: { id } });
    const answer = await fetch(`${base}api${path}`, {
      headers: { Authorization: `Bearer ${token()}` },
      cache: 'no-store',
    }).catch(() => {
      throw new ApiError('CLIENT.ERROR.NETWORK');
    });
    if (answer.ok) {
      saveFile(await answer.blob(), `${name}.zip`);
      return;
    }
    const { error }: Partial<ErrorAnswer> = await answer.json().catch(() => ({}));
    if (error !== 'BACKEND.ERROR.SERVER.BUSY')
      throw new ApiError(error ?? 'CLIENT.ERROR.ANSWER', answer.status);
    await pause(lookEvery);
  }
}

export const useDownload = (caller: ExportCaller) =>
  useCall(({ id, name }: { id: string; name: string }) => download(caller, id, name));

/** Exports that are on the screen, so that no message about them is needed. */
const shown = new Map<string, number>();

/** Call it when an export appears on the screen. Returns what to call when it is gone. */
export function exportShown(id: string): () => void {
  shown.set(id, (shown.get(id) ?? 0) + 1);
  return () => void shown.set(id, (shown.get(id) ?? 1) - 1);
}

/** Calls `tell` when the export has ended and is not on the screen, wherever in the app the person is then. */
export async function watchExport(
  { call: send }: ExportCaller,
  id: string,
  tell: (value: ExportAnswer) => void,
): Promise<void> {
  for (;;) {
    await pause(lookEvery);
    // The screen reads it itself.
    if ((shown.get(id) ?? 0) > 0) continue;
    try {
      const { value } = await send('GET /exports/{id}', { params: { id } });
      if (isWorking(value)) continue;
      if ((shown.get(id) ?? 0) === 0) tell(value);
      return;
    } catch (error) {
      if (!isError(error, 'CLIENT.ERROR.NETWORK', 'CLIENT.ERROR.TIMEOUT', 'BACKEND.ERROR.SERVER.BUSY'))
        return;
    }
  }
}
