/** The document of the page: templates/index.html, filled with settings and the names of the page's files. */
import { escapeHtml } from '../../model/html';
import { type LanguageCode, languageCodes, languages } from '../../model/languages';
import { pageText } from '../../model/pageText';
import type { Manifest } from './assets';
import { appLinks } from './webManifest';

/** `<` is escaped, so that no text in the JSON can end the script element. */
const jsonForHtml = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

/**
 * Adds the nonce to the scripts of the setting HTMLExtraHead, so that they may run. The nonce has no quotes: such a
 * script may contain a string with a script tag, which a quote could end.
 */
const withNonce = (html: string, nonce: string): string =>
  html.replace(/<(script|style)(?=[\s/>])/gi, `<$1 nonce=${nonce}`);

/** The writing direction of each language. The script in the template needs it before any other script is loaded. */
const directions = jsonForHtml(
  Object.fromEntries(languageCodes.map((code) => [code, languages[code].direction])),
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

/** The settings that are written into the document. */
interface PageSettings {
  get(key: 'title' | 'rootUrl' | 'HTMLExtraHead'): string;
}

export interface DocumentContents {
  settings: PageSettings;
  manifest: Manifest;
  lang: LanguageCode;
  nonce: string;
}

/** The HTML of the page. Nothing of a request is written into it. */
export function documentOf(template: string, { settings, manifest, lang, nonce }: DocumentContents): string {
  const title = settings.get('title');
  const { texts, listed, laterStyles: styles } = manifest;
  const boot = { texts, listed, styles, lang, title };
  return fill(template, {
    lang,
    dir: languages[lang].direction,
    directions,
    title: escapeHtml(title),
    nonce,
    app: appLinks(manifest.icons),
    address: preview(settings.get('rootUrl'), manifest.icons),
    // What the page says when its scripts do not run.
    noScript: escapeHtml(pageText(lang, 'ERROR_PAGE.NO_SCRIPT')),
    notLoaded: escapeHtml(pageText(lang, 'ERROR_PAGE.NOT_LOADED')),
    extraHead: withNonce(settings.get('HTMLExtraHead'), nonce),
    styles: manifest.styles.map((file) => `<link rel="stylesheet" href="${escapeHtml(file)}">`).join('\n'),
    scripts: manifest.scripts
      .map((file) => `<script type="module" nonce="${nonce}" src="${escapeHtml(file)}"></script>`)
      .join('\n'),
    boot: `<script type="application/json" id="mypads-boot" nonce="${nonce}">${jsonForHtml(boot)}</script>`,
  });
}
