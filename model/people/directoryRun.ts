/**
 * One run over everybody in the directory. `plan` reads it to the end and changes nothing; `apply` reads it again if
 * something changes, so that not all people are in memory. An answer that is not complete ends the run before anything
 * is taken.
 */
import { isRefused, MyPadsError } from '../errors';
import { loginAtService } from '../externalIdentity';
import type { RecordIndex } from '../index/recordIndex';
import type { JobRun } from '../jobs/types';
import { limits } from '../limits';
import type { GroupRules } from '../rules/groupRules';
import type { Preview } from '../rules/rulePreview';
import type { ListedAccount } from '../rules/ruleSync';
import { sha256 } from '../sha256';
import type { LdapSignIn } from '../signin/ldap';
import type { ConfirmedPerson } from '../signin/signIn';
import { forEachInBatches, forEachInSlices, inBatches } from '../store/batches';
import type { UserRecord } from '../store/entities';
import { nextSlice, sliceUsed } from '../store/timeSlice';
import {
  changesFor,
  type DirectoryContext,
  findAccount,
  isAccountOf,
  updateOrLink,
} from './directoryAccounts';

export interface DirectoryRunContext extends DirectoryContext {
  ldap: Pick<LdapSignIn, 'everybody'>;
  rules: Pick<GroupRules, 'syncing'>;
  recordIndex: Pick<RecordIndex, 'ids'>;
  /** Days until an account is closed whose owner is gone; 0: never. */
  days: () => number;
  now: () => number;
}

/** `count`: of all; `rows`: at most `limits.previewed`. */
export interface PeopleList {
  count: number;
  rows: UserRecord[];
}

/** What a run would do. */
export interface SyncPlan extends Pick<Preview, 'gains' | 'losses'> {
  /** People in the directory who can sign in. */
  read: number;
  /** Accounts of these people. */
  accounts: number;
  /** Accounts whose names or address change. */
  changed: number;
  activated: PeopleList;
  deactivated: PeopleList;
  /** Open accounts of people who are gone from the directory, or disabled there. */
  absent: number;
  /** Accounts that lose a role or are closed. */
  taken: ReadonlySet<string>;
  /** The same for plans that take the same. */
  id: string;
}

/** What a run has done. */
export interface SyncCounts {
  read: number;
  accounts: number;
  changed: number;
  gained: number;
  lost: number;
  activated: number;
  deactivated: number;
  absent: number;
}

interface Listed {
  user: UserRecord;
  person: ConfirmedPerson;
}

const day = 24 * 3600_000;
/** An absence is noted at the end of a run. A run of a later night may begin this much before that time of day. */
const earlier = 6 * 3600_000;
/**
 * Accounts to which rules are applied at once. Each time, a folder is written with all its people, so that a folder of
 * everybody would be written for each page.
 */
const appliedAtOnce = 5_000;

const isClosedByRun = ({ active, absent }: UserRecord): boolean => !active && absent?.closed === true;

const listOf = (users: readonly UserRecord[]): PeopleList => ({
  count: users.length,
  rows: users.slice(0, limits.previewed),
});

export class DirectoryRun {
  /** Ids of accounts by their login in lower case: only these people can have one. `undefined`: several accounts. */
  private readonly logins = new Map<string, string | undefined>();
  /** Accounts of people of the directory who were not found yet. */
  private readonly missing = new Set<string>();
  /** Accounts of which `plan` has found that something changes. The others are not read again. */
  private readonly concerned = new Set<string>();
  /** Of the rules that `plan` has used. */
  private version = 0;
  private read = 0;

  constructor(
    private readonly context: DirectoryRunContext,
    private readonly run: Pick<JobRun, 'signal' | 'progress'>,
  ) {}

