/**
 * Receives the ZIP of a call that takes one, into a file, before the call waits for its turn: somebody with a slow line
 * must not take the places of other people's calls. The file is deleted after the call, unless the handler takes it.
 */
import { createWriteStream } from 'node:fs';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request } from 'express';
import { MyPadsError } from '../../model/errors';
import { zipLimits } from '../../model/limits';
import { NamedQueues, type QueueLimits } from '../../web/namedQueues';
import type { Services } from '../services';

/** The ZIP that came with a call. */
export interface Upload {
  file: string;
  /** The file is not deleted after the call: somebody else does it. */
  isTaken: boolean;
}

declare module 'express-serve-static-core' {
  interface Request {
    upload?: Upload;
  }
}

const ofPerson: QueueLimits = { running: 1, waiting: 2 };
const ofAll: QueueLimits = { running: 8, waiting: 100 };
const queues = new NamedQueues();

const tooLarge = (): MyPadsError => new MyPadsError('BACKEND.ERROR.IMPORT.TOO_LARGE', { limit: 'upload' });

/** Passes bytes on, up to the limit, and tells of each piece. */
function limited(arrived: () => void): Transform {
  let size = 0;
  return new Transform({
    transform(bytes: Buffer, _encoding, done) {
      arrived();
      size += bytes.length;
      done(size > zipLimits.upload ? tooLarge() : null, bytes);
    },
  });
}

/** Codes of errors of a caller who stops sending. */
const stopped: readonly unknown[] = ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'];

/**
 * Throws IMPORT.NOT_ZIP if the caller stops sending, also without ending the connection, who sees no answer, and the
 * errors of the disk as they are.
 */
export async function receive(
  request: Readable,
  file: string,
  idleTime: number = zipLimits.idle,
): Promise<void> {
  // Not with timeLimit.ts, because it begins again with each piece.
  const idle = setTimeout(() => request.destroy(), idleTime);
  const content = limited(() => idle.refresh());
  try {
    await pipeline(request, content, createWriteStream(file, { flags: 'wx', mode: 0o600 }), { end: true });
  } catch (error) {
    if (!stopped.includes((error as NodeJS.ErrnoException).code)) throw error;
    throw new MyPadsError('BACKEND.ERROR.IMPORT.NOT_ZIP');
  } finally {
    clearTimeout(idle);
  }
}

/**
 * `person`: whose uploads are counted, and received one after the other. Throws IMPORT.NOT_ZIP, IMPORT.TOO_LARGE,
 * SERVER.BUSY, PERMISSION.TOO_MANY.
 */
export async function withUpload(
  { model, limits }: Services,
  request: Request,
  person: string,
  work: () => Promise<unknown>,
): Promise<void> {
  await limits.consume('imports', person);
  if (request.is('application/zip') === false) throw new MyPadsError('BACKEND.ERROR.IMPORT.NOT_ZIP');
  if (Number(request.headers['content-length'] ?? 0) > zipLimits.upload) throw tooLarge();
  const upload: Upload = { file: await model.padImports.newFile(), isTaken: false };
  request.upload = upload;
  try {
    await queues.run(person, ofPerson, () => queues.run('all', ofAll, () => receive(request, upload.file)));
    await work();
  } finally {
    if (!upload.isTaken) await model.padImports.remove(upload.file);
  }
}
