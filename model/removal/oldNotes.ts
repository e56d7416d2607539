/** Makes jobs of removals that ep_mypads 1.x or an earlier version of this one has begun and not finished. */
import type { JobQueue, Jobs } from '../jobs/types';
import { keys, type Store } from '../store/store';
import { readTrashedPad } from '../store/trashNotes';
import type { ChatRemovalFacts } from './chatRemoval';
import type { GroupRemovalFacts } from './groupRemoval';
import type { PadRemovalFacts } from './padRemoval';
import { withoutIds } from './references';
import { readEarlier, readUnfinished, removalKinds } from './unfinished';
import type { VanishedFacts } from './vanishedPads';

interface OldNotesContext {
  store: Store;
  jobs: Pick<Jobs, 'define'>;
  pads: Pick<JobQueue<PadRemovalFacts, string[]>, 'note' | 'begin'>;
  groups: Pick<JobQueue<GroupRemovalFacts>, 'note'>;
  chats: Pick<JobQueue<ChatRemovalFacts>, 'note'>;
  vanished: Pick<JobQueue<VanishedFacts>, 'note'>;
}

/** Returns `Removals.continueEarlier`. */
export function createEarlierRemovals(context: OldNotesContext): () => Promise<void> {
  const { store, jobs, pads, groups, chats, vanished } = context;

  /** Notes of 1.x are on no list. This is slow on large databases, so it runs once. Their pads are closed already. */
  const search = jobs.define<null>({
    type: 'searchOldNotes',
    async run() {
      const prefix = keys.deletePad('');
      const found = await store.scan(prefix);
      // Read after the search: jobs are stored before their notes are written.
      const { pads: removing, vanished: gone } = await readUnfinished(store);
      const known = new Set([...removing, ...gone].map(keys.deletePad));
      const unknown = found.filter((key) => !known.has(key));
      const notes = await store.getMany<unknown>(unknown);
      const old = unknown.filter((_, index) => readTrashedPad(notes[index]) === undefined);
      const idOf = (key: string): string => key.slice(prefix.length);
      if (old.length > 0) await pads.begin({ pads: old.map(idOf), leftovers: true });
      // 1.x did not shorten long ids in keys. By now, these pads have another note.
      await Promise.all(old.filter((key) => keys.deletePad(idOf(key)) !== key).map(store.remove));
      await store.update<object>(keys.pendingJobs, (list) => ({ ...list, searched: true }));
    },
  });

  return async () => {
    const earlier = readEarlier(await store.get(keys.pendingJobs));
    if (removalKinds.some((kind) => earlier[kind].length > 0)) {
      if (earlier.pads.length > 0) await pads.note({ pads: earlier.pads });
      for (const group of earlier.groups) await groups.note({ group });
      if (earlier.vanished.length > 0) await vanished.note({ pads: earlier.vanished });
      for (const pad of earlier.chats) await chats.note({ pad });
      // A process of the earlier version may have added something meanwhile.
      await store.update<object>(keys.pendingJobs, (stored) => {
        const now = readEarlier(stored);
        const left = removalKinds.map((kind) => [kind, withoutIds(now[kind], new Set(earlier[kind]))]);
        return { ...Object.fromEntries(left), searched: now.searched };
      });
    }
    if (!earlier.searched) await search.begin(null, { name: 'once' });
  };
}
