/**
 * Etherpad stores every file in a form that anybody sends to its HTTP API, without a key too, in its folder for
 * temporary files, where nobody deletes it. Many files in a form that it refuses stay open too. This closes and deletes
 * the files of a form when it is refused, or when Etherpad answers. 1.8.14 does not stop at a form that it cannot use.
 */
import type { EventEmitter } from 'node:events';
import type { WriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Request } from 'express';
import { packageOfHost } from './core';

/** A form of the package formidable. */
interface Form extends EventEmitter {
  error?: unknown;
  onPart(part: unknown): unknown;
}
/** `path`: in 1.8.14. */
interface StoredFile {
  filepath?: string;
  path?: string;
  _writeStream?: WriteStream | null;
}
type Parsed = (...answer: unknown[]) => unknown;
type Parse = (this: Form, request: Request, ...more: unknown[]) => unknown;

const ours = new WeakSet<Parse>();

/** 1.8.14 listens to no errors of a file: one, also that of a form which ends in the middle, would stop Etherpad. */
function ignoreErrors(file: StoredFile): void {
  // The package opens the file after `fileBegin`.
  process.nextTick(() => file._writeStream?.on('error', () => {}));
}

/** Closes the file first, because one that is still being opened would be there again after its deletion. */
function discard({ filepath, path, _writeStream: stream }: StoredFile): void {
  const file = filepath ?? path;
  if (file === undefined) return;
  const remove = (): void => {
    // A file that cannot be removed stays where Etherpad would have left it.
    rm(file, { force: true }).catch(() => {});
  };
  if (stream && !stream.closed) stream.once('close', remove).destroy();
  else remove();
}

/** Before the answer, because a caller who leaves early must not take the file from an import that runs. */
function callAtAnswer({ res: response }: Request, listener: () => void): void {
  if (!response) return;
  const end = response.end.bind(response) as (...content: unknown[]) => typeof response;
  response.end = ((...content: unknown[]) => {
    listener();
    return end(...content);
  }) as typeof response.end;
}

/** What 1.8.14 does with the form. An error in it (`/jserror` with `null`) is answered instead of stopping Etherpad. */
const answeringErrors =
  (use: Parsed, request: Request): Parsed =>
  (...answer) => {
    try {
      return use(...answer);
    } catch (error) {
      return request.next?.(error);
    }
  };

/** Changes the parser for all forms of Etherpad. Does nothing the second time, or without the package. */
export function deleteFormUploads(): void {
  const { prototype } =
    packageOfHost<{ IncomingForm?: { prototype: { parse: Parse } } }>('formidable')?.IncomingForm ?? {};
  if (!prototype || ours.has(prototype.parse)) return;
  const { parse } = prototype;
  prototype.parse = function (request, ...more) {
    const files: StoredFile[] = [];
    const discardAll = (): void => files.splice(0).forEach(discard);
    const { onPart } = this;
    // After an error, the package would open the files that follow in what it has read, and never close them.
    this.onPart = (part) => (this.error ? undefined : onPart.call(this, part));
    this.on('fileBegin', (_field, file: StoredFile) => {
      files.push(file);
      ignoreErrors(file);
    });
    this.on('error', discardAll);
    callAtAnswer(request, discardAll);
    const [use, ...rest] = more;
    return typeof use === 'function'
      ? parse.call(this, request, answeringErrors(use as Parsed, request), ...rest)
      : parse.call(this, request, ...more);
  };
  ours.add(prototype.parse);
}
