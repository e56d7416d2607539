/**
 * Pads. A record has the id of the Etherpad pad. The pad's own record names its group; the group's list is how the
 * group finds its pads. A new pad exists in Etherpad and as a record before it is listed. Permissions are checked by
 * the routes, before the call and in `check`.
 */

import { padAccessChanged, unchangedAccess } from '../access/accessChange';
import type { Users } from '../accounts/user';
import { asPartOf } from '../actor';
import { MyPadsError } from '../errors';
import { namesOfSetFields } from '../events';
import { newId } from '../ids';
import type { Passwords } from '../passwords/password';
import type { EditorPads } from '../ports';
import { withPad } from '../removal/padParts';
import type { Removals } from '../removal/removals';
import type { Basics } from '../store/basics';
import type { GroupRecord, PadRecord, StoredPassword, Visibility } from '../store/entities';
import { type AboutPads, splitByPads, storedGroup } from '../store/records';
import { keys } from '../store/store';
import type { Groups } from './group';
import type { GroupCheck } from './groupRecords';
import { createPadRecords, type PadCheck, type PadRecords } from './padRecords';
import {
  type ChangeInGroup,
  type ChangePad,
  createPadShares,
  createShareIndex,
  type PadShares,
} from './padShares';
import { editorToName, PadTimes } from './padTimes';
import { hashedIfGiven, passwordToStore } from './privatePassword';

/** The fields of a pad that can be set. `null`: as the group. `password` is plain text; `''` means none. */
export interface PadInput {
  name?: string;
  visibility?: Visibility | null;
  password?: string | null;
  readonly?: boolean | null;
  /** Whether new pads can begin with its text. */
  template?: boolean;
  /** Moves the pad to this group. */
  group?: string;
}

/** `from`: begins with the text of a template. `filled`: another part of the server makes its text. */
export interface NewPad extends PadInput {
  name: string;
  from?: Template | undefined;
  filled?: FilledPad | undefined;
}

/** `id`: of the new pad. `fill` makes it in Etherpad; if it rejects, there is no pad. */
interface FilledPad {
  id: string;
  fill(): Promise<void>;
}

/** `by`: who creates a pad with it. `texts`: by the name of their placeholder, as in ports.ts. */
export interface Template {
  pad: string;
  by: string | undefined;
  texts: Readonly<Record<string, string>>;
}

export interface Pads
  extends Pick<PadTimes, 'touch' | 'lastUpdates' | 'close'>,
    PadShares,
    Pick<PadRecords, 'find' | 'findMany' | 'aboutOwn'> {
  /**
   * Creates a pad. `check` gets the group when the pad is listed there. Throws PAD.ITEMS_NOT_FOUND when the group no
   * longer exists, PASSWORD_INCORRECT for visibility `private` without password.
   */
  create(group: string, input: NewPad, check?: GroupCheck): Promise<PadRecord>;
  /**
   * Creates a pad in the same group with the text and the settings of `id`, without history and chat. `by`: the id of
   * the account that does it. Throws KEY_NOT_FOUND when there is no such pad, and what `create` throws.
   */
  duplicate(id: string, copy: { name: string; by: string }, check?: GroupCheck): Promise<PadRecord>;
  /**
   * Changes the fields in `input`; passwords as for groups. Throws KEY_NOT_FOUND when the pad does not exist,
   * PAD.ITEMS_NOT_FOUND when the target group does not.
   */
  update(id: string, input: PadInput, check?: PadCheck): Promise<PadRecord>;
  /** Removes text, history and chat. Throws KEY_NOT_FOUND. */
  remove(id: string): Promise<void>;
  /** Works while the pad is open. Throws KEY_NOT_FOUND. */
  removeChatHistory(id: string): Promise<void>;
}

export interface PadContext extends Basics {
  groups: Groups;
  users: Pick<Users, 'findByEntries' | 'update'>;
  removals: Removals;
  passwords: Passwords;
  editorPads: EditorPads;
  /** As in padTimes.ts. */
  everybodyIsNamed: () => boolean;
}

interface PadChange {
  before: PadRecord;
  after: PadRecord;
  /** The group that the pad belonged to before. */
  source: GroupRecord;
}

/** The record after a change. Throws PASSWORD_INCORRECT if it would be private without a password. */
function changedPad(current: PadRecord, input: PadInput, given: StoredPassword | null): PadRecord {
  const visibility = input.visibility === undefined ? current.visibility : input.visibility;
  const { template, ...others } = current;
  return {
    ...others,
    ...((input.template ?? template) && { template: true }),
    name: input.name ?? current.name,
    group: input.group ?? current.group,
    visibility,
    password: passwordToStore(visibility, given, current),
    readonly: input.readonly === undefined ? current.readonly : input.readonly,
  };
}

