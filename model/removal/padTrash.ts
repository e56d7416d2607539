/** Puts pads into the trash, and restores them. */

import { MyPadsError, recordNotFound } from '../errors';
import type { JobRun, Jobs } from '../jobs/types';
import type { Basics } from '../store/basics';
import type { GroupRecord, PadRecord } from '../store/entities';
import { readGroup, readPad, storedGroup } from '../store/records';
import { keys } from '../store/store';
import { readTrashedPad, type TrashedPad, trashedPadNote } from '../store/trashNotes';
import { moveIntoNote, withPad } from './padParts';

export interface TrashFacts {
  pad: string;
  at: number;
  by: string | null;
}

export interface RestoreFacts {
  pad: string;
  group: string;
  /** When it was put into the trash. Since then it may have been restored and deleted again. */
  at: number | undefined;
}

/** Throws if the caller may not restore it, as it is now, into this group. */
export type RestoreCheck = (trashed: TrashedPad, target: GroupRecord) => void;

interface PadTrashContext extends Pick<Basics, 'store' | 'events'> {
  jobs: Pick<Jobs, 'define'>;
}

const isBegun = ({ reason, isRepeated }: JobRun): boolean => reason === 'begun' && !isRepeated;

/** A job that a killed process has left on the list has the facts of its time. */
async function askedFacts<Facts>(stored: Facts, run: JobRun, asked: Facts = stored): Promise<Facts> {
  if (run.isRepeated && run.reason === 'begun') await run.keep(asked);
  return asked;
}

class PadMoves {
  constructor(private readonly context: PadTrashContext) {}

  private async trashed(id: string): Promise<TrashedPad | undefined> {
    return readTrashedPad(await this.context.store.get(keys.deletePad(id)));
  }

  /**
   * From here on, nobody can open the pad. Without a lock: who holds it and stops must not keep the pad open. Resolves
   * to whether there is a note.
   */
  async close({ pad: id, at, by }: TrashFacts, run: JobRun): Promise<boolean> {
    const { store, events } = this.context;
    const [stored, note] = await store.getMany<unknown>([keys.pad(id), keys.deletePad(id)]);
    const record = readPad(id, stored);
    if (record === undefined && isBegun(run)) throw recordNotFound(id);
    if (record === undefined || note !== undefined) return note !== undefined;
    // The note was never written, or the pad has been restored since then.
    if (run.reason !== 'begun') return false;
    const about = { links: [], invitations: [], requests: [] };
    await store.set(keys.deletePad(id), trashedPadNote({ record, at, by, ...about }));
    events.emit({ about: 'pad', what: 'trashed', id, before: record, after: null, access: true });
    return true;
  }

  /** Moves the record into the note. */
  async moveAway(id: string, isBegun: boolean): Promise<void> {
    const { store } = this.context;
    const pad = readPad(id, await store.get(keys.pad(id)));
    const from = pad?.group ?? (await this.trashed(id))?.record.group;
    if (from === undefined) return;
    const isDone = await store.locked([keys.group(from), keys.deletePad(id), keys.pad(id)], async () => {
      const record = readPad(id, await store.get(keys.pad(id)));
      const note = await this.trashed(id);
      if (note === undefined) return true;
      if (record !== undefined) return record.group === from && this.moveRecord(record, note);
      // The pad was deleted for good since this call has read it: its text is gone.
      if (isBegun) await store.remove(keys.deletePad(id));
      return true;
    });
    if (!isDone) await this.moveAway(id, isBegun);
  }

  private async moveRecord(record: PadRecord, note: TrashedPad): Promise<true> {
    await moveIntoNote(this.context.store, record, note, (about) =>
      trashedPadNote({ ...note, record, ...about }),
    );
    return true;
  }

  /** Resolves to whether it was there to be restored. */
  async restore({ pad: id, group, at }: RestoreFacts, run: JobRun, check?: RestoreCheck): Promise<boolean> {
    const { store, events } = this.context;
    const locks = [keys.group(group), keys.deletePad(id), keys.pad(id)];
    const after = await store.locked(locks, async () => {
      const note = await this.trashed(id);
      const target = readGroup(group, await store.get(keys.group(group)));
      if (note === undefined || note.at !== at) {
        if (isBegun(run)) throw recordNotFound(id);
        return undefined;
      }
      // The call that began it failed, and nobody asks again whether its caller may still restore the pad.
      if (run.reason !== 'begun' && (await store.get(keys.pad(id))) === undefined) return undefined;
      if (target === undefined)
        throw new MyPadsError('BACKEND.ERROR.PAD.ITEMS_NOT_FOUND', { field: 'group' });
      check?.(note, target);
      const record = { ...note.record, group };
      await store.set(keys.pad(id), record);
      await store.set(keys.group(group), storedGroup(withPad(target, id, note)));
      await store.remove(keys.deletePad(id));
      return record;
    });
    if (after) events.emit({ about: 'pad', what: 'restored', id, before: null, after, access: true });
    return after !== undefined;
  }
}

/** Of a job that has done something, or of a later run that has found nothing to do. */
type Done = true | undefined;

/** Both are jobs of one name for each pad, so that no two of a kind are at work on it. */
export function definePadTrash(context: PadTrashContext) {
  const moves = new PadMoves(context);
  return {
    trash: context.jobs.define<TrashFacts, Done, TrashFacts>({
      type: 'trashPad',
      async first(stored, run, asked) {
        const facts = await askedFacts(stored, run, asked);
        const isClosed = await moves.close(facts, run);
        await moves.moveAway(facts.pad, isBegun(run));
        return isClosed || undefined;
      },
      run: async () => {},
    }),
    restore: context.jobs.define<RestoreFacts, Done, RestoreFacts & { check?: RestoreCheck }>({
      type: 'restorePad',
      async first(stored, run, { check, ...asked } = stored) {
        return (await moves.restore(await askedFacts(stored, run, asked), run, check)) || undefined;
      },
      run: async () => {},
    }),
  };
}

export type PadTrash = ReturnType<typeof definePadTrash>;
