/** Every hook that ep.json names. */
export { padLoad } from './attributes';
export { expressConfigure, preAuthorize } from './http';
export { importFile } from './importFile';
export {
  loadSettings,
  padCopy,
  padCreate,
  padRemove,
  padUpdate,
  pluginUninstall,
  shutdown,
} from './lifecycle';
export { clientVars, handleMessage, onAccessCheck, socketio } from './padAccess';
