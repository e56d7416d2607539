/**
 * Sessions: who is signed in where. A session is a record of the database named by a signed token; several per person. Signing out,
 * a new password, deactivation and removal end it at once, because every use reads the record and the account again.
 */
import { randomBytes } from 'node:crypto';
import type { Administrators } from './administrator';
import type { SessionRecord, StoredPassword, Voucher } from './entities';
import type { Events } from './events';
import { lifetimes } from './limits';
import { fingerprint } from './password';
import type { Unlocked } from './permissions';
import type { Log } from './ports';
import { readSession, readUser, texts } from './records';
import { keys, type Store } from './store';
import type { Audience, Tokens } from './token';

/** `lastSeen` is written at most this often. */
const seenEvery = 5 * 60_000;
/** Sessions of one person; one more ends the one that was used longest ago. */
const mostPerOwner = 50;
/** Proved passwords that one session remembers; one more forgets the oldest. */
const mostUnlocked = 500;
const longestBrowser = 200;
const sweepEvery = 24 * 3600_000;

export type SessionKind = SessionRecord['kind'];

export interface SignedIn {
  session: SessionRecord;
  /** For the API. */
  token: string;
  /** For the entry cookie; none for administrators, who are nobody in the editor. */
  entryToken: string | undefined;
  /** When both end at the latest, in milliseconds since 1970. */
  expires: number;
}

export interface Sessions {
  /** `voucher` for administrators. */
  create(who: {
    kind: SessionKind;
    owner: string;
    browser: string | undefined;
    voucher?: Voucher;
  }): Promise<SignedIn>;
  /** The living session that the token names, if it is meant for one of the audiences. Garbage reads as `undefined`. */
  read(token: string | undefined, audiences: readonly Audience[]): Promise<SessionRecord | undefined>;
  /** The living session with this id: as `read`, without a signature to check. */
  find(id: string): Promise<SessionRecord | undefined>;
  /** Emits `session`. Nothing happens when there is none. */
  end(id: string): Promise<void>;
  /** Ends all sessions of somebody, but not the one called `except`. */
  endAll(kind: 'user' | 'admin', owner: string, except?: string): Promise<void>;
  /**
   * Remembers that the password stored there now was proved. Emits `session`. Returns the session as it is then, `undefined` when it
   * has ended meanwhile.
   */
  unlock(
    id: string,
    what: 'group' | 'pad',
    recordId: string,
    password: StoredPassword,
  ): Promise<SessionRecord | undefined>;
  /** What a session has proved, for the permissions. */
  unlockedOf(session: SessionRecord | undefined): Unlocked;
  /** The value of the entry cookie; `undefined` for administrators. */
  entryTokenFor(session: SessionRecord): string | undefined;
  close(): void;
}

/** As it is stored. */
interface OwnSessions {
  ids?: unknown;
}

export interface SessionContext {
  store: Store;
  tokens: Tokens;
  events: Events;
  administrators: Pick<Administrators, 'standing'>;
  log: Log;
  now: () => number;
}

