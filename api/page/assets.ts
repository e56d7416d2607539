/**
 * The files of the built page. The build stores them compressed with brotli; programs that do not accept that get them
 * converted. The list of files is read once at the start. A path of a request is only looked up in it and never joined
 * to a folder, so no request can leave the folder.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import type { Request, Response } from 'express';
import * as z from 'zod';
import { acceptedEncoding, compressed } from '../middleware/encodings';

const manifestSchema = z.object({
  scripts: z.array(z.string()),
  /** Style sheets of the first visit. */
  styles: z.array(z.string()),
  /** Style sheets of the other areas (static/app/areas.ts). */
  laterStyles: z.record(z.string(), z.string()),
  /** The codes of the languages with texts. */
  languages: z.array(z.string()),
  /** Files with texts: `l10n/*-1A2B3C4D.json`, where `*` is a language and a part, such as `de-main`. */
  texts: z.string().default(''),
  /** The parts of each language: the areas, and the texts that the page does not need. */
  parts: z.array(z.string()).default([]),
  /** Parts whose files are lists of texts. The list of their keys is in the file `keys-` and the part. */
  listed: z.array(z.string()).default([]),
  /** Files of static/icons, by their names there. */
  icons: z.record(z.string(), z.string()).default({}),
});

/** File names below the folder of the built page, as bin/buildPage.ts writes them. */
export type Manifest = z.output<typeof manifestSchema>;

/** `Cache-Control` for files whose names contain a hash of their content. */
export const immutable = 'public, max-age=31536000, immutable';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webp': 'image/webp',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
  '.ico': 'image/x-icon',
};

function readManifest(root: string): Manifest | undefined {
  try {
    return manifestSchema.parse(JSON.parse(readFileSync(join(root, 'manifest.json'), 'utf8')));
  } catch {
    return undefined;
  }
}

function filesBelow(root: string): Set<string> {
  try {
    const entries = readdirSync(root, { recursive: true, withFileTypes: true });
    return new Set(
      entries
        .filter((entry) => entry.isFile())
        .map((entry) =>
          join(entry.parentPath, entry.name)
            .slice(root.length + 1)
            .replaceAll('\\', '/'),
        ),
    );
  } catch {
    return new Set();
  }
}

/** The value that `make` gives for a key, which stays in memory. */
function keepEach<Value>(make: (key: string) => Promise<Value>): (key: string) => Promise<Value> {
  const kept = new Map<string, Promise<Value>>();
  return (key) => {
    const known = kept.get(key);
    if (known !== undefined) return known;
    const made = make(key);
    kept.set(key, made);
    made.catch(() => kept.delete(key));
    return made;
  };
}

export function createAssets(root: string) {
  const files = filesBelow(root);
  /** `undefined` when the page has not been built. */
  const manifest = readManifest(root);
  const contentOf = async (name: string): Promise<Buffer> =>
    files.has(`${name}.br`)
      ? promisify(brotliDecompress)(await readFile(join(root, `${name}.br`)))
      : readFile(join(root, name));
  // For programs that do not accept brotli, such as browsers without https.
  const uncompressed = keepEach(contentOf);
  const zipped = keepEach(async (name) => compressed(await contentOf(name), 'gzip'));
  const { languages = [], texts = '', parts = [], listed = [] } = manifest ?? {};
  const jsonOf = async (name: string) => JSON.parse(String(await contentOf(texts.replace('*', name))));
  const textsOf = async (language: string, part: string): Promise<Record<string, string>> => {
    const found = await jsonOf(`${language}-${part}`);
    if (!listed.includes(part)) return found;
    const pairs = (await jsonOf(`keys-${part}`)).map((key: string, index: number) => [key, found[index]]);
    return Object.fromEntries(pairs.filter(([, text]: unknown[]) => text !== null));
  };
  // A file with all texts would be as large as the files of the areas together.
  const allTexts = keepEach(async (language): Promise<Record<string, string>> => {
    const all = await Promise.all(parts.map((part) => textsOf(language, part)));
    return Object.assign({}, ...all);
  });
  return {
    manifest,
    /** Sends a file, compressed if the browser accepts it. Resolves to false if there is no such file. */
    async send(name: string, request: Request, response: Response, cacheControl: string): Promise<boolean> {
      const isCompressed = files.has(`${name}.br`);
      if (!isCompressed && !files.has(name)) return false;
      response.setHeader('Content-Type', types[extname(name)] ?? 'application/octet-stream');
      response.setHeader('Cache-Control', cacheControl);
      if (isCompressed) response.vary('Accept-Encoding');
      const encoding = isCompressed ? acceptedEncoding(request) : undefined;
      if (isCompressed && encoding !== 'br') {
        const bytes = await (encoding === undefined ? uncompressed : zipped)(name);
        if (encoding !== undefined) response.setHeader('Content-Encoding', encoding);
        response.send(bytes);
        return true;
      }
      if (encoding !== undefined) response.setHeader('Content-Encoding', encoding);
      response.sendFile(isCompressed ? `${name}.br` : name, {
        root,
        acceptRanges: false,
        cacheControl: false,
        lastModified: false,
      });
      return true;
    },
    /** All texts of a language by key; `undefined` if there is no such language. */
    async texts(language: string): Promise<Record<string, string> | undefined> {
      return languages.includes(language) ? allTexts(language) : undefined;
    },
  };
}

export type Assets = ReturnType<typeof createAssets>;
