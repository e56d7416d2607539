/**
 * What the access checks need of Etherpad. Looked for at each start: a version that lacks something would otherwise
 * open pads without a check. Names of modules are paths inside Etherpad.
 */
import { readFileSync } from 'node:fs';
import { core, hostVersion, pathOfModule } from './core';

const handler = 'node/handler/PadMessageHandler';

/** What we call, by module. */
const functions: Readonly<Record<string, readonly string[]>> = {
  'node/db/DB': ['get', 'set', 'remove', 'findKeys'],
  'node/db/PadManager': ['doesPadExist', 'getPad', 'isValidPadId', 'sanitizePadId'],
  'node/db/ReadOnlyManager': ['isReadOnlyId', 'getPadId'],
  'node/db/AuthorManager': ['getAuthor', 'setAuthorName', 'setAuthorColorId', 'removePad'],
  [handler]: ['handleMessage', 'handleDisconnect'],
};

/** What the text of a module must contain: hooks that it has to call, and messages that it has to know. */
const names: Readonly<Record<string, readonly string[]>> = {
  [handler]: ['handleMessage', 'clientVars', 'CLIENT_READY', 'CHANGESET_REQ', 'COLLABROOM', 'USER_CHANGES'],
  'node/db/SecurityManager': ['onAccessCheck'],
  'node/handler/ImportHandler': ['import'],
  'node/hooks/express': ['expressConfigure'],
  'node/hooks/express/socketio': ['socketio'],
  'node/db/Pad': ['padLoad', 'padRemove'],
};

/** How to look into Etherpad. */
export interface Host {
  /** Exports of a module. Throws if there is no such module. */
  load(module: string): Record<string, unknown>;
  /** Its source text. Throws likewise. */
  read(module: string): string;
}

const etherpad: Host = {
  load: (module) => core<Record<string, unknown>>(module),
  read: (module) => readFileSync(pathOfModule(module), 'utf8'),
};

function orMissing<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

/** Everything that is missing, in the words of an operator's log. */
export function missingIn({ load, read }: Host): string[] {
  const missing: string[] = [];
  for (const [module, wanted] of Object.entries(functions)) {
    const found = orMissing(() => load(module));
    for (const name of wanted) {
      if (typeof found?.[name] !== 'function') missing.push(`${module}: ${name}()`);
    }
  }
  const { sessioninfos } = orMissing(() => load(handler)) ?? {};
  if (typeof sessioninfos !== 'object' || sessioninfos === null) missing.push(`${handler}: sessioninfos`);
  for (const [module, wanted] of Object.entries(names)) {
    const source = orMissing(() => read(module)) ?? '';
    for (const name of wanted) {
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
