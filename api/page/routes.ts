/**
 * The page and its files. The page is a template that is filled with settings; nothing of the request is written into
 * it.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RequestHandler, Router } from 'express';
import { escapeHtml } from '../../model/html';
import {
  byLanguage,
  type LanguageCode,
  languageCodes,
  languages,
  matchLanguage,
} from '../../model/languages';
import { waitForOthers } from '../middleware/otherProcesses';
import type { Services } from '../services';
import { type Assets, immutable, type Manifest } from './assets';
import { appLinks, webManifest } from './webManifest';

/** `<` is escaped, so that no text in the JSON can end the script element. */
const jsonForHtml = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

/**
 * Adds the nonce to the scripts of the setting HTMLExtraHead, so that they may run. The nonce has no quotes: such a
 * script may contain a string with a script tag, which a quote could end.
 */
const withNonce = (html: string, nonce: string): string =>
  html.replace(/<(script|style)(?=[\s/>])/gi, `<$1 nonce=${nonce}`);

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

/** The writing direction of each language. The script in the template needs it before any other script is loaded. */
const directions = jsonForHtml(
  Object.fromEntries(languageCodes.map((code) => [code, languages[code].direction])),
);

/**
 * What the page says when its scripts do not run. esbuild bundles the files that match this pattern; a plugin in
 * bin/buildServer.ts keeps only the texts of errors.
 */
const texts = byLanguage(
  (code): Record<'ERROR_PAGE.NO_SCRIPT' | 'ERROR_PAGE.NOT_LOADED', string> =>
    require(`../../locales/${code}.json`),
);

/** The address and the picture for a preview of a link. Programs that show it need complete addresses. */
function preview(rootUrl: string, icons: Manifest['icons']): string {
  const image = icons['icon-512.png'];
  const app = escapeHtml(`${rootUrl}/mypads/`);
  if (rootUrl === '') return '';
  return [
    `<meta property="og:url" content="${app}">`,
    ...(image === undefined ? [] : [`<meta property="og:image" content="${app}${escapeHtml(image)}">`]),
  ].join('\n');
}

function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{\{(\w+)\}\}/g, (placeholder, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? '') : placeholder,
  );
}

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

function readTemplate(templateRoot: string): string | undefined {
  try {
    return readFileSync(join(templateRoot, 'index.html'), 'utf8');
  } catch {
    return undefined;
  }
}

/** The values of the template. */
function valuesOf(
  configuration: Services['model']['configuration'],
  { manifest, lang, nonce }: { manifest: Manifest; lang: LanguageCode; nonce: string },
): Record<string, string> {
  const title = configuration.get('title');
  const boot = { languages: manifest.languages, styles: manifest.laterStyles, lang, title };
  return {
    lang,
    dir: languages[lang].direction,
    directions,
    title: escapeHtml(title),
    nonce,
    app: appLinks(manifest.icons),
    address: preview(configuration.get('rootUrl'), manifest.icons),
    noScript: escapeHtml(texts[lang]['ERROR_PAGE.NO_SCRIPT']),
    notLoaded: escapeHtml(texts[lang]['ERROR_PAGE.NOT_LOADED']),
    extraHead: withNonce(configuration.get('HTMLExtraHead'), nonce),
    styles: manifest.styles.map((file) => `<link rel="stylesheet" href="${escapeHtml(file)}">`).join('\n'),
    scripts: manifest.scripts
      .map((file) => `<script type="module" nonce="${nonce}" src="${escapeHtml(file)}"></script>`)
      .join('\n'),
    boot: `<script type="application/json" id="mypads-boot" nonce="${nonce}">${jsonForHtml(boot)}</script>`,
  };
}

export function pageRoutes({ model }: Services, assets: Assets, templateRoot: string): Router {
  const { configuration } = model;
  const router = Router();

  const template = readTemplate(templateRoot);

  const page: RequestHandler = (request, response) => {
    response.setHeader('Cache-Control', 'no-store');
    if (!assets.manifest || template === undefined) {
      response
        .status(503)
        .type('text/plain')
        .send('The page of MyPads has not been built: run "npm run build".\n');
      return;
    }
    const { languages: built } = assets.manifest;
    const known = languageCodes.filter((code) => Object.hasOwn(built, code));
    const standard = known.find((code) => code === configuration.get('defaultLanguage')) ?? 'en';
    const lang = matchLanguage(request.acceptsLanguages(), known) ?? standard;
    const nonce = randomBytes(18).toString('base64url');
    response.setHeader('Content-Security-Policy', policy(nonce));
    response.vary('Accept-Language');
    response
      .type('html')
      .send(fill(template, valuesOf(configuration, { manifest: assets.manifest, lang, nonce })));
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

  router.get('/assets/:file', (request, response, next) => {
    if (!assets.send(`assets/${request.params.file}`, request, response, immutable)) next();
  });

  router.get('/l10n/:file', (request, response, next) => {
    if (!assets.send(`l10n/${request.params.file}`, request, response, immutable)) next();
  });

  return router;
}
