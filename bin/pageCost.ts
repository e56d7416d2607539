/** What a visit of the built page costs on the wire: documents, files and answers, each with its headers. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { compressed } from '../api/middleware/encodings';
import type { Manifest } from '../api/page/assets';
import { documentOf } from '../api/page/document';

export interface Cost {
  bytes: number;
  requests: number;
}

/** Headers of an answer over HTTP/1.1. `npm run bench slowBrowser` measures a first visit with them. */
const headerBytes = 500;

/** The answers of `GET configuration` and `GET cache/check`, which a first visit asks for. */
export const apiSizes: readonly number[] = [1_620, 25];

/** Bytes of the compressed document, without what the administrators of a server add to it. */
export async function documentSize(manifest: Manifest): Promise<number> {
  const template = await readFile(path.join(__dirname, '..', 'templates', 'index.html'), 'utf8');
  const nonce = 'a'.repeat(24);
  const settings = { get: () => '' };
  const text = documentOf(template, { settings, manifest, lang: 'en', nonce });
  return (await compressed(Buffer.from(text), 'br')).length;
}

/**
 * Prints what a visit costs that gets answers of these sizes.
 * @throws if it is more than `limit`.
 */
export function checkVisit(what: string, answers: readonly number[], limit: Cost): void {
  const bytes = answers.reduce((sum, size) => sum + size + headerBytes, 0);
  const found = { bytes, requests: answers.length };
  const text = ({ bytes, requests }: Cost): string => `${bytes} bytes in ${requests} requests`;
  console.log(`page: ${what} loads ${text(found)}, at most ${text(limit)}`);
  if (bytes > limit.bytes || found.requests > limit.requests)
    throw new Error(`${what} loads too much; see the limits in bin/buildPage.ts`);
}
