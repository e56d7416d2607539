/**
 * API tokens: with one of them, a program acts as the person or the server administrator who made it, within its
 * scopes. It is found by its SHA-256, so a comparison tells nothing about it. Each use reads the token and the account.
 */

import { randomBytes } from 'node:crypto';
import { BlockList, isIP } from 'node:net';
import { isError, MyPadsError } from '../errors';
import { limits } from '../limits';
import type { HostSettings } from '../ports';
import { sha256 } from '../sha256';
import type { Basics } from '../store/basics';
import { forEachInBatches } from '../store/batches';
import { type ApiTokenRecord, type Scope, scopes, type UserRecord } from '../store/entities';
import { dropIds, idsIn } from '../store/idList';
import { readApiToken, readUser } from '../store/records';
import { keys } from '../store/store';
import { type Administrators, isHostAdministrator } from './administrator';

/** Minimum interval between two writes of `lastUsed`. */
const usedInterval = 5 * 60_000;
const day = 24 * 3600_000;

/** `mp_` and 160 random bits. */
const form = /^mp_[0-9a-f]{40}$/;

/** Whether a text is meant as an API token, complete or not. */
export const looksLikeApiToken = (text: string): boolean => text.startsWith('mp_');

/** Characters of an IPv6 address with an IPv4 address in it, and of the length of a network. */
const longestNetwork = 49;

const familyOf = (address: string): 'ipv4' | 'ipv6' => (address.includes(':') ? 'ipv6' : 'ipv4');

/** Whether the text is an IP address, or a network such as `192.0.2.0/24`. */
export function isAddressOrNetwork(text: string): boolean {
  if (text.length > longestNetwork) return false;
  const [address = '', bits, ...more] = text.split('/');
  if (isIP(address) === 0 || address.includes('%') || more.length > 0) return false;
  const most = familyOf(address) === 'ipv4' ? 32 : 128;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most);
}

/** Whether a token may be used from this IP address. */
function allowsAddress({ addresses }: ApiTokenRecord, address: string): boolean {
  if (addresses.length === 0) return true;
  const allowed = new BlockList();
  for (const one of addresses.filter(isAddressOrNetwork)) {
    const [network = '', bits] = one.split('/');
    if (bits === undefined) allowed.addAddress(network, familyOf(network));
    else allowed.addSubnet(network, Number(bits), familyOf(network));
  }
  return isIP(address) !== 0 && allowed.check(address, familyOf(address));
}

export interface TokenInput {
  name: string;
  scopes: readonly Scope[];
  /** IP addresses and networks, such as `192.0.2.0/24`. */
  addresses: readonly string[];
  days: number;
}

/** A token that is valid now, and the account of a person. */
export interface TokenInUse {
  record: ApiTokenRecord;
  user?: UserRecord;
}

export interface ApiTokenContext extends Pick<Basics, 'store' | 'now'> {
  settings: HostSettings;
  administrators: Pick<Administrators, 'passwordOf'>;
  /** Whether the setting `apiTokens` is on. */
  areOn: () => boolean;
}

export class ApiTokens {
  constructor(private readonly context: ApiTokenContext) {}

  /**
   * Makes a token. `token` is its text, which is not stored. `user`: the account of a person, as it was when they were
   * authenticated. Throws API_TOKEN.OFF, API_TOKEN.TOO_MANY; API_TOKEN.ADMINISTRATOR if the settings file does not list
   * the administrator; NOT_AUTH if the account was closed or its password changed meanwhile.
   */
  async create(
    owner: UserRecord | { administrator: string },
    { days, ...input }: TokenInput,
  ): Promise<{ record: ApiTokenRecord; token: string }> {
    const { now, areOn } = this.context;
    if (!areOn()) throw new MyPadsError('BACKEND.ERROR.API_TOKEN.OFF');
    const token = `mp_${randomBytes(20).toString('hex')}`;
    const created = now();
    const record: ApiTokenRecord = {
      _id: sha256(token),
      ...('login' in owner
        ? { kind: 'user', owner: owner._id }
        : { kind: 'admin', owner: owner.administrator, proof: this.proofOf(token, owner.administrator) }),
      name: input.name,
      scopes: scopes.filter((scope) => input.scopes.includes(scope)),
      addresses: [...input.addresses],
      lastFour: token.slice(-4),
      created,
      ends: created + days * day,
      lastUsed: null,
    };
    if (record.kind === 'admin' && !this.isListed(record.owner))
      throw new MyPadsError('BACKEND.ERROR.API_TOKEN.ADMINISTRATOR');
    await this.add(record);
    // A closed account or a new password ends all tokens. This one may not have existed then.
    if ('login' in owner && !(await this.isUnchanged(owner))) {
      await this.end(record);
      throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.NOT_AUTH');
    }
    return { record, token };
  }

  /**
   * The valid token with this text. `undefined` also while the setting `apiTokens` is off. Throws API_TOKEN.ADDRESS if
   * it may not be used from this IP address.
   */
  async read(token: string, address: string): Promise<TokenInUse | undefined> {
    if (!form.test(token) || !this.context.areOn()) return undefined;
    const [record] = await this.findMany([sha256(token)]);
    const inUse = record && (await this.ofOwner(record, token));
    if (inUse === undefined) return undefined;
    if (!allowsAddress(inUse.record, address)) throw new MyPadsError('BACKEND.ERROR.API_TOKEN.ADDRESS');
    return this.used(inUse);
  }

