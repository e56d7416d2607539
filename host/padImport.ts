/** Makes pads of files, with the checks of files that people import into an open pad. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { MyPadsError } from '../model/errors';
import type { Fields } from '../model/fields';
import { importLimits, zipLimits } from '../model/limits';
import { openZip } from '../model/padImport/zip';
import type { EditorPads, ImportFault, ImportSource, Log } from '../model/ports';
import type { Authors } from './authors';
import { isWithinPadLimits } from './bounds';
import { core, hostMajor, pathOfModule } from './core';
import { watchDatabase } from './database';
import { readEtherpadFile } from './etherpadFile';
import { isSmallHtml } from './importedHtml';
import type { Pad, PadCore } from './padCore';
import { convertsDocuments, documentConverter } from './settings';

type Importing = Pick<EditorPads, 'convertible' | 'checkImport' | 'import'>;
type Document = ImportSource & { format: 'document' };

interface HtmlImport {
  setPadHTML(pad: Pad, html: string, author?: string): Promise<unknown>;
}

interface RawImport {
  setPadRaw(padId: string, records: string, author?: string): Promise<unknown>;
}

/** Since 3.x. */
interface HtmlRepairs {
  collapseRedundantBrAfterBlocks(html: string): string;
  separateAdjacentHeadingBlocks(html: string): string;
}

interface WordReader {
  docxBufferToHtml(bytes: Buffer): Promise<string>;
}

/** Records that are stored at once, before other work gets a turn. */
const batchSize = 100;

const wordReader = 'node/utils/ImportDocxNative';

/** Documents that are ZIPs. Etherpad 3.x unpacks one in its own process. */
const zipped = ['docx', 'odt'];

function hasModule(name: string): boolean {
  try {
    pathOfModule(name);
    return true;
  } catch {
    return false;
  }
}

const htmlRepairs = (): Partial<HtmlRepairs> =>
  hasModule('node/utils/ExportSanitizeHtml')
    ? core<Partial<HtmlRepairs>>('node/utils/ExportSanitizeHtml')
    : {};

let readsWord: boolean | undefined;

/** Whether Etherpad reads documents of Word itself. In some installations of 3.3.1, a package for it is missing. */
function hasWordReader(): boolean {
  if (readsWord !== undefined) return readsWord;
  try {
    readsWord = hasModule(wordReader) && typeof core<WordReader>(wordReader).docxBufferToHtml === 'function';
  } catch {
    readsWord = false;
  }
  return readsWord;
}

/** As Etherpad decides it for an import into an open pad. */
function convertible(): readonly string[] {
  if (convertsDocuments()) return ['doc', 'docx', 'odt', 'pdf', 'rtf'];
  return hasWordReader() ? ['docx'] : [];
}

async function checkDocument({ ending, bytes }: Document): Promise<ImportFault | undefined> {
  if (bytes.length > zipLimits.document) return 'tooLarge';
  if (!zipped.includes(ending)) return undefined;
  const { entries, documentUnpacked: most } = zipLimits;
  try {
    const zip = await openZip(bytes, { entries, unpacked: most, entry: most });
    for (const entry of zip.entries) await zip.read(entry);
    return undefined;
  } catch (error) {
    return error instanceof MyPadsError && error.status === 413 ? 'tooLarge' : 'invalid';
  }
}

