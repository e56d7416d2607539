/** Calls that make folders and pads of the files in a ZIP. People from a file are in api/import/. */
import * as z from 'zod';
import { limits } from '../../model/limits';
import { fileFaults, padFormats } from '../../model/padImport/files';
import { importStates } from '../../model/padImport/padImports';
import { success } from '../answers';
import { details, type InputSchema } from '../declaration';
import { byId, id } from '../group/schema';
import { yesOrNo } from '../middleware/query';

const choices = {
  query: z.strictObject({
    group: id.optional().describe('Makes the pads in this group. Without it, groups are made'),
    name: z
      .string()
      .max(limits.id)
      .optional()
      .describe('The name of the ZIP, for the group of files that are in no folder'),
    folderNames: yesOrNo().describe(
      'With `group`: the names of pads begin with those of their folders. Default: true',
    ),
    preview: yesOrNo().describe('Only answers what would be made'),
  }),
} satisfies InputSchema;

const skipped = z.array(z.strictObject({ path: z.string(), fault: z.enum(fileFaults) }));

const planned = z.strictObject({
  key: z.string().nullable().describe('Id of the import that has begun; `null` with `preview`'),
  folders: z
    .array(
      z.strictObject({
        name: z.string(),
        wasOpen: z
          .enum(['private', 'public'])
          .nullable()
          .describe('The visibility that it had. Groups that are made are restricted'),
        people: z.int().describe('How many people it had. They are not added'),
        pads: z.array(z.strictObject({ name: z.string(), format: z.enum(padFormats) })),
      }),
    )
    .describe('With `group`: the folders in the ZIP, of which no groups are made'),
  skipped: skipped.describe('Files of which nothing is made, and why: at most 200'),
  skippedCount: z.int(),
});
export type PlannedImport = z.infer<typeof planned>;

const progress = z.strictObject({
  key: z.string(),
  state: z.enum(importStates),
  done: z.int().describe('Files that are done, of `total`'),
  total: z.int(),
  groups: z.array(z.strictObject({ _id: z.string(), name: z.string() })).describe('Those that were made'),
  pads: z.array(z.strictObject({ _id: z.string(), name: z.string(), group: z.string() })),
  failed: skipped,
});
export type ImportProgress = z.infer<typeof progress>;

export const create = details({
  upload: true,
  input: { ...choices, errors: { group: 'BACKEND.ERROR.TYPE.PARAM_STR' } },
  answer: planned,
  errors: [
    'BACKEND.ERROR.IMPORT.NOT_ZIP',
    'BACKEND.ERROR.IMPORT.ENCRYPTED',
    'BACKEND.ERROR.IMPORT.UNSAFE',
    'BACKEND.ERROR.IMPORT.TOO_LARGE',
    'BACKEND.ERROR.IMPORT.INDEX',
    'BACKEND.ERROR.IMPORT.NOTHING',
    'BACKEND.ERROR.IMPORT.RUNNING',
    'BACKEND.ERROR.PERMISSION.TOO_MANY',
  ],
});
export const read = details({ input: byId, answer: progress });
export const cancel = details({ input: byId, answer: z.strictObject({ success, key: z.string() }) });
