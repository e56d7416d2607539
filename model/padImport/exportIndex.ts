/** The `index.json` of an export of ep_mypads. It may be made by anybody, so only what is checked here is used. */
import * as z from 'zod';
import { MyPadsError } from '../errors';
import { jsonPieces, type PieceBounds } from '../jsonPieces';
import { exportLimits, limits, zipLimits } from '../limits';
import { visibilities } from '../store/entities';
import { nextSlice, sliceUsed } from '../store/timeSlice';
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

const isOurs = z.object({ format: z.literal('ep_mypads') });
const head = z.object({ version: z.literal(1) });
const indexedPad = z.object({ name: text, template: z.boolean().default(false), files });
const indexedFolder = z.object({
  name: text,
  description: text.default(''),
  tags: z.array(text).max(1_000).default([]),
  visibility: z.enum(visibilities).default('restricted'),
});

export interface ExportedFolder extends z.infer<typeof indexedFolder> {
  pads: z.infer<typeof indexedPad>[];
  /** How many people the index names. */
  people: number;
}

/** More in one pad, or in one field of a folder, is not of ep_mypads. */
const bounds: PieceBounds = { marks: 3_000, depth: 10 };
const mostFields = 100;

type JsonFields = ReadonlyMap<string | undefined, string>;

/** The fields of an object, as JSON. Of those with the same name the last counts, as in `JSON.parse`. */
function fieldsOf(json: string): JsonFields {
  const fields = new Map<string | undefined, string>();
  for (const piece of jsonPieces(json)) {
    fields.set(piece.name, piece.json);
    if (fields.size > mostFields) throw new SyntaxError('too many fields');
  }
  return fields;
}

/** The values of those of these fields that the object has. */
function valuesOf(fields: JsonFields, names: readonly string[]): object {
  const values = names.flatMap((name) =>
    [...jsonPieces(`[${fields.get(name) ?? ''}]`, bounds)].map(({ json }) => [name, JSON.parse(json)]),
  );
  return Object.fromEntries(values);
}

/** Visits the values of a list, in slices. */
async function eachOf(
  list: string | undefined,
  most: PieceBounds | undefined,
  visit: (json: string) => Promise<void> | void,
): Promise<void> {
  if (list?.trimStart().startsWith('[') !== true) throw new SyntaxError('no list');
  for (const { json } of jsonPieces(list, most)) {
    const visited = visit(json);
    if (visited) await visited;
    if (sliceUsed()) await nextSlice();
  }
}

/** Reads one folder after the other. */
class FolderReader {
  readonly folders: ExportedFolder[] = [];
  private pads = 0;
  private tags = 0;

  async read(json: string): Promise<void> {
    const fields = fieldsOf(json);
    const folder = indexedFolder.parse(valuesOf(fields, Object.keys(indexedFolder.shape)));
    this.tags += folder.tags.length;
    if (this.folders.length >= exportLimits.pads || this.tags > zipLimits.pads * limits.tags)
      throw new MyPadsError('BACKEND.ERROR.IMPORT.INDEX');
    const pads: ExportedFolder['pads'] = [];
    await eachOf(fields.get('pads'), bounds, (pad) => {
      this.pads += 1;
      if (this.pads > exportLimits.pads) throw tooLarge('pads');
      pads.push(indexedPad.parse(JSON.parse(pad)));
    });
    let people = 0;
    await eachOf(fields.get('people') ?? '[]', bounds, () => {
      people += 1;
    });
    this.folders.push({ ...folder, pads, people });
  }
}

/** `undefined` if it is not JSON, or about something else. */
function fieldsOfIndex(json: string): JsonFields | undefined {
  try {
    const fields = fieldsOf(json);
    return isOurs.safeParse(valuesOf(fields, ['format'])).success ? fields : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The folders; `undefined` if the file is about something else. Throws IMPORT.INDEX for an index that cannot be used,
 * IMPORT.TOO_LARGE for one with too much.
 */
export async function readExportIndex(bytes: Buffer): Promise<ExportedFolder[] | undefined> {
  if (bytes.length > zipLimits.index) throw tooLarge('entry');
  const fields = fieldsOfIndex(bytes.toString('utf8'));
  if (fields === undefined) return undefined;
  const reader = new FolderReader();
  try {
    head.parse(valuesOf(fields, Object.keys(head.shape)));
    await eachOf(fields.get('folders'), undefined, (folder) => reader.read(folder));
  } catch (error) {
    throw error instanceof MyPadsError ? error : new MyPadsError('BACKEND.ERROR.IMPORT.INDEX');
  }
  return reader.folders;
}
