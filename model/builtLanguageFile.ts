/** Reads the texts of a language from the package at their first use: files of the page have those of errors too. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import type { LanguageFile } from './languageFile';
import type { LanguageCode } from './languages';

/** As api/page/assets.ts describes it. */
interface Manifest {
  texts: string;
  parts: string[];
  listed: string[];
}

const page = join(__dirname, '..', 'static', 'dist');
const { texts, parts, listed }: Manifest = JSON.parse(readFileSync(join(page, 'manifest.json'), 'utf8'));
/** The keys of the page that the server asks for with `pageText`. */
const used = /^((BACKEND\.ERROR|ERROR_PAGE|exportFile)\.|login\.forgotten$|(requests|exports)\.title$)/;

const unpacked = (file: string) => JSON.parse(String(brotliDecompressSync(readFileSync(`${file}.br`))));

function textsIn(code: LanguageCode, part: string): [key: string, text: string][] {
  const read = (name: string) => unpacked(join(page, texts.replace('*', `${name}-${part}`)));
  const found = read(code);
  if (!listed.includes(part)) return Object.entries(found);
  return read('keys').map((key: string, index: number) => [key, found[index]]);
}

function read(code: LanguageCode): LanguageFile {
  const all = parts.flatMap((part) => textsIn(code, part));
  return {
    page: Object.fromEntries(all.filter(([key]) => used.test(key))),
    mail: unpacked(join(__dirname, 'mail', `${code}.json`)),
  };
}

const english = read('en');
const known = new Map<LanguageCode, LanguageFile>([['en', english]]);

/**
 * While an operator replaces the package, files are missing: a pad is refused in English then, and the error does not
 * end Etherpad.
 */
export function languageFile(code: LanguageCode): LanguageFile {
  try {
    const file = known.get(code) ?? read(code);
    known.set(code, file);
    return file;
  } catch {
    return english;
  }
}
