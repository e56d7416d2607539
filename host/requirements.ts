/**
 * Checks at each start that Etherpad has what the access checks need. With a version that lacks something, pads would
 * be open without a check. Modules are named by their paths inside Etherpad.
 */
import { readFileSync } from 'node:fs';
import { core, hostVersion, pathOfModule } from './core';

const handler = 'node/handler/PadMessageHandler';

/** The functions that we call, by module. */
const requiredFunctions: Readonly<Record<string, readonly string[]>> = {
  'node/db/DB': ['get', 'set', 'remove', 'findKeys'],
  'node/db/PadManager': ['doesPadExist', 'getPad', 'isValidPadId', 'sanitizePadId', 'unloadPad'],
  'node/db/ReadOnlyManager': ['isReadOnlyId', 'getPadId'],
  'node/db/AuthorManager': ['getAuthor', 'setAuthorName', 'setAuthorColorId', 'removePad'],
  [handler]: ['handleMessage', 'handleDisconnect'],
  'static/js/Changeset': ['follow'],
};

/** Strings in the source of a module: the hooks that it must call, and the messages that it must handle. */
const requiredStrings: Readonly<Record<string, readonly string[]>> = {
  [handler]: ['handleMessage', 'clientVars', 'CLIENT_READY', 'CHANGESET_REQ', 'COLLABROOM', 'USER_CHANGES'],
  'node/db/SecurityManager': ['onAccessCheck'],
  'node/handler/ImportHandler': ['import'],
  'node/hooks/express': ['expressConfigure'],
  'node/hooks/express/socketio': ['socketio'],
  'node/db/Pad': ['padLoad', 'padRemove'],
};

/** Reads modules of Etherpad. Both functions throw if there is no such module. */
export interface Host {
  /** Returns the exports. */
  load(module: string): Record<string, unknown>;
  /** Returns the source text. */
  read(module: string): string;
}

const etherpad: Host = {
  load: (module) => core<Record<string, unknown>>(module),
  read: (module) => readFileSync(pathOfModule(module), 'utf8'),
};

function unlessMissing<T>(access: () => T): T | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}

/** A text about each missing function and string, for the log. */
export function missingIn({ load, read }: Host): string[] {
  const missing: string[] = [];
  for (const [module, required] of Object.entries(requiredFunctions)) {
    const found = unlessMissing(() => load(module));
    for (const name of required) {
      if (typeof found?.[name] !== 'function') missing.push(`${module}: ${name}()`);
    }
  }
  const { sessioninfos } = unlessMissing(() => load(handler)) ?? {};
  if (typeof sessioninfos !== 'object' || sessioninfos === null) missing.push(`${handler}: sessioninfos`);
  for (const [module, required] of Object.entries(requiredStrings)) {
    const source = unlessMissing(() => read(module)) ?? '';
    for (const name of required) {
      if (!new RegExp(`['"\`]${name}['"\`]`).test(source)) missing.push(`${module}: '${name}'`);
    }
  }
  return missing;
}

/** Throws if this Etherpad lacks something that the access checks need. */
export function checkRequirements(): void {
  const missing = missingIn(etherpad);
  if (missing.length === 0) return;
  throw new Error(`Etherpad ${hostVersion()} lacks what the access checks need: ${missing.join(', ')}`);
}
