/**
 * Sends answers that are already JSON, with an ETag, and 304 to callers who have the same answer. Compressed answers
 * are cached by the digest of their content, so a caller cannot get another caller's answer.
 */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { type SerialisedAnswer, withOwnMemory } from '../serialisedAnswer';

/** Bytes. Smaller answers are sent uncompressed. */
const minCompressedSize = 4 * 1024;

const encoders = {
  br: (bytes: Buffer): Promise<Buffer> =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_QUALITY]: 5,
        [constants.BROTLI_PARAM_LGWIN]: 20,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes: Buffer): Promise<Buffer> => promisify(gzip)(bytes, { level: 6 }),
} as const;

type Encoding = keyof typeof encoders;

/**
 * Compressed answers by digest and encoding, one cache for the process. Small, because most answers are asked for again
 * within minutes or, after a change, never.
 */
const compressed = new LRUCache<string, Buffer>({
  maxSize: 4 * 1024 * 1024,
  sizeCalculation: ({ length }) => length + 200,
});
const inProgress = new Map<string, Promise<Buffer>>();

/** One compression at a time, because each uses a whole processor core. */
let lastCompression: Promise<unknown> = Promise.resolve();

function compress(answer: SerialisedAnswer<object>, encoding: Encoding): Promise<Buffer> {
  const key = `${answer.digest} ${encoding}`;
  const cached = compressed.get(key);
  if (cached !== undefined) return Promise.resolve(cached);
  const running = inProgress.get(key);
  if (running !== undefined) return running;
  const work = lastCompression.then(() => encoders[encoding](Buffer.concat(answer.pieces)));
  lastCompression = work.catch(() => {});
  inProgress.set(key, work);
  return work
    .then((result) => {
      const bytes = withOwnMemory(result);
      compressed.set(key, bytes);
      return bytes;
    })
    .finally(() => inProgress.delete(key));
}

function encodingFor(request: Request, { length }: SerialisedAnswer<object>): Encoding | undefined {
  if (length < minCompressedSize) return undefined;
  return (['br', 'gzip'] as const).find((encoding) => request.acceptsEncodings(encoding) === encoding);
}

/** Whether the caller has this answer already, in any encoding. */
function hasCurrentAnswer(request: Request, digest: string): boolean {
  const tags = request.headers['if-none-match'];
  return tags !== undefined && [...tags.matchAll(/"([\w-]+)(?:\.\w+)?"/g)].some(([, tag]) => tag === digest);
}

/** Sends the answer with status 200, or 304 without a body. */
export async function sendSerialised(
  request: Request,
  response: Response,
  answer: SerialisedAnswer<object>,
): Promise<void> {
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  if (answer.secret) {
    response.end(Buffer.concat(answer.pieces));
    return;
  }
  const encoding = encodingFor(request, answer);
  response.setHeader('Cache-Control', 'private, no-cache');
  response.vary('Authorization');
  response.vary('Accept-Encoding');
  response.setHeader('ETag', `"${answer.digest}${encoding === undefined ? '' : `.${encoding}`}"`);
  if (hasCurrentAnswer(request, answer.digest)) {
    response.removeHeader('Content-Type');
    response.statusCode = 304;
    response.end();
    return;
  }
  const bytes = encoding === undefined ? Buffer.concat(answer.pieces) : await compress(answer, encoding);
  if (encoding !== undefined) response.setHeader('Content-Encoding', encoding);
  response.setHeader('Content-Length', bytes.length);
  response.end(bytes);
}
