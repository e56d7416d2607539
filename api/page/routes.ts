/** The page and its files. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RequestHandler, Router } from 'express';
import { languageCodes, matchLanguage } from '../../model/languages';
import { acceptedEncoding, compressed } from '../middleware/encodings';
import { waitForOthers } from '../middleware/otherProcesses';
import type { Services } from '../services';
import { type Assets, immutable } from './assets';
import { documentOf } from './document';
import { webManifest } from './webManifest';

/**
 * Only scripts with the nonce run, and scripts that these load (`strict-dynamic`). `'self'` counts only in browsers
 * without `strict-dynamic`: pads are served from the same origin. There is no `default-src`, because HTMLExtraHead may
 * load styles and images from anywhere.
 */
const policy = (nonce: string): string =>
  [
    `script-src 'nonce-${nonce}' 'strict-dynamic' 'self'`,
    "frame-src 'self'",
    "frame-ancestors 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ');

/** Redirects `/mypads` to `/mypads/`, because the relative URLs of the page need the slash. */
const addSlash: RequestHandler = (request, response, next) => {
  const [path = '', ...query] = request.originalUrl.split('?');
  if (request.path !== '/' || path.endsWith('/')) {
    next();
    return;
  }
  const last = path.slice(path.lastIndexOf('/') + 1);
  response.redirect(303, `${last}/${query.length > 0 ? `?${query.join('?')}` : ''}`);
};

/**
 * Sends a browser from `/mypads/login`, as somebody may type it, to that screen of the page, `/mypads/?/login`. Other
 * paths lead to its “not found”. The new address is relative, because a proxy may have put a path before ours.
 */
const toScreen: RequestHandler = (request, response, next) => {
  if (request.accepts('json', 'html') !== 'html') return next();
  const [path = '', ...query] = request.url.split('?');
  const up = '../'.repeat(path.split('/').length - 2) || './';
  response.redirect(303, [`${up}?${path}`, ...query].join('&'));
};

function readTemplate(templateRoot: string): string | undefined {
  try {
    return readFileSync(join(templateRoot, 'index.html'), 'utf8');
  } catch {
    return undefined;
  }
}

export function pageRoutes({ model }: Services, assets: Assets, templateRoot: string): Router {
  const { configuration } = model;
  const router = Router();

  const template = readTemplate(templateRoot);

  const page: RequestHandler = async (request, response) => {
    response.setHeader('Cache-Control', 'no-store');
    if (!assets.manifest || template === undefined) {
      response
        .status(503)
        .type('text/plain')
        .send('The page of MyPads has not been built: run "npm run build".\n');
      return;
    }
    const { languages: built } = assets.manifest;
    const known = languageCodes.filter((code) => built.includes(code));
    const standard = known.find((code) => code === configuration.get('defaultLanguage')) ?? 'en';
    const lang = matchLanguage(request.acceptsLanguages(), known) ?? standard;
    const nonce = randomBytes(18).toString('base64url');
    response.setHeader('Content-Security-Policy', policy(nonce));
    response.vary('Accept-Language');
    const text = documentOf(template, { settings: configuration, manifest: assets.manifest, lang, nonce });
    // Nothing of the request is in the document, so its compressed length reveals no nonce.
    const encoding = acceptedEncoding(request);
    response.vary('Accept-Encoding');
    if (encoding !== undefined) response.setHeader('Content-Encoding', encoding);
    const bytes = encoding === undefined ? Buffer.from(text) : await compressed(Buffer.from(text), encoding);
    response.type('html').setHeader('Content-Length', bytes.length).end(bytes);
  };

  router.get('/', addSlash, waitForOthers(model), page);
  router.get('/index.html', waitForOthers(model), page);

  router.get('/app.webmanifest', (_request, response, next) => {
    if (!assets.manifest) return next();
    response
      .set('Cache-Control', 'no-cache')
      .type('application/manifest+json')
      .send(JSON.stringify(webManifest(configuration.get('title'), assets.manifest.icons)));
  });

  router.get('/assets/:file', async (request, response, next) => {
    if (!(await assets.send(`assets/${request.params.file}`, request, response, immutable))) next();
  });

  router.get('/l10n/:file', async (request, response, next) => {
    if (!(await assets.send(`l10n/${request.params.file}`, request, response, immutable))) next();
  });

  router.get('/{*screen}', toScreen);

  return router;
}
