/**
 * Removal of pads, groups and chats that survives a crash. A note closes each pad first and is deleted last. The next
 * start closes the pads of unfinished removals before it answers requests; Etherpad's own records follow in the
 * background.
 */

import type { Users } from '../accounts/user';
import { currentOrigin } from '../actor';
import type { RecordIndex } from '../index/recordIndex';
import type { Jobs } from '../jobs/types';
import type { Coordination, EditorPads } from '../ports';
import type { Basics } from '../store/basics';
import type { FormerPads } from '../store/formerPads';
import { keys } from '../store/store';
import { defineChatRemoval } from './chatRemoval';
import { defineGroupRemoval, type GroupCheck } from './groupRemoval';
import { createEarlierRemovals } from './oldNotes';
import { definePadRemoval } from './padRemoval';
import type { ReferenceCleanup } from './referenceCleanup';
import { type RemovalKind, readUnfinished } from './unfinished';
import { VanishedPads } from './vanishedPads';

export interface Removals extends Pick<VanishedPads, 'padVanished' | 'padAppeared'> {
  /** Does nothing when the pad does not exist. Resolves when nobody can reach the pad any more. */
  removePad(id: string): Promise<void>;
  /** The same for a pad whose creation has failed. */
  removeUnfinishedPad(id: string): Promise<void>;
  /** Removes a group with all its pads. Throws CONFIGURATION.KEY_NOT_FOUND. */
  removeGroup(id: string, check?: GroupCheck): Promise<void>;
  /** The same if no other account than `manager` manages it; resolves to whether that was so. */
  removeGroupOf(id: string, manager: string): Promise<boolean>;
  /** The same for what is in the trash. What was restored meanwhile stays. */
  removeTrashed(what: { pads: readonly string[]; groups: readonly string[] }): Promise<void>;
  /** Resolves when nobody can see the old chat. New messages are kept. */
  removeChat(padId: string): Promise<void>;
  /** Makes jobs of the removals that earlier versions have noted. Call it before `Jobs.resume`. */
  continueEarlier(): Promise<void>;
  /** Those of these pads that are closed because their removal has begun. */
  removingAmong(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** The numbers of removals that have begun and not ended. */
  unfinished(): Promise<Record<RemovalKind, number>>;
}

export interface RemovalContext extends Basics {
  users: Users;
  jobs: Jobs;
  editorPads: EditorPads;
  formerPads: FormerPads;
  referenceCleanup: ReferenceCleanup;
  recordIndex: Pick<RecordIndex, 'trashedPadsOf'>;
  coordination: Pick<Coordination, 'tryLock'>;
  /** Other processes may be working on the same removals. */
  sharesDatabase?: true | undefined;
  /** True when Etherpad's records are removed in the background. Large pads take long. */
  inBackground: () => boolean;
}

export function createRemovals(context: RemovalContext): Removals {
  const { store, inBackground } = context;
  const pads = definePadRemoval(context);
  const groups = defineGroupRemoval({ ...context, pads: pads.queue });
  const chats = defineChatRemoval(context);
  const vanished = new VanishedPads({
    ...context,
    signal: context.jobs.signal,
    removePadRecords: pads.removeRecords,
    pads: pads.queue,
  });

  /**
   * People and programs wait for the rest of a job too, unless the setting says that it is done in the background. The
   * server does not: what it resumes at a start must end before Etherpad is ready, without which no pad is removed.
   */
  const finish = async (begun: Promise<{ ended: Promise<void> }>): Promise<void> => {
    const { ended } = await begun;
    if (!inBackground() && currentOrigin().by.kind !== 'server') await ended;
  };

  return {
    removePad: (id) => finish(pads.queue.begin({ pads: [id] })),
    removeUnfinishedPad: (id) => finish(pads.queue.begin({ pads: [id], isDecided: true })),
    removeGroup: (group, check) =>
      finish(groups.begin({ group }, { name: group, ...(check && { given: check }) })),
    async removeGroupOf(group, onlyManager) {
      // Not by the name of a removal that somebody asks for: that one must not end when the group stays.
      const begun = groups.begin({ group, onlyManager }, { name: `${group} of ${onlyManager}` });
      await finish(begun);
      return (await begun).result !== undefined;
    },
    async removeTrashed({ pads: ids, groups: groupIds }) {
      if (ids.length > 0) await finish(pads.queue.begin({ pads: [...ids], trashed: true }));
      for (const group of groupIds)
        await finish(groups.begin({ group, trashed: true }, { name: `${group} in the trash` }));
    },
    removeChat: (pad) => finish(chats.begin({ pad })),
    padVanished: (id) => vanished.padVanished(id),
    padAppeared: (id) => vanished.padAppeared(id),
    continueEarlier: createEarlierRemovals({
      ...context,
      pads: pads.queue,
      groups,
      chats,
      vanished: vanished.queue,
    }),
    async removingAmong(ids) {
      // A job is stored before its notes are written, so few notes need to be read.
      const { pads, vanished, trash } = await readUnfinished(store);
      const listed = new Set([...pads, ...vanished, ...trash]);
      const candidates = ids.filter((id) => listed.has(id));
      const notes = await store.getMany<unknown>(candidates.map(keys.deletePad));
      return new Set(candidates.filter((_, index) => notes[index] !== undefined));
    },
    async unfinished() {
      const { pads, groups, vanished, chats } = await readUnfinished(store);
      return {
        pads: pads.length,
        groups: groups.length,
        vanished: vanished.length,
        chats: chats.length,
      };
    },
  };
}
