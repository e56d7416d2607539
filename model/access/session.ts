/**
 * Sessions. A signed token names a session record in the database; a person can have several. Signing out, a new
 * password, closing or removing the account end a session at once, because each use reads the session and the account.
 */

import { randomBytes } from 'node:crypto';
import type { EventActor } from '../actor';
import { isError } from '../errors';
import { lifetimes } from '../limits';
import { fingerprint } from '../passwords/password';
import type { Basics } from '../store/basics';
import { forEachInBatches } from '../store/batches';
import type { MethodOfSession, NamedGuest, SessionRecord, StoredPassword, Voucher } from '../store/entities';
import { readSession, readUser, texts } from '../store/records';
import { keys } from '../store/store';
import type { Administrators } from './administrator';
import { nothingUnlocked, type Unlocked } from './permissions';
import type { Audience, Tokens } from './token';

/** Minimum interval between two writes of `lastSeen`. */
const seenInterval = 5 * 60_000;
/** Maximum number of sessions per person. A new one above it ends the least recently used one. */
const maxPerOwner = 50;
/** Maximum number of proved passwords per session. A new one above it drops the oldest. */
const maxUnlocked = 500;
const maxBrowserLength = 200;

export type SessionKind = SessionRecord['kind'];

export interface SignedIn {
  session: SessionRecord;
  /** Token for the API. */
  token: string;
  /** Value of the entry cookie. None for administrators, who have no editor identity. */
  entryToken: string | undefined;
  /** When both tokens expire at the latest, in milliseconds since 1970. */
  expires: number;
}

export interface Sessions {
  /** Creates a session. Administrators need a `voucher`. */
  create(who: {
    kind: SessionKind;
    owner: string;
    browser: string | undefined;
    voucher?: Voucher;
    /** What the session has proved from the start: links that the person keeps. */
    unlocked?: SessionRecord['unlocked'];
    signedInBy?: MethodOfSession;
  }): Promise<SignedIn>;
  /**
   * The valid session that the token names, if the token is for one of these audiences. `undefined` for an invalid
   * token.
   */
  read(token: string | undefined, audiences: readonly Audience[]): Promise<SessionRecord | undefined>;
  /** The valid session with this id. */
  find(id: string): Promise<SessionRecord | undefined>;
  /** As `find`, but does not update `lastSeen`. `isActive`: whether an account (user id) is active. */
  check(id: string, isActive: (owner: string) => Promise<boolean>): Promise<SessionRecord | undefined>;
  /** True when this account (user id) is active. */
  isActive(owner: string): Promise<boolean>;
  /** The valid sessions of a person, the most recently used first. */
  list(owner: string): Promise<SessionRecord[]>;
  /** The valid sessions that began with the session `sid` of a provider. */
  listOfSid(issuer: string, sid: string): Promise<SessionRecord[]>;
  /**
   * The number of people with a valid session. Counted once a day, and changed when somebody signs in or out; people
   * whose session expires in between count until then. `undefined` in the first minute after a start.
   */
  signedIn(): number | undefined;
  /** Call it with the number that another process has counted. */
  receiveSignedIn(people: number): void;
  /** Ends a session and emits `session`. Does nothing when it does not exist. */
  end(id: string): Promise<void>;
  /** Ends all sessions of a person, except the session `except`. */
  endAll(owner: string, except?: string): Promise<void>;
  /**
   * Stores that the current password was proved, and the name that a guest gave with it. Emits `session`. Returns the
   * new session record, `undefined` when it has ended.
   */
  unlock(
    id: string,
    what: 'group' | 'pad' | 'link',
    recordId: string,
    password: StoredPassword,
    guest?: NamedGuest,
  ): Promise<SessionRecord | undefined>;
  /** Takes proofs of links out of all sessions of a person. Emits `session`. */
  forgetLinks(owner: string, links: readonly string[]): Promise<void>;
  /** Returns a function that says which passwords the session has proved. */
  unlockedOf(session: Pick<SessionRecord, 'unlocked'> | undefined): Unlocked;
  /** Value of the entry cookie; `undefined` for administrators. */
  entryTokenFor(session: SessionRecord): string | undefined;
  /** Ends expired sessions and counts people with a session. A regular job. */
  sweep(signal?: AbortSignal): Promise<void>;
}