export function createSessions(context: SessionContext): Sessions {
  const { store, tokens, events, administrators, log, now } = context;

  function endOf(session: SessionRecord): number {
    if (session.kind === 'guest') return session.created + lifetimes.guestSession;
    if (session.kind === 'user') return session.created + lifetimes.session;
    const listed = session.voucher?.listed !== false;
    return session.created + (listed ? lifetimes.adminSession : lifetimes.vouchedAdminSession);
  }

  function expired(session: SessionRecord): boolean {
    if (now() >= endOf(session)) return true;
    return session.kind === 'user' && now() >= session.lastSeen + lifetimes.sessionIdle;
  }

  /** Ended, not merely refused: it does not come back when the name returns to the settings file. */
  async function administratorStands(session: SessionRecord): Promise<boolean> {
    const standing = administrators.standing(session);
    if (standing === 'dismissed') await end(session._id);
    return standing === 'vouched';
  }

  async function ownerStands(session: SessionRecord): Promise<boolean> {
    if (session.kind === 'guest') return true;
    if (session.kind === 'admin') return administratorStands(session);
    const user = readUser(session.owner, await store.get<unknown>(keys.user(session.owner)));
    return user?.active === true;
  }

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

  async function find(id: string): Promise<SessionRecord | undefined> {
    const session = await read(id);
    if (!session || expired(session) || !(await ownerStands(session))) return undefined;
    if (now() - session.lastSeen < seenEvery) return session;
    return change(id, (current) => ({ ...current, lastSeen: now() }));
  }

  async function forget(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      await store.locked([keys.session(id)], () => store.remove(keys.session(id)));
      events.emit('session', { id });
    }
  }

  function entryTokenFor(session: SessionRecord): string | undefined {
    return session.kind === 'admin' ? undefined : tokens.sign(session._id, 'entry', endOf(session));
  }

  /**
   * Writes the session and its place in the owner's list under one lock, the list first: a session that lives can always be found by
   * `endAll`. Returns the ids that must go: gone, expired or too many.
   */
  function enlist(session: SessionRecord, kind: 'user' | 'admin'): Promise<string[]> {
    const list = keys.sessionsOf(kind, session.owner);
    return store.locked([list], async () => {
      const ids = texts((await store.get<OwnSessions>(list))?.ids);
      const records = await store.getMany<unknown>(ids.map(keys.session));
      const living = records
        .map((record, index) => readSession(ids[index] ?? '', record))
        .filter((record): record is SessionRecord => record !== undefined && !expired(record))
        .sort((one, other) => one.lastSeen - other.lastSeen)
        .map((record) => record._id);
      const kept = living.slice(-(mostPerOwner - 1));
      await store.set(list, { ids: [...kept, session._id] });
      await store.set(keys.session(session._id), session);
      return ids.filter((id) => !kept.includes(id));
    });
  }

  async function sweep(): Promise<void> {
    try {
      const prefix = keys.session('');
      for (const key of await store.scan(prefix)) {
        const session = await read(key.slice(prefix.length));
        if (session && expired(session)) await end(session._id);
      }
    } catch (error) {
      log.warn('expired sessions could not be swept', { error: String(error) });
    }
  }

  async function end(id: string): Promise<void> {
    const session = await read(id);
    if (!session) return;
    await forget([id]);
    if (session.kind === 'guest') return;
    await store.update<OwnSessions>(keys.sessionsOf(session.kind, session.owner), (current) => {
      const ids = texts(current?.ids);
      return ids.includes(id) ? { ids: ids.filter((other) => other !== id) } : undefined;
    });
  }

  const timer = setInterval(() => void sweep(), sweepEvery);
  timer.unref();
  const firstSweep = setTimeout(() => void sweep(), 60_000);
  firstSweep.unref();

  return {
    async create({ kind, owner, browser, voucher }) {
      const session: SessionRecord = {
        _id: randomBytes(24).toString('hex'),
        kind,
        owner,
        created: now(),
        lastSeen: now(),
        browser: (browser ?? '').slice(0, longestBrowser),
        ...(voucher && { voucher }),
        unlocked: {},
      };
      if (kind === 'guest') await store.set(keys.session(session._id), session);
      else await forget(await enlist(session, kind));
      const expires = endOf(session);
      const token = tokens.sign(session._id, kind, expires);
      return { session, token, entryToken: entryTokenFor(session), expires };
    },
    async read(token, audiences) {
      const claims = token === undefined ? undefined : tokens.verify(token, audiences);
      const session = claims && (await find(claims.sessionId));
      if (!session) return undefined;
      const meant = claims.audience === 'entry' ? session.kind !== 'admin' : claims.audience === session.kind;
      return meant ? session : undefined;
    },
    find,
    end,
    async endAll(kind, owner, except) {
      const list = keys.sessionsOf(kind, owner);
      const gone = await store.locked([list], async () => {
        const current = await store.get<OwnSessions>(list);
        if (!current) return [];
        const ids = texts(current.ids);
        const kept = ids.filter((id) => id === except);
        if (kept.length === 0) await store.remove(list);
        else await store.set(list, { ids: kept });
        return ids.filter((id) => id !== except);
      });
      await forget(gone);
    },
    async unlock(id, what, recordId, password) {
      const session = await change(id, (current) => {
        const name = `${what}:${recordId}`;
        const others = Object.entries(current.unlocked).filter(([other]) => other !== name);
        const kept = others.slice(-(mostUnlocked - 1));
        return { ...current, unlocked: Object.fromEntries([...kept, [name, fingerprint(password)]]) };
      });
      if (session) events.emit('session', { id });
      return session;
    },
    unlockedOf: (session) => (what, id, password) => {
      const name = `${what}:${id}`;
      if (!session || !Object.hasOwn(session.unlocked, name)) return false;
      return session.unlocked[name] === fingerprint(password);
    },
    entryTokenFor,
    close() {
      clearInterval(timer);
      clearTimeout(firstSweep);
    },
  };
}
