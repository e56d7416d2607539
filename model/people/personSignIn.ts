/**
 * Sign-in of people by the methods that are offered. A person whom a service knows gets an account with the same login
 * at the first sign-in; it is updated at each later one.
 */

import type { Factors } from '../access/factors';
import type { Sessions } from '../access/session';
import type { Users } from '../accounts/user';
import { type ErrorKey, isError, MyPadsError } from '../errors';
import type { ExternalIdentity } from '../externalIdentity';
import { hasOwnPassword, isDummyPassword } from '../passwords/password';
import type { GroupRules } from '../rules/groupRules';
import type { CasSignIn } from '../signin/cas';
import type { HeaderSignIn, Received } from '../signin/header';
import type { LdapSignIn } from '../signin/ldap';
import type { MethodName, OfferedMethods } from '../signin/methods';
import type { Finished } from '../signin/oidc';
import type { ProviderLogout } from '../signin/oidcLogout';
import type { Basics } from '../store/basics';
import type { SessionRecord, UserRecord } from '../store/entities';
import { accountOf } from './directoryAccounts';
import { accountOfIdentity, accountOfProvider, type Preview, previewOfProvider } from './providerAccounts';

export interface PersonSignIn {
  /**
   * Asks the methods with a password in their order, and says which of them has confirmed it. Throws as
   * `Users.authenticate`, `LdapSignIn` and `accountOf`, and AUTHENTICATION.CAS_NO_TICKET where there is no such method.
   */
  byPassword(login: string, password: string): Promise<{ user: UserRecord; method: MethodName }>;
  /** Throws as `byPassword` and `CasSignIn`, and AUTHENTICATION.CAS_FAILED unless CAS is offered. */
  byTicket(ticket: string): Promise<UserRecord>;
  /** The person whom the proxy names. Throws as `accountOf` and `HeaderSignIn.authenticate`. */
  byHeader(request: Received): Promise<{ user: UserRecord; identity: ExternalIdentity }>;
  /** The account of a person whom a provider has confirmed. Throws as `accountOfProvider`. */
  byProvider(finished: Pick<Finished, 'person' | 'provider'>): Promise<UserRecord>;
  /** What `byProvider` would do. */
  previewProvider(finished: Pick<Finished, 'person' | 'provider'>): Promise<Preview>;
  /** Ends the sessions that began with this session of the provider, or all with this person of the provider. */
  endProviderSessions(logout: ProviderLogout): Promise<number>;
  /** True when the person signs in with this password. Always false where a page of a service asks for it. */
  checkPassword(user: UserRecord, password: string): Promise<boolean>;
}

export interface PersonSignInContext extends Pick<Basics, 'store' | 'log'> {
  users: Users;
  sessions: Pick<Sessions, 'list' | 'listOfSid' | 'end'>;
  factors: Pick<Factors, 'removeAll'>;
  methods: OfferedMethods<UserRecord>;
  ldap: LdapSignIn;
  cas: CasSignIn;
  header: Pick<HeaderSignIn, 'authenticate'>;
  rules: Pick<GroupRules, 'signedIn'>;
}

interface PasswordMethod {
  signIn(login: string, password: string): Promise<UserRecord>;
  check(user: UserRecord, password: string): Promise<boolean>;
}

/** The refusals after which the next method is asked. */
const refusals: readonly ErrorKey[] = [
  'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT',
  'BACKEND.ERROR.AUTHENTICATION.PLEASE_CHANGE_YOUR_PASSWORD',
  'BACKEND.ERROR.AUTHENTICATION.DIRECTORY_UNAVAILABLE',
];

/** When too many wait for the directory, it counts as down: people with a password of this server do not need it. */
const refusalsOf = (name: MethodName): readonly ErrorKey[] =>
  name === 'ldap' ? [...refusals, 'BACKEND.ERROR.SERVER.BUSY'] : refusals;

const wrongPassword = () => new MyPadsError('BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT');

