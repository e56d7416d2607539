/** Which folders and pads are made of the files of a ZIP. The same ZIP and choices always give the same plan. */
import { cutText } from '../cutText';
import { limits, zipLimits } from '../limits';
import type { Visibility } from '../store/entities';
import { nextSlice, sliceUsed } from '../store/timeSlice';
import { type ExportedFiles, type ExportedFolder, readExportIndex } from './exportIndex';
import { type FileFault, formatOf, isIgnored, type PadFormat } from './files';
import { tooLarge, type Zip, type ZipEntry } from './zip';

export interface PlanChoices {
  /** Pads are made in this group; without it, folders are made. */
  target?: string | undefined;
  /** In a target: the name of a pad begins with that of its folder in the ZIP. */
  folderNames: boolean;
  /** The name of the ZIP: of the folder for files that are in none. */
  name: string;
}

/** One of the files of which a pad can be made. */
export interface PadFile {
  entry: ZipEntry;
  format: PadFormat;
}

export interface PlannedPad {
  name: string;
  /** The place of its folder in `folders`. */
  folder: number;
  /** The best is first; another one is used if that cannot be read. */
  files: PadFile[];
  template: boolean;
}

export interface PlannedFolder {
  name: string;
  description: string;
  tags: string[];
  /** It was open to more people than the folder that is made. */
  wasOpen: Exclude<Visibility, 'restricted'> | null;
  /** How many people the index names. They are not added. */
  people: number;
}

export interface SkippedFile {
  path: string;
  fault: FileFault;
}

export interface Plan {
  /** With a target, the folders of the ZIP, of which none is made. */
  folders: PlannedFolder[];
  pads: PlannedPad[];
  skipped: SkippedFile[];
}

/** Not more than so many characters (UTF-16). */
const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${cutText(text, most - 1)}\u2026`;

/**
 * A text of one line with at most so many characters. It is cut before, because the normal form of 10,000 accents takes
 * a tenth of a second; of a letter and its accents, one character may be left.
 */
function oneLine(text: string, most: number): string {
  const normal = cutText(text.trimStart(), 4 * most).normalize('NFC');
  return cut(normal.replace(/[\s\p{Cc}]+/gu, ' ').trim(), most);
}

/** A name for a folder or a pad. */
const nameOf = (text: string, otherwise: string): string => oneLine(text, limits.name) || otherwise;

/** The name of the file is kept as far as possible, because the names of the folders repeat. */
function prefixed(prefix: string, name: string): string {
  const room = limits.name - name.length - 3;
  return room < 5 ? name : `${cut(prefix, room)} / ${name}`;
}

const withoutEnding = (path: string): string =>
  (path.split('/').at(-1) ?? path).replace(/(?!^)\.[^./]+$/, '');

const newFolder = (name: string): PlannedFolder => ({
  name: nameOf(name, 'Import'),
  description: '',
  tags: [],
  wasOpen: null,
  people: 0,
});

async function planFiles(
  entries: Zip['entries'],
  choices: PlanChoices,
  convertible: readonly string[],
): Promise<Plan> {
  const plan: Plan = { folders: [], pads: [], skipped: [] };
  const places = new Map<string, number>();
  for (const entry of entries) {
    const { path } = entry;
    const known = formatOf(path, convertible);
    if ('fault' in known) {
      plan.skipped.push({ path, fault: known.fault });
      continue;
    }
    const place = path.split('/').slice(0, -1).join('/');
    let folder = places.get(place);
    if (folder === undefined) {
      folder = plan.folders.push(newFolder(place === '' ? choices.name : place.replaceAll('/', ' / '))) - 1;
      places.set(place, folder);
    }
    const own = nameOf(withoutEnding(path), 'Pad');
    const isPrefixed = choices.target !== undefined && choices.folderNames && place !== '';
    const name = isPrefixed ? prefixed(plan.folders[folder]?.name ?? '', own) : own;
    plan.pads.push({ name, folder, files: [{ entry, format: known.format }], template: false });
    if (sliceUsed()) await nextSlice();
  }
  return plan;
}

/** History and authors are kept only by the first. */
const order = ['etherpad', 'html', 'text', 'markdown'] as const satisfies readonly (keyof ExportedFiles)[];

async function planExport(
  exported: readonly ExportedFolder[],
  { entries: all, root }: { entries: Zip['entries']; root: string },
  choices: PlanChoices,
): Promise<Plan> {
  const entries = new Map(all.map((entry) => [entry.path.slice(root.length), entry]));
  const plan: Plan = { folders: [], pads: [], skipped: [] };
  const isPrefixed = choices.target !== undefined && choices.folderNames && exported.length > 1;
  for (const { name, description, tags, visibility, people, pads } of exported) {
    const made = newFolder(name);
    const folder = plan.folders.push({
      ...made,
      description: cutText(description, limits.description),
      tags: [...new Set(tags.map((tag) => oneLine(tag, limits.tag)))].filter(Boolean).slice(0, limits.tags),
      wasOpen: visibility === 'restricted' ? null : visibility,
      people,
    });
    for (const pad of pads) {
      const files = order.flatMap((format) => {
        const path = pad.files[format] ?? '';
        const entry = entries.get(path);
        // Each file is for one pad: a thousand pads of one large file would fill the disk.
        entries.delete(path);
        return entry ? [{ entry, format }] : [];
      });
      if (sliceUsed()) await nextSlice();
      const own = nameOf(pad.name, 'Pad');
      const padName = isPrefixed ? prefixed(made.name, own) : own;
      if (files.length === 0) plan.skipped.push({ path: own, fault: 'missing' });
      else plan.pads.push({ name: padName, folder: folder - 1, files, template: pad.template });
    }
  }
  return plan;
}

/** The folder that has all files: an export is in one if somebody has unpacked it. */
function rootOf(entries: Zip['entries']): string {
  const [root = ''] = /^[^/]+\//.exec(entries[0]?.path ?? '') ?? [];
  return entries.every(({ path }) => path.startsWith(root)) ? root : '';
}

/** `convertible`: the endings of documents that Etherpad converts. Throws IMPORT.*. */
export async function planImport(
  zip: Zip,
  choices: PlanChoices,
  convertible: readonly string[],
): Promise<Plan> {
  const entries = zip.entries.filter(({ path }) => !isIgnored(path));
  const root = rootOf(entries);
  const index = entries.find(({ path }) => path === `${root}index.json`);
  const exported = index && (await readExportIndex(await zip.read(index)));
  const plan = await (exported
    ? planExport(exported, { entries, root }, choices)
    : planFiles(entries, choices, convertible));
  if (plan.pads.length > zipLimits.pads) throw tooLarge('pads');
  if (choices.target === undefined && plan.folders.length > zipLimits.folders) throw tooLarge('folders');
  return plan;
}
