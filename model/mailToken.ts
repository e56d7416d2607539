/**
 * The tokens of mailed links: 32 random bytes, of which the database keeps only a hash. Each is good once, for one action of one
 * account, for a while; it survives a restart. It ends early with what it was sent for: with another address, another password.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { UserRecord } from './entities';
import { MyPadsError } from './errors';
import type { MailAction } from './mailText';
import { fingerprint } from './password';
import type { Log } from './ports';
import { keys, type Store } from './store';

const standardMinutes = 60;
const mostMinutes = 365 * 24 * 60;
/** An old link is called old for so long, then unknown. */
const rememberedFor = 7 * 24 * 3600_000;
const sweepEvery = 3600_000;
const firstSweepAfter = 60_000;
const tokenPattern = /^[0-9a-f]{64}$/;

/** `mypads:mailtoken:<SHA-256 of the token, hex>`. Times in milliseconds since 1970. */
interface MailTokenRecord {
  user: string;
  action: MailAction;
  created: number;
  expires: number;
  /** Fingerprint of what it rests on: it is over when that is another. See `groundOf`. */
  ground: string | undefined;
}

export interface IssuedToken {
  /** 64 hex digits. Goes into the mail and nowhere else. */
  token: string;
  /** How long it works, and until when, in milliseconds since 1970. */
  minutes: number;
  expires: number;
  /** For a mail that could not be sent. */
  withdraw(): Promise<void>;
}

export interface MailTokens {
  /** For an `emailchange` with the id of the wish. */
  issue(user: UserRecord, action: MailAction, change?: string): Promise<IssuedToken>;
  /**
   * Lets `work` do what the token is good for, then removes the token; when `work` throws, the token stays good. One at a time per
   * account. Throws TOKEN.INCORRECT for a token that is unknown, used, made for something else or ended by a change; TOKEN.EXPIRED.
   * `mustStand` throws the first when this account, as it is read later, has ended the token meanwhile.
   */
  use<T>(
    token: unknown,
    action: MailAction,
    work: (user: UserRecord, mustStand: (current: UserRecord) => void) => Promise<T>,
  ): Promise<T>;
  /** Was the token made for this? */
  isFor(token: unknown, action: MailAction): Promise<boolean>;
  /** Removes what expired long ago. Slow on large databases: runs by itself, in the background. */
  sweep(): Promise<void>;
  close(): void;
}

export interface MailTokenContext {
  store: Store;
  users: { get(id: string): Promise<UserRecord | undefined> };
  /** The setting `tokenDuration`, in minutes. */
  tokenDuration: () => unknown;
  log: Log;
  now: () => number;
}

/** Minutes that a link works: the setting, and 60 where that is zero, negative, longer than a year or no number. */
export function tokenMinutes(setting: unknown): number {
  const minutes = typeof setting === 'string' && setting.trim() !== '' ? Number(setting) : setting;
  const usable = typeof minutes === 'number' && minutes >= 1 && minutes <= mostMinutes;
  return usable ? Math.floor(minutes) : standardMinutes;
}

const incorrect = () => new MyPadsError('BACKEND.ERROR.TOKEN.INCORRECT');

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const passwordMark = ({ password }: UserRecord): string =>
  password && typeof password === 'object' ? fingerprint(password) : 'none';

/**
 * What a link rests on: address and password of the account, or for an `emailchange` the wish that is pending (which a new password
 * ends). `undefined` where nothing is pending.
 */
function groundOf(action: MailAction, user: UserRecord, change = user.pendingEmail?.id): string | undefined {
  if (action !== 'emailchange') return sha256(`${passwordMark(user)} ${user.email}`);
  return change === undefined ? undefined : sha256(change);
}

export function createMailTokens(context: MailTokenContext): MailTokens {
  const { store, users, tokenDuration, log, now } = context;

  function standsFor({ action, ground }: MailTokenRecord, user: UserRecord): boolean {
    return user.closed !== true && ground !== undefined && ground === groundOf(action, user);
  }

  /** The record and its account as they are now. */
  async function check(
    key: string,
    action: MailAction,
  ): Promise<{ user: UserRecord; record: MailTokenRecord }> {
    const record = await store.get<MailTokenRecord>(key);
    const user = record?.action === action ? await users.get(record.user) : undefined;
    if (!record || !user || !standsFor(record, user)) throw incorrect();
    if (now() >= record.expires) throw new MyPadsError('BACKEND.ERROR.TOKEN.EXPIRED');
    return { user, record };
  }

  const keyOf = (token: unknown): string | undefined =>
    typeof token === 'string' && tokenPattern.test(token) ? keys.mailToken(sha256(token)) : undefined;

  async function sweep(): Promise<void> {
    try {
      for (const key of await store.scan(keys.mailToken(''))) {
        const record = await store.get<MailTokenRecord>(key);
        if (record && now() >= record.expires + rememberedFor) await store.remove(key);
      }
    } catch (error) {
      log.warn('expired tokens of mails could not be swept', { error: String(error) });
    }
  }

  const timer = setInterval(() => void sweep(), sweepEvery);
  timer.unref();
  const firstSweep = setTimeout(() => void sweep(), firstSweepAfter);
  firstSweep.unref();

  return {
    async issue(user, action, change) {
      const token = randomBytes(32).toString('hex');
      const minutes = tokenMinutes(tokenDuration());
      const key = keys.mailToken(sha256(token));
      const record: MailTokenRecord = {
        user: user._id,
        action,
        created: now(),
        expires: now() + minutes * 60_000,
        ground: groundOf(action, user, change),
      };
      await store.set(key, record);
      return { token, minutes, expires: record.expires, withdraw: () => store.remove(key) };
    },

    async use(token, action, work) {
      const key = keyOf(token);
      if (key === undefined) throw incorrect();
      const { user: named } = await check(key, action);
      // One lock an account: of two recovery links used at the same moment, the second finds the password changed.
      return store.locked([keys.linksOf(named._id)], async () => {
        const { user, record } = await check(key, action);
        const result = await work(user, (current) => {
          if (!standsFor(record, current)) throw incorrect();
        });
        await store.remove(key);
        return result;
      });
    },

    async isFor(token, action) {
      const key = keyOf(token);
      return key !== undefined && (await store.get<MailTokenRecord>(key))?.action === action;
    },

    sweep,
    close() {
      clearInterval(timer);
      clearTimeout(firstSweep);
    },
  };
}