/** What the person is told when all methods have refused. */
async function refusalOf(
  { users, methods }: PersonSignInContext,
  { login, password, errors }: { login: string; password: string; errors: readonly MyPadsError[] },
): Promise<MyPadsError> {
  const [only] = errors;
  if (only && errors.length === 1 && methods.names().length === 1) return only;
  const account = await users.find(login);
  const isHere = account !== undefined && hasOwnPassword(account.password);
  // A wrong password of this server counts as an attempt, also while a directory is down.
  const outage = isHere ? undefined : errors.find(({ status }) => status === 503);
  if (outage) return outage;
  const needsOne = errors.find(({ key }) => key.endsWith('PLEASE_CHANGE_YOUR_PASSWORD'));
  // With other methods beside, an account without a password is probably one of theirs.
  return needsOne &&
    (isDummyPassword(password) || errors.length === 1) &&
    !(account && methods.isElsewhere(account))
    ? needsOne
    : wrongPassword();
}

/** The sessions among which are those that a provider has ended. */
async function sessionsOf(
  context: PersonSignInContext,
  { issuer, subject, sid }: ProviderLogout,
): Promise<SessionRecord[]> {
  if (sid !== undefined) return context.sessions.listOfSid(issuer, sid);
  if (subject === undefined) return [];
  const user = await accountOfIdentity(context, { method: 'oidc', issuer, subject });
  return user === undefined ? [] : context.sessions.list(user._id);
}

export function createPersonSignIn(context: PersonSignInContext): PersonSignIn {
  const { users, methods, ldap, cas, header, rules } = context;
  const passwordMethods: Partial<Record<MethodName, PasswordMethod>> = {
    internal: {
      signIn: users.authenticate,
      check: ({ _id }, password) => users.checkPassword(_id, password),
    },
    ldap: {
      async signIn(login, password) {
        const person = await ldap.authenticate({ login, password });
        const { attributes } = person;
        return rules.signedIn(await accountOf(context, person, login), {
          service: { source: 'ldap' },
          attributes,
        });
      },
      check: ({ login }, password) => ldap.checkPassword(login, password),
    },
  };

  return {
    async byPassword(login, password) {
      const errors: MyPadsError[] = [];
      for (const name of methods.byPassword()) {
        try {
          const user = await passwordMethods[name]?.signIn(login, password);
          if (user) return { user, method: name };
        } catch (error) {
          if (!isError(error, ...refusalsOf(name))) throw error;
          errors.push(error);
        }
      }
      if (errors.length === 0) throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.CAS_NO_TICKET');
      throw await refusalOf(context, { login, password, errors });
    },

    async byTicket(ticket) {
      if (!methods.offers('cas')) throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.CAS_FAILED');
      const person = await cas.authenticate({ ticket });
      const { login, attributes } = person;
      return rules.signedIn(await accountOf(context, person, login), {
        service: { source: 'cas' },
        attributes,
      });
    },

    async byHeader(request) {
      const person = await header.authenticate(request);
      const { login, identity, attributes } = person;
      const user = await accountOf(context, person, login);
      return { user: await rules.signedIn(user, { service: { source: 'header' }, attributes }), identity };
    },

    async byProvider({ person, provider }) {
      const service = { source: 'oidc', provider: provider.id } as const;
      const user = await accountOfProvider(context, person, provider);
      return rules.signedIn(user, { service, attributes: person.attributes });
    },
    previewProvider: ({ person, provider }) => previewOfProvider(context, person, provider),

    async endProviderSessions({ issuer, subject, sid }) {
      const ended = (await sessionsOf(context, { issuer, subject, sid })).filter(
        ({ signedInBy: by }) =>
          by?.issuer === issuer &&
          (subject === undefined || by.subject === subject) &&
          (sid === undefined || by.sid === sid),
      );
      for (const { _id } of ended) await context.sessions.end(_id);
      return ended.length;
    },

    async checkPassword(user, password) {
      const name = methods.passwordMethodOf(user);
      return (name && (await passwordMethods[name]?.check(user, password))) ?? false;
    },
  };
}