/** The HTML that a program of the server makes of the document. */
async function convertedByProgram({ ending, bytes }: Document): Promise<string> {
  const { module, format } = documentConverter();
  const folder = await mkdtemp(path.join(tmpdir(), 'ep_mypads-document-'));
  try {
    const [from, to] = [path.join(folder, `document.${ending}`), path.join(folder, `converted.${format}`)];
    await writeFile(from, bytes, { mode: 0o600 });
    await core<{ convertFile(from: string, to: string, format: string): Promise<void> }>(module).convertFile(
      from,
      to,
      format,
    );
    return await readFile(to, 'utf8');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function convertedByEtherpad({ bytes }: Document): Promise<string> {
  const html = await core<WordReader>(wordReader).docxBufferToHtml(bytes);
  return htmlRepairs().separateAdjacentHeadingBlocks?.(html) ?? html;
}

/** Pictures are in the HTML. Etherpad shows none without a plugin for them. */
const withoutPictures = (html: string): string =>
  Buffer.byteLength(html) <= importLimits.html ? html : html.replace(/\bsrc=(["'])data:[^"']*\1/g, '');

async function checkHtml(html: string): Promise<ImportFault | undefined> {
  const isSmall = Buffer.byteLength(html) <= importLimits.html && (await isSmallHtml(html));
  return isSmall ? undefined : 'tooLarge';
}

async function storeRecord(
  { authors, database }: PadCore,
  padId: string,
  [key, record]: [string, unknown],
): Promise<void> {
  const [kind, id = '', ...more] = key.split(':');
  if (kind !== 'globalAuthor') await database.set([kind, padId, ...more].join(':'), record);
  else if ((await database.get(key)) as unknown) await authors.addPad(id, padId);
  else await database.set(key, { ...(record as Fields), padIDs: { [padId]: 1 } });
}

/**
 * 1.8.14 does not wait until the records are stored, and exits when one of them cannot be. It answers a write 100 ms
 * later, so many are written at once. The pad itself is stored last.
 */
async function storeRecords(core: PadCore, padId: string, records: Fields): Promise<void> {
  const isPad = ([key]: [string, unknown]): boolean => /^pad:[^:]+$/.test(key);
  const entries = Object.entries(records);
  const others = entries.filter((entry) => !isPad(entry));
  for (let start = 0; start < others.length; start += batchSize) {
    await nextTurn();
    const batch = others.slice(start, start + batchSize);
    const stored = await Promise.allSettled(batch.map((entry) => storeRecord(core, padId, entry)));
    const failed = stored.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
  }
  for (const entry of entries.filter(isPad)) await storeRecord(core, padId, entry);
}

export class PadImport implements Importing {
  convertible = convertible;

  constructor(
    private readonly core: PadCore,
    private readonly context: { authors: Pick<Authors, 'known'>; log: Log },
  ) {}

  checkImport = async (source: ImportSource, own: readonly string[]): Promise<ImportFault | undefined> => {
    if (source.format === 'document') return checkDocument(source);
    const { format, text } = source;
    if (format === 'html') return checkHtml(text);
    if (format === 'text') return isWithinPadLimits(text) ? undefined : 'tooLarge';
    if (text.length > importLimits.etherpad) return 'tooLarge';
    return (await this.recordsOf(text, own)) === undefined ? 'invalid' : undefined;
  };

  import = async (
    padId: string,
    source: ImportSource,
    own: readonly string[],
  ): Promise<ImportFault | undefined> => {
    const fault = await this.checkImport(source, own);
    if (fault !== undefined) return fault;
    const hasFailed = watchDatabase();
    try {
      return await this.make(padId, source, own);
    } catch (error) {
      // The file is not at fault. Whoever imports it tries again.
      if (hasFailed()) throw error;
      this.context.log.warn('file not imported', { pad: padId, format: source.format, error: String(error) });
      return 'invalid';
    } finally {
      // Hundreds of pads that nobody has open would stay in memory.
      this.core.manager.unloadPad(padId);
    }
  };

  private async recordsOf(text: string, own: readonly string[]): Promise<Fields | undefined> {
    const { authors, log } = this.context;
    const file = await readEtherpadFile(text, { own, known: authors.known }, log);
    return 'refused' in file ? undefined : file.records;
  }

  private async make(
    padId: string,
    source: ImportSource,
    own: readonly string[],
  ): Promise<ImportFault | undefined> {
    const { manager } = this.core;
    if (source.format === 'text') {
      const pad = await manager.getPad(padId, '');
      await pad.setText(source.text);
      return undefined;
    }
    if (source.format === 'etherpad') return this.makeOfRecords(padId, source.text, own);
    const html = source.format === 'document' ? await this.converted(source) : source.text;
    const fault = await checkHtml(html);
    if (fault !== undefined) return fault;
    const cleaned = htmlRepairs().collapseRedundantBrAfterBlocks?.(html) ?? html;
    await core<HtmlImport>('node/utils/ImportHtml').setPadHTML(await manager.getPad(padId, ''), cleaned, '');
    return undefined;
  }

  private async converted(document: Document): Promise<string> {
    const isNative = !convertsDocuments();
    return withoutPictures(await (isNative ? convertedByEtherpad(document) : convertedByProgram(document)));
  }

  private async makeOfRecords(
    padId: string,
    text: string,
    own: readonly string[],
  ): Promise<ImportFault | undefined> {
    const records = await this.recordsOf(text, own);
    if (records === undefined) return 'invalid';
    if (hostMajor() === 1) await storeRecords(this.core, padId, records);
    else await core<RawImport>('node/utils/ImportEtherpad').setPadRaw(padId, JSON.stringify(records), '');
    // Adds it to Etherpad's list of pads.
    await this.core.manager.getPad(padId);
    return undefined;
  }
}