  /** Throws an Error with the reason if the directory has not listed everybody. */
  async plan(): Promise<SyncPlan> {
    await this.readAccounts();
    const rules = await this.context.rules.syncing({ source: 'ldap' });
    this.version = rules.version;
    const activated: UserRecord[] = [];
    let [accounts, changed] = [0, 0];
    for await (const listed of this.pages()) {
      const meant = listed.filter(({ user }) => user.active || isClosedByRun(user));
      activated.push(...meant.flatMap(({ user }) => (user.active ? [] : [user])));
      accounts += listed.length;
      const changing = meant.filter(({ user, person }) => {
        const { email, changes } = changesFor(user, person);
        return email !== undefined || Object.keys(changes).length > 0;
      });
      changed += changing.length;
      const back = meant.filter(({ user }) => !user.active || user.absent !== undefined);
      for (const { user } of [...changing, ...back]) this.concerned.add(user._id);
      const assessed = meant.map(({ user, person: { attributes } }) => ({ user, attributes }));
      for (const id of await rules.assess(assessed)) this.concerned.add(id);
    }
    if (this.read === 0) throw new Error('the directory has listed nobody');
    const { absent, due } = await this.absences();
    const { gains, losses } = rules.preview;
    const closed = due.map(({ _id }) => _id);
    const taking = [[...rules.losses].sort(([one], [other]) => (one < other ? -1 : 1)), closed.toSorted()];
    return {
      ...{ read: this.read, accounts, changed, absent, gains, losses },
      ...{ activated: listOf(activated), deactivated: listOf(due) },
      taken: new Set([...rules.losses.keys(), ...closed]),
      id: sha256(JSON.stringify(taking)).slice(0, 32),
    };
  }

  /** After `plan`. Takes nothing unless `mayTake`, and then only what the plan has. */
  async apply(plan: SyncPlan, mayTake: boolean): Promise<SyncCounts> {
    const mayLose = (id: string): boolean => mayTake && plan.taken.has(id);
    const rules = await this.context.rules.syncing({ source: 'ldap' });
    const give = async (listed: readonly ListedAccount[]): Promise<void> => {
      // Some may have been deleted since they were read.
      const left = await this.context.users.findMany(listed.map(({ user }) => user._id));
      await rules.apply(
        listed.filter(({ user }) => left.has(user._id)),
        mayLose,
      );
    };
    const counts = { accounts: plan.accounts, changed: 0, activated: 0, deactivated: 0 };
    const accounts: ListedAccount[] = [];
    const isAll = rules.version !== this.version;
    const isMeant = (id: string): boolean => isAll || this.concerned.has(id) || this.missing.has(id);
    for await (const listed of isAll || this.concerned.size > 0 ? this.pages(isMeant) : []) {
      await forEachInSlices(listed, async (one) => {
        const user = await this.update(one, counts);
        if (user) accounts.push({ user, attributes: one.person.attributes });
      });
      if (accounts.length >= appliedAtOnce) await give(accounts.splice(0));
      this.run.progress(this.read, plan.read);
    }
    await give(accounts);
    await rules.end();
    const { absent, due, marks } = await this.absences();
    await forEachInBatches(marks, ({ _id }) => this.mark(_id), this.run);
    await forEachInBatches(
      due.filter(({ _id }) => mayLose(_id)),
      async (user) => {
        if (await this.deactivate(user)) counts.deactivated += 1;
      },
      this.run,
    );
    const { gains, losses } = rules.preview;
    return { ...counts, read: plan.read, absent, gained: gains.count, lost: mayTake ? losses.count : 0 };
  }

  private async readAccounts(): Promise<void> {
    const { users, recordIndex } = this.context;
    await inBatches(
      (await recordIndex.ids()).users,
      async (part) => {
        for (const { _id, login, identities = [] } of (await users.findMany(part)).values()) {
          const name = loginAtService(login);
          this.logins.set(name, this.logins.has(name) ? undefined : _id);
          if (identities.some(({ method }) => method === 'ldap')) this.missing.add(_id);
        }
      },
      this.run,
    );
  }

