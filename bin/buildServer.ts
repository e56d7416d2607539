/**
 * Builds what Etherpad loads: the entry point (index.ts), one CommonJS file with the server and its dependencies, the
 * hashing worker, the thread of the index, the LDAP process, the client of Redis, the reader of ZIPs, and the script in
 * the editor. Also builds the command `ep-mypads`.
 */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants as zlib } from 'node:zlib';
import { type BuildOptions, type BuildResult, build, type Metafile, type Plugin } from 'esbuild';

const root = path.resolve(__dirname, '..');

/** The largest dist/server.js, in bytes. */
const serverBudget = 4_300_000;

const common = { absWorkingDir: root, bundle: true, metafile: true } satisfies BuildOptions;

const server = {
  ...common,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  logLevel: 'warning',
  legalComments: 'eof',
  // V8 keeps the text of a script in memory. Names stay, so that errors in logs can be read.
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 160,
  outdir: 'dist',
} satisfies BuildOptions;

/** Bundles only some texts. All texts of all languages would double the size. */
const onlyTexts = (wanted: RegExp): Plugin => ({
  name: 'texts',
  setup({ onLoad }) {
    onLoad({ filter: /\.json$/ }, async ({ path: file }) => {
      if (path.dirname(file) !== path.join(root, 'locales')) return undefined;
      const texts: Record<string, string> = JSON.parse(await readFile(file, 'utf8'));
      const own = Object.entries(texts).filter(([key]) => wanted.test(key));
      return { contents: JSON.stringify(Object.fromEntries(own)), loader: 'json' };
    });
  },
});

/** Parts of packages that nothing needs, and that are large: `name` in files that match `from`. */
const unusedParts: readonly { from: RegExp; name: RegExp; instead?: string }[] = [
  // It verifies the certificates of devices. We ask for no attestation.
  { from: /./, name: /^@peculiar\/x509$/ },
  // Tables of Chinese, Japanese and Korean encodings. Bodies are JSON or forms, which are in UTF-8.
  { from: /iconv-lite\/encodings\/index\.js$/, name: /^\.\/dbcs-data$/ },
  // It writes XML. The answers of CAS servers are only read.
  { from: /xml2js\/lib\//, name: /^xmlbuilder$/ },
  // Traces in metrics, which are not switched on.
  { from: /prom-client\/lib\//, name: /^@opentelemetry\/api$/ },
  // It is asked three times whether Node is newer than 16.
  { from: /jsonwebtoken\/lib\//, name: /^semver$/, instead: 'exports.satisfies = () => true;' },
  // The types of 1,000 kinds of attachments. Our mails have none.
  {
    from: /nodemailer\/lib\//,
    name: /\/mime-types$/,
    instead:
      "exports.detectMimeType = () => 'application/octet-stream'; exports.detectExtension = () => 'bin';",
  },
  // Limits that other databases keep.
  {
    from: /rate-limiter-flexible\/index\.js$/,
    name: /^\.\/lib\/\w*(Mongo|SQL|Postgres|Cluster|Memcache|Dynamo|Prisma|Drizzle|Valkey|Etcd)\w*$/,
  },
];

const withoutUnusedParts: Plugin = {
  name: 'withoutUnusedParts',
  setup({ onResolve, onLoad }) {
    for (const { from, name, instead = 'module.exports = {};' } of unusedParts) {
      onResolve({ filter: name }, ({ path: wanted, importer }) =>
        from.test(importer.replaceAll('\\', '/'))
          ? { path: wanted, namespace: 'unused', pluginData: instead }
          : undefined,
      );
    }
    onLoad({ filter: /./, namespace: 'unused' }, ({ pluginData }) => ({ contents: pluginData }));
  },
};

const wasm = 'node-sqlite3-wasm.wasm';

/** Makes SQLite's loader read a file that is compressed with brotli. */
const compressedWasm: Plugin = {
  name: 'compressedWasm',
  setup({ onLoad }) {
    onLoad({ filter: /node-sqlite3-wasm\.js$/ }, async ({ path: file }) => {
      const text = await readFile(file, 'utf8');
      const read = 'if(readBinary){return readBinary(file)}';
      if (text.split(read).length !== 2) throw new Error(`${file} reads its file in another way`);
      const contents = text.replace(
        read,
        "return require('zlib').brotliDecompressSync(readBinary(file + '.br'));",
      );
      return { contents };
    });
  },
};

async function writeWasm(): Promise<void> {
  const bytes = await readFile(require.resolve(`node-sqlite3-wasm/dist/${wasm}`));
  const params = {
    [zlib.BROTLI_PARAM_QUALITY]: zlib.BROTLI_MAX_QUALITY,
    [zlib.BROTLI_PARAM_LGWIN]: zlib.BROTLI_MAX_WINDOW_BITS,
  };
  await writeFile(path.join(root, 'dist', `${wasm}.br`), await promisify(brotliCompress)(bytes, { params }));
}

/** Builds the command `ep-mypads` as `doctor.js` in this folder. */
export function buildCommand(outdir: string): Promise<BuildResult<{ metafile: true }>> {
  return build({
    ...server,
    entryPoints: { doctor: 'cli/doctor.ts' },
    external: ['./redisClient.js', './unzip.js'],
    banner: { js: '#!/usr/bin/env node' },
    outdir,
    plugins: [onlyTexts(/^admin\.checkup\./), withoutUnusedParts],
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
      plugins: [onlyTexts(/^(BACKEND\.ERROR|ERROR_PAGE|exportFile)\./), withoutUnusedParts, compressedWasm],
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
      plugins: [onlyTexts(/^editor\.moved/)],
      entryPoints: ['static/pad/hooks.ts'],
      outdir: 'static/dist/pad',
    }),
  ]);
  await writeWasm();
  const metafiles = results.map(({ metafile }) => metafile);
  await removeOthers(metafiles);
  await checkServerSize();
  return metafiles;
}