/** Milliseconds: a text is read for the search a minute after its last change. */
const longFilling = 30_000;

function createWriting({ store, removals, editorPads, now }: PadContext) {
  /** Creates the Etherpad pad and the record in parallel, because each write may take 100 ms. */
  async function write(pad: PadRecord): Promise<void> {
    const recorded = store.set(keys.pad(pad._id), pad);
    const [inEditor, record] = await Promise.allSettled([editorPads.create(pad._id), recorded]);
    if (record.status === 'rejected') throw record.reason;
    if (inEditor.status === 'fulfilled') return;
    await store.remove(keys.pad(pad._id));
    throw inEditor.reason;
  }

  const undo = ({ _id }: PadRecord) => asPartOf('failedCreation', () => removals.removeUnfinishedPad(_id));

  /** The record comes first: without one, the text could be open to everybody. */
  async function writeFilled(created: PadRecord, fill: () => Promise<void>): Promise<PadRecord> {
    const pad = { ...created, lastUpdate: created.ctime };
    await store.set(keys.pad(pad._id), pad);
    try {
      await fill();
    } catch (error) {
      await undo(pad);
      throw error;
    }
    if (now() - pad.ctime < longFilling) return pad;
    // The index of texts may have looked for the text before it was there.
    return (
      (await store.update<PadRecord>(
        keys.pad(pad._id),
        (current) => current && { ...current, lastUpdate: now() },
      )) ?? pad
    );
  }

  return { undo, write, writeFilled };
}

function createCreation(context: PadContext, records: PadRecords): Pick<Pads, 'create' | 'duplicate'> {
  const { groups, passwords, editorPads, events, now } = context;
  const { undo, write, writeFilled } = createWriting(context);

  /** Creates the pad with the text of another one. */
  async function copy({ pad: from, by, texts }: Template, created: PadRecord): Promise<PadRecord> {
    const lastEditor = await editorToName(context, by);
    const known = lastEditor === undefined ? {} : { lastEditor };
    return writeFilled({ ...created, ...known }, () => editorPads.copy(from, created._id, texts));
  }

  /** Lists the pad in its group. Removes it again when that is refused. */
  async function list(pad: PadRecord, check: GroupCheck | undefined): Promise<PadRecord> {
    try {
      if (!(await groups.linkPad(pad.group, pad._id, check)))
        throw new MyPadsError('BACKEND.ERROR.PAD.ITEMS_NOT_FOUND');
    } catch (error) {
      if (error instanceof MyPadsError && error.status !== 503) await undo(pad);
      throw error;
    }
    events.emit({ about: 'pad', what: 'created', id: pad._id, before: null, after: pad, access: true });
    return pad;
  }

  return {
    async create(group, input, check) {
      const { name, visibility = null, password: typed, readonly = null, template, from, filled } = input;
      const given = visibility === 'private' ? await hashedIfGiven(passwords, typed) : null;
      const password = passwordToStore(visibility, given);
      const settings = {
        group,
        visibility,
        password,
        readonly,
        ...(template && { template: true as const }),
      };
      const pad = { _id: filled?.id ?? newId(name), name, ...settings, users: [], ctime: now() };
      if (from !== undefined) return list(await copy(from, pad), check);
      if (filled !== undefined) return list(await writeFilled(pad, filled.fill), check);
      await write(pad);
      return list(pad, check);
    },
    async duplicate(id, { name, by }, check) {
      const { group, visibility, password, readonly } = (await records.placeOf(id)).pad;
      const settings = { group, visibility, password, readonly, users: [] };
      const pad = { _id: newId(name), name, ...settings, ctime: now() };
      return list(await copy({ pad: id, by, texts: {} }, pad), check);
    },
  };
}

