/** Server administrators: the accounts of the host's settings file that have `is_admin`. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { MyPadsError } from './errors';
import type { HostSettings } from './ports';

/** Is this a server administrator of the host now? Own properties only: `constructor` is nobody. */
export function isHostAdministrator(settings: HostSettings, name: string): boolean {
  const accounts = settings.users();
  return Object.hasOwn(accounts, name) && accounts[name]?.is_admin === true;
}

export interface Administrators {
  /**
   * Checks name and password. Throws AUTHENTICATION.PASSWORD_INCORRECT for an unknown name as for a wrong password, and
   * AUTHENTICATION.ADMIN when both are right but the account administers nothing.
   */
  authenticate(login: string, password: string): Promise<void>;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

export function createAdministrators(context: {
  settings: HostSettings;
  authenticateElsewhere: ((login: string, password: string) => Promise<boolean>) | undefined;
}): Administrators {
  const { settings, authenticateElsewhere } = context;

  function matchesSettings(login: string, password: string): boolean {
    const accounts = settings.users();
    const expected = Object.hasOwn(accounts, login) ? accounts[login]?.password : undefined;
    const usable = typeof expected === 'string' && expected !== '';
    const equal = timingSafeEqual(digest(password), digest(usable ? expected : ''));
    return usable && equal;
  }

  return {
    async authenticate(login, password) {
      const right =
        matchesSettings(login, password) || (await authenticateElsewhere?.(login, password)) === true;
      if (!right) throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT');
      if (!isHostAdministrator(settings, login)) throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.ADMIN');
    },
  };
}
