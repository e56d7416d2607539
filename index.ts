/**
 * What Etherpad loads: every hook that ep.json names. Etherpad starts without the hooks of a plugin whose file throws while it is
 * loaded, which would leave every pad open; so this file is small, and when the rest cannot be loaded it closes every pad and
 * says why.
 */
import { closedHooks, type HookName } from './hooks/closed';

type Hooks = Record<HookName, unknown>;

function load(): Hooks {
  try {
    const hooks = require('./server.js') as Partial<Hooks>;
    for (const name of Object.keys(closedHooks) as HookName[]) {
      if (typeof hooks[name] !== 'function') throw new Error(`${name} is missing`);
    }
    return hooks as Hooks;
  } catch (error) {
    const why = error instanceof Error ? error.stack : String(error);
    console.error(`[ep_mypads] could not be loaded, every pad stays closed: ${why}`);
    return closedHooks;
  }
}

export const {
  loadSettings,
  expressConfigure,
  preAuthorize,
  socketio,
  handleMessage,
  onAccessCheck,
  importFile,
  clientVars,
  padLoad,
  padUpdate,
  padRemove,
  padCopy,
  padCreate,
  pluginUninstall,
  shutdown,
} = load();
