/**
 * The whole product in one object. Built once from its ports; each part is made from the parts before it. Nothing in it knows
 * HTTP or Etherpad.
 */
import { type AccountMail, createAccountMail } from './accountMail';
import { type AccountRemoval, createAccountRemoval } from './accountRemoval';
import { type Administrators, createAdministrators } from './administrator';
import { type Bookmarks, createBookmarks } from './bookmark';
import { type Configuration, type ConfigurationKey, createConfiguration } from './configuration';
import { guardDatabase } from './databaseGuard';
import { createDirectory, type Directory } from './directory';
import { createDoor, type Door } from './door';
import { createEvents, type Events } from './events';
import { createForgetting, type Forgetting } from './forgetting';
import { createGroups, type Groups } from './group';
import { createJobs, type Jobs } from './jobs';
import { createMailer } from './mail';
import { createMailTokens } from './mailToken';
import { createOwnAccount, type OwnAccount } from './ownAccount';
import { createPads, type Pads } from './pad';
import { createPasswords, type Passwords } from './password';
import type { Policy } from './permissions';
import type { HostSettings, Log, Ports } from './ports';
import { createRegistration, type Registration } from './registration';
import { createSessions, type Sessions } from './session';
import { createCasSignIn } from './signin/cas';
import { createLdapSignIn, testBind } from './signin/ldap';
import { createPersonSignIn, type PersonSignIn } from './signin/person';
import { createStatistics, type Statistics } from './statistics';
import { createStore, type Store } from './store';
import { createTickets, type Tickets } from './ticket';
import { createTokens } from './token';
import { createUnconfirmed, type Unconfirmed } from './unconfirmed';
import { createUnlocks, type Unlocks } from './unlock';
import { createUsers, type Users } from './user';
import { createUserLists, type UserLists } from './userlist';

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
  signIn: PersonSignIn;
  administrators: Administrators;
  unlocks: Unlocks;
  jobs: Jobs;
  groups: Groups;
  pads: Pads;
  accountRemoval: AccountRemoval;
  forgetting: Forgetting;
  bookmarks: Bookmarks;
  userLists: UserLists;
  door: Door;
  statistics: Statistics;
  /** What the rules depend on, as it is configured now. */
  policy: () => Policy;
  settings: HostSettings;
  log: Log;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Stops what runs in the background; does not close the database. */
  close(): Promise<void>;
}

/** Removals that failed are tried again this often, in milliseconds. */
const retryEvery = 5 * 60_000;

/** Fails when the database does. Accounts of an old database may still be indexed when it resolves: see `users.ready`. */
export async function createModel(ports: Ports): Promise<Model> {
  const { log, now, settings } = ports;
  const database = guardDatabase(ports.database, { log, timeLimit: ports.databaseTimeLimit });
  const store = createStore(database, { checkLocks: ports.checkLocks });
  const events = createEvents(log);
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
  const sessions = createSessions({ store, tokens, events, administrators, log, now });
  const tickets = createTickets({ now });
  const users = createUsers({ store, configuration, passwords, sessions, events, log, now });
  const mailSettings = <Key extends ConfigurationKey>(name: Key) => configuration.get(name);
  const mailer = createMailer({ settings: mailSettings, log });
  const mailTokens = createMailTokens({
    store,
    users,
    tokenDuration: () => configuration.get('tokenDuration'),
    log,
    now,
  });
  const accountMail = createAccountMail({ users, tokens: mailTokens, mailer, settings: mailSettings, log });
  const registration = createRegistration({ users, configuration, accountMail, now });
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
  const directory = createDirectory({ store, events, log });

  const policy = (): Policy => ({
    allPadsPublicsAuthentifiedOnly: configuration.get('allPadsPublicsAuthentifiedOnly'),
  });
  const unlocks = createUnlocks({ store, passwords, sessions });
  const inBackground = (): boolean => configuration.get('deleteJobQueue');
  const forgetting = createForgetting({ store, users, log });
  const editorPads = database.guardPads(ports.pads);
  const jobs = createJobs({ store, users, editorPads, forgetting, events, log, now, inBackground });
  const groups = createGroups({ store, users, passwords, jobs, events, now });
  const pads = createPads({ store, groups, jobs, passwords, editorPads, events, log, now });
  const accountRemoval = createAccountRemoval({
    store,
    users,
    groups,
    sessions,
    forgetting,
    authors: ports.authors,
    log,
  });
  const unconfirmed = createUnconfirmed({ store, users, remove: accountRemoval.remove, log, now });
  const bookmarks = createBookmarks({ users, groups, pads, policy });
  const userLists = createUserLists({ users, groups });
  const door = createDoor({ store, configuration, sessions, tickets, unlocks, policy });
  const statistics = createStatistics({ store, log, now });

  const goOn = async (): Promise<void> => {
    await jobs.retry();
    await accountRemoval.resume();
    await forgetting.resume();
  };
  const retries = setInterval(() => {
    goOn().catch((error: unknown) => log.warn('unfinished removals must wait', { error: String(error) }));
  }, retryEvery);
  retries.unref();

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
    signIn,
    administrators,
    unlocks,
    jobs,
    groups,
    pads,
    accountRemoval,
    forgetting,
    bookmarks,
    userLists,
    door,
    statistics,
    policy,
    settings,
    log,
    now,
    async close() {
      clearInterval(retries);
      sessions.close();
      await users.close();
      directory.close();
      mailTokens.close();
      await unconfirmed.close();
      mailer.close();
      await accountMail.idle();
      await accountRemoval.stop();
      await jobs.stop();
      await forgetting.stop();
      ldap.close();
      await ports.hasher.close();
      database.close();
    },
  };
  try {
    await jobs.resume();
    await accountRemoval.resume();
    await forgetting.resume();
  } catch (error) {
    await model.close();
    throw error;
  }
  return model;
}