/** Who acts in this session. */
export function actorOf({ kind, owner }: Pick<SessionRecord, 'kind' | 'owner'>): EventActor {
  if (kind === 'guest') return { kind };
  return kind === 'user' ? { kind: 'account', id: owner } : { kind: 'administrator', name: owner };
}

/** Stored list of session ids: of a person, or of a session of a provider. */
interface OwnSessions {
  ids?: unknown;
}

export interface SessionContext extends Pick<Basics, 'store' | 'events' | 'now'> {
  tokens: Tokens;
  administrators: Pick<Administrators, 'statusOf'>;
  /** Sends the number of people with a session to the other processes. */
  publishSignedIn: (people: number) => void;
}

/** When sessions expire. */
function createExpiry(now: () => number) {
  function expiryOf(session: SessionRecord): number {
    if (session.kind === 'guest') return session.created + lifetimes.guestSession;
    if (session.kind === 'user') return session.created + lifetimes.session;
    const listed = session.voucher?.listed !== false;
    return session.created + (listed ? lifetimes.adminSession : lifetimes.pluginAdminSession);
  }

  function expired(session: SessionRecord): boolean {
    if (now() >= expiryOf(session)) return true;
    return session.kind === 'user' && now() >= session.lastSeen + lifetimes.sessionIdle;
  }

  return { expiryOf, expired };
}

type Expiry = ReturnType<typeof createExpiry>;

/** The list in which a provider that names only its own session finds this one. */
const listOfSid = ({ signedInBy: by }: SessionRecord): string | undefined =>
  by?.issuer === undefined || by.sid === undefined ? undefined : keys.sessionsOfSid(by.issuer, by.sid);

/** The records of sessions, and the list of each person's sessions. */
function createSessionRecords({ store, events }: SessionContext, { expired }: Expiry) {
  const read = async (id: string): Promise<SessionRecord | undefined> =>
    readSession(id, await store.get<unknown>(keys.session(id)));

  async function change(
    id: string,
    how: (session: SessionRecord) => SessionRecord,
  ): Promise<SessionRecord | undefined> {
    const stored = await store.update<unknown>(keys.session(id), (current) => {
      const session = readSession(id, current);
      return session && how(session);
    });
    return readSession(id, stored);
  }

  async function addToSid(session: SessionRecord): Promise<void> {
    const list = listOfSid(session);
    if (list === undefined) return;
    await store.update<OwnSessions>(list, (current) => ({ ids: [...texts(current?.ids), session._id] }));
  }

  /** Resolves to whether it was the last one of the list, which is removed then. */
  function dropFrom(list: string, id: string): Promise<boolean> {
    return store.locked([list], async () => {
      const ids = texts((await store.get<OwnSessions>(list))?.ids);
      const others = ids.filter((other) => other !== id);
      if (others.length === ids.length) return false;
      await (others.length === 0 ? store.remove(list) : store.set(list, { ids: others }));
      return others.length === 0;
    });
  }

  async function remove(ids: readonly string[]): Promise<void> {
    await forEachInBatches(ids, async (id) => {
      const ended = await store.locked([keys.session(id)], async () => {
        const session = await read(id);
        await store.remove(keys.session(id));
        return session;
      });
      const ofSid = ended && listOfSid(ended);
      if (ofSid !== undefined) await dropFrom(ofSid, id);
      events.emit({ about: 'session', what: 'ended', id });
    });
  }

  /** The sessions with these ids that have not expired, the most recently used last. */
  async function unexpiredOf(ids: readonly string[]): Promise<SessionRecord[]> {
    const records = await store.getMany<unknown>(ids.map(keys.session));
    return records
      .map((record, index) => readSession(ids[index] ?? '', record))
      .filter((record): record is SessionRecord => record !== undefined && !expired(record))
      .sort((one, other) => one.lastSeen - other.lastSeen);
  }

  /**
   * Writes the session and its id in the owner's list under one lock, the list first, so that `endAll` finds every
   * session. `surplus`: ids to remove, which are missing, expired or too many. `isFirst`: the owner had no session.
   */
  function addToOwner(
    session: SessionRecord,
    kind: 'user' | 'admin',
  ): Promise<{ surplus: string[]; isFirst: boolean }> {
    const list = keys.sessionsOf(kind, session.owner);
    return store.locked([list], async () => {
      const ids = texts((await store.get<OwnSessions>(list))?.ids);
      const living = (await unexpiredOf(ids)).map((record) => record._id);
      const kept = living.slice(-(maxPerOwner - 1));
      await store.set(list, { ids: [...kept, session._id] });
      await store.set(keys.session(session._id), session);
      return { surplus: ids.filter((id) => !kept.includes(id)), isFirst: ids.length === 0 };
    });
  }

  return { read, change, remove, dropFrom, unexpiredOf, addToOwner, addToSid };
}

