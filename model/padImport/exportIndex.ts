/** The `index.json` of an export of ep_mypads. It may be made by anybody, so only what is checked here is used. */
import * as z from 'zod';
import { MyPadsError } from '../errors';
import { visibilities } from '../store/entities';

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
        people: z.array(z.unknown()).default([]),
        pads: z.array(z.object({ name: text, template: z.boolean().default(false), files })).max(100_000),
      }),
    )
    .max(100_000),
});
export type ExportIndex = z.infer<typeof exportIndex>;

/** `undefined` if the file is about something else. Throws IMPORT.INDEX for an index that cannot be used. */
export function readExportIndex(bytes: Buffer): ExportIndex | undefined {
  let content: unknown;
  try {
    content = JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
  if ((content as { format?: unknown } | null)?.format !== 'ep_mypads') return undefined;
  const checked = exportIndex.safeParse(content);
  if (!checked.success) throw new MyPadsError('BACKEND.ERROR.IMPORT.INDEX');
  return checked.data;
}
