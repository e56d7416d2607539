/**
 * Exports by a read-only id in 1.8.14, which puts the id of the pad into them: who knows it may write in a public pad.
 * Later versions put the read-only id there.
 */
import type { Request, Response } from 'express';
import { hostMajor } from '../host/core';
import { escapeHtml } from '../model/html';

/** The format in an address such as `/p/:id/export/html`, or `undefined` for other addresses. */
function exportedAs({ path }: Request): string | undefined {
  const format = /\/export\/([^/]+)\/?$/i.exec(path)?.[1];
  return format && decodeURIComponent(format);
}

/**
 * Puts the read-only id into an HTML file, whose title is the id of the pad. Returns false for formats in which
 * that is not possible: .etherpad, and those that Etherpad has converted from HTML.
 */
export function hidePadId(
  request: Request,
  response: Response,
  { kind, id }: { kind: 'pad' | 'readOnly'; id: string },
): boolean {
  if (hostMajor() > 1) return true;
  // The old address `/ro/:id` is an export as HTML too.
  const format = kind === 'readOnly' ? 'html' : exportedAs(request);
  if (format === 'html') {
    const send = response.send.bind(response);
    const title = `<title>${escapeHtml(id)}</title>`;
    response.send = (body: unknown) =>
      send(typeof body === 'string' ? body.replace(/<title>.*?<\/title>/s, () => title) : body);
  }
  return format === undefined || format === 'html' || format === 'txt';
}
