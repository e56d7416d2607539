/** Exports every hook that ep.json names; and for tests `changePorts` and `sharingTimes`. */

export { sharingTimes } from '../cluster/sharing';
export { padLoad } from './attributes';
export { clientVars, handleMessage, onAccessCheck, socketio } from './editorMessages';
export { eejsBlock_adminMenu, eejsBlock_indexWrapper, eejsBlock_timesliderScripts } from './hostPages';
export { expressConfigure, expressPreSession, preAuthorize } from './http';
export { importFile } from './importFile';
export { changePorts, loadSettings, pluginUninstall, shutdown } from './lifecycle';
export { padCopy, padCreate, padRemove, padUpdate } from './padEvents';
