/**
 * Builds the page into static/dist: hashed scripts and style sheets in assets/, texts in l10n/, brotli and gzip
 * versions of each file, and manifest.json for the server. Style sheets and texts are split into the areas of
 * static/app/screens/areas.ts, so that a first visit loads only what it needs.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, gzip, constants as zlib } from 'node:zlib';
import * as esbuild from 'esbuild';
import { languageCodes } from '../model/languages';

const root = path.join(__dirname, '..');
const source = path.join(root, 'static', 'app');
const target = path.join(root, 'static', 'dist');
const locales = path.join(root, 'locales');
const icons = path.join(root, 'static', 'icons');

/** The oldest browsers in which the app works: those with `light-dark()` and `popover`. */
export const browsers = ['chrome123', 'edge123', 'firefox125', 'safari17.5'];

/** Most bytes (brotli) that a first visit may load before the sign-in form works, so that slow connections suffice. */
const maxFirstVisit = 120 * 1024;
/** Most bytes (brotli) that the first screen after sign-in may load in addition. */
const maxMain = 60 * 1024;

/** The modules of `main` that are loaded at once. */
const mainEntry = 'screens/main.ts';
/** The modules with which the other areas are loaded. */
const areaEntries = {
  account: /screens\/(forms|recovery|subscribe)/,
  palette: /screens\/palette\//,
  admin: /screens\/admin\//,
} as const;
type LaterArea = 'main' | keyof typeof areaEntries;
type Area = 'first' | LaterArea;
const ownAreas = ['account', 'palette', 'admin'] as const;
const laterAreas: readonly LaterArea[] = ['main', ...ownAreas];
const areas: readonly Area[] = ['first', ...laterAreas];

interface Manifest {
  scripts: string[];
  /** Style sheets of the first visit. */
  styles: string[];
  /** Style sheets of the other areas. */
  laterStyles: Partial<Record<LaterArea, string>>;
  /** Files with texts, by the code of the language. */
  languages: Record<string, Partial<Record<Area, string>>>;
  /** Files of static/icons, by their names there. */
  icons: Record<string, string>;
}

/** Contents of the files to write, by their path below static/dist. */
type Files = Map<string, Uint8Array>;

/** The name of the virtual module with the style sheets of an area. */
const sheetOf = (area: Area): string => `page:styles/${area}`;

/**
 * Makes `page:styles/<area>` an entry that imports its style sheets in a fixed order: tokens, base, components, the
 * rest. Without it, esbuild would put all style sheets into the one of the first visit.
 */
function stylesOf(sheets: Readonly<Record<Area, readonly string[]>>): esbuild.Plugin {
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
          contents: [...base, ...components, ...others].map((sheet) => `import './${sheet}';`).join('\n'),
          resolveDir: source,
        };
      });
    },
  };
}

const iconList = path.join(source, 'components', 'icons.ts');
const iconPackage = path.join(root, 'node_modules', 'lucide-react', 'dist', 'esm');

/** The file of each icon of components/icons.ts, by the name that the page gives it. */
async function iconFilesByName(): Promise<Map<string, string>> {
  const exported = await readFile(path.join(iconPackage, 'lucide-react.mjs'), 'utf8');
  const files = new Map<string, string>();
  for (const [, names = '', file = ''] of exported.matchAll(
    /export \{([^}]*)\} from '(\.\/icons\/[^']+)'/g,
  )) {
    for (const [, name = ''] of names.matchAll(/default as (\w+)/g))
      files.set(name, path.join(iconPackage, file));
  }
  const list = await readFile(iconList, 'utf8');
  return new Map(
    [...list.matchAll(/(\w+) as (\w+)/g)].map(([, name = '', own = '']) => {
      const file = files.get(name);
      if (file === undefined) throw new Error(`lucide-react has no icon ${name}`);
      return [own, file];
    }),
  );
}

/**
 * Imports each icon from its own file instead of components/icons.ts. Through the file that exports all of them,
 * esbuild would load every icon with the first visit.
 */
const singleIcons: esbuild.Plugin = {
  name: 'page icons',
  async setup(build) {
    const files = await iconFilesByName();
    build.onLoad({ filter: /static[\\/]app[\\/].*\.tsx?$/ }, async ({ path: file }) => {
      const text = await readFile(file, 'utf8');
      const contents = text.replace(/import \{([^}]*)\} from '[^']*\/icons';/g, (_all, names: string) =>
        [...names.matchAll(/\w+/g)]
          .map(([name]) => `import ${name} from ${JSON.stringify(files.get(name) ?? name)};`)
          .join(' '),
      );
      return { contents, loader: file.endsWith('x') ? 'tsx' : 'ts' };
    });
  },
};

