/** Starts a program that is a proxy in front of processes of Etherpad, and stops it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { until } from './waiting';

export interface ProxyProgram {
  /** Of the program, for messages. */
  name: string;
  program: string;
  args?: string[];
  env?: NodeJS.ProcessEnv;
  /** Its own folder. Removed when the program is stopped. */
  folder: string;
  /** Does it answer requests? Asked again and again. */
  isReady(): Promise<boolean>;
}

/** Resolves when the program is ready, with a function that stops it. Throws with its output if it ends before. */
export async function startProxyProgram(options: ProxyProgram): Promise<() => Promise<void>> {
  const { name, program, args = [], env, folder, isReady } = options;
  const server = spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [server.stdout, server.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-100_000);
    });
  }
  const end = (): void => {
    server.kill('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', end);
  await until(`${name} answers`, async () => {
    if (server.exitCode !== null) throw new Error(`${name} did not start: ${output}`);
    return isReady();
  });
  return async () => {
    process.off('exit', end);
    const gone = once(server, 'exit');
    end();
    await gone;
  };
}
