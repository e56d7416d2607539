/**
 * Pads that were removed while they were open. Etherpad's history connects again by itself when the server ends its
 * connection, and that would create the pad again, as a pad of Etherpad that everybody can open.
 */
import { LRUCache } from 'lru-cache';

/** For a minute, which is longer than an open page takes to connect again. */
const removedPads = new LRUCache<string, true>({ max: 10_000, ttl: 60_000 });

export function noteRemovedPad(padId: string): void {
  removedPads.set(padId, true);
}

/** Was the pad removed within the last minute, while somebody had it open? */
export function wasRemovedLately(padId: string): boolean {
  return removedPads.has(padId);
}