  /** The token with the account of its owner. `undefined` if the owner may not use it any more. */
  private async ofOwner(record: ApiTokenRecord, token: string): Promise<TokenInUse | undefined> {
    const { owner } = record;
    if (record.kind === 'user') {
      const user = readUser(owner, await this.context.store.get<unknown>(keys.user(owner)));
      return user?.active ? { record, user } : undefined;
    }
    if (this.isListed(owner) && record.proof === this.proofOf(token, owner)) return { record };
    // Ended, so that it does not become valid again when name or password return to the settings file.
    await this.end(record);
    return undefined;
  }

  /** The valid tokens of a person, the newest first. */
  async list(owner: string): Promise<ApiTokenRecord[]> {
    return (await this.findMany(await idsIn(this.context.store, keys.apiTokensOf('user', owner)))).reverse();
  }

  /** The tokens with these hashes that are still valid, in this order. */
  async findMany(ids: readonly string[]): Promise<ApiTokenRecord[]> {
    const { store, now } = this.context;
    const records = await store.getMany<unknown>(ids.map(keys.apiToken));
    return records
      .map((stored, index) => readApiToken(ids[index] ?? '', stored))
      .filter((record): record is ApiTokenRecord => record !== undefined && now() < record.ends);
  }

  /** Ends a token. Does nothing when it does not exist. */
  async end(record: ApiTokenRecord): Promise<void> {
    await this.remove([record._id]);
    await dropIds(this.context.store, keys.apiTokensOf(record.kind, record.owner), [record._id]);
  }

  /** Ends all tokens of a person. */
  async endAll(owner: string): Promise<void> {
    const { store } = this.context;
    const list = keys.apiTokensOf('user', owner);
    const ended = await store.locked([list], () => idsIn(store, list));
    if (ended.length === 0) return;
    // Before they leave the list: after a failure, the next call finds those that are left.
    await this.remove(ended);
    await dropIds(store, list, ended);
  }

  /** Removes tokens that are not valid any more. A regular job. */
  async sweep(signal?: AbortSignal): Promise<void> {
    const { store } = this.context;
    const prefix = keys.apiToken('');
    for (const key of await store.scan(prefix)) {
      signal?.throwIfAborted();
      const record = readApiToken(key.slice(prefix.length), await store.get<unknown>(key));
      if (record && !(await this.isCurrent(record))) await this.end(record);
    }
  }

  /** Whether the token and its owner still exist. Without the token itself, the proof is not checked. */
  private async isCurrent({ kind, owner, ends }: ApiTokenRecord): Promise<boolean> {
    if (this.context.now() >= ends) return false;
    if (kind === 'admin') return this.isListed(owner);
    return (await this.context.store.get<unknown>(keys.user(owner))) !== undefined;
  }

  /** Only the settings file can be asked at every use, so other administrators have no tokens. */
  private isListed(owner: string): boolean {
    return isHostAdministrator(this.context.settings, owner);
  }

  /** Changes with the password in the settings file. Without the token, nobody can guess the password from it. */
  private proofOf(token: string, administrator: string): string {
    return sha256(`${token} ${this.context.administrators.passwordOf(administrator) ?? ''}`);
  }

  private async isUnchanged({ _id, password }: UserRecord): Promise<boolean> {
    const now = readUser(_id, await this.context.store.get<unknown>(keys.user(_id)));
    return now?.active === true && JSON.stringify(now.password) === JSON.stringify(password);
  }

  /** Writes the token and its hash in the owner's list under one lock, the list first, so that `endAll` finds it. */
  private add(record: ApiTokenRecord): Promise<void> {
    const { store } = this.context;
    const list = keys.apiTokensOf(record.kind, record.owner);
    return store.locked([list], async () => {
      const kept = (await this.findMany(await idsIn(store, list))).map(({ _id }) => _id);
      if (kept.length >= limits.apiTokens)
        throw new MyPadsError('BACKEND.ERROR.API_TOKEN.TOO_MANY', { most: limits.apiTokens });
      await store.set(list, { ids: [...kept, record._id] });
      await store.set(keys.apiToken(record._id), record);
    });
  }

  private async remove(ids: readonly string[]): Promise<void> {
    const { store } = this.context;
    await forEachInBatches(ids, (id) =>
      store.locked([keys.apiToken(id)], () => store.remove(keys.apiToken(id))),
    );
  }

  /** Notes the use. `undefined` if the token has ended meanwhile. */
  private async used(inUse: TokenInUse): Promise<TokenInUse | undefined> {
    const { store, now } = this.context;
    const { _id, lastUsed } = inUse.record;
    if (lastUsed !== null && now() - lastUsed < usedInterval) return inUse;
    try {
      const stored = await store.update<ApiTokenRecord>(
        keys.apiToken(_id),
        (current) => current && { ...current, lastUsed: now() },
      );
      const record = readApiToken(_id, stored);
      return record && { ...inUse, record };
    } catch (error) {
      if (!isError(error, 'BACKEND.ERROR.SERVER.DATABASE_UNAVAILABLE')) throw error;
      // While nothing can be written, programs go on reading. It may have ended meanwhile.
      const [record] = await this.findMany([_id]);
      return record && { ...inUse, record };
    }
  }
}
