/**
 * Sends answers. Large ones have an ETag, with 304 for callers who have the same answer. Compressed answers are cached
 * by the digest of their content: a caller cannot get another's, and many calls for one list compress it once.
 */
import type { Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { withinTime } from '../../model/timeLimit';
import { AnswerBuilder, type SerialisedAnswer, withOwnMemory } from '../serialisedAnswer';
import { acceptedEncoding, compressed, type Encoding } from './encodings';

/** Bytes. Smaller answers are sent uncompressed. */
const minCompressedSize = 4 * 1024;
/** Objects may hold a token, which compression could reveal by the answer's length. Large ones hold none. */
const minCompressedObject = 16 * 1024;
/** Bytes of JSON. Compressing more takes so long that it must not delay others. */
const large = 1024 * 1024;
/** Milliseconds after which a caller who does not read their answer counts as gone. */
const sendLimit = 30_000;

/**
 * Compressed answers by digest and encoding, one cache for the process. Small, because most answers are asked for again
 * within minutes or, after a change, never.
 */
const kept = new LRUCache<string, Buffer>({
  maxSize: 8 * 1024 * 1024,
  maxEntrySize: 2 * 1024 * 1024,
  sizeCalculation: ({ length }) => length + 200,
});
const inProgress = new Map<string, Promise<Buffer>>();

/** One compression at a time, because each uses a whole processor core, and one of a large answer. */
const last: Record<'large' | 'small', Promise<unknown>> = {
  large: Promise.resolve(),
  small: Promise.resolve(),
};

function compress(answer: SerialisedAnswer<object>, encoding: Encoding): Promise<Buffer> {
  const key = `${answer.digest} ${encoding}`;
  const cached = kept.get(key);
  if (cached !== undefined) return Promise.resolve(cached);
  const running = inProgress.get(key);
  if (running !== undefined) return running;
  const size = answer.length < large ? 'small' : 'large';
  const work = last[size].then(() => compressed(Buffer.concat(answer.pieces), encoding));
  last[size] = work.catch(() => {});
  inProgress.set(key, work);
  return work
    .then((result) => {
      const bytes = withOwnMemory(result);
      kept.set(key, bytes);
      return bytes;
    })
    .finally(() => inProgress.delete(key));
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
  if (answer.kept === 'nowhere') {
    response.end(Buffer.concat(answer.pieces));
    return;
  }
  const encoding = answer.length < minCompressedSize ? undefined : acceptedEncoding(request);
  if (answer.kept === 'by the caller') response.setHeader('Cache-Control', 'private, no-cache');
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

export async function sendObject(request: Request, response: Response, answer: object): Promise<void> {
  const json = JSON.stringify(answer);
  if (request.method === 'GET' && json.length >= minCompressedObject) {
    await sendSerialised(request, response, new AnswerBuilder().text(json).done({ kept: 'here' }));
  } else response.type('json').send(json);
}

/** Resolves when the operating system has the answer, or the caller has gone. */
export async function untilSent(response: Response): Promise<void> {
  if (response.writableFinished || response.destroyed || response.socket?.destroyed) return;
  const closed = new Promise<void>((resolve) => void response.once('close', resolve));
  await withinTime(closed, sendLimit, () => new Error('the caller does not read')).catch(() => {});
}
