import type { Configuration } from '../../model/configuration';
import type { PublicConfiguration } from '../wire';

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What everybody may know. Of the settings for CAS only the two addresses that a browser is sent to. */
export function publicConfiguration({ get }: Configuration): PublicConfiguration {
  const cas = get('authCasSettings');
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
    authCasSettings: { serverUrl: text(cas.serverUrl), logoutUrl: text(cas.logoutUrl) },
    allPadsPublicsAuthentifiedOnly: get('allPadsPublicsAuthentifiedOnly'),
    disableLogoutButton: get('disableLogoutButton'),
    disableLangageSelect: get('disableLangageSelect'),
    disableUserList: get('disableUserList'),
    disableUserProfile: get('disableUserProfile'),
    userLoginsAsAdmin: get('userLoginsAsAdmin'),
    HTMLExtraHead: get('HTMLExtraHead'),
  };
}
