import type { Model } from '../../model/model';
import type { ConfigurationValues } from '../../model/settings/configuration';
import type { PublicKey } from '../../model/settings/definitions';
import { casLoginUrl, casLogoutUrl, webAddress } from '../../model/signin/casAddresses';
import { shownMethods } from '../auth/methods';
import type { PublicConfiguration } from './schema';
import { publicKeys } from './settings';

type Shown = Pick<Model, 'configuration' | 'methods' | 'oidc' | 'header' | 'passkeys'>;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The CAS settings that browsers need: only the URLs that people are sent to. */
function casAddresses({ configuration, methods }: Shown): PublicConfiguration['authCasSettings'] {
  const { get } = configuration;
  const settings = get('authCasSettings');
  const logoutUrl = text(settings.logoutUrl);
  const serverUrl = text(settings.serverUrl);
  const rootUrl = get('rootUrl');
  if (!methods.offers('cas') || webAddress(serverUrl) === undefined) {
    return { serverUrl, loginUrl: '', logoutUrl };
  }
  const loginUrl = rootUrl === '' ? '' : casLoginUrl(settings, rootUrl);
  return { serverUrl, loginUrl, logoutUrl: casLogoutUrl(settings, rootUrl) };
}

/** The settings that everybody may see, and whether people can ask for a mail to choose a new password. */
export function publicConfiguration(model: Shown, passwordRecovery: boolean): PublicConfiguration {
  const { configuration, methods } = model;
  const shared = Object.fromEntries(publicKeys.map((key) => [key, configuration.get(key)]));
  return {
    ...(shared as Pick<ConfigurationValues, PublicKey>),
    authCasSettings: casAddresses(model),
    passwordRecovery,
    storesPasswords: methods.storePasswords(),
    signInMethods: shownMethods(model),
  };
}
