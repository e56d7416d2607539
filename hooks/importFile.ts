/**
 * Checks the size and the records of imported files. Etherpad is blocked for minutes by a file of 50 MB. 1.8.14 writes
 * records of an .etherpad file under any key, even a session or no key at all, and exits over malformed ones.
 */
import { readFile, stat, writeFile } from 'node:fs/promises';
import { authorCookie } from '../host/authorToken';
import { isWithinPadLimits } from '../host/bounds';
import { readEtherpadFile } from '../host/etherpadFile';
import { isSmallHtml } from '../host/importedHtml';
import { convertsDocuments } from '../host/settings';
import { importLimits } from '../model/limits';
import { readCookie } from '../web/cookie';
import { entryCookie } from '../web/entryCookie';
import { identityOf } from './identity';
import { importRequest, isImportAllowed, noteImportError, noteUpload } from './importAnswer';
import { currentRuntime, type Runtime } from './runtime';

/** Office formats. `soffice` or `abiword` converts them; Etherpad 3.x reads some of them itself. */
const officeFormats = ['.doc', '.docx', '.odt', '.pdf', '.rtf'];

function tooLarge(fileEnding: string): Error {
  noteImportError('maxFileSize');
  currentRuntime()?.log.warn('import too large', { format: fileEnding.slice(0, 20) });
  return new Error('import refused: the file is too large');
}

/** The text of an imported file. Throws if it has more bytes than `limit`. */
async function readUpload(file: string, fileEnding: string, limit: number): Promise<string> {
  if ((await stat(file)).size > limit) throw tooLarge(fileEnding);
  return readFile(file, 'utf8');
}

/** The authors of the person or guest who imports. */
async function ownAuthors(runtime: Runtime): Promise<string[]> {
  const request = importRequest();
  if (!request) return [];
  const token = authorCookie(request);
  const ofToken = token === undefined ? undefined : await runtime.authors.ofToken(token);
  const visitor = await runtime.model.padAccess.visitor(readCookie(request.headers.cookie, entryCookie));
  const identity = await identityOf(runtime, visitor);
  return [...(identity?.user.authors ?? []), ...(ofToken === undefined ? [] : [ofToken])];
}

/** Checks a file in Etherpad's own format. Returns its new content if some of it must not be imported as it is. */
async function checkEtherpadFile(runtime: Runtime, content: string): Promise<string | undefined> {
  const authors = { own: await ownAuthors(runtime), known: runtime.authors.known };
  const file = await readEtherpadFile(content, authors, runtime.log);
  if ('refused' in file) throw new Error(`import refused: ${file.refused}`);
  return file.isChanged ? JSON.stringify(file.records) : undefined;
}

/**
 * Etherpad calls this before it imports a file. It imports nothing if this throws. What a program makes of an office
 * document is not checked, because it is converted after this.
 */
export async function importFile(
  _name: string,
  { srcFile, destFile, fileEnding }: { srcFile: string; destFile: string; fileEnding: string },
): Promise<undefined> {
  const runtime = currentRuntime();
  if (!runtime) throw new Error('import refused: every pad is closed');
  const isEtherpadFile = fileEnding === '.etherpad';
  noteUpload({
    files: [srcFile, destFile],
    ...(isEtherpadFile && { error: 'uploadFailed', isSilent: true }),
  });
  if (!(await isImportAllowed())) {
    noteImportError('uploadFailed');
    throw new Error('import refused: its sender may not write in the pad any more');
  }
  if (isEtherpadFile) {
    const content = await readUpload(srcFile, fileEnding, importLimits.etherpad);
    const changed = await checkEtherpadFile(runtime, content);
    // Etherpad reads the file after this.
    if (changed !== undefined) await writeFile(srcFile, changed);
  } else if (fileEnding === '.html' || fileEnding === '.htm') {
    const html = await readUpload(srcFile, fileEnding, importLimits.html);
    if (!(await isSmallHtml(html))) throw tooLarge(fileEnding);
  } else if (!convertsDocuments() || !officeFormats.includes(fileEnding)) {
    const text = await readUpload(srcFile, fileEnding, importLimits.text);
    if (!isWithinPadLimits(text)) throw tooLarge(fileEnding);
  }
}
