/** Making folders and pads of files. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ImportProgress } from '../../../api/padImport/schema';
import { call, isMissing } from './client';
import { refetchGroups } from './folderChanges';
import { keys } from './keys';
import { useCall } from './useCall';

/** What the person has chosen. */
export interface ImportChoices {
  zip: Blob;
  /** For the folder of files that are in none. */
  name: string;
  /** Where the pads are made; `undefined`: in new folders. */
  group: string | undefined;
  folderNames: boolean;
}

/** Milliseconds. 50 MB take that long over a slow line. */
const uploadLimit = 600_000;
const pollEvery = 1_000;

const send = ({ zip, ...query }: ImportChoices, preview: boolean, signal?: AbortSignal) =>
  call('POST /imports', { query: { ...query, preview }, upload: zip, timeout: uploadLimit, signal });

/** What would be made. `choices`: `undefined` while nothing is chosen. */
export const useImportPreview = (choices: ImportChoices | undefined, version: number) =>
  useQuery({
    queryKey: ['importPreview', version, choices?.group, choices?.folderNames],
    queryFn: ({ signal }) => send(choices as ImportChoices, true, signal),
    enabled: choices !== undefined,
    // What is shown stays, with the control that was used, until the next answer.
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
    // The files are sent again only if that has failed.
    staleTime: ({ state }) => (state.data === undefined ? 0 : 'static'),
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  });

/** Begins an import, and returns its id. */
export const useBeginImport = () =>
  useCall(async (choices: ImportChoices) => (await send(choices, false)).key ?? '');

/** How far an import is, until it has ended. */
export function useImportProgress(id: string) {
  const client = useQueryClient();
  return useQuery({
    queryKey: keys.import(id),
    queryFn: async ({ signal }): Promise<ImportProgress> => {
      const progress = await call('GET /imports/{id}', { params: { id }, signal });
      if (progress.state !== 'running') refetchGroups(client, ...progress.pads.map(({ group }) => group));
      return progress;
    },
    refetchInterval: ({ state }) => state.data?.state === 'running' && !isMissing(state.error) && pollEvery,
  });
}

export const useCancelImport = (id: string) =>
  useCall(() => call('DELETE /imports/{id}', { params: { id } }), keys.import(id));
