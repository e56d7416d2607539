/**
 * Builds the whole product from its ports; each part uses the parts before it. It does not depend on HTTP or Etherpad.
 */

import { type Administrators, createAdministrators } from './access/administrator';
import { type AdminLog, createAdminLog } from './access/adminLog';
import { createPadAccess, type PadAccess } from './access/padAccess';
import type { Policy } from './access/permissions';
import { createSessions, type Sessions } from './access/session';
import { createTickets, type Tickets } from './access/ticket';
import { createTokens } from './access/token';
import { createUnlocks, type Unlocks } from './access/unlock';
import { createDailyNumbers, type DailyNumbers } from './accounts/dailyNumbers';
import { createDirectory, type Directory } from './accounts/directory';
import { createStatistics, type Statistics } from './accounts/statistics';
import { createUsers, type Users } from './accounts/user';
import { type Checkup, createCheckup } from './checkup/checkup';
import { createExchange } from './coordination/exchange';
import { createLiveDoctor } from './doctor/liveDoctor';
import { createEvents, type Events } from './events';
import { type Bookmarks, createBookmarks } from './folders/bookmark';
import { type Catalogue, createCatalogue } from './folders/catalogue';
import { createEditTimes, type EditTimes } from './folders/editTimes';
import { createGroups, type Groups } from './folders/group';
import { createGroupContents, type GroupContents } from './folders/groupContents';
import { createPads, type Pads } from './folders/pad';
import { createRecentPads, type RecentPads } from './folders/recentPads';
import { createMailer } from './mail/mailer';
import { createPasswords, type Passwords } from './passwords/password';
import { type AccountMail, createAccountMail } from './people/accountMail';
import { type AccountRemoval, createAccountRemoval } from './people/accountRemoval';
import { createMailTokens } from './people/mailToken';
import { createOwnAccount, type OwnAccount } from './people/ownAccount';
import { createPersonSignIn, type PersonSignIn } from './people/personSignIn';
import { createRegistration, type Registration } from './people/registration';
import { createUnconfirmed, type Unconfirmed } from './people/unconfirmed';
import { createUserLists, type UserLists } from './people/userlist';
import type { HostSettings, Log, Ports } from './ports';
import { createJobs, type Jobs } from './removal/jobs';
import { createReferenceCleanup, type ReferenceCleanup } from './removal/referenceCleanup';
import { inLeader } from './schedule';
import { type Configuration, type ConfigurationKey, createConfiguration } from './settings/configuration';
import { createCasSignIn } from './signin/cas';
import { createLdapSignIn, testBind } from './signin/ldap';
import { guardDatabase } from './store/databaseGuard';
import { createStore, keys, type Store } from './store/store';
import { watchWrites } from './store/writeWatch';

export interface Model {
  store: Store;
  events: Events;
  configuration: Configuration;
  passwords: Passwords;
  sessions: Sessions;
  tickets: Tickets;
  users: Users;
  accountMail: AccountMail;
  registration: Registration;
  unconfirmed: Unconfirmed;
  ownAccount: OwnAccount;
  directory: Directory;
  catalogue: Catalogue;
  signIn: PersonSignIn;
  administrators: Administrators;
  adminLog: AdminLog;
  unlocks: Unlocks;
  jobs: Jobs;
  groups: Groups;
  pads: Pads;
  groupContents: GroupContents;
  editTimes: EditTimes;
  accountRemoval: AccountRemoval;
  referenceCleanup: ReferenceCleanup;
  bookmarks: Bookmarks;
  recentPads: RecentPads;
  userLists: UserLists;
  padAccess: PadAccess;
  statistics: Statistics;
  dailyNumbers: DailyNumbers;
  checkup: Checkup;
  /** The settings that the permission rules depend on. */
  policy: () => Policy;
  settings: HostSettings;
  log: Log;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Stops the background work. Does not close the database. */
  close(): Promise<void>;
}

/** Failed removals are retried at this interval, in milliseconds. */
const retryEvery = 5 * 60_000;