type SessionRecords = ReturnType<typeof createSessionRecords>;

/** Ends sessions: one, those of a person, and those that have expired. */
function createEnding(
  { store, publishSignedIn }: SessionContext,
  { expired }: Expiry,
  records: SessionRecords,
) {
  /** The number of people with a session: counted when expired sessions are removed, and changed in between. */
  let people: number | undefined;

  /** `by`: 1 for the first session of a person, -1 for the end of the last one. */
  function countPeople(kind: SessionKind, by: 1 | -1): void {
    if (people === undefined || kind !== 'user') return;
    people = Math.max(0, people + by);
    publishSignedIn(people);
  }

  async function end(id: string): Promise<void> {
    const session = await records.read(id);
    if (!session) return;
    await records.remove([id]);
    if (session.kind === 'guest') return;
    const wasLast = await records.dropFrom(keys.sessionsOf(session.kind, session.owner), id);
    if (wasLast) countPeople(session.kind, -1);
  }

  const endAll: Sessions['endAll'] = async (owner, except) => {
    const list = keys.sessionsOf('user', owner);
    const idsNow = async (): Promise<string[]> => texts((await store.get<OwnSessions>(list))?.ids);
    const ended = (await store.locked([list], idsNow)).filter((id) => id !== except);
    if (ended.length === 0) return;
    // Before they leave the list: after a failure, the next call finds those that are left.
    await records.remove(ended);
    await store.locked([list], async () => {
      const ids = await idsNow();
      const kept = ids.filter((id) => !ended.includes(id));
      if (kept.length > 0) await store.set(list, { ids: kept });
      else if (ids.length > 0) await store.remove(list);
      if (kept.length === 0 && ids.length > 0) countPeople('user', -1);
    });
  };

  async function sweep(signal?: AbortSignal): Promise<void> {
    const prefix = keys.session('');
    const owners = new Set<string>();
    for (const key of await store.scan(prefix)) {
      signal?.throwIfAborted();
      const session = await records.read(key.slice(prefix.length));
      if (session && expired(session)) await end(session._id);
      else if (session?.kind === 'user') owners.add(session.owner);
    }
    people = owners.size;
    publishSignedIn(people);
  }

  return {
    end,
    endAll,
    sweep,
    countPeople,
    signedIn: () => people,
    receiveSignedIn(counted: number) {
      people = counted;
    },
  };
}

/** Reads sessions that are valid at this moment. */
function createChecks(
  { store, administrators, now }: SessionContext,
  { expired }: Expiry,
  { records, end }: { records: SessionRecords; end: Sessions['end'] },
): Pick<Sessions, 'check' | 'find' | 'isActive'> {
  /**
   * Checks an administrator's session. A revoked one is ended, so that it does not become valid again when the name
   * returns to the settings file.
   */
  async function checkAdministrator(session: SessionRecord): Promise<boolean> {
    const status = administrators.statusOf(session);
    if (status === 'revoked') await end(session._id);
    return status === 'confirmed';
  }

  const isActive = async (owner: string): Promise<boolean> =>
    readUser(owner, await store.get<unknown>(keys.user(owner)))?.active === true;

  const check: Sessions['check'] = async (id, accountIsActive) => {
    const session = await records.read(id);
    if (!session || expired(session)) return undefined;
    if (session.kind === 'admin' && !(await checkAdministrator(session))) return undefined;
    if (session.kind === 'user' && !(await accountIsActive(session.owner))) return undefined;
    return session;
  };

  async function find(id: string): Promise<SessionRecord | undefined> {
    const session = await check(id, isActive);
    if (!session) return undefined;
    if (now() - session.lastSeen < seenInterval) return session;
    try {
      return await records.change(id, (current) => ({ ...current, lastSeen: now() }));
    } catch (error) {
      if (!isError(error, 'BACKEND.ERROR.SERVER.DATABASE_UNAVAILABLE')) throw error;
      // While nothing can be written, people go on reading and writing. It may have ended meanwhile.
      return check(id, isActive);
    }
  }

  return { check, find, isActive };
}

