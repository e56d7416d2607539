/** Finishes removals that a stop or a failure interrupted. */
import type { Log } from '../ports';
import { keys, type Store } from '../store/store';
import type { Pending, PendingJobs } from './pendingJobs';

type Unfinished = Pick<Pending, 'pads' | 'groups' | 'chats'>;

export interface UnfinishedRemovals {
  /** Continues all noted removals. If one fails, it is logged, and its note stays. */
  resume(): Promise<void>;
  /** Continues removals that were already unfinished at the previous call. Newer ones may still be in progress. */
  retry(): Promise<void>;
  /** Runs `work`. One removal that fails must not keep the server from starting, so a failure is only logged. */
  attempt(what: string, ids: string | readonly string[], work: () => Promise<void>): Promise<void>;
  /**
   * Looks for notes of ep_mypads 1.x, which are on no list. Slow on large databases, so it runs once, in the
   * background. Their pads are closed already.
   */
  searchOldNotes(): Promise<void>;
}

interface UnfinishedContext {
  store: Store;
  pending: PendingJobs;
  log: Log;
  resumePads(ids: readonly string[]): Promise<void>;
  resumeGroup(id: string): Promise<void>;
  /** Queues the removal of all messages. */
  resumeChat(padId: string): void;
}

export function createUnfinishedRemovals(context: UnfinishedContext): UnfinishedRemovals {
  const { store, pending, log, resumePads, resumeGroup, resumeChat } = context;
  let earlier: Unfinished = { pads: [], groups: [], chats: [] };

  async function attempt(
    what: string,
    ids: string | readonly string[],
    work: () => Promise<void>,
  ): Promise<void> {
    try {
      await work();
    } catch (error) {
      log.error('unfinished removal failed, retrying later', { [what]: ids, error: String(error) });
    }
  }

  async function proceed({ pads, groups, chats }: Unfinished): Promise<void> {
    for (const id of groups) await attempt('group', id, () => resumeGroup(id));
    await attempt('pads', pads, () => resumePads(pads));
    for (const id of chats) resumeChat(id);
  }

  return {
    attempt,
    resume: async () => proceed(await pending.read()),
    async retry() {
      const [before, left] = [earlier, await pending.read()];
      earlier = left;
      const still = (kind: keyof Unfinished) => left[kind].filter((id) => before[kind].includes(id));
      await proceed({ pads: still('pads'), groups: still('groups'), chats: still('chats') });
    },
    async searchOldNotes() {
      try {
        if ((await pending.read()).searched) return;
        const prefix = keys.deletePad('');
        const found = await store.scan(prefix);
        // Read after the search: our own notes are put on a list before they are written.
        const known = await pending.read();
        const listed = new Set([...known.pads, ...known.vanished].map(keys.deletePad));
        const old = found.filter((key) => !listed.has(key)).map((key) => key.slice(prefix.length));
        await attempt('pads', old, () => resumePads(old));
        await pending.noteSearched();
      } catch (error) {
        log.warn('search for unfinished removals of ep_mypads 1.x failed', {
          error: String(error),
        });
      }
    },
  };
}
