/**
 * Builds the page into static/dist: hashed scripts and style sheets in assets/, texts in l10n/, all compressed with
 * brotli, and manifest.json for the server. Style sheets and texts are split into the areas of
 * static/app/screens/areas.ts, so that a first visit loads only what it needs.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants as zlib } from 'node:zlib';
import * as esbuild from 'esbuild';
import { minify } from 'terser';
import { calls } from '../api/calls';
import type { Call } from '../api/declaration';
import { errorsOf } from '../api/openapi/failures';
import type { Manifest } from '../api/page/assets';
import { errorStatus } from '../model/errors';
import { type LanguageCode, languageCodes } from '../model/languages';
import { docsScripts } from './docsPages';
import { guidePictures, guideScripts } from './guide';
import { apiSizes, type Cost, checkVisit, documentSize } from './pageCost';

const root = path.join(__dirname, '..');
const source = path.join(root, 'static', 'app');
const target = path.join(root, 'static', 'dist');
const locales = path.join(root, 'locales');
const icons = path.join(root, 'static', 'icons');

/** The oldest browsers in which the app works: those with `light-dark()` and `popover`. */
export const browsers = ['chrome123', 'edge123', 'firefox125', 'safari17.5'];

/**
 * What a first visit may cost before the sign-in form works, so that slow connections suffice. The same page differs by
 * up to 200 bytes, because any change gives other files new names, which compress differently.
 */
const maxFirstVisit: Cost = { bytes: 113_200, requests: 7 };
/** What the first screen after sign-in may cost in addition, without calls of the API. */
const maxMain: Cost = { bytes: 59_100, requests: 8 };

/** The modules of `main` that are loaded at once. */
const mainEntry = 'screens/main';
/** The modules with which the other areas are loaded. */
const areaEntries = {
  account: /screens\/(forms|recovery|subscribe)|^(guide|docs):/,
  palette: /screens\/palette\//,
  admin: /screens\/admin\//,
} as const;
type LaterArea = 'main' | keyof typeof areaEntries;
type Area = 'first' | LaterArea;
const ownAreas = ['account', 'palette', 'admin'] as const;
const laterAreas: readonly LaterArea[] = ['main', ...ownAreas];
const areas: readonly Area[] = ['first', ...laterAreas];
type ByArea<Value> = Readonly<Record<Area, Value>>;
const byArea = <Value>(of: (area: Area) => Value) =>
  Object.fromEntries(areas.map((area) => [area, of(area)])) as ByArea<Value>;

/** Contents of the files to write, by their path below static/dist. */
type Files = Map<string, Uint8Array>;
type Outputs = esbuild.Metafile['outputs'];

/** The name of the virtual module with the style sheets of an area. */
const sheetOf = (area: Area): string => `page:styles/${area}`;

/**
 * Makes `page:styles/<area>` an entry that imports its style sheets in a fixed order: tokens, base, components, the
 * rest. esbuild's own sheets, one for each script, would have them in another order.
 */