function options(watch: boolean, sheets: Readonly<Record<Area, readonly string[]>>): esbuild.BuildOptions {
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
    define: { 'process.env.NODE_ENV': watch ? '"development"' : '"production"' },
    metafile: true,
    write: false,
    plugins: [stylesOf(sheets), singleIcons],
    logLevel: 'warning',
  };
}

const nameOf = (file: string): string => path.relative(target, file).replaceAll('\\', '/');

/** The files that the entry loads: itself and its static imports. */
function loadedWith(entry: string, outputs: esbuild.Metafile['outputs']): Set<string> {
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

type Outputs = esbuild.Metafile['outputs'];

function entryOf(outputs: Outputs): string {
  const entry = Object.keys(outputs).find((name) => outputs[name]?.entryPoint?.endsWith('app/main.tsx'));
  if (entry === undefined) throw new Error('The page has no entry');
  return entry;
}

/** The scripts that each area loads in addition to those of the first visit and, after `main`, of `main`. */
function scriptsOf(outputs: Outputs): Record<Area, string[]> {
  const first = loadedWith(entryOf(outputs), outputs);
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
  // `main` is loaded with every other area, so what several areas use belongs to `main`.
  const only = (area: Area): string[] =>
    [...loadedBy].filter(([, users]) => users.size === 1 && users.has(area)).map(([name]) => name);
  const own = { account: only('account'), palette: only('palette'), admin: only('admin') };
  const elsewhere = new Set(Object.values(own).flat());
  const main = [...loadedBy.keys()].filter((name) => !elsewhere.has(name));
  return { first: [...first], main, ...own };
}

/** The style sheets of each area: those with class names that its scripts use. */
async function sheetsOfAreas(): Promise<Record<Area, string[]>> {
  const none = { first: [], main: [], account: [], palette: [], admin: [] };
  const { metafile } = await esbuild.build({ ...options(false, none), minify: false });
  const scripts = scriptsOf(metafile?.outputs ?? {});
  const used = (area: Area): string[] =>
    scripts[area]
      .flatMap((name) => Object.keys(metafile?.outputs[name]?.inputs ?? {}))
      .filter((name) => name.endsWith('.module.css'))
      .map((name) => path.relative(source, path.resolve(root, name)).replaceAll('\\', '/'))
      .sort();
  return {
    first: used('first'),
    main: used('main'),
    account: used('account'),
    palette: used('palette'),
    admin: used('admin'),
  };
}

/** Does a script contain this key, or a template such as `area.${…}` that may result in it? */
function usesText(script: string, key: string): boolean {
  const name = key.replace(/_(zero|one|two|few|many|other)$/, '');
  if (script.includes(`"${name}"`)) return true;
  const parts = name.split('.');
  return parts.some((_, index) => index > 0 && script.includes(`\`${parts.slice(0, index).join('.')}.\${`));
}

/** `undefined`: only the server uses the text. */
function areaOfText(key: string, scripts: Readonly<Record<Area, string>>): Area | undefined {
  // Pages without the app, and the script in the editor, get these texts from the server.
  if (/^(ERROR_PAGE|editor)\./.test(key)) return undefined;
  // Error keys are in capitals. They come from the server, so no script contains them.
  if (/^[A-Z_]+(\.|$)/.test(key) || usesText(scripts.first, key)) return 'first';
  const [only, another] = laterAreas.filter((area) => usesText(scripts[area], key));
  return another === undefined ? (only ?? 'main') : 'main';
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

/** Adds each language twice: as a whole for other programs, and as one file for each area. */
async function languages(
  files: Files,
  scripts: Readonly<Record<Area, string>>,
): Promise<Manifest['languages']> {
  const found: Manifest['languages'] = {};
  for (const language of languageCodes) {
    const file = path.join(locales, `${language}.json`);
    const texts: Record<string, string> = JSON.parse(await readFile(file, 'utf8'));
    files.set(`l10n/${language}.json`, Buffer.from(JSON.stringify(texts)));
    const parts: Partial<Record<Area, string>> = {};
    for (const area of areas) {
      const own = Object.entries(texts).filter(([key]) => areaOfText(key, scripts) === area);
      if (own.length === 0) continue;
      const contents = Buffer.from(JSON.stringify(Object.fromEntries(own)));
      const name = `l10n/${language}-${area}-${hashOf(contents)}.json`;
      files.set(name, contents);
      parts[area] = name;
    }
    found[language] = parts;
  }
  return found;
}

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/**
 * Writes the files, then deletes those of earlier builds. In this order, a page that loads at the same time finds its
 * files.
 */
async function write(files: Files, compress: boolean): Promise<void> {
  for (const folder of ['assets', 'l10n']) await mkdir(path.join(target, folder), { recursive: true });
  const written = new Set<string>();
  const put = async (name: string, contents: Uint8Array): Promise<void> => {
    written.add(name);
    await writeFile(path.join(target, name), contents);
  };
  for (const [name, contents] of files) {
    await put(name, contents);
    if (!compress || name.endsWith('.png')) continue;
    await put(`${name}.br`, await brotli(contents, { params: { [zlib.BROTLI_PARAM_QUALITY]: 11 } }));
    await put(`${name}.gz`, await gzipped(contents, { level: 9 }));
  }
  for (const folder of ['assets', 'l10n']) {
    for (const file of await readdir(path.join(target, folder))) {
      if (!written.has(`${folder}/${file}`)) await rm(path.join(target, folder, file), { force: true });
    }
  }
}

/**
 * Prints how much an area loads, in the language with the longest texts.
 * @throws if it is more than `limit`.
 */
function checkSize(
  files: Files,
  what: string,
  loads: { names: string[]; texts: string[]; limit: number },
): void {
  const sizeOf = (name: string): number => brotliCompressSync(files.get(name) ?? Buffer.alloc(0)).length;
  const bytes = loads.names.reduce(
    (sum, name) => sum + sizeOf(name),
    Math.max(0, ...loads.texts.map(sizeOf)),
  );
  const inKilobytes = (count: number): string => `${(count / 1024).toFixed(1)} KB`;
  console.log(`page: ${what} loads ${inKilobytes(bytes)} (brotli) of at most ${inKilobytes(loads.limit)}`);
  if (bytes > loads.limit) throw new Error(`${what} loads too much; see the limits in bin/buildPage.ts`);
}

/** Writes esbuild's output and the manifest as the files of the page. */
async function finish(result: esbuild.BuildResult, watch: boolean): Promise<void> {
  const outputs = result.metafile?.outputs ?? {};
  const absolute = (name: string): string => nameOf(path.resolve(root, name));
  const sheetAt = (area: Area): string | undefined => {
    const module = Object.keys(outputs).find((name) => outputs[name]?.entryPoint?.endsWith(sheetOf(area)));
    const sheet = module === undefined ? undefined : outputs[module]?.cssBundle;
    return sheet === undefined ? undefined : absolute(sheet);
  };
  const styles = [sheetAt('first') ?? []].flat();
  const laterStyles: Manifest['laterStyles'] = {};
  for (const area of laterAreas) laterStyles[area] = sheetAt(area);
  const kept = new Set([...styles, ...Object.values(laterStyles)]);

  const files: Files = new Map();
  const text = new Map<string, string>();
  for (const file of result.outputFiles ?? []) {
    const name = nameOf(file.path);
    text.set(name, file.text);
    const isSheetModule = /-styles-\w+\.js$/.test(name);
    if (!isSheetModule && (!name.endsWith('.css') || kept.has(name))) files.set(name, file.contents);
  }
  const scripts = scriptsOf(outputs);
  const joined = (area: Area): string =>
    scripts[area].map((name) => text.get(absolute(name)) ?? '').join('\n');
  const manifest: Manifest = {
    // The entry is last, so that its imports are loading already.
    scripts: [...scripts.first].reverse().map(absolute),
    styles,
    laterStyles,
    languages: await languages(files, {
      first: joined('first'),
      main: joined('main'),
      account: joined('account'),
      palette: joined('palette'),
      admin: joined('admin'),
    }),
    icons: await iconFiles(files),
  };
  files.set('manifest.json', Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));
  await write(files, !watch);
  if (watch) return;
  const textsOf = (area: Area): string[] =>
    Object.values(manifest.languages).flatMap((parts) => parts[area] ?? []);
  const first = [...manifest.scripts, ...styles];
  checkSize(files, 'a first visit', { names: first, texts: textsOf('first'), limit: maxFirstVisit });
  const entry = Object.keys(outputs).find((name) => outputs[name]?.entryPoint?.endsWith(mainEntry));
  const main = entry === undefined ? [] : [...loadedWith(entry, outputs)].map(absolute);
  const later = [...main.filter((name) => !first.includes(name)), laterStyles.main ?? []].flat();
  checkSize(files, 'the first screen after sign-in', {
    names: later,
    texts: textsOf('main'),
    limit: maxMain,
  });
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
