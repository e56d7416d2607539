/**
 * Start and stop. The house is opened once, when Etherpad asks plugins to load their settings (its database is open then), and stays
 * open across the restarts that Etherpad makes inside its process. While it is not open every pad is closed.
 */
import path from 'node:path';
import { createApp } from '../api/app';
import { createLimits } from '../api/middleware/rateLimit';
import { createAccounts, sessionOf } from '../host/accounts';
import { createAuthors } from '../host/authors';
import { createDatabase } from '../host/database';
import { createLog } from '../host/log';
import { createPads, type PadNames } from '../host/pads';
import { createSettings, returnSettings, takeSettings } from '../host/settings';
import { outliveMessages } from '../host/sockets';
import { inTime } from '../model/databaseGuard';
import { eraseEverything } from '../model/erasure';
import { createModel } from '../model/model';
import { createHasher } from '../model/passwordHasher';
import { type House, openHouse, setHouse } from './house';
import { watchEditors } from './padAccess';

/** Seen from dist/, where the bundle lies. */
const packageRoot = path.resolve(__dirname, '..');

let opening: Promise<void> | undefined;

/** Milliseconds after which a start that failed is tried again: the database may be back by then. */
const retryAfter = 15_000;
let retry: NodeJS.Timeout | undefined;

/** The host looks them up in its database. */
function endingInTime({ isReadOnlyId, ofReadOnlyId, ofSocket, ofUrl }: PadNames): PadNames {
  return {
    isReadOnlyId,
    ofReadOnlyId: (id) => inTime(ofReadOnlyId(id)),
    ofSocket: (id) => inTime(ofSocket(id)),
    ofUrl: (id) => inTime(ofUrl(id)),
  };
}

async function open(): Promise<void> {
  const log = createLog();
  const hasher = createHasher();
  try {
    takeSettings();
    const { pads, names } = createPads();
    const settings = createSettings();
    const authors = createAuthors();
    const model = await createModel({
      database: createDatabase(),
      pads,
      authors,
      settings,
      hostAccounts: createAccounts(settings),
      log,
      hasher,
      now: Date.now,
    });
    const limits = createLimits();
    const trustsProxy = () => settings.trustProxy() || model.configuration.get('trustProxy');
    const app = createApp({
      model,
      limits,
      trustProxy: trustsProxy,
      hostSession: sessionOf,
      staticRoot: path.join(packageRoot, 'static/dist'),
      templateRoot: path.join(packageRoot, 'templates'),
    });
    const house = { model, pads, names: endingInTime(names), authors, log, limits, trustsProxy, app };
    setHouse(house);
    watchEditors(house);
    outliveMessages(log);
    log.info('ready');
  } catch (error) {
    log.error('could not start, every pad stays closed', {
      error: error instanceof Error ? error.stack : String(error),
    });
    returnSettings();
    await hasher.close();
  }
}

/** Etherpad has read its settings file anew, as it does before it restarts inside its process. What the file presets acts at once. */
async function reload({ model, log }: House): Promise<void> {
  try {
    takeSettings();
    await model.configuration.reload();
  } catch (error) {
    log.error('the settings file could not be taken over', { error: String(error) });
  }
}

/** Etherpad waits for it before it serves anything. Never throws: 1.8.14 would exit. */
export async function loadSettings(): Promise<void> {
  const present = openHouse();
  if (present) {
    await reload(present);
    return;
  }
  opening ??= open();
  await opening;
  if (openHouse()) return;
  opening = undefined;
  clearTimeout(retry);
  retry = setTimeout(() => void loadSettings(), retryAfter).unref();
}

export async function shutdown(): Promise<void> {
  const closing = openHouse();
  setHouse(undefined);
  opening = undefined;
  clearTimeout(retry);
  try {
    returnSettings();
    await closing?.model.close();
  } catch (error) {
    closing?.log.error('could not stop cleanly', { error: String(error) });
  }
}

/**
 * A plugin, perhaps this one, has been uninstalled. Our data stays for the next time, unless the settings file says otherwise: the block
 * `ep_mypads` with `removeDataOnUninstall`.
 */
export async function pluginUninstall(_name: string, { pluginName }: { pluginName?: string }): Promise<void> {
  if (pluginName !== 'ep_mypads') return;
  const log = createLog();
  if (createSettings().plugin().removeDataOnUninstall !== true) {
    log.warn(
      'uninstalled: the data stays, and without the plugin every pad is open to who knows its address',
    );
    return;
  }
  try {
    await shutdown();
    const keys = await eraseEverything(createDatabase());
    log.warn('uninstalled with its data: every pad is open to who knows its address', { keys });
  } catch (error) {
    log.error('the data could not be removed', { error: String(error) });
  }
}

/** The text of a pad has changed. Called for every change of everybody. */
export function padUpdate(_name: string, { pad }: { pad: { id: string } }): void {
  const { model, log } = openHouse() ?? {};
  model?.pads.touch(pad.id).catch((error: unknown) => {
    log?.warn('the time of a change was not kept', { pad: pad.id, error: String(error) });
  });
}

/** Which pad a hook is about. Several names are getters that complain about their age where a newer one is given. */
interface PadContext {
  pad?: { id: string };
  padID?: string;
  dstPad?: { id: string };
  destinationID?: string;
}

/** Etherpad has removed a pad, perhaps behind our back: its own administration, its API, a copy over it. */
export function padRemove(_name: string, context: PadContext): void {
  const id = context.pad?.id ?? context.padID;
  const { model, log } = openHouse() ?? {};
  if (id === undefined) return;
  model?.jobs.padVanished(id).catch((error: unknown) => {
    log?.error('a removed pad could not be forgotten yet', { pad: id, error: String(error) });
  });
}

function appeared(id: string | undefined): void {
  const { model, log } = openHouse() ?? {};
  if (id === undefined) return;
  model?.jobs.padAppeared(id).catch((error: unknown) => {
    log?.error('a pad that is back stays closed for a while', { pad: id, error: String(error) });
  });
}

/** A pad has been copied, perhaps over one that was removed for it. */
export function padCopy(_name: string, context: PadContext): void {
  appeared(context.dstPad?.id ?? context.destinationID);
}

/** Etherpad has made a pad, perhaps one that it had removed a moment ago. */
export function padCreate(_name: string, { pad }: PadContext): void {
  appeared(pad?.id);
}
