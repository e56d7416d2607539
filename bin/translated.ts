/**
 * `npm run translated` lists the texts whose English has changed since they were translated. `npm run translated -- all
 * <key>…` notes that all languages say what these English texts say now; with codes such as `de,fr`, only these do.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { languageCodes } from '../model/languages';
import { sha256 } from '../model/sha256';

const root = path.resolve(__dirname, '..');
/**
 * By key, the start of the SHA-256 of the English text that the translations were made from. A language that is behind
 * has an entry of its own, with its code in front of the key: `de action.open`.
 */
const file = path.join(root, 'bin', 'translatedFrom.json');

type Hashes = Readonly<Record<string, string>>;
type Texts = { readonly [key: string]: string | Texts };

const read = (name: string): Texts => JSON.parse(readFileSync(path.join(root, name), 'utf8'));

/** Nested texts of mails get keys such as `mail.test.subject`. */
const flat = (texts: Texts, prefix = ''): [string, string][] =>
  Object.entries(texts).flatMap(([key, text]) =>
    typeof text === 'string' ? [[prefix + key, sha256(text).slice(0, 8)]] : flat(text, `${prefix}${key}.`),
  );

const english = (): Hashes =>
  Object.fromEntries([...flat(read('locales/en.json')), ...flat(read('templates/mail/en.json'), 'mail.')]);

const languages: readonly string[] = languageCodes.filter((language) => language !== 'en');

const stored = (): Hashes => read('bin/translatedFrom.json') as Hashes;

const isStale = (hashes: Hashes, now: Hashes, language: string, key: string): boolean =>
  (hashes[`${language} ${key}`] ?? hashes[key]) !== now[key];

/** By language, the keys whose translation was made from another English text than today's. */
export function staleTranslations(hashes = stored(), now = english()): Record<string, string[]> {
  const stale = languages.map((language): [string, string[]] => [
    language,
    Object.keys(now).filter((key) => isStale(hashes, now, language, key)),
  ]);
  return Object.fromEntries(stale.filter(([, keys]) => keys.length > 0));
}

/** The hashes after `done` languages have translated `keys`. Texts that no longer exist are forgotten. */
export function renewed(
  hashes: Hashes,
  now: Hashes,
  done: readonly string[],
  keys: readonly string[],
): Hashes {
  const next = Object.keys(now).flatMap((key): [string, string][] => {
    const before = hashes[key] ?? '';
    const current = keys.includes(key) ? (now[key] ?? '') : before;
    const behind = languages.flatMap((language): [string, string][] => {
      const name = `${language} ${key}`;
      const own = keys.includes(key) && done.includes(language) ? current : (hashes[name] ?? before);
      return own === current ? [] : [[name, own]];
    });
    return current === '' ? [] : [[key, current], ...behind];
  });
  return Object.fromEntries(next);
}

function main([codes, ...keys]: readonly string[]): void {
  if (codes === undefined) {
    for (const [language, stale] of Object.entries(staleTranslations()))
      console.log(`${language}: ${stale.join(' ')}`);
    return;
  }
  const now = english();
  const done = codes === 'all' ? languages : codes.split(',');
  const unknown = [
    ...done.filter((code) => !languages.includes(code)),
    ...keys.filter((key) => !(key in now)),
  ];
  if (unknown.length > 0) throw new Error(`No such language or key: ${unknown.join(' ')}`);
  writeFileSync(file, `${JSON.stringify(renewed(stored(), now, done, keys), null, 2)}\n`);
}

if (require.main === module) main(process.argv.slice(2));
