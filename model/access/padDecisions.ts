/** Decides who may open a pad, from the records of pad, group and session. */
import type { EditorPads } from '../ports';
import type { Configuration } from '../settings/configuration';
import type { GroupRecord, PadRecord, SessionRecord } from '../store/entities';
import type { FormerPads } from '../store/formerPads';
import { readGroup, readPad } from '../store/records';
import { keys, type Store } from '../store/store';
import { readTrashedGroup, readTrashedPad } from '../store/trashNotes';
import { type Actor, type Entry, endOfLinks, groupSight, type Policy, padEntry } from './permissions';
import type { Sessions } from './session';

/**
 * Somebody who wants to open a pad: the session of their browser, if it has one, and their actor for the permission
 * checks.
 */
export interface Visitor {
  session?: SessionRecord;
  actor: Actor;
}

export interface Decision {
  /**
   * The result of `padEntry`; or why nobody may enter. `unknown`: the pad is not managed, and `allowEtherPads` is off.
   * `removed`: it was managed. `closed`: it is being removed, or its record or group is missing. A pad in the trash is
   * like one that was removed.
   */
  entry: Entry | 'unknown' | 'removed' | 'closed';
  /** Is the pad being removed, or in the trash? Only if nobody may enter. */
  removed?: boolean;
  /** The pad's group, if it has one. */
  group?: string;
  /** The same, if the visitor may see the group. Its id begins with its name. */
  seenGroup?: string;
  /** When a link ends by which the visitor may enter, in milliseconds since 1970. Then the decision is another. */
  until?: number | undefined;
  /** Does ep_mypads manage the pad? If not, Etherpad alone decides what `write` allows. */
  managed: boolean;
}

export interface DecisionContext {
  store: Store;
  configuration: Configuration;
  sessions: Sessions;
  policy: () => Policy;
  formerPads: Pick<FormerPads, 'has'>;
  editorPads: Pick<EditorPads, 'exists'>;
}

/** The actor of a session, for the checks of permissions.ts. */
export function actorOf(session: SessionRecord | undefined, sessions: Pick<Sessions, 'unlockedOf'>): Actor {
  if (session?.kind === 'admin') return { kind: 'admin' };
  const unlocked = sessions.unlockedOf(session);
  return session?.kind === 'user'
    ? { kind: 'user', id: session.owner, unlocked }
    : { kind: 'guest', unlocked };
}

/** The stored records of a pad. */
interface PadRecords {
  exists: boolean;
  /** Is its removal pending? */
  removing: boolean;
  /** Is it, or its group, in the trash? Then `removing` too. */
  trashed: boolean;
  pad: PadRecord | undefined;
  group: GroupRecord | undefined;
}

/** How a decision reads its records. */
interface Reader {
  pad(id: string): Promise<Omit<PadRecords, 'group'>>;
  group(id: string): Promise<GroupRecord | undefined>;
  /** For a pad whose group is missing: has the removal of one of them begun, or is one in the trash? */
  removalOf(padId: string, groupId: string): Promise<Pick<PadRecords, 'removing' | 'trashed'>>;
  /** For a pad without a record: was it removed, and not created again by a program? */
  isFormer(padId: string): Promise<boolean>;
  session(id: string): Promise<SessionRecord | undefined>;
}

function storedRecords({ store, sessions, formerPads, editorPads }: DecisionContext): Reader {
  return {
    async pad(id) {
      const [stored, removal] = await store.getMany<unknown>([keys.pad(id), keys.deletePad(id)]);
      const notes = { removing: removal !== undefined, trashed: readTrashedPad(removal) !== undefined };
      return { exists: stored !== undefined, ...notes, pad: readPad(id, stored) };
    },
    group: async (id) => readGroup(id, await store.get<unknown>(keys.group(id))),
    async removalOf(padId, groupId) {
      const notes = await store.getMany<unknown>([keys.deletePad(padId), keys.deleteGroup(groupId)]);
      const trashed = Boolean(readTrashedPad(notes[0]) ?? readTrashedGroup(notes[1]));
      if (notes.some((note) => note !== undefined)) return { removing: true, trashed };
      // Read after the notes: a removal that has ended meanwhile has removed the pad before its last note.
      return { removing: (await store.get(keys.pad(padId))) === undefined, trashed };
    },
    isFormer: async (id) => (await formerPads.has(id)) && !(await editorPads.exists(id)),
    session: (id) => sessions.find(id),
  };
}