  /** The accounts of everybody in the directory, page by page. Those that are not meant may be left out. */
  private async *pages(isMeant: (id: string) => boolean = () => true): AsyncGenerator<Listed[]> {
    const found = new Set<string>();
    this.read = 0;
    for await (const people of this.context.ldap.everybody(this.run.signal)) {
      if (sliceUsed()) await nextSlice();
      this.read += people.length;
      const listed: Listed[] = [];
      const known = people.filter(({ identity: { subject } }) => {
        const id = this.logins.get(subject);
        return id === undefined ? this.logins.has(subject) : isMeant(id);
      });
      const accounts = await this.accountsOf(known);
      for (const person of known) {
        const user = accounts.get(person);
        if (user === undefined || found.has(user._id)) continue;
        found.add(user._id);
        this.missing.delete(user._id);
        listed.push({ user, person });
      }
      yield listed;
    }
  }

  /** Without a search in the index of names, unless several accounts have the same login. */
  private async accountsOf(people: readonly ConfirmedPerson[]): Promise<Map<ConfirmedPerson, UserRecord>> {
    const idOf = ({ identity: { subject } }: ConfirmedPerson) => this.logins.get(subject);
    const users = await this.context.users.findMany(people.flatMap((person) => idOf(person) ?? []));
    const accounts = new Map<ConfirmedPerson, UserRecord>();
    for (const person of people) {
      if (sliceUsed()) await nextSlice();
      const id = idOf(person);
      const user = id === undefined ? await findAccount(this.context, person) : users.get(id);
      if (isAccountOf(this.context, user, person)) accounts.set(person, user);
    }
    return accounts;
  }

  /** Open accounts of people who were not found. `due`: to be closed now; `marks`: not found for the first time. */
  private async absences(): Promise<{ absent: number; due: UserRecord[]; marks: UserRecord[] }> {
    const { users, days, now } = this.context;
    const open: UserRecord[] = [];
    await inBatches(
      [...this.missing],
      async (part) => {
        const found = (await users.findMany(part)).values();
        open.push(...[...found].filter(({ active }) => active));
      },
      this.run,
    );
    const limit = days() * day;
    return {
      absent: open.length,
      due: open.filter(
        ({ absent }) => limit > 0 && absent !== undefined && now() - absent.since >= limit - earlier,
      ),
      marks: open.filter(({ absent }) => absent === undefined),
    };
  }

  /** The account as it is then; `undefined` if somebody else has closed it. */
  private async update(
    { user, person }: Listed,
    counts: Pick<SyncCounts, 'changed' | 'activated'>,
  ): Promise<UserRecord | undefined> {
    const { log } = this.context;
    if (!user.active && !isClosedByRun(user)) return undefined;
    try {
      const open = user.active ? await this.present(user) : await this.activate(user);
      if (!user.active) counts.activated += 1;
      const updated = await updateOrLink(this.context, open, person);
      if (updated !== open) counts.changed += 1;
      return updated;
    } catch (error) {
      if (!isRefused(error)) throw error;
      log.warn('account not updated from the directory', { user: user._id, reason: error.key });
      return user.active ? user : undefined;
    }
  }

  private async present(user: UserRecord): Promise<UserRecord> {
    if (user.absent === undefined) return user;
    const updated = await this.context.users.update(user._id, ({ absent: _, ...found }) => found);
    return updated ?? user;
  }

  private async activate({ _id }: UserRecord): Promise<UserRecord> {
    const { users, log } = this.context;
    const check = (current: UserRecord): void => {
      if (!isClosedByRun(current)) throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.ACTIVATION_NEEDED');
    };
    const user = await users.updateProfile(_id, { active: true }, { check });
    log.info('account activated, back in the directory', { user: _id });
    return user;
  }

  private async mark(id: string): Promise<void> {
    const absent = { since: this.context.now() };
    await this.context.users.update(id, (user) => (user.absent ? undefined : { ...user, absent }));
  }

  /** Whether it was open until now. */
  private async deactivate({ _id, absent }: UserRecord): Promise<boolean> {
    const { users, log, now } = this.context;
    const check = (current: UserRecord): void => {
      if (!current.active || current.absent === undefined)
        throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.ACTIVATION_NEEDED');
    };
    const closing = { active: false, absent: { since: absent?.since ?? now(), closed: true as const } };
    try {
      await users.updateProfile(_id, closing, { check });
    } catch (error) {
      if (!isRefused(error)) throw error;
      return false;
    }
    log.info('account deactivated, gone from the directory', { user: _id });
    return true;
  }
}
