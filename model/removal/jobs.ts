/**
 * Removal of pads, groups and chats that survives a crash. A note is stored first and closes the pad; it is deleted
 * last. The next start finishes noted removals before it answers requests; Etherpad's own records follow in the
 * background.
 */
import { setMaxListeners } from 'node:events';
import type { Users } from '../accounts/user';
import type { Events } from '../events';
import type { Coordination, EditorPads, Log, Schedule } from '../ports';
import type { FormerPads } from '../store/formerPads';
import { keys, type Store } from '../store/store';
import { BackgroundWork } from './backgroundWork';
import { createEditorRemoval, removalBatch } from './editorRemoval';
import { createGroupRemoval, type RemovalMode } from './groupRemoval';
import { createPadRecordRemoval } from './padRecordRemoval';
import { createPendingJobs, type PendingKind } from './pendingJobs';
import type { ReferenceCleanup } from './referenceCleanup';
import { createUnfinishedRemovals } from './unfinishedRemovals';
import { createVanishedPads, type VanishedPads } from './vanishedPads';

export interface Jobs extends Pick<VanishedPads, 'padVanished' | 'padAppeared' | 'settleVanished'> {
  /** Does nothing when the pad does not exist. Resolves when nobody can reach the pad any more. */
  removePad(id: string): Promise<void>;
  /** Removes a group with all its pads. Throws CONFIGURATION.KEY_NOT_FOUND. */
  removeGroup(id: string): Promise<void>;
  /** Resolves when nobody can see the old chat. New messages are kept. */
  removeChat(padId: string): Promise<void>;
  /**
   * Resumes removals of an earlier run, or of a process that has ended. Resolves when nobody can reach their pads;
   * Etherpad's own records follow in the background.
   */
  resume(): Promise<void>;
  /** Retries removals that were already unfinished at the previous call. Call it every few minutes. */
  retry(): Promise<void>;
  /** Those of these pads that are closed because their removal has begun. */
  removingAmong(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** The numbers of removals that have begun and not ended. */
  unfinished(): Promise<Record<PendingKind, number>>;
  /** Resolves when no background work is left. */
  idle(): Promise<void>;
  /** Aborts the background work; the next start resumes it. Resolves when it has stopped. */
  stop(): Promise<void>;
}

export interface JobContext {
  store: Store;
  users: Users;
  editorPads: EditorPads;
  formerPads: FormerPads;
  referenceCleanup: ReferenceCleanup;
  events: Events;
  coordination: Pick<Coordination, 'tryLock'>;
  /** Other processes may be working on the same removals. */
  sharesDatabase?: true | undefined;
  /** Runs in the leader. */
  schedule: Schedule;
  /** Runs in each process. */
  localSchedule: Schedule;
  log: Log;
  now: () => number;
  /** True when Etherpad's records are removed in the background. Large pads take long. */
  inBackground: () => boolean;
}

/** Removes texts, histories and chats, before the answer or in the background. */
function createPadRemoval(context: JobContext, background: BackgroundWork, signal: AbortSignal) {
  const { store, editorPads, referenceCleanup } = context;
  const pending = createPendingJobs(store);
  const records = createPadRecordRemoval({ ...context, pending });
  const editor = createEditorRemoval({ ...context, pending, signal });

  async function removePads(ids: readonly string[], mode: RemovalMode): Promise<void> {
    if (ids.length === 0) return;
    await records.mark(ids);
    await Promise.all([records.remove(ids), referenceCleanup.schedule({ pads: ids })]);
    if (mode === 'foreground') {
      const work = editor.removePads(ids, false);
      background.track(work);
      return work;
    }
    for (let start = 0; start < ids.length; start += removalBatch) {
      const part = ids.slice(start, start + removalBatch);
      background.queue(() => editor.removePads(part, mode === 'resumed'));
    }
  }

  async function removeChat(padId: string, mode: RemovalMode): Promise<void> {
    await pending.add('chats', [padId]);
    const count = await editorPads.emptyChat(padId);
    if (mode === 'foreground') return editor.removeOldChat(padId, count);
    background.queue(() => editor.removeOldChat(padId, count));
  }

  const resumeChat = (padId: string) => background.queue(() => editor.removeOldChat(padId, undefined));

  return { pending, removePadRecords: records.remove, removePads, removeChat, resumeChat };
}

export function createJobs(context: JobContext): Jobs {
  const stopping = new AbortController();
  const { signal } = stopping;
  // Every removal adds a listener; this turns off Node's warning about a leak.
  setMaxListeners(0, signal);
  const background = new BackgroundWork();
  const { pending, removePadRecords, removePads, removeChat, resumeChat } = createPadRemoval(
    context,
    background,
    signal,
  );
  const groups = createGroupRemoval({ ...context, pending, removePads });
  const vanished = createVanishedPads({ ...context, pending, removePadRecords, signal });
  const unfinished = createUnfinishedRemovals({
    ...context,
    pending,
    resumePads: (ids) => removePads(ids, 'resumed'),
    resumeGroup: groups.resume,
    resumeChat,
  });
  const currentMode = (): RemovalMode => (context.inBackground() ? 'background' : 'foreground');

  return {
    removePad: (id) => removePads([id], currentMode()),
    removeGroup: (id) => groups.remove(id, currentMode()),
    removeChat: (padId) => removeChat(padId, currentMode()),
    async resume() {
      await unfinished.resume();
      // A pad that has vanished in another process may return there.
      const which = context.sharesDatabase ? 'old' : 'all';
      await unfinished.attempt('kind', 'vanished', () => vanished.settleVanished(which));
      background.track(unfinished.searchOldNotes());
    },
    async retry() {
      if (background.isIdle) await unfinished.retry();
    },
    padVanished: (id) => vanished.padVanished(id),
    padAppeared: (id) => vanished.padAppeared(id),
    settleVanished: (which) => vanished.settleVanished(which),
    async removingAmong(ids) {
      // A note is on the list before it is written, one of 1.x soon after a start: so few notes need to be read.
      const { pads, vanished } = await pending.read();
      const listed = new Set([...pads, ...vanished]);
      const candidates = ids.filter((id) => listed.has(id));
      const notes = await context.store.getMany<unknown>(candidates.map(keys.deletePad));
      return new Set(candidates.filter((_, index) => notes[index] !== undefined));
    },
    async unfinished() {
      const { pads, groups, vanished, chats } = await pending.read();
      return {
        pads: pads.length,
        groups: groups.length,
        vanished: vanished.length,
        chats: chats.length,
      };
    },
    idle: () => background.idle(),
    async stop() {
      stopping.abort();
      vanished.close();
      await background.idle();
    },
  };
}
