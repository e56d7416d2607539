/**
 * Turns Etherpad's answer to a bad .etherpad file from 500 into 400. In 1.8.14 a plugin can refuse a file only by
 * throwing an error, and Etherpad answers every error with 500 (internal error), although the file is at fault.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Request, Response } from 'express';

interface Import {
  /** The uploaded file is in Etherpad's own format. */
  isEtherpadFile?: true;
}

const imports = new AsyncLocalStorage<Import>();

/** Call it while Etherpad processes the upload. */
export function markEtherpadImport(): void {
  const current = imports.getStore();
  if (current) current.isEtherpadFile = true;
}

export const isImport = ({ method, path }: Request): boolean =>
  method === 'POST' && /^\/import\/?$/i.test(path);

/** Lets Etherpad handle an import and changes its 500. The editor has a translated text for `uploadFailed`. */
export function answerImportErrors(response: Response, next: () => void): void {
  const current: Import = {};
  const json = response.json.bind(response);
  response.json = (body: unknown) => {
    if (response.statusCode !== 500 || !current.isEtherpadFile) return json(body);
    response.statusCode = 400;
    return json({ code: 1, message: 'uploadFailed', data: {} });
  };
  imports.run(current, next);
}
