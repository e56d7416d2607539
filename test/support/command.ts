/** The command `ep-mypads` in a process of its own, built from the sources. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { buildCommand } from '../../bin/buildServer';
import { temporaryFolder } from './app';

export interface CommandRun {
  code: number;
  /** What it printed, errors too. */
  said: string;
}

/** Runs the command with these arguments and environment variables. */
export type RunCommand = (args: readonly string[], env?: object) => Promise<CommandRun>;

/** Builds the command before the tests of a file. It signs in as administrator `root`, unless `env` names another. */
export function useCommand(): RunCommand {
  const folder = temporaryFolder();
  before(() => buildCommand(folder.path));
  after(() => folder.remove());
  return (args, env = {}) => {
    const variables = { ...process.env, MYPADS_ADMIN: 'root', MYPADS_PASSWORD: 'rootroot', ...env };
    return new Promise((done) => {
      const program = join(folder.path, 'doctor.js');
      execFile(process.execPath, [program, ...args], { env: variables }, (error, stdout, stderr) => {
        done({ code: Number(error?.code ?? 0), said: stdout + stderr });
      });
    });
  };
}
