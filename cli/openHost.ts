/** Opens Etherpad's database for a command, with what an operator has to know about it. */
import { setTimeout as pause } from 'node:timers/promises';
import { describeRunning } from '../cluster/redis/processes';
import { detectUse, loadHost, OperatorError } from '../host/standalone';
import { captureOutput, say } from './console';

/** Some drivers wait for ever for a database that accepts the connection and does not answer. */
function patiently<T>(type: string, opening: Promise<T>): Promise<T> {
  const ended = new AbortController();
  pause(5_000, undefined, ended).then(
    () => say(`Waiting for the database (${type}) …`),
    () => {},
  );
  return opening.finally(() => ended.abort());
}

export interface OpenOptions {
  /** Etherpad's settings file, if it is not `settings.json`. */
  settings: string | undefined;
  /** Change data although another process seems to use it. */
  force: boolean;
  /** The file of the database may be missing: it is created. */
  mayBeNew?: boolean;
}

/**
 * Reads the settings of the Etherpad in this folder. `open` opens its database. Throws an OperatorError if data would
 * be changed while another process uses it.
 */
export async function openHost(
  { settings, force, mayBeNew = false }: OpenOptions,
  folder: string,
  changes: boolean,
) {
  captureOutput();
  const host = loadHost(folder, settings, mayBeNew);
  say(`Etherpad ${host.version}, database ${host.type}${host.file === undefined ? '' : ` in ${host.file}`}`);
  const running = await describeRunning(host.plugin);
  const { evidence, sure } =
    running === undefined ? await detectUse(host) : { evidence: running, sure: true };
  if (evidence !== undefined && changes && !force) {
    throw new OperatorError(`${evidence} Stop Etherpad first; nothing was changed.`);
  }
  if (evidence !== undefined) say(`${evidence} The result may be out of date.`);
  else if (!sure) {
    say('This command cannot find out whether an Etherpad uses this database. Make sure that none does.');
  }
  return { ...host, open: (file?: string) => patiently(host.type, host.open(file)) };
}
