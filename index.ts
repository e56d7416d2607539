/**
 * The entry point: exports every hook that ep.json names. When a plugin's file throws while it is loaded, Etherpad
 * starts without its hooks and every pad is open. So this file loads the real hooks in a try block, and if that fails
 * it logs the reason and exports hooks that refuse access to every pad.
 */
import { closedHooks, type HookName } from './hooks/unavailable';

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
    console.error(`[ep_mypads] loading failed, every pad stays closed: ${why}`);
    return closedHooks;
  }
}

export const {
  loadSettings,
  expressPreSession,
  expressConfigure,
  preAuthorize,
  socketio,
  handleMessage,
  onAccessCheck,
  importFile,
  clientVars,
  eejsBlock_indexWrapper,
  eejsBlock_adminMenu,
  eejsBlock_timesliderScripts,
  padLoad,
  padUpdate,
  padRemove,
  padCopy,
  padCreate,
  pluginUninstall,
  shutdown,
} = load();
