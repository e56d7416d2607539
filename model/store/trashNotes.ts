/**
 * Notes with the records of what is in the trash: see model/removal/trash.ts. They have the keys of the notes about
 * removals, and close a pad in the same way.
 */
import type { GroupRecord, PadRecord } from './entities';
import { type AboutPads, readGroup, readPad, storedGroup } from './records';

interface Deleted {
  /** Milliseconds since 1970. */
  at: number;
  /** Id of the account that deleted it; `null` for a server administrator, and for a removed account. */
  by: string | null;
}

/** With what the group had about this pad alone. */
export interface TrashedPad extends Deleted, AboutPads {
  record: PadRecord;
}

export interface TrashedGroup extends Deleted {
  record: GroupRecord;
}

type Stored = Record<string, unknown> | undefined;

function trashedIn(note: unknown): { note: Stored; trashed: Stored } {
  const recordIn = (value: unknown): Stored =>
    typeof value === 'object' && value !== null ? (value as Stored) : undefined;
  const own = recordIn(note);
  return { note: own, trashed: recordIn(own?.trashed) };
}

const deletedOf = ({ at, by }: NonNullable<Stored>): Deleted => ({
  at: typeof at === 'number' ? at : 0,
  by: typeof by === 'string' ? by : null,
});

/** `undefined` for any other note. */
export function readTrashedPad(stored: unknown): TrashedPad | undefined {
  const { note, trashed } = trashedIn(stored);
  const id = note?.pad;
  const record = typeof id === 'string' && trashed ? readPad(id, trashed.record) : undefined;
  if (record === undefined || trashed === undefined) return undefined;
  const about = readGroup('', { ...trashed, pads: [record._id] });
  const { links = [], invitations = [], requests = [] } = about ?? {};
  return { record, ...deletedOf(trashed), links, invitations, requests };
}

export function readTrashedGroup(stored: unknown): TrashedGroup | undefined {
  const { note, trashed } = trashedIn(stored);
  const id = note?._id;
  const record = typeof id === 'string' && trashed ? readGroup(id, trashed.record) : undefined;
  return record && trashed && { record, ...deletedOf(trashed) };
}

export const trashedPadNote = (trashed: TrashedPad): object => ({ pad: trashed.record._id, trashed });
export const trashedGroupNote = (trashed: TrashedGroup): object => ({
  _id: trashed.record._id,
  trashed: { ...trashed, record: storedGroup(trashed.record) },
});