/** Calls `read` only once for each id. */
export function memoise<Found, More extends unknown[]>(
  read: (id: string, ...more: More) => Promise<Found>,
): (id: string, ...more: More) => Promise<Found> {
  const found = new Map<string, Promise<Found>>();
  return (id, ...more) => {
    const earlier = found.get(id);
    if (earlier) return earlier;
    const reading = read(id, ...more);
    found.set(id, reading);
    // Failures are not kept, so that the next call tries again.
    reading.catch(() => found.delete(id));
    return reading;
  };
}

/** Reads each record only once, and does not count as a use of a session. */
function memoisedRecords(context: DecisionContext): Reader {
  const { pad, group, removalOf, isFormer } = storedRecords(context);
  const isActive = memoise((owner) => context.sessions.isActive(owner));
  return {
    pad: memoise(pad),
    group: memoise(group),
    removalOf: memoise(removalOf),
    isFormer: memoise(isFormer),
    session: memoise((id) => context.sessions.check(id, isActive)),
  };
}

async function loadWith({ pad, group, removalOf }: Reader, padId: string): Promise<PadRecords> {
  const found = await pad(padId);
  if (found.pad === undefined) return { ...found, group: undefined };
  const groupOfPad = await group(found.pad.group);
  if (groupOfPad || found.removing) return { ...found, group: groupOfPad };
  // Another process may have begun to remove the group since the pad was read.
  return { ...found, ...(await removalOf(padId, found.pad.group)), group: undefined };
}

/** Access decisions from the records in the database. */
function decisionsWith(reader: Reader, context: DecisionContext) {
  const { configuration, sessions, policy } = context;

  const entryOfRemoved = (): 'unknown' | 'removed' =>
    configuration.get('allowEtherPads') ? 'removed' : 'unknown';

  /** Decides about a pad without a record. */
  async function entryOfUnmanaged(padId: string): Promise<'write' | 'unknown' | 'removed'> {
    const mayBeOpened = configuration.get('allowEtherPads') && !(await reader.isFormer(padId));
    return mayBeOpened ? 'write' : entryOfRemoved();
  }

  return {
    /** Reads the visitor's session again: with passwords proved since, or as a guest if it has ended. */
    async refresh({ session }: Visitor): Promise<Visitor> {
      return visitorOf(session && (await reader.session(session._id)), sessions);
    },
    /** `padId`: a real pad id, never a read-only id. Writes nothing. */
    async decide(padId: string, visitor: Visitor): Promise<Decision> {
      const { exists, removing, trashed, pad, group } = await loadWith(reader, padId);
      // Nobody can tell it from a pad that was deleted for good.
      if (trashed) return { entry: entryOfRemoved(), managed: false, removed: true };
      if (!exists && !removing) return { entry: await entryOfUnmanaged(padId), managed: false };
      const [rules, { actor }] = [policy(), visitor];
      // Who is asked for the password of a group sees which one.
      const seen = group && groupSight(actor, group, rules) !== 'no' ? { seenGroup: group._id } : {};
      if (removing || pad === undefined || group === undefined) {
        return {
          entry: 'closed',
          managed: true,
          removed: removing,
          ...(pad && { group: pad.group }),
          ...seen,
        };
      }
      const until = endOfLinks(actor, group, rules);
      return { entry: padEntry(actor, pad, group, rules), until, group: group._id, ...seen, managed: true };
    },
  };
}

export type Decisions = ReturnType<typeof decisionsWith>;

/** The visitor of a session; a guest without one. */
export function visitorOf(session: SessionRecord | undefined, sessions: Sessions): Visitor {
  const actor = actorOf(session, sessions);
  return session === undefined ? { actor } : { session, actor };
}

/** Reads the records for each decision. */
export const createDecisions = (context: DecisionContext): Decisions =>
  decisionsWith(storedRecords(context), context);

/** For decisions about many editors at the same moment, see `PadAccess.snapshot`. */
export const createSnapshot = (context: DecisionContext): Decisions =>
  decisionsWith(memoisedRecords(context), context);

export const loadPad = (context: DecisionContext, padId: string): Promise<PadRecords> =>
  loadWith(storedRecords(context), padId);