function stylesOf(sheets: ByArea<readonly string[]>): esbuild.Plugin {
  return {
    name: 'page styles',
    setup(build) {
      build.onResolve({ filter: /^page:styles\// }, ({ path: name }) => ({ path: name, namespace: 'page' }));
      build.onLoad({ filter: /./, namespace: 'page' }, async ({ path: name }) => {
        const area = areas.find((one) => sheetOf(one) === name) ?? 'first';
        const own = sheets[area];
        const components = own.filter((sheet) => sheet.startsWith('components'));
        const others = own.filter((sheet) => !sheet.startsWith('components'));
        const base = area === 'first' ? ['styles/tokens.css', 'styles/base.css'] : [];
        return {
          contents: [...base, ...components, ...others].map((sheet) => `@import './${sheet}';`).join('\n'),
          loader: 'css',
          resolveDir: source,
        };
      });
    },
  };
}

/** Scripts that are loaded only when the screens of `main` are there. What they share with them is in its file too. */
const afterMain = /^screens\/(forms|palette\/)/;

/**
 * Makes every script that is loaded later import the entry too. All scripts then reach the code of the first visit, so
 * esbuild puts it into one file; without this, into one for each combination of scripts that share some of it. The same
 * for the code of `main`.
 */
const firstVisitInOneFile: esbuild.Plugin = {
  name: 'page scripts',
  setup(build) {
    build.onResolve({ filter: /^\./ }, ({ kind, path: name, resolveDir }) =>
      kind === 'dynamic-import'
        ? { path: path.relative(source, path.join(resolveDir, name)), namespace: 'later' }
        : undefined,
    );
    build.onLoad({ filter: /./, namespace: 'later' }, ({ path: name }) => {
      const module = name.replaceAll('\\', '/');
      const first = `import './main'; ${afterMain.test(module) ? "import './screens/main';" : ''}`;
      return { contents: `${first} export * from './${module}';`, resolveDir: source };
    });
  },
};

/** Icons get the smaller component of createIcon.ts. */
const smallIcons: esbuild.Plugin = {
  name: 'page icons',
  setup(build) {
    const component = path.join(source, 'components', 'createIcon.ts');
    build.onResolve({ filter: /\/createLucideIcon\.mjs$/ }, () => ({ path: component }));
  },
};

/**
 * Makes what scripts import from React constants. With React's own files, which are in an older format, each script
 * would look up each function as a property of an object, which takes more bytes.
 */
const reactAsConstants: esbuild.Plugin = {
  name: 'page react',
  setup(build) {
    // wouter has a copy of useSyncExternalStore for older versions of React.
    const filter = /^(react(\/jsx-runtime)?|use-sync-external-store\/shim\/index\.js)$/;
    build.onResolve({ filter }, ({ kind, path: name, namespace }) =>
      kind === 'import-statement' && namespace !== 'react'
        ? { path: name.startsWith('use-') ? 'react' : name, namespace: 'react' }
        : undefined,
    );
    build.onLoad({ filter: /./, namespace: 'react' }, ({ path: name }) => ({
      contents: [
        `import react from '${name}';`,
        ...Object.keys(require(name)).map(
          (key) => `export const ${key} = /* @__PURE__ */ (() => react.${key})();`,
        ),
      ].join('\n'),
      resolveDir: root,
    }));
  },
};

/** What scripts ask for that pages have not got, or that only developers have. The code for it is left out. */
const inProduction = {
  'process.env.NODE_ENV': '"production"',
  process: 'undefined',
  setImmediate: 'undefined',
  __REACT_DEVTOOLS_GLOBAL_HOOK__: 'undefined',
};

function options(watch: boolean, sheets: ByArea<readonly string[]>): esbuild.BuildOptions {
  return {
    entryPoints: [
      { in: path.join(source, 'main.tsx'), out: 'app' },
      ...areas.map((area) => ({ in: sheetOf(area), out: `${area}-styles` })),
    ],
    absWorkingDir: root,
    outdir: target,
    entryNames: 'assets/[name]-[hash]',
    chunkNames: 'assets/[name]-[hash]',
    assetNames: 'assets/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    target: browsers,
    jsx: 'automatic',
    minify: !watch,
    sourcemap: watch ? 'inline' : false,
    legalComments: 'none',
    define: watch ? { 'process.env.NODE_ENV': '"development"' } : inProduction,
    metafile: true,
    write: false,
    plugins: [stylesOf(sheets), firstVisitInOneFile, smallIcons, reactAsConstants, guideScripts, docsScripts],
    logLevel: 'warning',
  };
}

const nameOf = (file: string): string => path.relative(target, file).replaceAll('\\', '/');

/** The files that the entry loads: itself and its static imports. */
function loadedWith(entry: string, outputs: Outputs): Set<string> {
  const found = new Set<string>();
  const visit = (name: string): void => {
    if (found.has(name)) return;
    found.add(name);
    for (const { path: imported, kind } of outputs[name]?.imports ?? []) {
      if (kind === 'import-statement') visit(imported);
    }
  };
  visit(entry);
  return found;
}

function entryOf(outputs: Outputs): string {
  const entry = Object.keys(outputs).find((name) => outputs[name]?.entryPoint?.endsWith('app/main.tsx'));
  if (entry === undefined) throw new Error('The page has no entry');
  return entry;
}

/** The areas that load each script which the first visit does not load. */
function usersOf(outputs: Outputs, first: ReadonlySet<string>): Map<string, Set<Area>> {
  const areaOf = (name: string): Area => {
    const entry = outputs[name]?.entryPoint ?? '';
    return ownAreas.find((area) => areaEntries[area].test(entry)) ?? 'main';
  };
  const entries = Object.keys(outputs).filter((name) => outputs[name]?.entryPoint && name.endsWith('.js'));
  const loadedBy = new Map<string, Set<Area>>();
  for (const entry of entries) {
    for (const name of loadedWith(entry, outputs)) {
      if (!name.endsWith('.js') || first.has(name)) continue;
      loadedBy.set(name, (loadedBy.get(name) ?? new Set()).add(areaOf(entry)));
    }
  }
  return loadedBy;
}

/** The scripts that each area loads in addition to those of the first visit and, after `main`, of `main`. */
function scriptsOf(outputs: Outputs): ByArea<string[]> {
  const first = loadedWith(entryOf(outputs), outputs);
  const loadedBy = usersOf(outputs, first);
  // `main` is loaded with every other area, so what several areas use belongs to `main`.
  const only = (area: Area): string[] =>
    [...loadedBy].filter(([, users]) => users.size === 1 && users.has(area)).map(([name]) => name);
  const own = { account: only('account'), palette: only('palette'), admin: only('admin') };
  const elsewhere = new Set(Object.values(own).flat());
  const main = [...loadedBy.keys()].filter((name) => !elsewhere.has(name));
  return { first: [...first], main, ...own };
}

/**
 * The same for texts: what two areas use and `main` does not is in both. Style sheets cannot be loaded twice, because
 * the order of their rules counts.
 */
function scriptsWithTexts(outputs: Outputs): ByArea<string[]> {
  const first = loadedWith(entryOf(outputs), outputs);
  const loadedBy = [...usersOf(outputs, first)];
  const of = (area: Area): string[] =>
    loadedBy
      .filter(([, users]) => users.has(area) && (area === 'main' || !users.has('main')))
      .map(([name]) => name);
  return { ...byArea(of), first: [...first] };
}

/** The style sheets of each area: those with class names that its scripts use. */
async function sheetsOfAreas(): Promise<ByArea<string[]>> {
  const none = byArea(() => []);
  const { metafile } = await esbuild.build({ ...options(false, none), minify: false });
  const scripts = scriptsOf(metafile?.outputs ?? {});
  return byArea((area) =>
    scripts[area]
      .flatMap((name) => Object.keys(metafile?.outputs[name]?.inputs ?? {}))
      .filter((name) => name.endsWith('.module.css'))
      .map((name) => path.relative(source, path.resolve(root, name)).replaceAll('\\', '/'))
      .sort(),
  );
}

/** Does a script contain this key, or a template such as `area.${…}` that may result in it? */
function usesText(script: string, key: string): boolean {
  const name = key.replace(/_(zero|one|two|few|many|other)$/, '');
  if (script.includes(`"${name}"`)) return true;
  const parts = name.split('.');
  return parts.some((_, index) => index > 0 && script.includes(`\`${parts.slice(0, index).join('.')}.\${`));
}

/** The areas whose scripts make a call that answers with an error, by its key. */
function areasOfErrors(scripts: ByArea<string>): Map<string, Set<Area>> {
  const found = new Map<string, Set<Area>>();
  for (const [name, one] of Object.entries<Call>(calls)) {
    const users = areas.filter((area) => scripts[area].includes(`"${name}"`));
    if (users.length === 0) continue;
    for (const key of errorsOf(one)) found.set(key, new Set([...(found.get(key) ?? []), ...users]));
  }
  return found;
}

/** None, if only the server uses the text, or only calls that the page does not make answer with the error. */
function areasOfText(
  key: string,
  scripts: ByArea<string>,
  errors: ReadonlyMap<string, ReadonlySet<Area>>,
): readonly Area[] {
  // Pages without the app, exported files, and the script in the editor get these texts from the server. The last ones
  // are for programs with API tokens.
  if (/^(ERROR_PAGE|editor|exportFile)\.|\.API_TOKEN\.(ADDRESS|PLACE)$/.test(key)) return [];
  if (usesText(scripts.first, key)) return ['first'];
  const known = errors.get(key);
  if (key in errorStatus && known === undefined) return [];
  if (known?.has('first')) return ['first'];
  const users = laterAreas.filter((area) => usesText(scripts[area], key) || known?.has(area));
  return users.length === 0 || users.includes('main') ? ['main'] : users;
}

const hashOf = (contents: Uint8Array): string =>
  createHash('sha256').update(contents).digest('hex').slice(0, 8).toUpperCase();

/** The icons of the page (bin/icons.ts), under names that contain a hash of the content. */
async function iconFiles(files: Files): Promise<Manifest['icons']> {
  const found: Manifest['icons'] = {};
  for (const file of (await readdir(icons)).sort()) {
    const contents = await readFile(path.join(icons, file));
    const { name, ext } = path.parse(file);
    found[file] = `assets/${name}-${hashOf(contents)}${ext}`;
    files.set(found[file], contents);
  }
  return found;
}

/** Parts whose texts are loaded rarely. */
const rareParts: ReadonlySet<Area | 'others'> = new Set(['account', 'admin', 'others']);

/** The texts of a part in each language. */
type TextsOfPart = ReadonlyMap<LanguageCode, Record<string, string>>;

/**
 * What is in the files of a part, by language. Of a rare part, each language has only texts, in the order of one file
 * with the keys, which are a quarter of the bytes. `null`: a plural form that the language has not got.
 */
function textFiles(part: Area | 'others', all: TextsOfPart): Map<LanguageCode | 'keys', unknown> {
  if (!rareParts.has(part)) return new Map(all);
  const keys = [...new Set([...all.values()].flatMap((texts) => Object.keys(texts)))];
  const inOrder = (texts: Record<string, string>) => keys.map((key) => texts[key] ?? null);
  return new Map([
    ['keys', keys],
    ...[...all].map(([language, texts]) => [language, inOrder(texts)] as const),
  ]);
}

/**
 * Adds a file for each language and area, and `others`: one for each language with the texts that the page does not
 * need. Other programs get all of them (api/l10n/routes.ts). All names have the same hash, so that the page can make
 * them itself.
 */
async function languages(
  files: Files,
  scripts: ByArea<string>,
): Promise<Pick<Manifest, 'languages' | 'texts' | 'parts' | 'listed'>> {
  const errors = areasOfErrors(scripts);
  /** Looked for once, and not for each language: the scripts are long. */
  const known = new Map<string, readonly Area[]>();
  const areasOf = (key: string): readonly Area[] => {
    const users = known.get(key) ?? areasOfText(key, scripts, errors);
    known.set(key, users);
    return users;
  };
  const parts = new Map(
    ([...areas, 'others'] as const).map((part) => [part, new Map<LanguageCode, Record<string, string>>()]),
  );
  for (const language of languageCodes) {
    const file = path.join(locales, `${language}.json`);
    const texts: [string, string][] = Object.entries(JSON.parse(await readFile(file, 'utf8')));
    for (const [part, byLanguage] of parts) {
      const own = texts.filter(([key]) => {
        const users = areasOf(key);
        return part === 'others' ? users.length === 0 : users.includes(part);
      });
      byLanguage.set(language, Object.fromEntries(own));
    }
  }
  const all = [...parts].flatMap(([part, byLanguage]) =>
    [...textFiles(part, byLanguage)].map(([language, value]) => ({
      name: `${language}-${part}`,
      contents: Buffer.from(JSON.stringify(value)),
    })),
  );
  const hash = hashOf(Buffer.concat(all.map(({ contents }) => contents)));
  const texts = `l10n/*-${hash}.json`;
  for (const { name, contents } of all) files.set(texts.replace('*', name), contents);
  return { languages: languageCodes, texts, parts: [...parts.keys()], listed: [...rareParts] };
}

const brotli = promisify(brotliCompress);

/** The scripts of the guide and the docs are mostly texts. */
const hasCode = (name: string): boolean =>
  name.endsWith('.js') && !/\/(docs_pages|[a-z]{2})-\w+\.js$/.test(name);

/** What i18next would write to the console for developers; its texts would be in the first visit. */
const logging = ['log', 'warn', 'error', 'deprecate', 'once'].map((name) => `this.logger.${name}`);

/** A script, minified a second time: terser saves another 3.5 %, most of it in react-dom. Other files as they are. */
async function smallest(name: string, contents: Uint8Array): Promise<Uint8Array> {
  if (!hasCode(name)) return contents;
  const { code } = await minify(Buffer.from(contents).toString('utf8'), {
    module: true,
    ecma: 2020,
    compress: { passes: 3, pure_funcs: logging },
  });
  if (code === undefined) throw new Error(`${name} cannot be minified`);
  return Buffer.from(code);
}

/** The files as they are stored: with brotli, but pictures and the manifest as they are. */
async function stored(files: Files): Promise<Files> {
  const entries = [...files].map(async ([name, contents]): Promise<[string, Uint8Array]> => {
    if (/\.(png|webp)$/.test(name) || name === 'manifest.json') return [name, contents];
    const params = { [zlib.BROTLI_PARAM_QUALITY]: zlib.BROTLI_MAX_QUALITY };
    return [`${name}.br`, await brotli(await smallest(name, contents), { params })];
  });
  return new Map(await Promise.all(entries));
}

/**
 * Writes the files, then deletes those of earlier builds. In this order, a page that loads at the same time finds its
 * files.
 */
async function write(files: Files): Promise<void> {
  for (const folder of ['assets', 'l10n']) await mkdir(path.join(target, folder), { recursive: true });
  for (const [name, contents] of files) await writeFile(path.join(target, name), contents);
  for (const folder of ['assets', 'l10n']) {
    for (const file of await readdir(path.join(target, folder))) {
      if (!files.has(`${folder}/${file}`)) await rm(path.join(target, folder, file), { force: true });
    }
  }
}

/** The sizes of stored files. `texts`: files of which only one is loaded; the longest counts. */
function sizesOf(files: Files, names: readonly string[], texts: readonly string[]): number[] {
  const sizeOf = (name: string): number => (files.get(`${name}.br`) ?? files.get(name))?.length ?? 0;
  return [...names.map(sizeOf), Math.max(0, ...texts.map(sizeOf))];
}

/** Writes esbuild's output and the manifest as the files of the page. */
async function finish(result: esbuild.BuildResult, watch: boolean): Promise<void> {
  const outputs = result.metafile?.outputs ?? {};
  const absolute = (name: string): string => nameOf(path.resolve(root, name));
  const sheetAt = (area: Area): string | undefined => {
    const sheet = Object.keys(outputs).find((name) => outputs[name]?.entryPoint?.endsWith(sheetOf(area)));
    return sheet === undefined ? undefined : absolute(sheet);
  };
  const styles = [sheetAt('first') ?? []].flat();
  const laterStyles: Manifest['laterStyles'] = {};
  for (const area of laterAreas) {
    const sheet = sheetAt(area);
    if (sheet !== undefined) laterStyles[area] = sheet;
  }
  const kept = new Set([...styles, ...Object.values(laterStyles)]);

  const files: Files = new Map();
  const text = new Map<string, string>();
  for (const file of result.outputFiles ?? []) {
    const name = nameOf(file.path);
    text.set(name, file.text);
    if (!name.endsWith('.css') || kept.has(name)) files.set(name, file.contents);
  }
  const scripts = scriptsOf(outputs);
  const withTexts = scriptsWithTexts(outputs);
  const joined = byArea((area) => withTexts[area].map((name) => text.get(absolute(name)) ?? '').join('\n'));
  const manifest: Manifest = {
    // The entry itself has no code left: it only imports the script with the first visit.
    scripts: scripts.first
      .filter((name) => Object.keys(outputs[name]?.inputs ?? {}).length > 0)
      .map(absolute),
    styles,
    laterStyles,
    ...(await languages(files, joined)),
    icons: await iconFiles(files),
  };
  for (const [name, contents] of guidePictures()) files.set(name, contents);
  files.set('manifest.json', Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));
  if (watch) return write(files);
  const sent = await stored(files);
  await write(sent);
  const textsOf = (area: Area): string[] =>
    languageCodes.map((language) => manifest.texts.replace('*', `${language}-${area}`));
  const first = [...manifest.scripts, ...styles, ...[manifest.icons['logo.svg'] ?? []].flat()];
  const document = await documentSize(manifest);
  checkVisit(
    'a first visit',
    [document, ...apiSizes, ...sizesOf(sent, first, textsOf('first'))],
    maxFirstVisit,
  );
  const entry = Object.keys(outputs).find((name) => outputs[name]?.entryPoint?.endsWith(mainEntry));
  const main = entry === undefined ? [] : [...loadedWith(entry, outputs)].map(absolute);
  const later = [...main.filter((name) => !first.includes(name)), laterStyles.main ?? []].flat();
  checkVisit('the first screen after sign-in', sizesOf(sent, later, textsOf('main')), maxMain);
}

/**
 * Builds the page and returns esbuild's reports about its files. With `watch`, builds it again after each change,
 * uncompressed and readable, until the process ends.
 * @throws if something does not compile, or if a first visit would load more than allowed.
 */
export async function buildPage({ watch = false }: { watch?: boolean } = {}): Promise<esbuild.Metafile[]> {
  const base = options(watch, await sheetsOfAreas());
  if (!watch) {
    const result = await esbuild.build(base);
    await finish(result, false);
    return result.metafile === undefined ? [] : [result.metafile];
  }
  const writeAfterBuild: esbuild.Plugin = {
    name: 'page files',
    setup(build) {
      build.onEnd(async (result) => {
        if (result.errors.length === 0) await finish(result, true);
      });
    },
  };
  const context = await esbuild.context({ ...base, plugins: [...(base.plugins ?? []), writeAfterBuild] });
  await context.watch();
  return [];
}

if (require.main === module) {
  buildPage({ watch: process.argv.includes('--watch') }).catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
}
