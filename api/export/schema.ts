/** Calls about exports. */
import * as z from 'zod';
import { exportFormats } from '../../model/exports/exportRecords';
import { limits } from '../../model/limits';
import { errorKey, keyAnswer, success, time } from '../answers';
import { details } from '../declaration';
import { byId, id } from '../group/schema';

const ownExport = z
  .strictObject({
    _id: z.string(),
    about: z.enum(['pads', 'group', 'account']),
    name: z
      .string()
      .nullable()
      .describe('Of the group, of the pad if it is one, or the username; `null` for several pads'),
    created: time,
    state: z.enum(['working', 'ready', 'failed']),
    done: z.int().optional().describe('While it is being made: how many pads are in it, of `total`'),
    total: z.int().optional(),
    size: z.int().optional().describe('Bytes of the file'),
    pads: z.int().optional().describe('How many pads are in it'),
    leftOut: z.int().optional().describe('How many are not; the file says which and why'),
    until: time.optional().describe('When it is removed'),
    error: errorKey.optional().describe('Why it has failed'),
  })
  .meta({ id: 'Export' });
export type ExportAnswer = z.infer<typeof ownExport>;

export const create = details({
  input: {
    body: z.strictObject({
      pads: z.array(id).min(1).max(limits.bulk).optional().describe('Ids of pads'),
      group: id.optional().describe('The id of a group: all its pads that the caller may open'),
      me: z
        .literal(true)
        .optional()
        .describe('All data of the caller, with the pads in which they have written'),
      user: z
        .string()
        .min(1)
        .max(limits.id)
        .optional()
        .describe(
          'Only for server administrators: the same of this person, by username, email address or id',
        ),
      formats: z
        .array(z.enum(exportFormats))
        .min(1)
        .max(exportFormats.length)
        .default([...exportFormats]),
      chat: z.boolean().default(false).describe('With what others have written in the chats'),
    }),
  },
  answer: z.strictObject({ success, key: z.string(), value: ownExport }),
  errors: ['BACKEND.ERROR.EXPORT.RUNNING', 'BACKEND.ERROR.EXPORT.NOT_STORED'],
  example: { body: { group: 'class-5b-x2k3v9', formats: ['text', 'html'] } },
});
export const list = details({ answer: z.strictObject({ value: z.array(ownExport) }) });
export const read = details({ input: byId, answer: z.strictObject({ value: ownExport }) });
export const file = details({
  input: byId,
  answer: z.strictObject({}),
  file: 'application/zip',
  errors: [
    'BACKEND.ERROR.EXPORT.TOO_LARGE',
    'BACKEND.ERROR.EXPORT.NOT_STORED',
    'BACKEND.ERROR.EXPORT.FAILED',
    'BACKEND.ERROR.AUTHENTICATION.DENIED',
    'BACKEND.ERROR.USER.NOT_FOUND',
  ],
});
export const remove = details({ input: byId, answer: keyAnswer });
