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
import { dropIds, type IdList, idsIn } from '../store/idList';
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

/** Who acts in this session. */
export function actorOf({ kind, owner }: Pick<SessionRecord, 'kind' | 'owner'>): EventActor {
  if (kind === 'guest') return { kind };
  return kind === 'user' ? { kind: 'account', id: owner } : { kind: 'administrator', name: owner };
}

export interface SessionContext extends Pick<Basics, 'store' | 'events' | 'now'> {
  tokens: Tokens;
  administrators: Pick<Administrators, 'statusOf'>;
  /** Sends the number of people with a session to the other processes. */
  publishSignedIn: (people: number) => void;
}

function expiryOf(session: SessionRecord): number {
  if (session.kind === 'guest') return session.created + lifetimes.guestSession;
  if (session.kind === 'user') return session.created + lifetimes.session;
  const listed = session.voucher?.listed !== false;
  return session.created + (listed ? lifetimes.adminSession : lifetimes.pluginAdminSession);
}

/** The list in which a provider that names only its own session finds this one. */
const listOfSid = ({ signedInBy: by }: SessionRecord): string | undefined =>
  by?.issuer === undefined || by.sid === undefined ? undefined : keys.sessionsOfSid(by.issuer, by.sid);

export class Sessions {
  /** The number of people with a session: counted when expired sessions are removed, and changed in between. */
  private people: number | undefined;

  constructor(private readonly context: SessionContext) {}

