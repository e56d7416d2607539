/**
 * Second factors of accounts: an authenticator app (TOTP), passkeys, recovery codes. Each change and each use is made
 * under the lock of the record, so that of two uses of one code only the first counts.
 */
import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { MyPadsError } from '../errors';
import { limits } from '../limits';
import { sha256 } from '../sha256';
import type { FactorsRecord, PasskeyRecord, TotpRecord, UserRecord } from '../store/entities';
import { hasFactor, readFactors } from '../store/records';
import { keys, type Store } from '../store/store';
import type { Tokens } from './token';

type Account = Pick<UserRecord, '_id'>;
type NewPasskey = Pick<PasskeyRecord, '_id' | 'name' | 'publicKey' | 'counter' | 'transports'>;

/** Is asked under the lock before a factor is added. An error that it throws cancels that. */
type Check = (record: FactorsRecord) => void;

/** A factor that was added. `recoveryCodes`: with the first one, and in no other answer. */
export interface AddedFactor<Factor> {
  factor: Factor;
  recoveryCodes?: string[];
}

/** Seconds for which a code is shown. The one before and the one after count too, because clocks differ. */
const period = 30;
const window = 1;

const appOf = (secret: string, names: { issuer?: string; label?: string } = {}) =>
  new TOTP({ ...names, secret: Secret.fromHex(secret), period });

/** No letters that look alike. 16 of 32 letters are 80 bits, so nobody finds a code by trying hashes. */
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';

function newRecoveryCode(): string {
  const letters = [...randomBytes(16)].map((byte) => alphabet[byte % alphabet.length]).join('');
  return letters.replace(/(.{4})(?!$)/g, '$1-');
}

/** However it was typed: keyboards of some languages write wide letters, or Arabic, Persian or Thai digits. */
const plain = (code: string): string =>
  code
    .normalize('NFKC')
    .replace(/[\u0660-\u0669\u06f0-\u06f9\u0e50-\u0e59]/g, (digit) => String(digit.charCodeAt(0) % 16));
const hashOf = (code: string): string =>
  sha256(
    plain(code)
      .toLowerCase()
      .replace(/[^a-z0-9]/g, ''),
  );
const passkeyKey = (id: string): string => keys.passkey(sha256(id));
const newVersion = (): string => randomBytes(9).toString('base64url');

export class Factors {
  constructor(private readonly context: { store: Store; tokens: Tokens; now: () => number }) {}

  async of(user: Account): Promise<FactorsRecord> {
    return readFactors(await this.context.store.get<unknown>(keys.factors(user._id)));
  }

  /** What an authenticator app needs. The secret follows from the seed, so only the seed must be kept. */
  newTotp({ site, login }: { site: string; login: string }) {
    const seed = randomBytes(16).toString('base64url');
    // A colon separates the two names in the address.
    const names = { issuer: site.replaceAll(':', ' '), label: login.replaceAll(':', ' ') };
    const app = appOf(this.context.tokens.ofTotp(seed), names);
    return { seed, secret: app.secret.base32, uri: app.toString() };
  }

  /** Replaces an earlier app. `first` is done after the right code, and before anything changes. Throws FACTOR.CODE. */
  async addTotp(
    user: Account,
    { seed, code, first, check }: { seed: string; code: string; first?: () => Promise<void>; check?: Check },
  ): Promise<AddedFactor<TotpRecord>> {
    const lastStep = this.stepOf(seed, code);
    if (lastStep === undefined) throw new MyPadsError('BACKEND.ERROR.FACTOR.CODE', { field: 'code' });
    await first?.();
    const _id = randomBytes(12).toString('hex');
    const factor = { _id, seed, lastStep, created: this.context.now(), lastUsed: null };
    return this.add(user, factor, (record) => {
      check?.(record);
      return { ...record, totp: factor };
    });
  }

  /** Whether this is a current code of the app that was not used before. Uses it up. */
  async acceptCode(user: Account, code: string): Promise<boolean> {
    let isRight = false;
    await this.change(user, (record) => {
      const { totp } = record;
      const step = totp && this.stepOf(totp.seed, code);
      if (totp === undefined || step === undefined || step <= totp.lastStep) return undefined;
      isRight = true;
      return { ...record, totp: { ...totp, lastStep: step, lastUsed: this.context.now() } };
    });
    return isRight;
  }

  /** Whether this is a recovery code that is left. Uses it up. */
  async acceptRecoveryCode(user: Account, code: string): Promise<boolean> {
    let isRight = false;
    await this.change(user, (record) => {
      isRight = record.recovery.includes(hashOf(code));
      return isRight
        ? { ...record, recovery: record.recovery.filter((hash) => hash !== hashOf(code)) }
        : undefined;
    });
    return isRight;
  }

  /** Replaces all recovery codes. Throws FACTOR.UNAVAILABLE for an account without a factor. */
  async newRecoveryCodes(user: Account): Promise<string[]> {
    const codes = this.recoveryCodes();
    await this.change(user, (record) => {
      if (!hasFactor(record)) throw new MyPadsError('BACKEND.ERROR.FACTOR.UNAVAILABLE');
      return { ...record, recovery: codes.map(hashOf), version: newVersion() };
    });
    return codes;
  }

