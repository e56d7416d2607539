/**
 * Names of files and folders in an archive, from names that people have given. They work on every system: Windows
 * reserves some names, and removes dots and blanks at the end; macOS and Windows ignore the case of letters.
 */

/** Bytes of a name in UTF-8 without its ending. Most systems take 255, and Windows 260 characters for a path. */
const longest = 100;

/**
 * Control and invisible characters, characters that a path or Windows gives a meaning, and halves of characters.
 * Joiners stay: Persian words and many emoji need them.
 */
const unsafe = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}<>:"/\\|?*]/gu;
const reserved =
  /^(con|prn|aux|nul|conin\$|conout\$|clock\$|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3]) *(\.|$)/i;

const bytesOf = (text: string): number => Buffer.byteLength(text);

/** The beginning of a text, with whole characters as people see them. */
function shortened(text: string, most: number): string {
  let kept = '';
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (bytesOf(kept + segment) > most) break;
    kept += segment;
  }
  return kept;
}

const trimmed = (text: string): string => text.replace(/^[\s.\u200c\u200d]+|[\s.\u200c\u200d]+$/gu, '');

/** The same for names that are one file on some system. */
const comparable = (name: string): string =>
  name
    .normalize('NFKD')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '');

/** A name without its ending. `otherwise`: if nothing usable is left. */
export function safeName(name: string, otherwise: string): string {
  const readable = trimmed(name.normalize('NFC').replace(unsafe, ' ').replace(/\s+/gu, ' '));
  const short = trimmed(shortened(readable, longest));
  const usable = short === '' ? otherwise : short;
  return reserved.test(usable) ? `_${usable}` : usable;
}

/** The names in one folder of the archive. */
export class FileNames {
  private readonly taken: Set<string>;
  /** The last number of each name: thousands of pads may have one name. */
  private readonly numbers = new Map<string, number>();

  constructor(taken: readonly string[] = []) {
    this.taken = new Set(taken.map(comparable));
  }

  /** A name of which no file with one of these endings is there yet. */
  take(name: string, otherwise: string, endings: readonly string[] = ['']): string {
    const base = safeName(name, otherwise);
    const known = comparable(base);
    for (let number = (this.numbers.get(known) ?? 0) + 1; ; number += 1) {
      const candidate = number === 1 ? base : `${base} (${number})`;
      const files = endings.map((ending) => comparable(candidate + ending));
      if (files.some((file) => this.taken.has(file))) continue;
      for (const file of files) this.taken.add(file);
      this.numbers.set(known, number);
      return candidate;
    }
  }
}