  /** Creates a session. Administrators need a `voucher`. */
  async create({
    kind,
    owner,
    browser,
    voucher,
    unlocked = {},
    signedInBy,
  }: {
    kind: SessionKind;
    owner: string;
    browser: string | undefined;
    voucher?: Voucher;
    /** What the session has proved from the start: as a guest, and links that the person keeps. */
    unlocked?: SessionRecord['unlocked'];
    signedInBy?: MethodOfSession;
  }): Promise<SignedIn> {
    const { store, tokens, now } = this.context;
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
      await this.addToSid(session);
      const { surplus, isFirst } = await this.addToOwner(session, kind);
      await this.remove(surplus);
      if (isFirst) this.countPeople(kind, 1);
    }
    const expires = expiryOf(session);
    const token = tokens.sign(session._id, kind, expires);
    return { session, token, entryToken: this.entryTokenFor(session), expires };
  }

  /**
   * The valid session that the token names, if the token is for one of these audiences. `undefined` for an invalid
   * token.
   */
  async read(token: string | undefined, audiences: readonly Audience[]): Promise<SessionRecord | undefined> {
    const claims = token === undefined ? undefined : this.context.tokens.verify(token, audiences);
    const session = claims && (await this.find(claims.sessionId));
    if (!session) return undefined;
    const meant = claims.audience === 'entry' ? session.kind !== 'admin' : claims.audience === session.kind;
    return meant ? session : undefined;
  }

  /** The valid session with this id. */
  async find(id: string): Promise<SessionRecord | undefined> {
    const { now } = this.context;
    const session = await this.check(id, this.isActive);
    if (!session) return undefined;
    if (now() - session.lastSeen < seenInterval) return session;
    try {
      return await this.change(id, (current) => ({ ...current, lastSeen: now() }));
    } catch (error) {
      if (!isError(error, 'BACKEND.ERROR.SERVER.DATABASE_UNAVAILABLE')) throw error;
      // While nothing can be written, people go on reading and writing. It may have ended meanwhile.
      return this.check(id, this.isActive);
    }
  }

  /** As `find`, but does not update `lastSeen`. `isActive`: whether an account (user id) is active. */
  async check(id: string, isActive: (owner: string) => Promise<boolean>): Promise<SessionRecord | undefined> {
    const session = await this.recordOf(id);
    if (!session || this.hasExpired(session)) return undefined;
    if (session.kind === 'admin' && !(await this.checkAdministrator(session))) return undefined;
    if (session.kind === 'user' && !(await isActive(session.owner))) return undefined;
    return session;
  }

  /** True when this account (user id) is active. */
  isActive = async (owner: string): Promise<boolean> =>
    readUser(owner, await this.context.store.get<unknown>(keys.user(owner)))?.active === true;

  /** The valid sessions of a person, the most recently used first. */
  async list(owner: string): Promise<SessionRecord[]> {
    return (
      await this.unexpiredOf(await idsIn(this.context.store, keys.sessionsOf('user', owner)))
    ).reverse();
  }

  /** The valid sessions that began with the session `sid` of a provider. */
  async listOfSid(issuer: string, sid: string): Promise<SessionRecord[]> {
    return this.unexpiredOf(await idsIn(this.context.store, keys.sessionsOfSid(issuer, sid)));
  }

  /**
   * The number of people with a valid session. Counted once a day, and changed when somebody signs in or out; people
   * whose session expires in between count until then. `undefined` in the first minute after a start.
   */
  signedIn(): number | undefined {
    return this.people;
  }

  /** Call it with the number that another process has counted. */
  receiveSignedIn = (people: number): void => {
    this.people = people;
  };

  /** Ends a session and emits `session`. Does nothing when it does not exist. */
  async end(id: string): Promise<void> {
    const session = await this.recordOf(id);
    if (!session) return;
    await this.remove([id]);
    if (session.kind === 'guest') return;
    const wasLast = await dropIds(this.context.store, keys.sessionsOf(session.kind, session.owner), [id]);
    if (wasLast) this.countPeople(session.kind, -1);
  }

  /** Ends all sessions of a person, except the session `except`. */
  async endAll(owner: string, except?: string): Promise<void> {
    const { store } = this.context;
    const list = keys.sessionsOf('user', owner);
    const ended = (await store.locked([list], () => idsIn(store, list))).filter((id) => id !== except);
    if (ended.length === 0) return;
    // Before they leave the list: after a failure, the next call finds those that are left.
    await this.remove(ended);
    const wereLast = await dropIds(store, list, ended);
    if (wereLast) this.countPeople('user', -1);
  }

  /**
   * Stores that the current password was proved, and the name that a guest gave with it. Emits `session`. Returns the
   * new session record, `undefined` when it has ended.
   */
  async unlock(
    id: string,
    what: 'group' | 'pad' | 'link',
    recordId: string,
    password: StoredPassword,
    guest?: NamedGuest,
  ): Promise<SessionRecord | undefined> {
    const session = await this.change(id, (current) => {
      const name = `${what}:${recordId}`;
      const others = Object.entries(current.unlocked).filter(([other]) => other !== name);
      const kept = others.slice(-(maxUnlocked - 1));
      const unlocked = Object.fromEntries([...kept, [name, fingerprint(password)]]);
      return { ...current, unlocked, ...(guest && current.kind === 'guest' && { guest }) };
    });
    if (session) this.context.events.emit({ about: 'session', what: 'unlocked', id, by: actorOf(session) });
    return session;
  }

  /** Takes proofs of links out of all sessions of a person. Emits `session`. */
  async forgetLinks(owner: string, links: readonly string[]): Promise<void> {
    const names = new Set(links.map((link) => `link:${link}`));
    for (const id of await idsIn(this.context.store, keys.sessionsOf('user', owner))) {
      const session = await this.change(id, (current) => ({
        ...current,
        unlocked: Object.fromEntries(Object.entries(current.unlocked).filter(([name]) => !names.has(name))),
      }));
      if (session) this.context.events.emit({ about: 'session', what: 'unlocked', id, by: actorOf(session) });
    }
  }

  /** Returns a function that says which passwords the session has proved. */
  unlockedOf(session: Pick<SessionRecord, 'unlocked'> | undefined): Unlocked {
    if (!session || Object.keys(session.unlocked).length === 0) return nothingUnlocked;
    const { unlocked } = session;
    return (what, id, password) => {
      const name = `${what}:${id}`;
      if (!Object.hasOwn(unlocked, name)) return false;
      return password === null || unlocked[name] === fingerprint(password);
    };
  }

  /** Value of the entry cookie; `undefined` for administrators. */
  entryTokenFor(session: SessionRecord): string | undefined {
    if (session.kind === 'admin') return undefined;
    return this.context.tokens.sign(session._id, 'entry', expiryOf(session));
  }

  /** Ends expired sessions and counts people with a session. A regular job. */
  async sweep(signal?: AbortSignal): Promise<void> {
    const prefix = keys.session('');
    const owners = new Set<string>();
    for (const key of await this.context.store.scan(prefix)) {
      signal?.throwIfAborted();
      const session = await this.recordOf(key.slice(prefix.length));
      if (session && this.hasExpired(session)) await this.end(session._id);
      else if (session?.kind === 'user') owners.add(session.owner);
    }
    this.people = owners.size;
    this.context.publishSignedIn(this.people);
  }

  private hasExpired(session: SessionRecord): boolean {
    const now = this.context.now();
    if (now >= expiryOf(session)) return true;
    return session.kind === 'user' && now >= session.lastSeen + lifetimes.sessionIdle;
  }

  /**
   * Checks an administrator's session. A revoked one is ended, so that it does not become valid again when the name
   * returns to the settings file.
   */
  private async checkAdministrator(session: SessionRecord): Promise<boolean> {
    const status = this.context.administrators.statusOf(session);
    if (status === 'revoked') await this.end(session._id);
    return status === 'confirmed';
  }

  /** `by`: 1 for the first session of a person, -1 for the end of the last one. */
  private countPeople(kind: SessionKind, by: 1 | -1): void {
    if (this.people === undefined || kind !== 'user') return;
    this.people = Math.max(0, this.people + by);
    this.context.publishSignedIn(this.people);
  }

  private async recordOf(id: string): Promise<SessionRecord | undefined> {
    return readSession(id, await this.context.store.get<unknown>(keys.session(id)));
  }

  private async change(
    id: string,
    how: (session: SessionRecord) => SessionRecord,
  ): Promise<SessionRecord | undefined> {
    const stored = await this.context.store.update<unknown>(keys.session(id), (current) => {
      const session = readSession(id, current);
      return session && how(session);
    });
    return readSession(id, stored);
  }

  private async remove(ids: readonly string[]): Promise<void> {
    const { store, events } = this.context;
    await forEachInBatches(ids, async (id) => {
      const ended = await store.locked([keys.session(id)], async () => {
        const session = await this.recordOf(id);
        await store.remove(keys.session(id));
        return session;
      });
      const ofSid = ended && listOfSid(ended);
      if (ofSid !== undefined) await dropIds(store, ofSid, [id]);
      events.emit({ about: 'session', what: 'ended', id });
    });
  }

  private async addToSid(session: SessionRecord): Promise<void> {
    const list = listOfSid(session);
    if (list === undefined) return;
    await this.context.store.update<IdList>(list, (current) => ({
      ids: [...texts(current?.ids), session._id],
    }));
  }

  /** The sessions with these ids that have not expired, the most recently used last. */
  private async unexpiredOf(ids: readonly string[]): Promise<SessionRecord[]> {
    const records = await this.context.store.getMany<unknown>(ids.map(keys.session));
    return records
      .map((record, index) => readSession(ids[index] ?? '', record))
      .filter((record): record is SessionRecord => record !== undefined && !this.hasExpired(record))
      .sort((one, other) => one.lastSeen - other.lastSeen);
  }

  /**
   * Writes the session and its id in the owner's list under one lock, the list first, so that `endAll` finds every
   * session. `surplus`: ids to remove, which are missing, expired or too many. `isFirst`: the owner had no session.
   */
  private addToOwner(
    session: SessionRecord,
    kind: 'user' | 'admin',
  ): Promise<{ surplus: string[]; isFirst: boolean }> {
    const { store } = this.context;
    const list = keys.sessionsOf(kind, session.owner);
    return store.locked([list], async () => {
      const ids = await idsIn(store, list);
      const living = (await this.unexpiredOf(ids)).map((record) => record._id);
      const kept = living.slice(-(maxPerOwner - 1));
      await store.set(list, { ids: [...kept, session._id] });
      await store.set(keys.session(session._id), session);
      return { surplus: ids.filter((id) => !kept.includes(id)), isFirst: ids.length === 0 };
    });
  }
}
