/** Removes everything that still refers to removed accounts. */
import type { ApiTokens } from '../access/apiTokens';
import type { Factors } from '../access/factors';
import type { Sessions } from '../access/session';
import { comparableAddress } from '../accounts/accountNames';
import { forgetIdentities } from '../accounts/identityNotes';
import type { Users } from '../accounts/user';
import type { EditorAuthors } from '../ports';
import { inBatches } from '../store/batches';
import type { GroupRecord, UserRecord } from '../store/entities';
import { type GroupIndex, peopleOf, readGroup } from '../store/records';
import { keys } from '../store/store';
import { updateGroup } from '../store/updateGroup';
import {
  aboutWithout,
  cleanUpTrashedGroup,
  cleanUpTrashedPad,
  type Forgotten,
  type Ids,
  isAffected,
  namesAny,
  padWithout,
  type StoredPad,
  type TrashCleanupContext,
} from './forgetting';
import type { ReferenceCleanup } from './referenceCleanup';

/** What is needed to find the references to a removed account. */
export interface RemovedAccount extends Pick<UserRecord, 'identities'> {
  authors: string[];
  /** Author token of an old record, or `''`. */
  token: string;
  login?: string;
  email?: string;
  unconfirmedUntil?: number;
  /** When, in milliseconds since 1970. Not in jobs of earlier versions. */
  removed?: number;
  /**
   * The person has not proved that the address is theirs: invitations and mails to it are those of its owner. Not in
   * jobs of earlier versions.
   */
  isUnproved?: boolean;
}

/** What happens to the groups of a removed account. */
export interface Detached {
  /** The groups that are removed, as they were before. */
  removed: GroupRecord[];
  /** The number of groups that stay with their other admins. */
  left: number;
}

export interface AccountCleanupContext extends TrashCleanupContext {
  users: Pick<Users, 'removeNames'>;
  /** See `Membership`. */
  groups: { detach(user: Pick<UserRecord, '_id' | GroupIndex>): Promise<Detached> };
  sessions: Pick<Sessions, 'endAll'>;
  apiTokens: Pick<ApiTokens, 'endAll'>;
  factors: Pick<Factors, 'removeAll'>;
  referenceCleanup: ReferenceCleanup;
  adminLog: { forget(users: ReadonlySet<string>): Promise<void> };
  accountMail: { forget(users: ReadonlySet<string>, addresses: ReadonlySet<string>): Promise<void> };
  accessRequests: { forget(users: ReadonlySet<string>): Promise<void> };
  addedMail: { forget(users: ReadonlySet<string>): Promise<void> };
  exports: { forget(users: ReadonlySet<string>): Promise<void> };
  groupRules: { forget(users: ReadonlySet<string>): Promise<void> };
  authors: EditorAuthors | undefined;
}

/** Works in the background until `signal` aborts it. Can be repeated after a failure. */
export class AccountCleanup {
  constructor(
    private readonly context: AccountCleanupContext,
    private readonly signal: AbortSignal,
  ) {}

  /** `accounts`: by id. Throws when `signal` is aborted. */
  async remove(accounts: Readonly<Record<string, RemovedAccount>>): Promise<void> {
    const { adminLog, accountMail, accessRequests, addedMail, exports, groupRules } = this.context;
    const ids = new Set(Object.keys(accounts));
    const proved = Object.values(accounts).filter(({ isUnproved }) => isUnproved !== true);
    const addresses = proved.flatMap(({ email, removed = Number.POSITIVE_INFINITY }) =>
      email ? [[email, removed] as const] : [],
    );
    for (const [id, account] of Object.entries(accounts)) await this.removeOwnRecords(id, account);
    await adminLog.forget(ids);
    await accountMail.forget(ids, new Set(addresses.map(([email]) => email)));
    await accessRequests.forget(ids);
    await addedMail.forget(ids);
    await exports.forget(ids);
    await groupRules.forget(ids);
    const gone = {
      people: ids,
      addresses: new Map(addresses.map(([email, removed]) => [comparableAddress(email), removed] as const)),
    };
    // Twice: a folder or pad may be restored, or deleted, while all groups are read.
    await this.removeFromTrash(gone);
    await this.removeFromGroups(gone);
    await this.removeFromTrash(gone);
    await this.removeMailLinks(ids);
    await this.context.referenceCleanup.schedule({ users: [...ids] });
    await this.removeFromPads(ids);
    await this.anonymiseAuthors(Object.values(accounts));
  }

