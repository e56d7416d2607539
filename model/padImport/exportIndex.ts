/** The `index.json` of an export of ep_mypads. It may be made by anybody, so only what is checked here is used. */
import * as z from 'zod';
import { MyPadsError } from '../errors';
import { exportLimits, limits, zipLimits } from '../limits';
import { visibilities } from '../store/entities';
import { tooLarge } from './zip';

const path = z.string().max(1_000);
const text = z.string().max(10_000);

const files = z.object({
  etherpad: path.optional(),
  html: path.optional(),
  text: path.optional(),
  markdown: path.optional(),
});
export type ExportedFiles = z.infer<typeof files>;

const exportIndex = z.object({
  format: z.literal('ep_mypads'),
  version: z.literal(1),
  folders: z
    .array(
      z.object({
        name: text,
        description: text.default(''),
        tags: z.array(text).max(1_000).default([]),
        visibility: z.enum(visibilities).default('restricted'),
        people: z.custom<unknown[]>(Array.isArray).default([]),
        pads: z
          .array(z.object({ name: text, template: z.boolean().default(false), files }))
          .max(exportLimits.pads),
      }),
    )
    .max(exportLimits.pads),
});
export type ExportIndex = z.infer<typeof exportIndex>;

/** Entries of all lists of this name in the folders. */
function countOf(content: object, name: 'pads' | 'tags'): number {
  const { folders } = content as { folders?: unknown };
  const lists = (Array.isArray(folders) ? folders : []).map((folder) => folder?.[name]);
  return lists.reduce((sum, list) => sum + (Array.isArray(list) ? list.length : 0), 0);
}

/**
 * `undefined` if the file is about something else. Throws IMPORT.INDEX for an index that cannot be used,
 * IMPORT.TOO_LARGE for one that takes long to check: the server does nothing else meanwhile.
 */
export function readExportIndex(bytes: Buffer): ExportIndex | undefined {
  if (bytes.length > zipLimits.index) throw tooLarge('entry');
  let content: unknown;
  try {
    content = JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
  if ((content as { format?: unknown } | null)?.format !== 'ep_mypads') return undefined;
  if (countOf(content as object, 'pads') > exportLimits.pads) throw tooLarge('pads');
  if (countOf(content as object, 'tags') > zipLimits.pads * limits.tags)
    throw new MyPadsError('BACKEND.ERROR.IMPORT.INDEX');
  const checked = exportIndex.safeParse(content);
  if (!checked.success) throw new MyPadsError('BACKEND.ERROR.IMPORT.INDEX');
  return checked.data;
}
