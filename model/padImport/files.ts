/** Which files can become pads, and what is in them. */
import type { ImportSource } from '../ports';

/**
 * Why a file becomes no pad. `kind`: another kind of file. `zip`: a ZIP in the ZIP. `document`: an office document that
 * this Etherpad does not convert. `encoding`: not UTF-8. `missing`: only the index of an export names it.
 */
export const fileFaults = ['kind', 'zip', 'document', 'tooLarge', 'encoding', 'invalid', 'missing'] as const;
export type FileFault = (typeof fileFaults)[number];

export const padFormats = ['etherpad', 'html', 'text', 'markdown', 'document'] as const;
export type PadFormat = (typeof padFormats)[number];

/** Office documents. Which of them can be converted depends on Etherpad. */
const documents = ['doc', 'docx', 'odt', 'pdf', 'rtf'];
const archives = ['zip', '7z', 'rar', 'tar', 'gz', 'tgz', 'bz2', 'xz'];

const formats: Readonly<Record<string, PadFormat>> = {
  etherpad: 'etherpad',
  html: 'html',
  htm: 'html',
  txt: 'text',
  text: 'text',
  md: 'markdown',
  markdown: 'markdown',
};

const endingOf = (path: string): string => /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';

/** What a file becomes by its name. `convertible`: the endings of documents that this Etherpad converts. */
export function formatOf(
  path: string,
  convertible: readonly string[],
): { format: PadFormat } | { fault: FileFault } {
  const ending = endingOf(path);
  const format = Object.hasOwn(formats, ending) ? formats[ending] : undefined;
  if (format !== undefined) return { format };
  if (convertible.includes(ending)) return { format: 'document' };
  if (documents.includes(ending)) return { fault: 'document' };
  return { fault: archives.includes(ending) ? 'zip' : 'kind' };
}

/** What programs of Windows and macOS put beside files, and hidden files. Nobody needs to hear of them. */
export const isIgnored = (path: string): boolean =>
  path.split('/').some((part) => part.startsWith('.') || part === '__MACOSX') ||
  /(?:^|\/)(?:Thumbs\.db|desktop\.ini)$/i.test(path);

/** By the mark at the beginning of a file. */
const encodings: Readonly<Record<string, string>> = { fffe: 'utf-16le', feff: 'utf-16be' };

/** A text file. Windows writes UTF-16 with a mark at the beginning. `undefined` if it is neither, or has NUL. */
function textOf(bytes: Buffer): string | undefined {
  const encoding = encodings[bytes.toString('hex', 0, 2)] ?? 'utf-8';
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

/** What Etherpad gets of a file. */
export function sourceOf(path: string, format: PadFormat, bytes: Buffer): ImportSource | 'encoding' {
  if (format === 'document') return { format, ending: endingOf(path), bytes };
  const text = textOf(bytes);
  if (text === undefined) return 'encoding';
  return { format: format === 'markdown' ? 'text' : format, text };
}
