/** Checks of the environment: Etherpad, its database, Node. */
import type { HostFacts } from '../ports';
import { type Check, checked } from './findings';

type Version = readonly [number, number, number];

function versionOf(text: string): Version {
  const [, major, minor, patch] = /(\d+)\.(\d+)\.(\d+)/.exec(text) ?? [];
  return [Number(major ?? 0), Number(minor ?? 0), Number(patch ?? 0)];
}

function isBefore(one: Version, other: Version): boolean {
  const index = one.findIndex((part, position) => part !== other[position]);
  return index >= 0 && (one[index] ?? 0) < (other[index] ?? 0);
}

type Host = Pick<HostFacts, 'version' | 'acceptsTokens' | 'updatesItself'>;

/** Whether this Etherpad has one of the weaknesses that docs/install.md lists, or may start without the plugin. */
export function checkHost({ version, acceptsTokens, updatesItself }: Host): Check {
  const own = versionOf(version);
  if (acceptsTokens && isBefore(own, [3, 3, 6]) && !isBefore(own, [2, 1, 0]))
    return checked('host', isBefore(own, [3, 0, 1]) ? 'tokens' : 'signIn', { version });
  if (updatesItself) return checked('host', 'selfUpdate', { version });
  return checked('host', isBefore(own, [3, 3, 20]) ? 'old' : 'good', { version });
}

/**
 * Most kinds of database have this cache size by default. Only a smaller cache is compared with the number of records.
 */
const usualCache = 10_000;

/** `records`: accounts, folders and pads together. */
export function checkDatabase({ type, cache }: HostFacts['database'], records: number): Check {
  if (type === 'dirty') return checked('database', 'embedded', { type });
  // Only for PostgreSQL does Etherpad take the number from its settings.
  const small =
    type.startsWith('postgres') && cache !== undefined && cache > 0 && cache < Math.min(records, usualCache);
  if (small) return checked('database', 'smallCache', { type, cache, records });
  return checked('database', 'good', { type });
}

/** Plugins that show texts or ids of pads without asking who may open them. docs/plugins.md says at which addresses. */
const padShowingPlugins: readonly string[] = [
  'ep_ai_mcp',
  'ep_list_pads',
  'ep_public_view',
  'ep_search',
  'ep_small_list',
];

export function checkPlugins(installed: readonly string[]): Check {
  const found = installed.filter((name) => padShowingPlugins.includes(name)).sort();
  return found.length === 0
    ? checked('plugins', 'good')
    : checked('plugins', 'showPads', { plugins: found.join(', ') });
}

const leastNode = 20;

/** When the maintenance of each major version ends (github.com/nodejs/release). For later ones it is not known yet. */
const maintainedUntil: Readonly<Record<number, string>> = {
  20: '2026-04-30',
  21: '2024-06-01',
  22: '2027-04-30',
  23: '2025-06-01',
  24: '2028-04-30',
  25: '2026-06-01',
};

/** `now`: milliseconds since 1970. */
export function checkNode(version: string, now: number): Check {
  const [major] = versionOf(version);
  if (major < leastNode) return checked('node', 'tooOld', { version, least: leastNode });
  const until = maintainedUntil[major];
  const ended = until !== undefined && new Date(now).toISOString().slice(0, 10) > until;
  return ended ? checked('node', 'ended', { version, until }) : checked('node', 'good', { version });
}
