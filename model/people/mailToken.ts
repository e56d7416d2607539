/**
 * Tokens of mailed links: 32 random bytes, stored only as a hash. A token works once, for one action of one account,
 * for a limited time, also after a restart. A change of the address or password invalidates it.
 */

import { randomBytes } from 'node:crypto';
import { actingAs, type EventActor } from '../actor';
import { MyPadsError } from '../errors';
import type { MailAction } from '../mail/texts';
import { fingerprint } from '../passwords/password';
import { sha256 } from '../sha256';
import type { Basics } from '../store/basics';
import type { UserRecord } from '../store/entities';
import { keys } from '../store/store';

const defaultMinutes = 60;
const maxMinutes = 365 * 24 * 60;
/** How long an expired link is reported as expired. After that it is reported as unknown. */
const rememberedFor = 7 * 24 * 3600_000;
const tokenPattern = /^[0-9a-f]{64}$/;

/** Stored under `mypads:mailtoken:<SHA-256 of the token, hex>`. Times in milliseconds since 1970. */
interface MailTokenRecord {
  user: string;
  action: MailAction;
  created: number;
  expires: number;
  /** Fingerprint of the account's state (`stateFingerprint`). The token is invalid when the state has changed. */
  ground: string | undefined;
}

export interface IssuedToken {
  /** 64 hex digits. Only the mail contains it. */
  token: string;
  /** Lifetime in minutes, and end in milliseconds since 1970. */
  minutes: number;
  expires: number;
  /** Removes the token when the mail could not be sent. */
  withdraw(): Promise<void>;
}

export interface MailTokens {
  /**
   * Issues a token. `change`: id of the requested address change (`emailchange` only). Default of `minutes`: the
   * setting.
   */
  issue(user: UserRecord, action: MailAction, change?: string, minutes?: number): Promise<IssuedToken>;
  /**
   * Runs `work` and removes the token; if `work` throws, the token stays valid. One call per account at a time. Throws
   * TOKEN.INCORRECT for an unknown, used, other or invalidated token; TOKEN.EXPIRED. `requireValid` throws
   * TOKEN.INCORRECT if the current record of the account has invalidated the token.
   */
  use<T>(
    token: unknown,
    action: MailAction,
    work: (user: UserRecord, requireValid: (current: UserRecord) => void) => Promise<T>,
  ): Promise<T>;
  /** The account of the token. Throws as `use` unless the token is valid. */
  check(token: unknown, action: MailAction): Promise<UserRecord>;
  /** True when the token was issued for this action. */
  isFor(token: unknown, action: MailAction): Promise<boolean>;
  /** Removes tokens that expired long ago. A regular job. */
  sweep(signal?: AbortSignal): Promise<void>;
}

export interface MailTokenContext extends Pick<Basics, 'store' | 'now'> {
  users: { get(id: string): Promise<UserRecord | undefined> };
  /** The setting `tokenDuration`, in minutes. */
  tokenDuration: () => unknown;
}

/** Lifetime of a link in minutes: the setting, or 60 when it is invalid or longer than a year. */
export function tokenMinutes(setting: unknown): number {
  const minutes = typeof setting === 'string' && setting.trim() !== '' ? Number(setting) : setting;
  const usable = typeof minutes === 'number' && minutes >= 1 && minutes <= maxMinutes;
  return usable ? Math.floor(minutes) : defaultMinutes;
}

const incorrect = () => new MyPadsError('BACKEND.ERROR.TOKEN.INCORRECT');

const passwordFingerprint = ({ password }: UserRecord): string =>
  password && typeof password === 'object' ? fingerprint(password) : 'none';

/**
 * Fingerprint of the state that a link depends on: address and password of the account, or for `emailchange` the
 * pending request. `undefined` when no request is pending.
 */
function stateFingerprint(
  action: MailAction,
  user: UserRecord,
  change = user.pendingEmail?.id,
): string | undefined {
  if (action !== 'emailchange') return sha256(`${passwordFingerprint(user)} ${user.email}`);
  return change === undefined ? undefined : sha256(change);
}

function isStillValid({ action, ground }: MailTokenRecord, user: UserRecord): boolean {
  return user.closed !== true && ground !== undefined && ground === stateFingerprint(action, user);
}

/** The key of a token's record; `undefined` if the value cannot be a token. */
const keyOf = (token: unknown): string | undefined =>
  typeof token === 'string' && tokenPattern.test(token) ? keys.mailToken(sha256(token)) : undefined;

/** Reads the token and its account. Throws when the token is not valid. */
async function readValid(
  { store, users, now }: MailTokenContext,
  key: string,
  action: MailAction,
): Promise<{ user: UserRecord; record: MailTokenRecord }> {
  const record = await store.get<MailTokenRecord>(key);
  const user = record?.action === action ? await users.get(record.user) : undefined;
  if (!record || !user || !isStillValid(record, user)) throw incorrect();
  if (now() >= record.expires) throw new MyPadsError('BACKEND.ERROR.TOKEN.EXPIRED');
  return { user, record };
}

async function sweep({ store, now }: MailTokenContext, signal?: AbortSignal): Promise<void> {
  for (const key of await store.scan(keys.mailToken(''))) {
    signal?.throwIfAborted();
    const record = await store.get<MailTokenRecord>(key);
    if (record && now() >= record.expires + rememberedFor) await store.remove(key);
  }
}

export function createMailTokens(context: MailTokenContext): MailTokens {
  const { store, tokenDuration, now } = context;
  return {
    async issue(user, action, change, minutes = tokenMinutes(tokenDuration())) {
      const token = randomBytes(32).toString('hex');
      const key = keys.mailToken(sha256(token));
      const created = now();
      const record: MailTokenRecord = {
        user: user._id,
        action,
        created,
        expires: created + minutes * 60_000,
        ground: stateFingerprint(action, user, change),
      };
      await store.set(key, record);
      return { token, minutes, expires: record.expires, withdraw: () => store.remove(key) };
    },

    async use(token, action, work) {
      const key = keyOf(token);
      if (key === undefined) throw incorrect();
      const { user: named } = await readValid(context, key, action);
      // One lock per account: if two recovery links are used at the same time, the second one finds the password
      // changed.
      return store.locked([keys.linksOf(named._id)], async () => {
        const { user, record } = await readValid(context, key, action);
        const requireValid = (current: UserRecord): void => {
          if (!isStillValid(record, current)) throw incorrect();
        };
        const by: EventActor = { kind: 'link', account: user._id };
        const result = await actingAs(by, () => work(user, requireValid));
        await store.remove(key);
        return result;
      });
    },

    async check(token, action) {
      const key = keyOf(token);
      if (key === undefined) throw incorrect();
      return (await readValid(context, key, action)).user;
    },

    async isFor(token, action) {
      const key = keyOf(token);
      return key !== undefined && (await store.get<MailTokenRecord>(key))?.action === action;
    },

    sweep: (signal) => sweep(context, signal),
  };
}
