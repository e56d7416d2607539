/**
 * The way into Etherpad's own modules. Versions differ in where a module keeps its exports (1.8.14: plain; 2.x and 3.x: some
 * behind `default`); nothing outside host/ needs to know.
 */
import { createRequire } from 'node:module';

const requireHere = createRequire(__filename);

/** One of Etherpad's modules, e.g. `node/db/PadManager`. Throws when this Etherpad has none of that name. */
export function core<T>(path: string): T {
  const loaded = requireHere(`ep_etherpad-lite/${path}`) as T & { __esModule?: boolean; default?: T };
  return loaded.__esModule && loaded.default ? loaded.default : loaded;
}

/** A package that Etherpad itself depends on, wherever it was installed; `undefined` when there is none. */
export function packageOfHost<T>(name: string): T | undefined {
  try {
    const hostRequire = createRequire(requireHere.resolve('ep_etherpad-lite/package.json'));
    return hostRequire(name) as T;
  } catch {
    return undefined;
  }
}
