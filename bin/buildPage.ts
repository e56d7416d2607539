/**
 * Builds the page into static/dist: hashed scripts and one style sheet in assets/, the texts of each language in l10n/, every file with its
 * brotli and gzip siblings, and manifest.json, from which the server fills templates/index.html.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, gzip, constants as zlib } from 'node:zlib';
import * as esbuild from 'esbuild';

const root = path.join(__dirname, '..');
const source = path.join(root, 'static', 'app');
const target = path.join(root, 'static', 'dist');
const locales = path.join(root, 'locales');

/** Bytes (brotli) that a first visit may load before the login form can be used; the bar of the issue. */
const budget = 120 * 1024;

interface Manifest {
  scripts: string[];
  styles: string[];
  /** File with a language's texts, by its code. */
  languages: Record<string, string>;
}

/** Contents of the files to write, by their name below static/dist. */
type Files = Map<string, Uint8Array>;

async function styleSheets(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true });
  return entries.filter((entry) => entry.endsWith('.module.css')).sort();
}

/**
 * `page:styles` is every style sheet of the page: tokens, base, components, then everything else. One sheet in one order, since esbuild
 * gives each lazy chunk a sheet of its own and leaves loading it to others.
 */
const styles: esbuild.Plugin = {
  name: 'page styles',
  setup(build) {
    build.onResolve({ filter: /^page:styles$/ }, () => ({ path: 'styles', namespace: 'page' }));
    build.onLoad({ filter: /^styles$/, namespace: 'page' }, async () => {
      const sheets = await styleSheets(source);
      const components = sheets.filter((sheet) => sheet.startsWith('components'));
      const others = sheets.filter((sheet) => !sheet.startsWith('components'));
      const all = ['styles/tokens.css', 'styles/base.css', ...components, ...others];
      return {
        contents: all.map((sheet) => `import './${sheet.replaceAll('\\', '/')}';`).join('\n'),
        resolveDir: source,
        watchDirs: [source],
      };
    });
  },
};

/** An icon that nobody asks for is left out; without this word esbuild keeps every one that components/icons.ts names. */
const icons: esbuild.Plugin = {
  name: 'page icons',
  setup(build) {
    build.onResolve({ filter: /\/icons$/ }, ({ path: name, resolveDir }) => ({
      path: path.join(resolveDir, `${name}.ts`),
      sideEffects: false,
    }));
  },
};

function options(watch: boolean): esbuild.BuildOptions {
  return {
    entryPoints: { app: path.join(source, 'main.tsx') },
    outdir: target,
    entryNames: 'assets/[name]-[hash]',
    chunkNames: 'assets/[name]-[hash]',
    assetNames: 'assets/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    minify: !watch,
    sourcemap: watch ? 'inline' : false,
    legalComments: 'none',
    define: { 'process.env.NODE_ENV': watch ? '"development"' : '"production"' },
    metafile: true,
    write: false,
    plugins: [styles, icons],
    logLevel: 'warning',
  };
}

const nameOf = (file: string): string => path.relative(target, file).replaceAll('\\', '/');

/** The files that are loaded with `entry`: itself and what it imports at once. */
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

async function languages(files: Files): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const file of (await readdir(locales)).filter((name) => name.endsWith('.json')).sort()) {
    const language = path.basename(file, '.json');
    const texts = Buffer.from(JSON.stringify(JSON.parse(await readFile(path.join(locales, file), 'utf8'))));
    const hash = createHash('sha256').update(texts).digest('hex').slice(0, 8).toUpperCase();
    const hashed = `l10n/${language}-${hash}.json`;
    files.set(hashed, texts);
    files.set(`l10n/${language}.json`, texts);
    found[language] = hashed;
  }
  return found;
}

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Writes the files and takes away what is left of earlier builds, so that a page that is being read meanwhile stays whole. */
async function write(files: Files, compress: boolean): Promise<void> {
  for (const folder of ['assets', 'l10n']) await mkdir(path.join(target, folder), { recursive: true });
  const written = new Set<string>();
  const put = async (name: string, contents: Uint8Array): Promise<void> => {
    written.add(name);
    await writeFile(path.join(target, name), contents);
  };
  for (const [name, contents] of files) {
    await put(name, contents);
    if (!compress) continue;
    await put(`${name}.br`, await brotli(contents, { params: { [zlib.BROTLI_PARAM_QUALITY]: 11 } }));
    await put(`${name}.gz`, await gzipped(contents, { level: 9 }));
  }
  for (const folder of ['assets', 'l10n']) {
    for (const file of await readdir(path.join(target, folder))) {
      if (!written.has(`${folder}/${file}`)) await rm(path.join(target, folder, file), { force: true });
    }
  }
}

function reportSize(files: Files, first: readonly string[]): void {
  const bytes = first.reduce(
    (sum, name) => sum + brotliCompressSync(files.get(name) ?? Buffer.alloc(0)).length,
    0,
  );
  const inKilobytes = (count: number): string => `${(count / 1024).toFixed(1)} KB`;
  console.log(`page: a first visit loads ${inKilobytes(bytes)} (brotli) of at most ${inKilobytes(budget)}`);
  if (bytes > budget) throw new Error('The page has grown over its budget; see bin/buildPage.ts');
}

/** Turns what esbuild made into the files of the page. */
async function finish(result: esbuild.BuildResult, watch: boolean): Promise<void> {
  const outputs = result.metafile?.outputs ?? {};
  const entry = Object.keys(outputs).find((name) => outputs[name]?.entryPoint?.endsWith('main.tsx'));
  if (entry === undefined) throw new Error('The page has no entry');
  const sheet = outputs[entry]?.cssBundle;
  const absolute = (name: string): string => nameOf(path.resolve(name));
  const style = sheet === undefined ? [] : [absolute(sheet)];

  const files: Files = new Map();
  for (const file of result.outputFiles ?? []) {
    const name = nameOf(file.path);
    if (!name.endsWith('.css') || style.includes(name)) files.set(name, file.contents);
  }
  // The entry comes last: what it imports is then already on its way.
  const scripts = [...loadedWith(entry, outputs)].reverse().map(absolute);
  const manifest: Manifest = { scripts, styles: style, languages: await languages(files) };
  files.set('manifest.json', Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));
  await write(files, !watch);
  if (!watch) reportSize(files, [...scripts, ...style, ...Object.values(manifest.languages).slice(0, 1)]);
}

/**
 * Builds the page; with `watch` again after each change, uncompressed and readable, until the process ends.
 * @throws when something does not compile, or a first visit would load more than its budget.
 */
export async function buildPage({ watch = false }: { watch?: boolean } = {}): Promise<void> {
  if (!watch) {
    await finish(await esbuild.build(options(false)), false);
    return;
  }
  const after: esbuild.Plugin = {
    name: 'page files',
    setup(build) {
      build.onEnd(async (result) => {
        if (result.errors.length === 0) await finish(result, true);
      });
    },
  };
  const base = options(true);
  const context = await esbuild.context({ ...base, plugins: [...(base.plugins ?? []), after] });
  await context.watch();
}

if (require.main === module) {
  buildPage({ watch: process.argv.includes('--watch') }).catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
}
