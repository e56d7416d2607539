/**
 * Pads that were removed within the last year. Without a record, an address belongs to Etherpad, and an old link would
 * create a new pad that everybody can open. Only digests are kept, because an id begins with the name of its pad.
 */
import { lifetimes, limits } from '../limits';
import { sha256 } from '../sha256';
import { forEachInBatches } from './batches';
import { keys, type Store } from './store';

/** The day of each removal since 1970, by digest. */
type Days = Record<string, number>;

const day = 24 * 3600_000;

/** The digits that name one of the 256 records, and those that name a pad in it. */
function placeOf(id: string): { key: string; digest: string } {
  const digits = sha256(id);
  return { key: keys.formerPads(digits.slice(0, 2)), digest: digits.slice(2, 18) };
}

const allKeys = Array.from({ length: 256 }, (_, number) =>
  keys.formerPads(number.toString(16).padStart(2, '0')),
);

/** A clock that is behind that of the process which wrote may still be on the day before. */
const isKept = (removed: unknown, now: number): removed is number =>
  typeof removed === 'number' && removed * day <= now + day && now - removed * day <= lifetimes.formerPad;

/** The pads of a stored record that are still to be remembered, the latest first. */
function keptOf(stored: unknown, now: number): [string, number][] {
  const { days } = (stored ?? {}) as { days?: unknown };
  if (typeof days !== 'object' || days === null) return [];
  return Object.entries(days)
    .filter((entry): entry is [string, number] => isKept(entry[1], now))
    .sort(([, one], [, other]) => other - one)
    .slice(0, limits.formerPads);
}

/** The record without pads that are not to be remembered any more, or that exist; `undefined` if none is left. */
export function tidied(stored: unknown, now: number, existing?: ReadonlySet<string>): object | undefined {
  const days: Days = Object.fromEntries(keptOf(stored, now).filter(([digest]) => !existing?.has(digest)));
  return Object.keys(days).length === 0 ? undefined : { days };
}

/** What `tidied` calls the pads of a record. */
export const digestsOf = (ids: Iterable<string>): Set<string> =>
  new Set(Array.from(ids, (id) => placeOf(id).digest));

export function createFormerPads({ store, now }: { store: Store; now: () => number }) {
  let swept: number | undefined;

  return {
    async add(ids: readonly string[]): Promise<void> {
      const today = Math.floor(now() / day);
      const byKey = new Map<string, Days>();
      for (const { key, digest } of ids.map(placeOf)) byKey.set(key, { ...byKey.get(key), [digest]: today });
      await forEachInBatches([...byKey], ([key, added]) =>
        store.update<unknown>(key, (stored) => {
          const earlier = keptOf(stored, now()).filter(([digest]) => !(digest in added));
          const all = [...Object.entries(added), ...earlier].slice(0, limits.formerPads);
          return { days: Object.fromEntries(all) };
        }),
      );
    },
    /** Was it removed within the last year? True too if Etherpad has a new pad with this id. */
    async has(id: string): Promise<boolean> {
      const { key, digest } = placeOf(id);
      const stored = await store.get<{ days?: Days }>(key);
      return isKept(stored?.days?.[digest], now());
    },
    /** Forgets pads after a year, once a day. A regular job. */
    async sweep(): Promise<void> {
      const today = Math.floor(now() / day);
      if (swept === today) return;
      await forEachInBatches(allKeys, (key) =>
        store.locked([key], async () => {
          const stored = await store.get<{ days?: object }>(key);
          if (stored === undefined) return;
          const left = tidied(stored, now());
          if (left === undefined) await store.remove(key);
          else if (keptOf(stored, now()).length < Object.keys(stored.days ?? {}).length)
            await store.set(key, left);
        }),
      );
      swept = today;
    },
  };
}

export type FormerPads = ReturnType<typeof createFormerPads>;