  private async removeOwnRecords(
    _id: string,
    { login, email = '', unconfirmedUntil, identities }: RemovedAccount,
  ): Promise<void> {
    const { store, users, sessions, apiTokens, factors } = this.context;
    await sessions.endAll(_id);
    await apiTokens.endAll(_id);
    await factors.removeAll({ _id });
    await store.remove(keys.recent(_id));
    await store.remove(keys.padImport(_id));
    if (login !== undefined) await users.removeNames({ _id, login, email });
    await forgetIdentities(store, { _id, identities });
    if (unconfirmedUntil !== undefined) await this.removeFromUnconfirmed(_id, unconfirmedUntil);
  }

  /** Takes the account off the list of unconfirmed accounts. */
  private async removeFromUnconfirmed(id: string, until: number): Promise<void> {
    await this.context.store.update<{ uids: string[] }>(keys.unconfirmed(until), (list) => {
      if (!list?.uids.includes(id)) return undefined;
      return { ...list, uids: list.uids.filter((other) => other !== id) };
    });
  }

  private async eachRecord<T>(
    prefix: string,
    visit: (id: string, stored: T | undefined) => Promise<void>,
  ): Promise<void> {
    const { store } = this.context;
    await inBatches(
      await store.scan(prefix),
      async (part) => {
        const records = await store.getMany<T>(part);
        for (const [position, key] of part.entries())
          await visit(key.slice(prefix.length), records[position]);
      },
      { signal: this.signal },
    );
  }

  /** Groups that the account's own list misses, and those that added the account at the last moment. */
  private async removeFromGroups(gone: Forgotten): Promise<void> {
    await this.eachRecord<unknown>(keys.group(''), async (id, stored) => {
      const group = readGroup(id, stored);
      const people = group ? peopleOf(group).filter((person) => gone.people.has(person)) : [];
      for (const person of people)
        await this.context.groups.detach({ _id: person, groups: [id], readerOf: [] });
      if (group && isAffected(group, gone)) await this.forgetNames(id, gone);
    });
  }

  private async forgetNames(id: string, gone: Forgotten): Promise<void> {
    const { store } = this.context;
    let ended: string[] = [];
    await updateGroup(store, id, (group) => {
      if (group === undefined) return undefined;
      const without = aboutWithout(group, gone);
      ended = without.ended;
      return { ...group, ...without.about };
    });
    for (const invitation of ended) await store.remove(keys.invitation(invitation));
  }

  private async removeFromTrash(gone: Forgotten): Promise<void> {
    await this.eachRecord<unknown>(keys.deletePad(''), (_id, note) =>
      cleanUpTrashedPad(this.context, note, gone),
    );
    await this.eachRecord<unknown>(keys.deleteGroup(''), (_id, note) =>
      cleanUpTrashedGroup(this.context, note, gone),
    );
  }

  private async removeMailLinks(removed: Ids): Promise<void> {
    await this.eachRecord<{ user?: unknown }>(keys.mailToken(''), async (hash, stored) => {
      if (typeof stored?.user === 'string' && removed.has(stored.user))
        await this.context.store.remove(keys.mailToken(hash));
    });
  }

  /** Pads tell who wrote last, and with whom they are shared. Those of 1.x also list users, without rights. */
  private async removeFromPads(removed: Ids): Promise<void> {
    await this.eachRecord<unknown>(keys.pad(''), async (id, stored) => {
      if (!namesAny(stored, removed)) return;
      await this.context.store.update<StoredPad>(keys.pad(id), (pad) => {
        return namesAny(pad, removed) ? padWithout(pad, removed) : undefined;
      });
    });
  }

  /** Account by account if that fails: those of whom a record cannot be read must not leave all others their names. */
  private async anonymiseAuthors(accounts: readonly RemovedAccount[]): Promise<void> {
    try {
      await this.anonymise(accounts);
    } catch (error) {
      for (const account of accounts.length > 1 ? accounts : []) {
        this.signal.throwIfAborted();
        await this.anonymise([account]).catch(() => {});
      }
      throw error;
    }
  }

  private async anonymise(accounts: readonly RemovedAccount[]): Promise<void> {
    const ids = [...new Set(accounts.flatMap(({ authors }) => authors))];
    const tokens = accounts.map(({ token }) => token).filter((token) => token !== '');
    if (ids.length + tokens.length === 0) return;
    await this.context.authors?.anonymise({ ids, tokens }, { signal: this.signal });
  }
}
