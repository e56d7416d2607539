/** Makes folders and pads of the files in a ZIP. People from a file are in api/import/. */
import { MyPadsError } from '../../model/errors';
import { limits } from '../../model/limits';
import type { Examined, ImportRecord } from '../../model/padImport/padImports';
import type { Handlers } from '../calls';
import { callerFacts, eventActorOf } from '../middleware/caller';
import type { Services } from '../services';
import type { ImportProgress, PlannedImport } from './schema';

function presentPlan(key: string | null, { folders, pads, skipped }: Examined): PlannedImport {
  const shown = folders.map(({ name, wasOpen, people }) => ({
    name,
    wasOpen,
    people,
    pads: [] as PlannedImport['folders'][number]['pads'],
  }));
  for (const { name, format, folder } of pads) shown[folder]?.pads.push({ name, format });
  return {
    key,
    folders: shown.filter((folder) => folder.pads.length > 0),
    skipped: skipped.slice(0, limits.previewed),
    skippedCount: skipped.length,
  };
}

const presentProgress = ({ _id, begun: _, ...record }: ImportRecord): ImportProgress => ({
  key: _id,
  ...record,
});

export const padImportHandlers = (services: Services) => {
  const { padImports, log } = services.model;
  return {
    async 'POST /imports'({ caller: { actor }, query }, request) {
      const { group, name = '', folderNames = true, preview = false } = query;
      const { upload } = request;
      if (!upload) throw new MyPadsError('BACKEND.ERROR.IMPORT.NOT_ZIP');
      const importer = { id: actor.id, by: eventActorOf(request) };
      const choices = { target: group, name: name.replace(/\.zip$/i, ''), folderNames };
      const plan = await padImports.examine(upload.file, importer, choices);
      if (preview) return presentPlan(null, plan);
      if (plan.pads.length === 0) throw new MyPadsError('BACKEND.ERROR.IMPORT.NOTHING');
      const key = await padImports.begin(upload, importer, choices, plan.total);
      log.info('import of pads begun', { import: key, pads: plan.pads.length, ...callerFacts(request) });
      return presentPlan(key, plan);
    },

    'GET /imports/{id}': ({ padImport }) => presentProgress(padImport),

    async 'DELETE /imports/{id}'({ caller: { actor }, params: { id } }) {
      await padImports.cancel(actor.id);
      return { success: true as const, key: id };
    },
  } satisfies Partial<Handlers>;
};
