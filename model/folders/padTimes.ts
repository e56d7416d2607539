/** When the text of a pad was changed last, and by whom. */

import pLimit from 'p-limit';
import type { EventActor } from '../actor';
import type { EditorPads } from '../ports';
import type { Basics } from '../store/basics';
import type { PadRecord } from '../store/entities';
import { readUser } from '../store/records';
import { keys, type Store } from '../store/store';

/** Who changes a text: the id of an account, `null` for a guest, `undefined` if it is not known. */
export type Editor = PadRecord['lastEditor'];

interface Naming {
  store: Pick<Store, 'get'>;
  /** Whether everybody has a name in pads, even people who chose none. A setting. */
  everybodyIsNamed: () => boolean;
}

interface PadTimesContext extends Omit<Naming, 'store'>, Basics {
  editorPads: Pick<EditorPads, 'lastEdited'>;
}

/** Minimum interval between two writes about a pad, in milliseconds. */
const touchInterval = 60_000;
/** Parallel requests to Etherpad. */
const parallelRequests = 10;

interface Change {
  time: number;
  editor: Editor;
}

/** Whether another write is due. The clock may have been set back since the last one. */
const isOver = (from: number, to: number): boolean => to < from || to - from >= touchInterval;

/** The editor as lists may show them: not if the person has no name in pads. */
export async function editorToName({ store, everybodyIsNamed }: Naming, editor: Editor): Promise<Editor> {
  if (typeof editor !== 'string') return editor;
  const user = readUser(editor, await store.get<unknown>(keys.user(editor)));
  const isNamed = everybodyIsNamed() || user?.useLoginAndColorInPads;
  return user && isNamed ? editor : undefined;
}

function byEditor(editor: Editor): { by?: EventActor } {
  if (editor === undefined) return {};
  return { by: editor === null ? { kind: 'guest' } : { kind: 'account', id: editor } };
}

export class PadTimes {
  /** For each pad, the change that was stored last. The oldest first. */
  private readonly stored = new Map<string, Change>();
  /** The latest change of each pad that is stored when the interval ends. */
  private readonly waiting = new Map<string, Change & { cancel: () => void }>();

  constructor(private readonly context: PadTimesContext) {}

  private async write(id: string, { time, editor }: Change): Promise<void> {
    const { store, events } = this.context;
    const lastEditor = await editorToName(this.context, editor);
    const pad = await store.update<PadRecord>(keys.pad(id), (current) => {
      if (!current) return undefined;
      const { lastEditor: _, ...others } = current;
      return { ...others, lastUpdate: time, ...(lastEditor !== undefined && { lastEditor }) };
    });
    if (pad === undefined) return;
    events.emit({ about: 'text', what: 'edited', id, last: time, ...byEditor(editor) });
  }

  private async writeWaiting(id: string): Promise<void> {
    const change = this.waiting.get(id);
    if (change === undefined) return;
    change.cancel();
    this.waiting.delete(id);
    this.note(id, change);
    try {
      await this.write(id, change);
    } catch (error) {
      this.context.log.warn('storing the edit time of a pad failed', { pad: id, error: String(error) });
    }
  }

  private note(id: string, change: Change): void {
    for (const [other, { time }] of this.stored) {
      if (!isOver(time, change.time)) break;
      this.stored.delete(other);
    }
    this.stored.delete(id);
    this.stored.set(id, change);
  }

  /** Without the wait, two people who write at the same time would cause a write for each key that they press. */
  private wait(id: string, change: Change, last: Change): void {
    const earlier = this.waiting.get(id);
    if (earlier) Object.assign(earlier, change);
    else if (change.editor !== last.editor) {
      const rest = touchInterval - (change.time - last.time);
      const cancel = this.context.schedule.later('store who wrote last', rest, () => this.writeWaiting(id));
      this.waiting.set(id, { ...change, cancel });
    }
  }

  /**
   * Records that the text changed, to the minute, and who changed it. Ignores pads that are not managed here. Cheap
   * enough for every change. `undefined`: nothing is stored now.
   */
  touch(id: string, editor?: Editor): Promise<void> | undefined {
    const change = { time: this.context.now(), editor };
    const last = this.stored.get(id);
    if (last !== undefined && !isOver(last.time, change.time)) {
      this.wait(id, change, last);
      return undefined;
    }
    this.waiting.get(id)?.cancel();
    this.waiting.delete(id);
    this.note(id, change);
    return this.write(id, change);
  }

  /**
   * Time of the last change of each pad's text. Asks Etherpad if the record has none; `null` if nobody has written yet.
   * Pads about which Etherpad could not be asked now are left out.
   */
  async lastUpdates(pads: readonly PadRecord[]): Promise<Map<string, number | null>> {
    const { editorPads, log } = this.context;
    const known = pads.filter((pad) => pad.lastUpdate !== undefined);
    const times = new Map<string, number | null>(known.map((pad) => [pad._id, pad.lastUpdate ?? null]));
    const unknown = pads.filter((pad) => pad.lastUpdate === undefined);
    await pLimit(parallelRequests).map(unknown, async ({ _id: id }) => {
      try {
        times.set(id, await editorPads.lastEdited(id));
      } catch (error) {
        log.warn('reading the edit time of a pad failed', { pad: id, error: String(error) });
      }
    });
    return times;
  }

  /** Stores the changes that still wait. */
  async close(): Promise<void> {
    await Promise.all([...this.waiting.keys()].map((id) => this.writeWaiting(id)));
  }
}
