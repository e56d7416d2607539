/**
 * Builds what Etherpad loads: the guard, everything else in one CommonJS file with our dependencies inside, the hashing worker, the
 * process that talks to LDAP, and the small script that runs in the editor; and the command `ep-mypads`.
 */
import path from 'node:path';
import { type BuildOptions, build } from 'esbuild';

const root = path.resolve(__dirname, '..');

const server: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  logLevel: 'warning',
  legalComments: 'eof',
  outdir: 'dist',
};

/** Builds dist/ and static/dist/pad/. Throws when a file does not compile. */
export async function buildServer(): Promise<void> {
  await Promise.all([
    build({ ...server, entryPoints: { index: 'index.ts' }, external: ['./server.js'] }),
    build({
      ...server,
      entryPoints: {
        server: 'hooks/index.ts',
        passwordWorker: 'model/passwordWorker.ts',
        ldapConversation: 'model/signin/ldapConversation.ts',
      },
      external: ['ep_etherpad-lite/*'],
    }),
    build({
      ...server,
      entryPoints: { doctor: 'bin/doctor.ts' },
      banner: { js: '#!/usr/bin/env node' },
    }),
    build({
      absWorkingDir: root,
      bundle: true,
      platform: 'browser',
      // Etherpad 1.8.14 minifies it with a tool of its time.
      target: 'es2015',
      format: 'cjs',
      logLevel: 'warning',
      entryPoints: ['static/pad/hooks.ts'],
      outdir: 'static/dist/pad',
    }),
  ]);
}