/** Passwords of folders and pads that a session has proved. */
function createUnlocking(
  { events }: SessionContext,
  { change }: SessionRecords,
): Pick<Sessions, 'unlock' | 'unlockedOf'> {
  return {
    async unlock(id, what, recordId, password, guest) {
      const session = await change(id, (current) => {
        const name = `${what}:${recordId}`;
        const others = Object.entries(current.unlocked).filter(([other]) => other !== name);
        const kept = others.slice(-(maxUnlocked - 1));
        const unlocked = Object.fromEntries([...kept, [name, fingerprint(password)]]);
        return { ...current, unlocked, ...(guest && current.kind === 'guest' && { guest }) };
      });
      if (session) events.emit({ about: 'session', what: 'unlocked', id, by: actorOf(session) });
      return session;
    },
    unlockedOf(session) {
      if (!session || Object.keys(session.unlocked).length === 0) return nothingUnlocked;
      const { unlocked } = session;
      return (what, id, password) => {
        const name = `${what}:${id}`;
        return Object.hasOwn(unlocked, name) && unlocked[name] === fingerprint(password);
      };
    },
  };
}

export function createSessions(context: SessionContext): Sessions {
  const { store, tokens, now } = context;
  const expiry = createExpiry(now);
  const records = createSessionRecords(context, expiry);
  const { sweep, countPeople, ...ending } = createEnding(context, expiry, records);
  const checks = createChecks(context, expiry, { records, end: ending.end });

  function entryTokenFor(session: SessionRecord): string | undefined {
    return session.kind === 'admin' ? undefined : tokens.sign(session._id, 'entry', expiry.expiryOf(session));
  }

  return {
    async create({ kind, owner, browser, voucher, unlocked = {}, signedInBy }) {
      const session: SessionRecord = {
        _id: randomBytes(24).toString('hex'),
        kind,
        owner,
        created: now(),
        lastSeen: now(),
        browser: (browser ?? '').slice(0, maxBrowserLength),
        ...(voucher && { voucher }),
        ...(signedInBy && { signedInBy }),
        unlocked,
      };
      if (kind === 'guest') await store.set(keys.session(session._id), session);
      else {
        // First, so that a sign-out at the provider finds it.
        await records.addToSid(session);
        const { surplus, isFirst } = await records.addToOwner(session, kind);
        await records.remove(surplus);
        if (isFirst) countPeople(kind, 1);
      }
      const expires = expiry.expiryOf(session);
      const token = tokens.sign(session._id, kind, expires);
      return { session, token, entryToken: entryTokenFor(session), expires };
    },
    async read(token, audiences) {
      const claims = token === undefined ? undefined : tokens.verify(token, audiences);
      const session = claims && (await checks.find(claims.sessionId));
      if (!session) return undefined;
      const meant = claims.audience === 'entry' ? session.kind !== 'admin' : claims.audience === session.kind;
      return meant ? session : undefined;
    },
    ...checks,
    async forgetLinks(owner, links) {
      const names = new Set(links.map((link) => `link:${link}`));
      const ids = texts((await store.get<OwnSessions>(keys.sessionsOf('user', owner)))?.ids);
      for (const id of ids) {
        const session = await records.change(id, (current) => ({
          ...current,
          unlocked: Object.fromEntries(Object.entries(current.unlocked).filter(([name]) => !names.has(name))),
        }));
        if (session) context.events.emit({ about: 'session', what: 'unlocked', id, by: actorOf(session) });
      }
    },
    async list(owner) {
      const ids = texts((await store.get<OwnSessions>(keys.sessionsOf('user', owner)))?.ids);
      return (await records.unexpiredOf(ids)).reverse();
    },
    async listOfSid(issuer, sid) {
      const list = await store.get<OwnSessions>(keys.sessionsOfSid(issuer, sid));
      return records.unexpiredOf(texts(list?.ids));
    },
    ...ending,
    ...createUnlocking(context, records),
    entryTokenFor,
    sweep,
  };
}