  /** Throws FACTOR.TOO_MANY, FACTOR.PASSKEY if the passkey is known already. */
  async addPasskey(user: Account, passkey: NewPasskey, check?: Check): Promise<AddedFactor<PasskeyRecord>> {
    const { store, now } = this.context;
    const factor = { ...passkey, created: now(), lastUsed: null };
    return store.locked([keys.factors(user._id), passkeyKey(passkey._id)], async () => {
      const record = await this.of(user);
      check?.(record);
      if (record.passkeys.length >= limits.passkeys)
        throw new MyPadsError('BACKEND.ERROR.FACTOR.TOO_MANY', { most: limits.passkeys });
      if (await this.ownerOf(passkey._id)) throw new MyPadsError('BACKEND.ERROR.FACTOR.PASSKEY');
      // First, so that the removal of all factors finds it.
      const { next, ...added } = this.added(record, factor, (current) => ({
        ...current,
        passkeys: [...current.passkeys, factor],
      }));
      await store.set(keys.factors(user._id), next);
      await store.set(passkeyKey(passkey._id), { user: user._id });
      return added;
    });
  }

  /** The id of the account that has this passkey. */
  async ownerOf(passkeyId: string): Promise<string | undefined> {
    const { user } = (await this.context.store.get<{ user?: unknown }>(passkeyKey(passkeyId))) ?? {};
    return typeof user === 'string' ? user : undefined;
  }

  /** Stores a use. `verify` gets the passkey and resolves to its new counter, or rejects. Throws FACTOR.PASSKEY. */
  async acceptPasskey(
    user: Account,
    passkeyId: string,
    verify: (passkey: PasskeyRecord) => Promise<number>,
  ): Promise<void> {
    await this.change(user, async (record) => {
      const passkey = record.passkeys.find(({ _id }) => _id === passkeyId);
      if (!passkey) throw new MyPadsError('BACKEND.ERROR.FACTOR.PASSKEY');
      const used = { ...passkey, counter: await verify(passkey), lastUsed: this.context.now() };
      return { ...record, passkeys: record.passkeys.map((one) => (one === passkey ? used : one)) };
    });
  }

  /** Removes a factor; with the last one, the recovery codes too. `mayBeLast`: throws FACTOR.REQUIRED without it. */
  async remove(user: Account, factorId: string, mayBeLast: boolean): Promise<void> {
    const { store } = this.context;
    await this.change(user, ({ totp, ...record }) => {
      const passkeys = record.passkeys.filter(({ _id }) => _id !== factorId);
      const left = { ...record, ...(totp && totp._id !== factorId && { totp }), passkeys };
      const isLast = !hasFactor(left);
      if (isLast && !mayBeLast) throw new MyPadsError('BACKEND.ERROR.FACTOR.REQUIRED');
      return { ...left, recovery: isLast ? [] : record.recovery, version: newVersion() };
    });
    if ((await this.ownerOf(factorId)) === user._id)
      await store.locked([passkeyKey(factorId)], () => store.remove(passkeyKey(factorId)));
  }

  /** Removes everything. False if there was nothing. */
  async removeAll(user: Account): Promise<boolean> {
    const { store } = this.context;
    const removed = await store.locked([keys.factors(user._id)], async () => {
      const record = await this.of(user);
      if (record.version !== '') await store.remove(keys.factors(user._id));
      return record;
    });
    for (const { _id } of removed.passkeys)
      await store.locked([passkeyKey(_id)], () => store.remove(passkeyKey(_id)));
    return hasFactor(removed);
  }

  /** The half minute to which the code belongs; `undefined` for a wrong one. */
  private stepOf(seed: string, code: string): number | undefined {
    const now = this.context.now();
    const app = appOf(this.context.tokens.ofTotp(seed));
    const delta = app.validate({ token: plain(code).replace(/\D/g, ''), timestamp: now, window });
    return delta === null ? undefined : app.counter({ timestamp: now }) + delta;
  }

  private recoveryCodes = (): string[] => Array.from({ length: limits.recoveryCodes }, newRecoveryCode);

  /** The record with a new factor. The first one brings recovery codes. */
  private added<Factor>(
    record: FactorsRecord,
    factor: Factor,
    how: (record: FactorsRecord) => FactorsRecord,
  ): AddedFactor<Factor> & { next: FactorsRecord } {
    const recoveryCodes = hasFactor(record) ? undefined : this.recoveryCodes();
    const recovery = recoveryCodes?.map(hashOf) ?? record.recovery;
    const next = { ...how(record), recovery, version: newVersion() };
    return { factor, next, ...(recoveryCodes && { recoveryCodes }) };
  }

  private async add<Factor>(
    user: Account,
    factor: Factor,
    how: (record: FactorsRecord) => FactorsRecord,
  ): Promise<AddedFactor<Factor>> {
    let added: AddedFactor<Factor> = { factor };
    await this.change(user, (record) => {
      const { next, ...more } = this.added(record, factor, how);
      added = more;
      return next;
    });
    return added;
  }

  private async change(
    user: Account,
    how: (record: FactorsRecord) => FactorsRecord | undefined | Promise<FactorsRecord | undefined>,
  ): Promise<void> {
    await this.context.store.update<unknown>(keys.factors(user._id), (stored) => how(readFactors(stored)));
  }
}