/**
 * Rejects when the database fails. Accounts of an old database may still be indexed when it resolves: see
 * `users.ready`.
 */
export async function createModel(ports: Ports): Promise<Model> {
  const { coordination, log, now, schedule, settings } = ports;
  const exchange = createExchange(coordination);
  const leaderSchedule = inLeader(schedule, coordination);
  const writeListeners: ((key: string, before: unknown, after: unknown) => void)[] = [];
  const database = guardDatabase(ports.database, {
    log,
    timeLimit: ports.databaseTimeLimit,
    onWritten: (key, before, after) => {
      for (const listener of writeListeners) listener(key, before, after);
      exchange.recordWritten(key);
    },
  });
  const writes = watchWrites(database);
  const store = createStore(writes.database, coordination, { checkLocks: ports.checkLocks });
  const events = createEvents(log, (message) => exchange.publish('event', message));
  const configuration = await createConfiguration({
    store,
    events,
    log,
    presets: () => settings.plugin(),
    probe: async (key, value) => {
      if (key === 'authLdapSettings') await testBind(value);
    },
  });
  const passwords = createPasswords(ports.hasher);
  const tokens = await createTokens({ store, now });
  const administrators = createAdministrators({ settings, host: ports.hostAccounts, log });
  const adminLog = createAdminLog({ store, schedule, log, now });
  const sessions = createSessions({
    store,
    tokens,
    events,
    administrators,
    schedule: leaderSchedule,
    log,
    now,
  });
  const tickets = createTickets({ coordination });
  const directory = createDirectory({ store, schedule, log, isLeader: coordination.isLeader });
  const statistics = createStatistics({
    store,
    directory,
    schedule,
    log,
    now,
    publish: (change) => exchange.publish('counted', change),
    isLeader: coordination.isLeader,
  });
  writeListeners.push(directory.recordWritten, statistics.recordWritten);
  const users = createUsers({
    store,
    directory,
    configuration,
    passwords,
    sessions,
    events,
    schedule,
    log,
    now,
  });
  const mailSettings = <Key extends ConfigurationKey>(name: Key) => configuration.get(name);
  const mailer = createMailer({ settings: mailSettings, log });
  const mailTokens = createMailTokens({
    store,
    users,
    tokenDuration: () => configuration.get('tokenDuration'),
    schedule: leaderSchedule,
    log,
    now,
  });
  const accountMail = createAccountMail({
    users,
    tokens: mailTokens,
    mailer,
    settings: mailSettings,
    log,
    now,
  });
  const registration = createRegistration({ users, configuration, accountMail, coordination, now });
  const ownAccount = createOwnAccount({ users, configuration, accountMail });
  const ldap = createLdapSignIn({
    settings: () => configuration.get('authLdapSettings'),
    log,
    timeLimit: ports.directoryTimeLimit,
  });
  const cas = createCasSignIn({
    settings: () => configuration.get('authCasSettings'),
    rootUrl: () => configuration.get('rootUrl'),
    log,
  });
  const signIn = createPersonSignIn({ users, configuration, ldap, cas, log });

  const policy = (): Policy => ({
    allPadsPublicsAuthentifiedOnly: configuration.get('allPadsPublicsAuthentifiedOnly'),
  });
  const unlocks = createUnlocks({ store, passwords, sessions });
  const inBackground = (): boolean => configuration.get('deleteJobQueue');
  const referenceCleanup = createReferenceCleanup({ store, users, directory, schedule, log });
  const editorPads = database.guardPads(ports.pads);
  const jobs = createJobs({
    store,
    users,
    editorPads,
    referenceCleanup,
    events,
    coordination,
    schedule: leaderSchedule,
    localSchedule: schedule,
    log,
    now,
    inBackground,
  });
  const groups = createGroups({ store, users, passwords, jobs, events, now });
  const pads = createPads({ store, groups, jobs, passwords, editorPads, events, log, now });
  const editTimes = createEditTimes({ store, pads, events, schedule, log });
  const groupContents = createGroupContents({ store, editTimes }, writes);
  const catalogue = createCatalogue({ store, pads, events, log });
  const accountRemoval = createAccountRemoval({
    store,
    users,
    groups,
    sessions,
    referenceCleanup,
    adminLog,
    authors: ports.authors,
    coordination,
    log,
  });
  const unconfirmed = createUnconfirmed({
    store,
    users,
    remove: (id) => accountRemoval.remove(id),
    schedule: leaderSchedule,
    log,
    now,
  });
  const bookmarks = createBookmarks({ users, groups, pads, policy });
  const recentPads = createRecentPads({ store, log });
  const userLists = createUserLists({ users, groups });
  const padAccess = createPadAccess({ store, configuration, sessions, tickets, unlocks, policy });

  const dailyNumbers = createDailyNumbers({
    store,
    statistics,
    directory,
    signedIn: sessions.signedIn,
    schedule: leaderSchedule,
    log,
    now,
  });
  const liveDoctor = createLiveDoctor({
    store,
    ids: async () => ({ users: await directory.ids(), ...(await catalogue.ids()) }),
  });
  const checkup = createCheckup({
    store,
    configuration,
    mailer,
    liveDoctor,
    records: async () => {
      const { users: accounts, groups: folders, pad } = await statistics.current();
      return accounts + folders + pad;
    },
    host: ports.hostFacts,
    log,
    now,
  });

  const retryRemovals = async (): Promise<void> => {
    await jobs.retry();
    await accountRemoval.resume();
    await referenceCleanup.resume();
  };
  const endRetries = leaderSchedule.every('retry removals', retryEvery, () => {
    retryRemovals().catch((error: unknown) =>
      log.warn('resuming unfinished removals failed, retrying later', { error: String(error) }),
    );
  });
  const endFollowing = exchange.follow({
    store,
    events,
    log,
    written(key, value) {
      configuration.receive(key, value);
      directory.recordWritten(key, undefined, value);
      writes.report(key, value);
      if (key === keys.removedIds) referenceCleanup.receive(value);
    },
    counted: statistics.receive,
    async missed() {
      groupContents.clear();
      directory.refresh().catch((error: unknown) => {
        log.warn('reading all accounts again failed', { error: String(error) });
      });
      statistics.start();
      await configuration.refresh();
      events.reportMissed();
    },
  });

  const model: Model = {
    store,
    events,
    configuration,
    passwords,
    sessions,
    tickets,
    users,
    accountMail,
    registration,
    unconfirmed,
    ownAccount,
    directory,
    catalogue,
    signIn,
    administrators,
    adminLog,
    unlocks,
    jobs,
    groups,
    pads,
    groupContents,
    editTimes,
    accountRemoval,
    referenceCleanup,
    bookmarks,
    recentPads,
    userLists,
    padAccess,
    statistics,
    dailyNumbers,
    checkup,
    policy,
    settings,
    log,
    now,
    async close() {
      endRetries();
      endFollowing();
      sessions.close();
      catalogue.close();
      liveDoctor.close();
      mailTokens.close();
      mailer.close();
      ldap.close();
      // All are stopped before the first is awaited, because Etherpad gives plugins only limited time.
      const ended = await Promise.allSettled([
        users.close(),
        editTimes.close(),
        unconfirmed.close(),
        accountMail.idle(),
        adminLog.close(),
        dailyNumbers.close(),
        accountRemoval.stop(),
        jobs.stop(),
        referenceCleanup.stop(),
        ports.hasher.close(),
      ]);
      // Nothing is written any more, so the caches can be saved.
      await Promise.all([directory.close(), statistics.close()]);
      database.close();
      for (const end of ended) if (end.status === 'rejected') throw end.reason;
    },
  };
  statistics.start();
  editTimes.start();
  dailyNumbers.start();
  try {
    await coordination.lead(async () => {
      await jobs.resume();
      await accountRemoval.resume();
      await referenceCleanup.resume();
    });
  } catch (error) {
    await model.close();
    throw error;
  }
  return model;
}
