/**
 * Deleted pads and folders that can still be restored. Their records are in notes (model/store/trashNotes.ts), so that
 * for everything else they do not exist. Permissions: `mayUseTrash`, which the routes ask.
 */

import { changedForEverybody } from '../access/accessChange';
import { type Actor, mayUseTrash } from '../access/permissions';
import type { Users } from '../accounts/user';
import { recordNotFound } from '../errors';
import type { RecordIndex } from '../index/recordIndex';
import type { TrashPlace, TrashScope } from '../index/trashQuestions';
import type { Jobs } from '../jobs/types';
import type { Basics } from '../store/basics';
import { inBatches } from '../store/batches';
import type { GroupRecord, PadRecord } from '../store/entities';
import { groupsOf, readGroup, readPad, storedGroup } from '../store/records';
import { keys } from '../store/store';
import { readTrashedGroup, readTrashedPad, trashedGroupNote } from '../store/trashNotes';
import type { GroupCheck } from './groupRemoval';
import { definePadTrash, type PadTrash, type RestoreCheck } from './padTrash';
import type { Removals } from './removals';

/** A pad or a group in the trash. `group`: of a pad, the one that it was in, which exists. */
export interface Trashed {
  kind: 'pad' | 'group';
  id: string;
  pad?: PadRecord;
  group: GroupRecord;
  /** When it was deleted, in milliseconds since 1970. */
  at: number;
  /** The account that deleted it; `null` for a server administrator. */
  by: string | null;
}

interface TrashContext extends Pick<Basics, 'store' | 'events' | 'log' | 'now'> {
  users: Pick<Users, 'get'>;
  jobs: Pick<Jobs, 'define'>;
  recordIndex: Pick<RecordIndex, 'trash' | 'trashBefore'>;
  removals: Pick<Removals, 'removeTrashed'>;
  /** The setting. */
  trashDays: () => number;
}

const day = 24 * 3600_000;
const idsOf = (places: readonly TrashPlace[], kind: TrashPlace['kind']): string[] =>
  places.filter((place) => place.kind === kind).map(({ id }) => id);

export class Trash {
  private readonly pads: PadTrash;

  constructor(private readonly context: TrashContext) {
    this.pads = definePadTrash(context);
  }

  /** Whether what people delete gets into the trash: the setting `trashDays`. */
  isOn = (): boolean => this.context.trashDays() > 0;
  /** When something that was deleted at this time is deleted for good. */
  until = (at: number): number => at + this.context.trashDays() * day;

  /** Closes a pad for everybody. `by`: the account, or `null`. Throws KEY_NOT_FOUND. */
  async addPad(pad: string, by: string | null): Promise<void> {
    const facts = { pad, at: this.context.now(), by };
    await this.pads.trash.begin(facts, { name: pad, given: facts });
  }

  /** The same for a group with all its pads. */
  async addGroup(id: string, by: string | null, check?: GroupCheck): Promise<void> {
    const { store, events, now } = this.context;
    const before = await store.locked([keys.group(id)], async () => {
      const record = readGroup(id, await store.get(keys.group(id)));
      if (record === undefined) throw recordNotFound(id);
      check?.(record);
      await store.set(keys.deleteGroup(id), trashedGroupNote({ record, at: now(), by }));
      await store.remove(keys.group(id));
      return record;
    });
    const facts = { about: 'group', id, before, after: null, access: changedForEverybody } as const;
    events.emit({ ...facts, what: 'trashed' });
  }

  async find(id: string): Promise<Trashed | undefined> {
    return (
      (await this.findMany([{ kind: 'pad', id }]))[0] ?? (await this.findMany([{ kind: 'group', id }]))[0]
    );
  }

  private notesOf(places: readonly TrashPlace[]): Promise<unknown[]> {
    return this.context.store.getMany<unknown>(
      places.map(({ kind, id }) => (kind === 'pad' ? keys.deletePad(id) : keys.deleteGroup(id))),
    );
  }

  private async findMany(places: readonly TrashPlace[]): Promise<Trashed[]> {
    const notes = await this.notesOf(places);
    const pads = notes.map(readTrashedPad);
    const groupIds = places.map(({ kind, id }, index) => (kind === 'pad' ? pads[index]?.record.group : id));
    const stored = await this.context.store.getMany<unknown>(groupIds.map((id = '') => keys.group(id)));
    return places.flatMap(({ kind, id }, index): Trashed[] => {
      const [pad, group] = [pads[index], readGroup(groupIds[index] ?? '', stored[index])];
      if (kind === 'pad') {
        if (pad?.record._id !== id || group === undefined) return [];
        return [{ kind, id, pad: pad.record, group, at: pad.at, by: pad.by }];
      }
      const trashed = readTrashedGroup(notes[index]);
      // While there is a record, the note does not count.
      if (trashed === undefined || group !== undefined) return [];
      return [{ kind, id, group: trashed.record, at: trashed.at, by: trashed.by }];
    });
  }

