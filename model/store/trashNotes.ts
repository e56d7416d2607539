/**
 * Notes with the records of what may return: what is in the trash (model/removal/trash.ts), and pads that Etherpad
 * removed (vanishedPads.ts). They have the keys of the notes about removals, and close a pad in the same way.
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

/** A pad that Etherpad removed, with what the group had about it alone. */
export interface VanishedPad extends AboutPads {
  record: PadRecord;
  /** Milliseconds since 1970. */
  since: number;
}

export interface TrashedGroup extends Deleted {
  record: GroupRecord;
}

type Stored = Record<string, unknown> | undefined;

const recordIn = (value: unknown): Stored =>
  typeof value === 'object' && value !== null ? (value as Stored) : undefined;

function trashedIn(note: unknown): { note: Stored; trashed: Stored } {
  const own = recordIn(note);
  return { note: own, trashed: recordIn(own?.trashed) };
}

/** A note of an earlier version about a pad that Etherpad removed has none. */
function aboutIn(noted: NonNullable<Stored>, pad: string): AboutPads {
  const { links = [], invitations = [], requests = [] } = readGroup('', { ...noted, pads: [pad] }) ?? {};
  return { links, invitations, requests };
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
  return { record, ...deletedOf(trashed), ...aboutIn(trashed, record._id) };
}

/** `undefined` for any other note. */
export function readVanishedPad(stored: unknown): VanishedPad | undefined {
  const note = recordIn(stored);
  const vanished = recordIn(note?.vanished);
  const id = note?.pad;
  const record = typeof id === 'string' && vanished ? readPad(id, vanished.record) : undefined;
  if (record === undefined || vanished === undefined) return undefined;
  const since = typeof vanished.since === 'number' ? vanished.since : 0;
  return { record, since, ...aboutIn(vanished, record._id) };
}

export function readTrashedGroup(stored: unknown): TrashedGroup | undefined {
  const { note, trashed } = trashedIn(stored);
  const id = note?._id;
  const record = typeof id === 'string' && trashed ? readGroup(id, trashed.record) : undefined;
  return record && trashed && { record, ...deletedOf(trashed) };
}

export const trashedPadNote = (trashed: TrashedPad): object => ({ pad: trashed.record._id, trashed });
export const vanishedPadNote = (vanished: VanishedPad): object => ({ pad: vanished.record._id, vanished });
export const trashedGroupNote = (trashed: TrashedGroup): object => ({
  _id: trashed.record._id,
  trashed: { ...trashed, record: storedGroup(trashed.record) },
});
