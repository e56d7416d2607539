/**
 * Corrects the end of an import. In 1.8.14 a plugin can refuse a file only by throwing an error, and Etherpad answers
 * every error with 500 (internal error), although the file is at fault: this makes it 400. Etherpad also leaves refused
 * files and .etherpad files in its folder for temporary files: this removes them.
 */
import { rm } from 'node:fs/promises';
import type { Request, Response } from 'express';
import { AsyncScope } from '../model/asyncScope';
import type { Schedule } from '../model/ports';

/** A key of an error for which the editor has a translated text. */
type ImportError = 'uploadFailed' | 'maxFileSize';

interface Upload {
  /** Paths of the upload and of what it is converted into. */
  files: string[];
  /** The error that is shown if Etherpad answers 500. */
  error?: ImportError;
  /** Etherpad does not report that the text has changed. */
  isSilent?: boolean;
}

interface Import {
  /** The request that brings the file. */
  request: Request;
  /** Whether its sender may still write in the pad: the file may take minutes to arrive. */
  isAllowed: () => Promise<boolean>;
  /** `undefined` until Etherpad has stored the upload. */
  upload?: Upload;
}

const imports = new AsyncScope<Import>();

/** Milliseconds. Etherpad goes on with an import when the browser has left, and may never answer. */
const afterLeaving = 60_000;

/** Call it while Etherpad processes the upload. */
export function noteUpload(upload: Upload): void {
  const current = imports.value;
  if (current) current.upload = upload;
}

/** Call it before the import is refused. */
export function noteImportError(error: ImportError): void {
  const upload = imports.value?.upload;
  if (upload) upload.error = error;
}

/** The request of the file that Etherpad is importing; `undefined` outside of an import. */
export const importRequest = (): Request | undefined => imports.value?.request;

/** Call it when the file has arrived. */
export const isImportAllowed = async (): Promise<boolean> => (await imports.value?.isAllowed()) === true;

export const isImport = ({ method, path }: Request): boolean =>
  method === 'POST' && /^\/import\/?$/i.test(path);

/**
 * Lets Etherpad handle an import, removes the uploaded file when Etherpad answers, and changes its 500. `changed` is
 * called if Etherpad has changed the text and does not report it.
 */
export function followImport(
  request: Request,
  response: Response,
  {
    next,
    changed,
    isAllowed,
    schedule,
  }: { next: () => void; changed: () => void; schedule: Schedule } & Pick<Import, 'isAllowed'>,
): void {
  const current: Import = { request, isAllowed };
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  response.on('close', () => schedule.later('end of an import', afterLeaving, end));
  const json = response.json.bind(response);
  response.json = (body: unknown) => {
    end();
    // A file that cannot be removed stays where Etherpad would have left it.
    for (const file of current.upload?.files ?? []) rm(file, { force: true }).catch(() => {});
    const { error, isSilent } = current.upload ?? {};
    if (isSilent && response.statusCode === 200) changed();
    if (response.statusCode !== 500 || !error) return json(body);
    response.statusCode = 400;
    return json({ code: 1, message: error, data: {} });
  };
  void imports.run(current, () => {
    next();
    return ended;
  });
}
