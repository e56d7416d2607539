/**
 * The files of the built page, with their compressed versions. The list of files is read once at the start. A path of a
 * request is only looked up in it and never joined to a folder, so no request can leave the folder.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Request, Response } from 'express';
import * as z from 'zod';

const manifestSchema = z.object({
  scripts: z.array(z.string()),
  /** Style sheets of the first visit. */
  styles: z.array(z.string()),
  /** Style sheets of the other areas (static/app/areas.ts). */
  laterStyles: z.record(z.string(), z.string()),
  /** Files with texts, by the code of the language and the area. */
  languages: z.record(z.string(), z.record(z.string(), z.string())),
  /** Files of static/icons, by their names there. */
  icons: z.record(z.string(), z.string()).default({}),
});

/** File names below the folder of the built page, as bin/buildPage.ts writes them. */
export type Manifest = z.output<typeof manifestSchema>;

export interface Assets {
  /** `undefined` when the page has not been built. */
  readonly manifest: Manifest | undefined;
  /** Sends a file, compressed if the browser accepts it. Returns false if there is no such file. */
  send(name: string, request: Request, response: Response, cacheControl: string): boolean;
}

/** `Cache-Control` for files whose names contain a hash of their content. */
export const immutable = 'public, max-age=31536000, immutable';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webp': 'image/webp',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
  '.ico': 'image/x-icon',
};

const encodings = [
  { name: 'br', extension: '.br' },
  { name: 'gzip', extension: '.gz' },
] as const;

function readManifest(root: string): Manifest | undefined {
  try {
    return manifestSchema.parse(JSON.parse(readFileSync(join(root, 'manifest.json'), 'utf8')));
  } catch {
    return undefined;
  }
}

function filesBelow(root: string): Set<string> {
  try {
    const entries = readdirSync(root, { recursive: true, withFileTypes: true });
    return new Set(
      entries
        .filter((entry) => entry.isFile())
        .map((entry) =>
          join(entry.parentPath, entry.name)
            .slice(root.length + 1)
            .replaceAll('\\', '/'),
        ),
    );
  } catch {
    return new Set();
  }
}

export function createAssets(root: string): Assets {
  const files = filesBelow(root);
  return {
    manifest: readManifest(root),
    send(name, request, response, cacheControl) {
      if (!files.has(name)) return false;
      const offered = encodings.filter(({ extension }) => files.has(name + extension));
      const encoding = offered.find((one) => request.acceptsEncodings(one.name) !== false);
      response.setHeader('Content-Type', types[extname(name)] ?? 'application/octet-stream');
      response.setHeader('Cache-Control', cacheControl);
      if (offered.length > 0) response.vary('Accept-Encoding');
      if (encoding) response.setHeader('Content-Encoding', encoding.name);
      response.sendFile(name + (encoding?.extension ?? ''), {
        root,
        acceptRanges: false,
        cacheControl: false,
        lastModified: false,
      });
      return true;
    },
  };
}
