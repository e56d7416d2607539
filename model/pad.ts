/**
 * Pads: records, and everything that changes them. The id of a record is the id of the editor's pad. A pad belongs to the group
 * that its own record names; the group's list is how the group finds it. A new pad exists in the editor first, then as a
 * record, and is listed last; a moved one is listed in both groups for a moment and shown in the one that its record names.
 *
 * Nothing here asks whether the caller may: that is model/permissions.ts, asked by the routes before they come here.
 */
import type { PadRecord, Visibility } from './entities';
import { MyPadsError } from './errors';
import type { Events } from './events';
import type { Groups } from './group';
import { newId } from './ids';
import type { Jobs } from './jobs';
import type { Passwords } from './password';
import type { EditorPads, Log } from './ports';
import { readGroup, readPad } from './records';
import { keys, type Store } from './store';

/** What a person may say about a pad. `null`: as its group. `password` is plain text; `''` means that none was given. */
export interface PadInput {
  name?: string;
  visibility?: Visibility | null;
  password?: string | null;
  readonly?: boolean | null;
  /** Another group: the pad moves there. */
  group?: string;
}

export interface Pads {
  /** The pad, `undefined` when there is none or when it waits for its removal. */
  find(id: string): Promise<PadRecord | undefined>;
  /** The pads of these ids that exist, by id. */
  findMany(ids: readonly string[]): Promise<Map<string, PadRecord>>;
  /**
   * A new pad in a group. Throws PAD.ITEMS_NOT_FOUND when the group is gone meanwhile, PASSWORD_INCORRECT for an own `private`
   * without password.
   */
  create(group: string, input: PadInput & { name: string }): Promise<PadRecord>;
  /**
   * Changes what `input` names and leaves the rest; passwords as with groups. `authorised` is the record on which the right to do
   * so was found: SERVER.BUSY when the pad is in another group by now. Throws KEY_NOT_FOUND when it is gone, PAD.ITEMS_NOT_FOUND when
   * the group is that it should move to.
   */
  update(authorised: PadRecord, input: PadInput): Promise<PadRecord>;
  /** Text, history and chat. Throws KEY_NOT_FOUND. */
  remove(id: string): Promise<void>;
  /** Also while the pad is open. Throws KEY_NOT_FOUND. */
  removeChatHistory(id: string): Promise<void>;
  /**
   * The editor's text of a pad has changed: keeps the time in the pad's record, to the minute. Does nothing for a pad that is not
   * ours. Cheap enough to be called at every change.
   */
  touch(id: string): Promise<void>;
  /** When the text of each of these pads last changed, asking the editor where no record tells; `null` while nobody wrote. */
  lastUpdates(pads: readonly PadRecord[]): Promise<Map<string, number | null>>;
}

export interface PadContext {
  store: Store;
  groups: Groups;
  jobs: Jobs;
  passwords: Passwords;
  editorPads: EditorPads;
  events: Events;
  log: Log;
  now: () => number;
}

/** How often the time of a pad's last change is written, in milliseconds. */
const touchEvery = 60_000;
/** Questions to the editor that are under way at the same moment. */
const parallelQuestions = 10;

