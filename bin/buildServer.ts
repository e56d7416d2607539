/**
 * Builds what Etherpad loads: the entry point (index.ts), one CommonJS file with the server and its dependencies, the
 * hashing worker, the thread of the index, the LDAP process, the client of Redis, the reader of ZIPs, the mails of each
 * language, and the script in the editor. Also builds the command `ep-mypads`.
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { brotliCompressSync, constants as zlib } from 'node:zlib';
import { type BuildOptions, type BuildResult, build, type Metafile, type Plugin } from 'esbuild';
import { languageCodes } from '../model/languages';

const root = path.resolve(__dirname, '..');

/** The largest dist/server.js, in bytes. */
const serverBudget = 2_100_000;

const wasm = 'node-sqlite3-wasm.wasm';

/** Compressed as well as brotli can: what it needs for that is more memory, also for unpacking. */
const brotli = (contents: Uint8Array): Buffer =>
  brotliCompressSync(contents, {
    params: {
      [zlib.BROTLI_PARAM_QUALITY]: zlib.BROTLI_MAX_QUALITY,
      [zlib.BROTLI_PARAM_LGWIN]: zlib.BROTLI_MAX_WINDOW_BITS,
    },
  });

const common = { absWorkingDir: root, bundle: true, metafile: true } satisfies BuildOptions;

const server = {
  ...common,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  logLevel: 'warning',
  legalComments: 'eof',
  // V8 keeps the text of a script in memory. Functions keep their names, so that errors in logs can be read.
  minify: true,
  keepNames: true,
  lineLimit: 160,
  outdir: 'dist',
} satisfies BuildOptions;

/** The texts of the page in a language, by key, as far as they are wanted. */
async function pageTexts(code: string, wanted: RegExp): Promise<Record<string, string>> {
  const texts = JSON.parse(await readFile(path.join(root, 'locales', `${code}.json`), 'utf8'));
  return Object.fromEntries(Object.entries<string>(texts).filter(([key]) => wanted.test(key)));
}

/** The texts of mails: one compressed file for each language. */
async function writeMailTexts(): Promise<void> {
  const folder = path.join(root, 'dist', 'mail');
  await mkdir(folder, { recursive: true });
  for (const code of languageCodes) {
    const texts = JSON.parse(await readFile(path.join(root, 'templates', 'mail', `${code}.json`), 'utf8'));
    await writeFile(path.join(folder, `${code}.json.br`), brotli(Buffer.from(JSON.stringify(texts))));
  }
}

const languageFiles: Plugin = {
  name: 'languageFiles',
  setup({ onResolve }) {
    const path = require.resolve('../model/builtLanguageFile');
    onResolve({ filter: /\/languageFile$/ }, ({ kind }) => (kind === 'entry-point' ? undefined : { path }));
  },
};

const isLanguage = (code: string): boolean => languageCodes.some((one) => one === code);

/**
 * The script in the editor has few texts, so it contains them in all languages. esbuild takes all files of locales/,
 * also what qqq.json says to translators.
 */
export const editorTexts: Plugin = {
  name: 'editorTexts',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]locales[\\/][\w-]+\.json$/ }, async ({ path: file }) => {
      const { name: code } = path.parse(file);
      const texts = isLanguage(code) ? await pageTexts(code, /^editor\.moved/) : {};
      return { contents: JSON.stringify(texts), loader: 'json' };
    });
  },
};

/** Large parts of packages that nothing here needs: `name` in files that match `from`. They become empty. */
const unusedParts: readonly { from: RegExp; name: RegExp }[] = [
  // It verifies the certificates of devices. We ask for no attestation.
  { from: /./, name: /^@peculiar\/x509$/ },
  // Tables of Chinese, Japanese and Korean encodings. Bodies are JSON or forms, which are in UTF-8.
  { from: /iconv-lite\/encodings\/index\.js$/, name: /^\.\/dbcs-data$/ },
  // It writes XML. The answers of CAS servers are only read.
  { from: /xml2js\/lib\//, name: /^xmlbuilder$/ },
  // Traces in metrics, which are not switched on.
  { from: /prom-client\/lib\//, name: /^@opentelemetry\/api$/ },
  // The types of attachments. Mails have none.
  { from: /nodemailer\/lib\//, name: /\/mime-types$/ },
  // Limits that other databases keep.
  {
    from: /rate-limiter-flexible\/index\.js$/,
    name: /^\.\/lib\/\w*(Mongo|SQL|Postgres|Cluster|Memcache|Dynamo|Prisma|Drizzle|Valkey|Etcd)\w*$/,
  },
];

const withoutUnusedParts: Plugin = {
  name: 'withoutUnusedParts',
  setup({ onResolve, onLoad }) {
    for (const { from, name } of unusedParts) {
      onResolve({ filter: name }, ({ path: wanted, importer }) =>
        from.test(importer.replaceAll('\\', '/')) ? { path: wanted, namespace: 'unused' } : undefined,
      );
    }
    onLoad({ filter: /./, namespace: 'unused' }, () => ({ contents: 'module.exports = {};' }));
  },
};

/** Endings of the files that answers are made of, and names of formats in the code. */
const answered = /^(?:html|txt|text|json|js|css|svg|png|webp|webmanifest|zip|xml)$/;

/** Of the table of all types of files, which express has, those of our answers. */
const answeredTypes: Plugin = {
  name: 'answeredTypes',
  setup({ onLoad }) {
    onLoad({ filter: /mime-db[\\/]db\.json$/ }, async ({ path: file }) => {
      const all: Record<string, { extensions?: string[] }> = JSON.parse(await readFile(file, 'utf8'));
      const used = Object.entries(all).filter(([, { extensions = [] }]) =>
        extensions.some((ending) => answered.test(ending)),
      );
      return { contents: JSON.stringify(Object.fromEntries(used)), loader: 'json' };
    });
  },
};

/** Stores the program of SQLite compressed. It is unpacked at its first use, and only by Node before 22.5. */
const compressedWasm: Plugin = {
  name: 'compressedWasm',
  setup({ onLoad }) {
    onLoad({ filter: /node-sqlite3-wasm\.js$/ }, async ({ path: file }) => {
      const before = await readFile(file, 'utf8');
      const after = before
        .replace(`locateFile("${wasm}")`, `locateFile("${wasm}.br")`)
        .replace('return readBinary(file)', 'return require("zlib").brotliDecompressSync(readBinary(file))');
      if (after.length !== before.length + 41) throw new Error(`${file} loads ${wasm} in another way`);
      return { contents: after };
    });
  },
};

/** Of the texts of the page, `ep-mypads doctor --online` prints those of the checks and of errors. */
const checkTexts: Plugin = {
  name: 'checkTexts',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]locales[\\/]en\.json$/ }, async () => ({
      contents: JSON.stringify(await pageTexts('en', /^(?:admin\.checkup|BACKEND\.ERROR)\./)),
      loader: 'json',
    }));
  },
};

