/**
 * Etherpad stores every file in a form that anybody sends to its HTTP API, without a key too, in its folder for
 * temporary files, where nobody deletes it. This deletes the files of a form when Etherpad answers.
 */
import type { EventEmitter } from 'node:events';
import { rm } from 'node:fs/promises';
import type { Request } from 'express';
import { packageOfHost } from './core';

/** A form of the package formidable. `path`: in 1.8.14. */
type Form = EventEmitter;
interface StoredFile {
  filepath?: string;
  path?: string;
}
type Parse = (this: Form, request: Request, ...more: unknown[]) => unknown;

const ours = new WeakSet<Parse>();

/** Before the answer, because a caller who leaves early must not take the file from an import that runs. */
function deleteAtAnswer({ res: response }: Request, files: readonly string[]): void {
  if (!response) return;
  const end = response.end.bind(response) as (...content: unknown[]) => typeof response;
  response.end = ((...content: unknown[]) => {
    // A file that cannot be removed stays where Etherpad would have left it.
    for (const file of files) rm(file, { force: true }).catch(() => {});
    return end(...content);
  }) as typeof response.end;
}

/** Changes the parser for all forms of Etherpad. Does nothing the second time, or without the package. */
export function deleteFormUploads(): void {
  const { prototype } =
    packageOfHost<{ IncomingForm?: { prototype: { parse: Parse } } }>('formidable')?.IncomingForm ?? {};
  if (!prototype || ours.has(prototype.parse)) return;
  const { parse } = prototype;
  prototype.parse = function (request, ...more) {
    const files: string[] = [];
    this.on('fileBegin', (_field, { filepath, path }: StoredFile) => {
      const file = filepath ?? path;
      if (file !== undefined) files.push(file);
    });
    deleteAtAnswer(request, files);
    return parse.call(this, request, ...more);
  };
  ours.add(prototype.parse);
}
