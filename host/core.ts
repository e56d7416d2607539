/**
 * Loads Etherpad's own modules. In 2.x and 3.x some modules have their exports behind `default`, in 1.8.14 none;
 * this file hides the difference.
 */
import { createRequire } from 'node:module';

const requireHere = createRequire(__filename);

/** The exports of a module that `require` has returned. */
export function exportsOf<T>(loaded: T & { __esModule?: boolean; default?: T }): T {
  return loaded.__esModule && loaded.default ? loaded.default : loaded;
}

/** Modules that were loaded, by path: finding a file costs more than the check of an editor's message. */
const modules = new Map<string, ReturnType<NodeJS.Require>>();

/** Loads one of Etherpad's modules, e.g. `node/db/PadManager`. Throws if this version does not have it. */
export function core<T>(path: string): T {
  const known = modules.get(path);
  if (known !== undefined) return exportsOf<T>(known);
  const name = `ep_etherpad-lite/${path}`;
  const loaded = requireHere(name);
  // A module that is still being loaded may replace its exports.
  if (requireHere.cache[requireHere.resolve(name)]?.loaded) modules.set(path, loaded);
  return exportsOf<T>(loaded);
}

/** Calls the hooks of all plugins. */
interface PluginHooks {
  aCallAll(name: string, context?: unknown): Promise<unknown[]>;
  aCallFirst(name: string, context: Record<string, unknown>): Promise<unknown[] | undefined>;
}
export const pluginHooks = (): PluginHooks => core<PluginHooks>('static/js/pluginfw/hooks');

/** The installed plugins by name, and their functions by hook. */
interface PluginDefinitions {
  plugins: Readonly<Record<string, unknown>>;
  hooks: Record<string, unknown[] | undefined>;
}
export const pluginDefinitions = (): PluginDefinitions =>
  core<PluginDefinitions>('static/js/pluginfw/plugin_defs');

/** Loads a package that Etherpad depends on. `undefined` if it is not installed. */
export function packageOfHost<T>(name: string): T | undefined {
  try {
    const hostRequire = createRequire(requireHere.resolve('ep_etherpad-lite/package.json'));
    return hostRequire(name) as T;
  } catch {
    return undefined;
  }
}

/** The file of one of Etherpad's modules. Throws if this version does not have it. */
export const pathOfModule = (path: string): string => requireHere.resolve(`ep_etherpad-lite/${path}`);

/** As `2.5.3`. */
export const hostVersion = (): string => core<{ version: string }>('package.json').version;

/** The major version of the running Etherpad: 1, 2 or 3. 1.9 counts as 2, whose code it has. */
export const hostMajor = (): number => Number.parseInt(hostVersion().replace(/^1\.9\./, '2.'), 10);