/** Builds the command `ep-mypads` as `doctor.js` in this folder. */
export function buildCommand(outdir: string): Promise<BuildResult<{ metafile: true }>> {
  return build({
    ...server,
    entryPoints: { doctor: 'cli/doctor.ts' },
    external: ['./redisClient.js', './unzip.js'],
    banner: { js: '#!/usr/bin/env node' },
    outdir,
    plugins: [checkTexts, withoutUnusedParts],
  });
}

/**
 * Throws if dist/server.js is too long. V8 keeps the text of a script in memory: one byte for each character, or two if
 * any of them is not in Latin-1.
 */
async function checkServerSize(): Promise<void> {
  const text = await readFile(path.join(root, 'dist/server.js'), 'utf8');
  if (text.length > serverBudget)
    throw new Error(`dist/server.js has ${text.length} bytes of at most ${serverBudget}`);
  const [wide] = /.{0,40}[^\0-\xff]/.exec(text) ?? [];
  if (wide) throw new Error(`dist/server.js has characters beyond Latin-1: ${wide}`);
}

/** Deletes files of earlier builds, so that they do not get into the package. */
async function removeOthers(metafiles: readonly Metafile[]): Promise<void> {
  const built = new Set([`dist/${wasm}.br`, ...metafiles.flatMap(({ outputs }) => Object.keys(outputs))]);
  for (const folder of ['dist', 'static/dist/pad']) {
    for (const file of await readdir(path.join(root, folder)))
      if (!built.has(`${folder}/${file}`)) await rm(path.join(root, folder, file), { recursive: true });
  }
}

/**
 * Builds dist/ and static/dist/pad/, and returns what is in the files. Throws if a file does not compile, or if
 * dist/server.js is too big.
 */
export async function buildServer(): Promise<Metafile[]> {
  const results: BuildResult<{ metafile: true }>[] = await Promise.all([
    build({ ...server, entryPoints: { index: 'index.ts' }, external: ['./server.js'] }),
    build({
      ...server,
      entryPoints: {
        server: 'hooks/index.ts',
        passwordWorker: 'model/passwords/worker.ts',
        indexWorker: 'host/index/worker.ts',
        ldapConversation: 'model/signin/ldapConversation.ts',
      },
      external: ['ep_etherpad-lite/*', './redisClient.js', './unzip.js'],
      plugins: [languageFiles, compressedWasm, withoutUnusedParts, answeredTypes],
    }),
    build({
      ...server,
      entryPoints: { redisClient: 'cluster/redis/redisClient.ts', unzip: 'model/padImport/unzip.ts' },
    }),
    buildCommand(path.join(root, 'dist')),
    build({
      ...common,
      platform: 'browser',
      // Etherpad 1.8.14 minifies the script with an old tool that knows only ES2015.
      target: 'es2015',
      format: 'cjs',
      logLevel: 'warning',
      plugins: [editorTexts],
      entryPoints: ['static/pad/hooks.ts'],
      outdir: 'static/dist/pad',
    }),
  ]);
  // The program reads it from its own folder.
  const program = await readFile(require.resolve(`node-sqlite3-wasm/dist/${wasm}`));
  await writeFile(path.join(root, 'dist', `${wasm}.br`), brotli(program));
  const metafiles = results.map(({ metafile }) => metafile);
  await removeOthers(metafiles);
  await writeMailTexts();
  await checkServerSize();
  return metafiles;
}
