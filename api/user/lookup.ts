/** What the routes of accounts share: finding the account, showing it, and asking for its password. */
import type { Request } from 'express';
import { mayAdministrate } from '../../model/access/permissions';
import { MyPadsError } from '../../model/errors';
import type { UserRecord } from '../../model/store/entities';
import type { Account } from '../answers';
import type { Services } from '../services';
import { requireOwnPassword } from './ownPassword';
import { administeredUser, ownUser } from './presenter';

export interface AccountLookup {
  /** The account as the caller may see it. */
  present(request: Request, user: UserRecord): Account;
  /**
   * The account in the path: the caller's own, or for a server administrator any, also by e-mail address or id. Throws
   * USER.NOT_FOUND.
   */
  requireAccount(request: Request, login: string): Promise<UserRecord>;
  /** Throws AUTHENTICATION.PASSWORD_INCORRECT, PERMISSION.TOO_MANY. */
  requireCurrentPassword(request: Request, user: UserRecord, password: string | undefined): Promise<void>;
}

export function createAccountLookup(services: Services): AccountLookup {
  const { model } = services;
  const { users, configuration } = model;

  return {
    present(request, user) {
      const shown = model.referenceCleanup.withoutRemoved(user);
      return mayAdministrate(request.mypads.actor) ? administeredUser(shown) : ownUser(shown);
    },
    async requireAccount(request, login) {
      const { actor, user } = request.mypads;
      // Two accounts of an old database can share a login. Administrators find the second one by its id.
      const found = mayAdministrate(actor) ? await users.named(login) : user;
      if (!found) throw new MyPadsError('BACKEND.ERROR.USER.NOT_FOUND', { key: login });
      return found;
    },
    async requireCurrentPassword(request, user, password) {
      // With single sign-on, there is no password here that could be checked.
      if (configuration.get('authMethod') === 'cas') return;
      await requireOwnPassword(services, request, user, password, { field: 'currentPassword' });
    },
  };
}
