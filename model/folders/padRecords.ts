/** Reads the records of pads. A pad whose removal is noted counts as missing. */
import { recordNotFound } from '../errors';
import type { GroupRecord, PadRecord } from '../store/entities';
import { type AboutPads, readPad, splitByPads } from '../store/records';
import { keys, type Store } from '../store/store';
import type { GroupRecords } from './groupRecords';

/**
 * Checks pad, group and target group (if it moves) right before a change is written. An error that it throws cancels
 * the change.
 */
export type PadCheck = (pad: PadRecord, group: GroupRecord, target?: GroupRecord) => void;

export function createPadRecords(store: Store, groups: Pick<GroupRecords, 'find'>) {
  /** The pad; `undefined` when it does not exist or is being removed. */
  async function find(id: string): Promise<PadRecord | undefined> {
    const [stored, removal] = await store.getMany<unknown>([keys.pad(id), keys.deletePad(id)]);
    return removal === undefined ? readPad(id, stored) : undefined;
  }

  /** The pads among these ids that exist and are not being removed. */
  async function findMany(ids: readonly string[]): Promise<Map<string, PadRecord>> {
    const wanted = [...new Set(ids)];
    const [stored, removals] = await Promise.all([
      store.getMany<unknown>(wanted.map(keys.pad)),
      store.getMany<unknown>(wanted.map(keys.deletePad)),
    ]);
    const found = new Map<string, PadRecord>();
    for (const [index, id] of wanted.entries()) {
      const pad = removals[index] === undefined ? readPad(id, stored[index]) : undefined;
      if (pad !== undefined) found.set(id, pad);
    }
    return found;
  }

  return {
    find,
    findMany,
    /** What the group has about single pads, without those that belong to another one: a move may have failed. */
    async aboutOwn(group: GroupRecord): Promise<AboutPads> {
      const { links, invitations, requests } = group;
      const pads = await findMany([...links, ...invitations, ...requests].flatMap(({ pad }) => pad ?? []));
      return splitByPads(group, (id) => pads.get(id)?.group !== group._id).kept;
    },
    /** Throws KEY_NOT_FOUND. */
    async require(id: string): Promise<PadRecord> {
      const pad = await find(id);
      if (pad === undefined) throw recordNotFound(id);
      return pad;
    },
    /** The pad and its group. Throws KEY_NOT_FOUND, also for a pad without a group, because nobody has rights on it. */
    async placeOf(id: string): Promise<{ pad: PadRecord; group: GroupRecord }> {
      const pad = await find(id);
      const group = pad && (await groups.find(pad.group));
      if (pad === undefined || group === undefined) throw recordNotFound(id);
      return { pad, group };
    },
  };
}

export type PadRecords = ReturnType<typeof createPadRecords>;
