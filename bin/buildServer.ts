/**
 * Builds what Etherpad loads: the guard, one CommonJS file with everything else and its dependencies, the hashing
 * worker, the LDAP process, and the script in the editor. Also builds the command `ep-mypads`.
 */
import path from 'node:path';
import { type BuildOptions, type BuildResult, build, type Metafile } from 'esbuild';

const root = path.resolve(__dirname, '..');

const common = { absWorkingDir: root, bundle: true, metafile: true } satisfies BuildOptions;

const server = {
  ...common,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  logLevel: 'warning',
  legalComments: 'eof',
  outdir: 'dist',
} satisfies BuildOptions;

/** Builds dist/ and static/dist/pad/, and returns what is in the files. Throws if a file does not compile. */
export async function buildServer(): Promise<Metafile[]> {
  const results: BuildResult<{ metafile: true }>[] = await Promise.all([
    build({ ...server, entryPoints: { index: 'index.ts' }, external: ['./server.js'] }),
    build({
      ...server,
      entryPoints: {
        server: 'hooks/index.ts',
        passwordWorker: 'model/passwords/worker.ts',
        ldapConversation: 'model/signin/ldapConversation.ts',
      },
      external: ['ep_etherpad-lite/*'],
    }),
    build({
      ...server,
      entryPoints: { doctor: 'cli/doctor.ts' },
      banner: { js: '#!/usr/bin/env node' },
    }),
    build({
      ...common,
      platform: 'browser',
      // Etherpad 1.8.14 minifies the script with an old tool that knows only ES2015.
      target: 'es2015',
      format: 'cjs',
      logLevel: 'warning',
      entryPoints: ['static/pad/hooks.ts'],
      outdir: 'static/dist/pad',
    }),
  ]);
  return results.map(({ metafile }) => metafile);
}
