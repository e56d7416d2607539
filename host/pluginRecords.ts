/** Which records of an imported .etherpad file belong to plugins, as Etherpad asks them. */
import { core, hostMajor, pluginDefinitions, pluginHooks } from './core';

/** The first parts of the keys that plugins store beside pads: `comments` for `comments:<pad id>`. */
export async function claimedPrefixes(): Promise<ReadonlySet<string>> {
  const claimed = await pluginHooks().aCallAll('exportEtherpadAdditionalContent');
  return new Set(claimed.map(String));
}

/** Since 2.x, a plugin can read any record of the file itself. Etherpad stores only those that are claimed. */
export function pluginsReadImports(): boolean {
  const { hooks } = pluginDefinitions();
  return hostMajor() > 1 && (hooks.importEtherpad ?? []).length > 0;
}

/** Would a field of this name replace a method of a pad, when Etherpad copies its record into the object? */
export function isPadMethod(name: string): boolean {
  return name in core<{ Pad: { prototype: object } }>('node/db/Pad').Pad.prototype;
}
