/** Keeps in memory what server administrators filter and sort by: fields of all folders and pads. */
import { plainText } from '../ids';
import type { Visibility } from '../store/entities';
import { readGroup, readPad } from '../store/records';

export interface GroupLine {
  name: string;
  /** Id, name and tags, as `plainText` makes them for searches. */
  plain: string;
  visibility: Visibility;
  archived: boolean;
  admins: readonly string[];
  users: readonly string[];
  ctime: number;
}

export interface PadLine {
  name: string;
  /** Id and name, for searches. */
  plain: string;
  group: string;
  visibility: Visibility | null;
  /** Time of the last change. Until it is known: when the pad was created. */
  changed: number;
}

export interface Table<Line> {
  readonly lines: Map<string, Line>;
  /** Sorted ids. The array is replaced, never modified. */
  order: readonly string[];
}

const emptyTable = <Line>(): Table<Line> => ({ lines: new Map(), order: [] });

export class CatalogueLines {
  readonly groups = emptyTable<GroupLine>();
  readonly pads = emptyTable<PadLine>();
  private readonly padsOf = new Map<string, Set<string>>();

  /** Returns whether the stored record is valid. */
  putGroup(id: string, stored: unknown): boolean {
    const group = readGroup(id, stored);
    this.groups.lines.delete(id);
    if (!group) return false;
    const { name, visibility, archived, admins, users, ctime, tags } = group;
    const plain = plainText([id, name, ...tags].join('\n'));
    this.groups.lines.set(id, { name, plain, visibility, archived, admins, users, ctime });
    return true;
  }

  /** `removal`: the note about the removal of the pad. Returns whether the pad is to be listed. */
  putPad(id: string, stored: unknown, removal: unknown): boolean {
    const known = this.pads.lines.get(id);
    this.removePad(id);
    const pad = removal === undefined ? readPad(id, stored) : undefined;
    if (!pad) return false;
    const { name, group, visibility, ctime, lastUpdate } = pad;
    const line = { name, plain: plainText(`${id}\n${name}`), group, visibility };
    this.pads.lines.set(id, { ...line, changed: Math.max(lastUpdate ?? ctime, known?.changed ?? 0) });
    this.padsOf.set(group, (this.padsOf.get(group) ?? new Set()).add(id));
    return true;
  }

  private removePad(id: string): void {
    const group = this.pads.lines.get(id)?.group;
    if (group !== undefined) this.padsOf.get(group)?.delete(id);
    this.pads.lines.delete(id);
  }

  /** `time`: when the pad was changed, in milliseconds since 1970. */
  noteTime(padId: string, time: number): void {
    const line = this.pads.lines.get(padId);
    if (line) line.changed = Math.max(line.changed, time);
  }

  /** Number of pads and time of the last change of a folder. */
  factsOf(groupId: string): { padCount: number; lastUpdate: number } {
    const own = this.padsOf.get(groupId) ?? new Set<string>();
    let lastUpdate = this.groups.lines.get(groupId)?.ctime ?? 0;
    for (const id of own) lastUpdate = Math.max(lastUpdate, this.pads.lines.get(id)?.changed ?? 0);
    return { padCount: own.size, lastUpdate };
  }
}
