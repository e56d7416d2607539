/** Rules for the fields of an account that do not depend on other accounts. */

import { MyPadsError } from '../errors';
import { languageCodes, matchLanguage } from '../languages';
import { hasLoginCharacters, limits } from '../limits';
import { mailAddress } from '../mail/address';
import type { Configuration } from '../settings/configuration';
import { mixesScripts } from './accountNames';

export function createUserRules(configuration: Configuration) {
  return {
    /** For a new account. Throws TYPE.PARAM_STR. */
    checkLogin(login: string): void {
      if (!hasLoginCharacters(login) || mixesScripts(login)) {
        throw new MyPadsError('BACKEND.ERROR.TYPE.PARAM_STR', { field: 'login' });
      }
    },
    /** Throws TYPE.MAIL. */
    checkEmail(email: string): void {
      if (mailAddress(email) === undefined) {
        throw new MyPadsError('BACKEND.ERROR.TYPE.MAIL', { field: 'email' });
      }
    },
    /** Throws TYPE.PASSWORD_SIZE. */
    checkPassword(password: string): void {
      const min = configuration.get('passwordMin');
      // An old database or a settings file may have min > max. Then nobody could choose a password.
      const max = Math.min(Math.max(min, configuration.get('passwordMax')), limits.password);
      if (password.length < min || password.length > max) {
        throw new MyPadsError('BACKEND.ERROR.TYPE.PASSWORD_SIZE', { field: 'password' });
      }
    },
    /** The code of the language (`fr` for `fr-CA`) if it exists, else the default. */
    knownLanguage: (lang: string | undefined): string =>
      (lang === undefined ? undefined : matchLanguage([lang], languageCodes)) ??
      configuration.get('defaultLanguage'),
  };
}

export type UserRules = ReturnType<typeof createUserRules>;
