/**
 * Registration of new accounts. With `checkMails` a mailed link confirms the account, and neither the answer nor its
 * time tells whether an address is known: for a known address an account is created that never opens, and the owner
 * gets a notice.
 */

import { mayRegister } from '../access/permissions';
import { comparableLogin } from '../accounts/accountNames';
import type { Registration as Fields, Users } from '../accounts/user';
import { MyPadsError } from '../errors';
import { lifetimes, looksLikeLink } from '../limits';
import type { Coordination } from '../ports';
import type { Configuration } from '../settings/configuration';
import type { OfferedMethods } from '../signin/methods';
import type { UserRecord } from '../store/entities';
import { keys } from '../store/store';
import type { AccountMail } from './accountMail';
import { tokenMinutes } from './mailToken';

export interface Registered {
  user: UserRecord;
  /** `false`: the account existed. For a registration: it was unconfirmed, and the mail was sent again. */
  made: boolean;
}

/** Fields of an account that a server administrator creates. */
export interface AdministratorInput
  extends Omit<Fields, 'password' | 'active' | 'hideTakenAddress' | 'unconfirmedUntil'> {
  /** If missing, a mail with a link to choose a password is sent. Until then nobody can sign in. */
  password?: string;
}

interface Context {
  users: Users;
  configuration: Configuration;
  methods: Pick<OfferedMethods<never>, 'storePasswords'>;
  accountMail: AccountMail;
  coordination: Pick<Coordination, 'tryLock'>;
  now: () => number;
}

const loginRefused = (): MyPadsError => new MyPadsError('BACKEND.ERROR.TYPE.LOGIN_STR', { field: 'login' });

/** Refuses the address of somebody else as a login: invitations to this address would reach the wrong person. */
function requireOwnLogin(login: string, email: string, checkMails: boolean): void {
  const wanted = comparableLogin(login);
  if (wanted.includes('@') && (checkMails || wanted !== comparableLogin(email))) throw loginRefused();
  if (looksLikeLink(login)) throw loginRefused();
}

/** While the password is compared, an administrator may close the account. */
function requireWaiting({ closed, unconfirmedUntil }: UserRecord): void {
  if (closed !== true && unconfirmedUntil !== undefined) return;
  throw new MyPadsError('BACKEND.ERROR.USER.ALREADY_EXISTS', { field: 'login' });
}

/** Creates an account that a mailed link confirms, or sends the mail of an unconfirmed one again. */
async function registerUnconfirmed(
  { users, configuration, accountMail, now }: Context,
  fields: Parameters<Registration['register']>[0],
): Promise<Registered> {
  const unconfirmedUntil =
    now() + tokenMinutes(configuration.get('tokenDuration')) * 60_000 + lifetimes.unconfirmed;
  const waiting = await users.findUnconfirmed(fields);
  const again = waiting && (await users.extendUnconfirmed(waiting._id, unconfirmedUntil));
  if (again) {
    await accountMail.requestConfirmation(again);
    return { user: again, made: false };
  }
  const more = { active: false, hideTakenAddress: true, unconfirmedUntil };
  const user = await users.register({ ...fields, ...more }, (made) => accountMail.requestConfirmation(made));
  return { user, made: true };
}

async function createAccount(
  { users, methods, accountMail }: Context,
  { password, ...fields }: AdministratorInput,
): Promise<UserRecord> {
  if (looksLikeLink(fields.login)) throw loginRefused();
  if (password !== undefined) return users.register({ ...fields, password, active: true });
  if (!methods.storePasswords()) throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.NO_RECOVER');
  accountMail.mustBeConfigured();
  return users.register({ ...fields, password: null, active: true }, (user) =>
    accountMail.requestFirstPassword(user),
  );
}

/** An older account may have a login that is refused today. */
const mayBeTaken = ({ key }: MyPadsError): boolean => /(ALREADY_EXISTS|LOGIN_STR)$/.test(key);

/** Thrown before it is known whether there is an account, which needs no invitation. */
const cannotInvite = ({ key }: MyPadsError): boolean =>
  key.endsWith('_NOT_CONFIGURED') || key === 'BACKEND.ERROR.AUTHENTICATION.NO_RECOVER';

/** The account that an earlier call with the same login and address created. */
async function findEarlier(
  users: Users,
  { login, email }: AdministratorInput,
): Promise<UserRecord | undefined> {
  const user = await users.findByLogin(login.trim().normalize());
  return user?.email.toLowerCase() === email.toLowerCase() ? user : undefined;
}

export function createRegistration(context: Context) {
  const { methods, users, configuration, accountMail, coordination } = context;
  /** Whether people may create an account, with an invitation or without one. */
  const isOpen = (isInvited: boolean): boolean =>
    mayRegister(
      {
        storePasswords: methods.storePasswords(),
        openRegistration: configuration.get('openRegistration'),
        invitationsCreateAccounts: configuration.get('invitationsCreateAccounts'),
      },
      isInvited,
    );
  return {
    /**
     * Creates an active account. `ifExists: 'answer'` returns an existing account with this login and address. Throws
     * as `Users.register`; without a password also AUTHENTICATION.NO_RECOVER unless passwords are stored here, and as
     * `AccountMail.requestFirstPassword`, after which no account is left.
     */
    async createByAdministrator(
      fields: AdministratorInput,
      ifExists: 'refuse' | 'answer',
    ): Promise<Registered> {
      try {
        return { user: await createAccount(context, fields), made: true };
      } catch (error) {
        const mayExist = error instanceof MyPadsError && (mayBeTaken(error) || cannotInvite(error));
        const user = mayExist && ifExists === 'answer' ? await findEarlier(users, fields) : undefined;
        if (!user) throw error;
        return { user, made: false };
      }
    },

    isOpen,

    /**
     * Throws AUTHENTICATION.NO_REGISTRATION when registration is closed, to those with an invitation too, or passwords
     * are not stored here.
     */
    requireOpen(isInvited: boolean): void {
      if (!isOpen(isInvited)) throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.NO_REGISTRATION');
    },

    /**
     * As `Users.register`; TYPE.LOGIN_STR for a login that looks like a link or is somebody else's address. With
     * `checkMails` inactive, a taken address is not reported, and the same data sends the mail again. Throws as
     * `AccountMail.requestConfirmation`, then without an account; SERVER.BUSY for a parallel call.
     */
    async register(
      fields: Omit<Fields, 'active' | 'hideTakenAddress' | 'unconfirmedUntil'>,
      isConfirmed: boolean = false,
    ): Promise<Registered> {
      const checkMails = configuration.get('checkMails') && !isConfirmed;
      requireOwnLogin(fields.login, fields.email, checkMails);
      if (isConfirmed) await users.releaseAddress(fields.email);
      if (!checkMails) {
        // Registered before, when the address had to be confirmed by mail.
        const waiting = await users.findUnconfirmed(fields);
        const user = await (waiting
          ? users.updateProfile(waiting._id, { active: true }, { check: requireWaiting })
          : users.register({ ...fields, active: true }));
        return { user, made: true };
      }
      accountMail.mustBeConfigured();
      // Held while the mail is being sent, because the account is removed again if that fails.
      const release = await coordination.tryLock(keys.registration(fields.login.trim(), fields.email));
      if (!release) throw new MyPadsError('BACKEND.ERROR.SERVER.BUSY');
      try {
        return await registerUnconfirmed(context, fields);
      } finally {
        release();
      }
    },
  };
}

export type Registration = ReturnType<typeof createRegistration>;
