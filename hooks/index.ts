/** Every hook that ep.json names. */
export { expressConfigure, preAuthorize } from './http';
export { loadSettings, padRemove, padUpdate, pluginUninstall, shutdown } from './lifecycle';
export { clientVars, handleMessage, onAccessCheck, socketio } from './padAccess';
