import type { Configuration } from '../../model/settings/configuration';
import { casLoginUrl, casLogoutUrl, webAddress } from '../../model/signin/casAddresses';
import type { PublicConfiguration } from './schema';

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The CAS settings that browsers need: only the URLs that people are sent to. */
function casAddresses({ get }: Configuration): PublicConfiguration['authCasSettings'] {
  const settings = get('authCasSettings');
  const logoutUrl = text(settings.logoutUrl);
  const serverUrl = text(settings.serverUrl);
  const rootUrl = get('rootUrl');
  if (get('authMethod') !== 'cas' || webAddress(serverUrl) === undefined) {
    return { serverUrl, loginUrl: '', logoutUrl };
  }
  const loginUrl = rootUrl === '' ? '' : casLoginUrl(settings, rootUrl);
  return { serverUrl, loginUrl, logoutUrl: casLogoutUrl(settings, rootUrl) };
}

/** The settings that everybody may see, and whether people can ask for a mail to choose a new password. */
export function publicConfiguration(
  configuration: Configuration,
  passwordRecovery: boolean,
): PublicConfiguration {
  const { get } = configuration;
  return {
    title: get('title'),
    passwordMin: get('passwordMin'),
    passwordMax: get('passwordMax'),
    languages: get('languages'),
    defaultLanguage: get('defaultLanguage'),
    loginMsg: get('loginMsg'),
    openRegistration: get('openRegistration'),
    hideHelpBlocks: get('hideHelpBlocks'),
    useFirstLastNameInPads: get('useFirstLastNameInPads'),
    authMethod: get('authMethod'),
    authCasSettings: casAddresses(configuration),
    allPadsPublicsAuthentifiedOnly: get('allPadsPublicsAuthentifiedOnly'),
    disableLogoutButton: get('disableLogoutButton'),
    disableLangageSelect: get('disableLangageSelect'),
    disableUserList: get('disableUserList'),
    disableUserProfile: get('disableUserProfile'),
    userLoginsAsAdmin: get('userLoginsAsAdmin'),
    HTMLExtraHead: get('HTMLExtraHead'),
    passwordRecovery,
  };
}