/** Writes pads that may move. A move that fails between its writes leaves the pad in the lists of two groups. */
function createMoves({ store, groups }: Pick<PadContext, 'store' | 'groups'>) {
  /** By pad, groups that a failed move may have left it in. A restart forgets them; then the doctor finds the pad. */
  const halfMoved = new Map<string, readonly string[]>();

  async function join(target: GroupRecord, id: string, parts: AboutPads): Promise<void> {
    // What the target has about the pad is of an earlier attempt: a link may have ended since then.
    const { kept } = splitByPads(target, (pad) => pad === id);
    await store.set(keys.group(target._id), storedGroup(withPad({ ...target, ...kept }, id, parts)));
  }

  async function leave(groupId: string, id: string): Promise<void> {
    const group = await groups.find(groupId);
    if (!group?.pads.includes(id)) return;
    const { kept } = splitByPads(group, (pad) => pad === id);
    const pads = group.pads.filter((pad) => pad !== id);
    await store.set(keys.group(groupId), storedGroup({ ...group, pads, ...kept }));
  }

  return {
    leftIn: (id: string): readonly string[] => halfMoved.get(id) ?? [],
    /**
     * Adds the pad with its links, invitations and requests to the target, changes its record, then removes them from
     * the other groups. All are locked.
     */
    async write(pad: PadRecord, source: GroupRecord, target: GroupRecord | undefined, locked: string[]) {
      const { _id: id } = pad;
      const others = locked.filter((group) => group !== pad.group);
      const mayStay = [...new Set([...(halfMoved.get(id) ?? []), ...locked])];
      if (others.length > 0) halfMoved.set(id, mayStay);
      if (target) await join(target, id, splitByPads(source, (one) => one === id).left);
      await store.set(keys.pad(id), pad);
      for (const group of others) await leave(group, id);
      const left = mayStay.filter((group) => !locked.includes(group));
      if (left.length > 0) halfMoved.set(id, left);
      else halfMoved.delete(id);
    },
  };
}

function createChange(context: PadContext, { placeOf }: PadRecords): ChangePad {
  const { store, groups, events } = context;
  const shares = createShareIndex(context.users);
  const moves = createMoves(context);

  function report({ before, after, source }: PadChange, changed: string[]): void {
    if (after.group !== before.group) {
      const record = { about: 'group', id: before.group, before: source, after: source } as const;
      const facts = { access: unchangedAccess, partOf: 'padMove' } as const;
      events.emit({ ...record, what: 'changed', changed: ['pads'], ...facts });
    }
    const access = padAccessChanged(before, after);
    events.emit({ about: 'pad', what: 'changed', id: after._id, before, after, changed, access });
  }

  /** After the pad was written: after a crash between the two, a request or invitation can be answered again. */
  async function changeGroup(before: GroupRecord, { of, changed }: ChangeInGroup): Promise<void> {
    const after = of(before);
    await store.set(keys.group(before._id), storedGroup(after));
    const record = { about: 'group', id: before._id, before, after } as const;
    events.emit({ ...record, what: 'changed', changed, access: unchangedAccess });
  }

  return async (id, decide, changed, targetId, inGroup) => {
    /** Returns `undefined` when the pad has left the first of the locked groups. */
    async function change(locked: [string, ...string[]]): Promise<PadRecord | undefined> {
      const { pad, group } = await placeOf(id);
      if (pad.group !== locked[0]) return undefined;
      const isMoved = targetId !== undefined && targetId !== pad.group;
      const target = isMoved ? await groups.find(targetId) : undefined;
      if (isMoved && target === undefined)
        throw new MyPadsError('BACKEND.ERROR.PAD.ITEMS_NOT_FOUND', { field: 'group' });
      const next = decide(pad, group, target);
      await shares.join(pad, next);
      await moves.write(next, group, target, locked);
      // Sent here, because open editors must not wait until the accounts are written.
      report({ before: pad, after: next, source: group }, changed);
      if (inGroup) await changeGroup(group, inGroup);
      await shares.leave(pad, next);
      return next;
    }

    for (;;) {
      const from = (await placeOf(id)).pad.group;
      const inGroups: [string, ...string[]] = [from, targetId ?? from, ...moves.leftIn(id)];
      const done = await store.locked([...inGroups.map(keys.group), keys.pad(id)], () => change(inGroups));
      if (done !== undefined) return done;
    }
  };
}

export function createPads(context: PadContext): Pads {
  const { store, groups, removals, passwords, events } = context;
  const records = createPadRecords(store, groups);
  const change = createChange(context, records);
  const times = new PadTimes(context);
  return {
    find: records.find,
    findMany: records.findMany,
    aboutOwn: records.aboutOwn,
    ...createCreation(context, records),
    ...createPadShares(context, change),
    async update(id, input, check) {
      const given = await hashedIfGiven(passwords, input.password);
      return change(
        id,
        (pad, group, target) => {
          check?.(pad, group, target);
          return changedPad(pad, input, given);
        },
        namesOfSetFields(input),
        input.group,
      );
    },
    touch: (id, editor) => times.touch(id, editor),
    lastUpdates: (pads) => times.lastUpdates(pads),
    close: () => times.close(),
    async remove(id) {
      await records.require(id);
      await removals.removePad(id);
    },
    async removeChatHistory(id) {
      const pad = await records.require(id);
      await removals.removeChat(id);
      events.emit({ about: 'pad', what: 'chatRemoved', id, before: pad, after: pad, access: false });
    },
  };
}
