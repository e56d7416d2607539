/**
 * Builds what Etherpad loads: the entry point (index.ts), one CommonJS file with the server and its dependencies, the
 * hashing worker, the thread of the index, the LDAP process, the client of Redis, the reader of ZIPs, and the script in
 * the editor. Also builds the command `ep-mypads`.
 */
import { copyFile, readFile } from 'node:fs/promises';
import path from 'node:path';
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
  lineLimit: 160,
  outdir: 'dist',
} satisfies BuildOptions;

/** The keys that model/pageTexts.ts is asked for. */
const serverTexts =
  /^((BACKEND\.ERROR|ERROR_PAGE|exportFile)\..*|login\.forgotten|(requests|exports)\.title)$/;

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

/**
 * Leaves out the package that verifies the certificates of devices: we ask for no attestation, so nothing calls it. It
 * is a third of @simplewebauthn/server.
 */
const withoutCertificates: Plugin = {
  name: 'withoutCertificates',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@peculiar\/x509$/ }, ({ path: name }) => ({ path: name, namespace: 'leftOut' }));
    onLoad({ filter: /./, namespace: 'leftOut' }, () => ({ contents: 'module.exports = {};' }));
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
      plugins: [onlyTexts(serverTexts), withoutCertificates],
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
  // The program reads it from its own folder.
  await copyFile(
    require.resolve('node-sqlite3-wasm/dist/node-sqlite3-wasm.wasm'),
    path.join(root, 'dist', 'node-sqlite3-wasm.wasm'),
  );
  await checkServerSize();
  return results.map(({ metafile }) => metafile);
}
