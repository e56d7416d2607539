/**
 * Sends the file of a call that answers one, after the call had its turn: somebody with a slow line must not take the
 * places of other people's calls.
 */
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { exportLimits } from '../../model/limits';
import { NamedQueues, type QueueLimits } from '../../web/namedQueues';

const ofPerson: QueueLimits = { running: 3, waiting: 20 };
const queues = new NamedQueues();

/** Whoever stops the download ends it, which is no error. */
async function sendFile(content: Readable, response: Response): Promise<void> {
  // Not with timeLimit.ts, because it begins again with each piece.
  const idle = setTimeout(() => response.destroy(), exportLimits.idle);
  async function* watched(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      idle.refresh();
      yield piece;
    }
  }
  await pipeline(content, watched, response).catch(() => {});
  clearTimeout(idle);
}

/**
 * `person`: whose downloads are counted. `open`: the turn of the call, which opens the file; it resolves to `undefined`
 * if nobody waits for it any more. Throws SERVER.BUSY.
 */
export const withDownload = (
  person: string,
  response: Response,
  open: () => Promise<Readable | undefined>,
): Promise<void> =>
  queues.run(person, ofPerson, async () => {
    const content = await open();
    if (content !== undefined) await sendFile(content, response);
  });