export function createPads(context: PadContext): Pads {
  const { store, groups, jobs, passwords, editorPads, events, log, now } = context;
  const touched = new Map<string, number>();

  function notFound(id: string): MyPadsError {
    return new MyPadsError('BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND', { key: id });
  }

  async function find(id: string): Promise<PadRecord | undefined> {
    const [stored, job] = await store.getMany<unknown>([keys.pad(id), keys.deletePad(id)]);
    return job === undefined ? readPad(id, stored) : undefined;
  }

  async function findMany(ids: readonly string[]): Promise<Map<string, PadRecord>> {
    const wanted = [...new Set(ids)];
    const stored = await store.getMany<unknown>(wanted.map((id) => keys.pad(id)));
    const found = new Map<string, PadRecord>();
    for (const [index, id] of wanted.entries()) {
      const pad = readPad(id, stored[index]);
      if (pad !== undefined) found.set(id, pad);
    }
    return found;
  }

  async function create(group: string, input: PadInput & { name: string }): Promise<PadRecord> {
    const visibility = input.visibility ?? null;
    const password = visibility === 'private' && input.password ? await passwords.hash(input.password) : null;
    if (visibility === 'private' && password === null) {
      throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT');
    }
    const pad: PadRecord = {
      _id: newId(input.name),
      name: input.name,
      group,
      visibility,
      password,
      readonly: input.readonly ?? null,
      users: [],
      ctime: now(),
    };
    await editorPads.create(pad._id);
    await store.set(keys.pad(pad._id), pad);
    if (!(await groups.linkPad(group, pad._id))) {
      await jobs.removePad(pad._id);
      throw new MyPadsError('BACKEND.ERROR.PAD.ITEMS_NOT_FOUND');
    }
    events.emit('pad', { id: pad._id, group });
    return pad;
  }

  async function update(authorised: PadRecord, input: PadInput): Promise<PadRecord> {
    const { _id: id, group: from } = authorised;
    const to = input.group ?? from;
    const password = input.password ? await passwords.hash(input.password) : null;

    async function change(): Promise<PadRecord> {
      const current = await find(id);
      if (current === undefined) throw notFound(id);
      if (current.group !== from) throw new MyPadsError('BACKEND.ERROR.SERVER.BUSY');
      const visibility = input.visibility === undefined ? current.visibility : input.visibility;
      const kept =
        current.visibility === 'private' && typeof current.password === 'object' ? current.password : null;
      const next = visibility === 'private' ? (password ?? kept) : null;
      if (visibility === 'private' && next === null) {
        throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT');
      }
      const pad: PadRecord = {
        ...current,
        name: input.name ?? current.name,
        group: to,
        visibility,
        password: next,
        readonly: input.readonly === undefined ? current.readonly : input.readonly,
      };
      if (to === from) await store.set(keys.pad(id), pad);
      else await move(pad, from);
      return pad;
    }

    const pad = await store.locked([keys.group(from), keys.group(to), keys.pad(id)], change);
    if (to !== from) events.emit('group', { id: from });
    events.emit('pad', { id, group: to });
    return pad;
  }

  /** Lists the pad where it goes, says so in its record, and takes it off the old list, in this order. Needs all three locks. */
  async function move(pad: PadRecord, from: string): Promise<void> {
    const target = await groups.find(pad.group);
    if (target === undefined) throw new MyPadsError('BACKEND.ERROR.PAD.ITEMS_NOT_FOUND');
    await store.set(keys.group(target._id), { ...target, pads: [...new Set([...target.pads, pad._id])] });
    await store.set(keys.pad(pad._id), pad);
    const source = readGroup(from, await store.get(keys.group(from)));
    if (source === undefined) return;
    await store.set(keys.group(from), { ...source, pads: source.pads.filter((other) => other !== pad._id) });
  }

  async function remove(id: string): Promise<void> {
    if ((await find(id)) === undefined) throw notFound(id);
    await jobs.removePad(id);
  }

  async function removeChatHistory(id: string): Promise<void> {
    if ((await find(id)) === undefined) throw notFound(id);
    await jobs.removeChat(id);
  }

  async function touch(id: string): Promise<void> {
    const time = now();
    if (time - (touched.get(id) ?? Number.NEGATIVE_INFINITY) < touchEvery) return;
    for (const [other, last] of touched) {
      if (time - last < touchEvery) break;
      touched.delete(other);
    }
    touched.delete(id);
    touched.set(id, time);
    await store.update<PadRecord>(keys.pad(id), (current) => current && { ...current, lastUpdate: time });
  }

  async function lastEdited(id: string): Promise<number | null> {
    try {
      return await editorPads.lastEdited(id);
    } catch (error) {
      log.warn('the editor cannot tell when a pad changed', { pad: id, error: String(error) });
      return null;
    }
  }

  async function lastUpdates(pads: readonly PadRecord[]): Promise<Map<string, number | null>> {
    const times = new Map<string, number | null>(pads.map((pad) => [pad._id, pad.lastUpdate ?? null]));
    const unknown = pads.filter((pad) => pad.lastUpdate === undefined);
    const ask = async (): Promise<void> => {
      for (let pad = unknown.pop(); pad !== undefined; pad = unknown.pop()) {
        times.set(pad._id, await lastEdited(pad._id));
      }
    };
    await Promise.all(Array.from({ length: Math.min(parallelQuestions, unknown.length) }, ask));
    return times;
  }

  return { find, findMany, create, update, remove, removeChatHistory, touch, lastUpdates };
}
