/**
 * Exports by a read-only id in 1.8.14, which puts the id of the pad into them: who knows it may write in a public pad.
 * Later versions put the read-only id there.
 */
import type { Request, Response } from 'express';
import { hostMajor } from '../host/core';
import type { Fields } from '../model/fields';
import { escapeHtml } from '../model/html';

/** The format in an address such as `/p/:id/export/html`, or `undefined` for other addresses. */
function exportedAs({ path }: Request): string | undefined {
  const format = /\/export\/([^/]+)\/?$/i.exec(path)?.[1];
  return format && decodeURIComponent(format);
}

/** The records of a pad, with its read-only id in the keys, and in the lists of pads of its authors. */
function recordsOf(records: Fields, { id, padId }: { id: string; padId: string }): Fields {
  const changed = Object.entries(records).map(([key, record]) => {
    const names = (record as Fields | null)?.padIDs === padId;
    // As a whole part of the key: a short id could be a part of anything.
    const parts = key.split(':').map((part) => (part === padId ? id : part));
    return [parts.join(':'), names ? { ...(record as Fields), padIDs: id } : record];
  });
  return Object.fromEntries(changed);
}

/**
 * Puts the read-only id (`id`) into an HTML file, whose title is the id of the pad, and into the records of a file
 * .etherpad. Returns false for formats that Etherpad has converted from HTML, in which that is not possible.
 */
export function hidePadId(
  request: Request,
  response: Response,
  { kind, id, padId }: { kind: 'pad' | 'readOnly'; id: string; padId: string },
): boolean {
  if (hostMajor() > 1) return true;
  // The old address `/ro/:id` is an export as HTML too.
  const format = kind === 'readOnly' ? 'html' : exportedAs(request);
  const send = response.send.bind(response);
  if (format === 'html') {
    const title = `<title>${escapeHtml(id)}</title>`;
    response.send = (body: unknown) =>
      send(typeof body === 'string' ? body.replace(/<title>.*?<\/title>/s, () => title) : body);
  } else if (format === 'etherpad') {
    // Etherpad gives the records, which Express then sends as text.
    response.send = (body: unknown) =>
      send(typeof body === 'object' && body !== null ? recordsOf(body as Fields, { id, padId }) : body);
  }
  return [undefined, 'html', 'txt', 'etherpad'].includes(format);
}