  /** The groups of the actor, as the records say. */
  private async scopeOf(actor: Actor): Promise<TrashScope | 'all'> {
    if (actor.kind === 'admin') return 'all';
    const { store, users } = this.context;
    const scope = { managed: [] as string[], own: [] as string[], trashed: [] as string[] };
    const user = actor.kind === 'user' ? await users.get(actor.id) : undefined;
    if (user === undefined) return { ...scope, account: '' };
    const ids = groupsOf(user);
    const [stored, notes] = await Promise.all([
      store.getMany<unknown>(ids.map(keys.group)),
      store.getMany<unknown>(ids.map(keys.deleteGroup)),
    ]);
    for (const [index, id] of ids.entries()) {
      const [group, trashed] = [readGroup(id, stored[index]), readTrashedGroup(notes[index])];
      if (group && mayUseTrash(actor, null, group)) scope.managed.push(id);
      else if (group && mayUseTrash(actor, user._id, group)) scope.own.push(id);
      else if (trashed && mayUseTrash(actor, trashed.by, trashed.record)) scope.trashed.push(id);
    }
    return { ...scope, account: user._id };
  }

  /** A page of what the actor may see, the latest first. Throws SERVER.BUSY. */
  async list(actor: Actor, offset: number, limit: number): Promise<{ entries: Trashed[]; count: number }> {
    const { places, count } = await this.context.recordIndex.trash(await this.scopeOf(actor), offset, limit);
    const found = await this.findMany(places);
    return { entries: found.filter(({ by, group }) => mayUseTrash(actor, by, group)), count };
  }

  /** Restores a pad into a group. Throws KEY_NOT_FOUND, PAD.ITEMS_NOT_FOUND when there is no such group. */
  async restorePad(pad: string, group: string, check?: RestoreCheck): Promise<void> {
    const note = readTrashedPad(await this.context.store.get(keys.deletePad(pad)));
    const facts = { pad, group, at: note?.at };
    await this.pads.restore.begin(facts, { name: pad, given: { ...facts, ...(check && { check }) } });
    // Another call may have restored it into another group meanwhile.
    const restored = readPad(pad, await this.context.store.get(keys.pad(pad)));
    if (restored?.group !== group) throw recordNotFound(pad);
  }

  /** Throws KEY_NOT_FOUND. */
  async restoreGroup(id: string, check?: GroupCheck): Promise<void> {
    const { store, events } = this.context;
    const after = await store.locked([keys.group(id)], async () => {
      const [stored, note] = await store.getMany<unknown>([keys.group(id), keys.deleteGroup(id)]);
      const trashed = stored === undefined ? readTrashedGroup(note) : undefined;
      if (trashed === undefined) throw recordNotFound(id);
      check?.(trashed.record);
      await store.set(keys.group(id), storedGroup(trashed.record));
      await store.remove(keys.deleteGroup(id));
      return trashed.record;
    });
    const facts = { about: 'group', id, before: null, after, access: changedForEverybody } as const;
    events.emit({ ...facts, what: 'restored' });
  }

  /** Removes for good. What was restored meanwhile stays. */
  async remove(places: readonly TrashPlace[]): Promise<void> {
    const [pads, groups] = [idsOf(places, 'pad'), idsOf(places, 'group')];
    await this.context.removals.removeTrashed({ pads, groups });
  }

  /** Removes for good all that the actor may see. Resolves to how many pads and groups. */
  async empty(actor: Actor): Promise<number> {
    const all = (await this.list(actor, 0, Number.MAX_SAFE_INTEGER)).entries;
    await this.remove(all);
    return all.length;
  }

  /** The index may have missed that something was restored and deleted again: the notes decide. */
  private async dueAmong(places: readonly TrashPlace[], limit: number): Promise<TrashPlace[]> {
    const { store } = this.context;
    const notes = await this.notesOf(places);
    const groupIds = notes.map((note) => readTrashedPad(note)?.record.group ?? '');
    const before = await store.getMany<unknown>(groupIds.map(keys.group));
    const trashedGroups = await store.getMany<unknown>(groupIds.map(keys.deleteGroup));
    // Once more: a group that was restored meanwhile was in neither of them when it was read.
    const after = await store.getMany<unknown>(groupIds.map(keys.group));
    return places.filter(({ kind }, index) => {
      const trashed = kind === 'pad' ? readTrashedPad(notes[index]) : readTrashedGroup(notes[index]);
      if (trashed === undefined || trashed.at < limit) return trashed !== undefined;
      const exists = before[index] !== undefined || after[index] !== undefined;
      return kind === 'pad' && !exists && readTrashedGroup(trashedGroups[index]) === undefined;
    });
  }

  /** Removes for good what has been in the trash long enough. A regular job. */
  async sweep(signal: AbortSignal): Promise<void> {
    const { recordIndex, log, now } = this.context;
    const removed = { pads: 0, groups: 0 };
    const limit = now() - this.context.trashDays() * day;
    await inBatches(
      await recordIndex.trashBefore(limit, signal),
      async (places) => {
        const due = await this.dueAmong(places, limit);
        await this.remove(due);
        removed.pads += idsOf(due, 'pad').length;
        removed.groups += idsOf(due, 'group').length;
      },
      { signal },
    );
    if (removed.pads + removed.groups > 0) log.info('trash emptied of what was deleted long ago', removed);
  }
}
