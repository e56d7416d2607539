/** Settings: some for everybody, all of them for server administrators. */
import type { Request } from 'express';
import { mayAdministrate } from '../../model/access/permissions';
import type { Model } from '../../model/model';
import type { ConfigurationValues, ReadSetting } from '../../model/settings/configuration';
import type { PublicKey } from '../../model/settings/definitions';
import { casLoginUrl, casLogoutUrl, webAddress } from '../../model/signin/casAddresses';
import { shownMethods } from '../auth/methods';
import type { Handlers } from '../calls';
import { allows, callerFacts } from '../middleware/caller';
import type { Services } from '../services';
import { ownUser } from '../user/presenter';
import type { AuthentifiedOnlyAnswer, PublicConfiguration, SettingSavedAnswer } from './schema';
import { publicKeys } from './settings';

/** What everybody may read. */
const publicHandlers = ({ model }: Services) => {
  const { configuration } = model;
  return {
    'GET /configuration'({ caller }) {
      const { actor, user, host } = caller;
      const shared = publicConfiguration(model);
      if (mayAdministrate(actor) && allows(caller, 'administration')) {
        const value = { ...shared, ...configuration.all() };
        return { value, auth: true, locked: configuration.locked(), secrets: configuration.secrets() };
      }
      return {
        value: shared,
        auth: actor.kind !== 'guest',
        ...(user && { user: ownUser(model, user) }),
        ...(host && { hostAdministrator: host.name }),
      };
    },

    'GET /configuration/public/usefirstlastname': () => ({
      success: true,
      usefirstlastname: configuration.get('useFirstLastNameInPads'),
    }),

    async 'GET /configuration/public/allpadspublicsauthentifiedonly'({ query: { pid }, caller }) {
      const on = model.policy().allPadsPublicsAuthentifiedOnly;
      const answer: AuthentifiedOnlyAnswer = { success: true, allpadspublicsauthentifiedonly: on };
      const pad = on && pid !== undefined && caller.user ? await model.pads.find(pid) : undefined;
      return pad ? { ...answer, group: pad.group } : answer;
    },
  } satisfies Partial<Handlers>;
};

export const configurationHandlers = (services: Services) => {
  const { model } = services;
  const { configuration } = model;

  async function save(
    request: Request,
    key: string,
    { value, was }: { value: unknown; was?: ReadSetting },
  ): Promise<SettingSavedAnswer> {
    await configuration.set(key, value, was);
    model.log.info('setting changed', { key, ...callerFacts(request) });
    return { success: true, key, value: configuration.shown(key) };
  }

  return {
    ...publicHandlers(services),
    'GET /configuration/{key}': ({ params: { key } }) => ({ key, value: configuration.shown(key) }),
    'POST /configuration': ({ body }, request) => save(request, body.key, body),
    'PUT /configuration/{key}': ({ params, body }, request) => save(request, params.key, body),

    async 'DELETE /configuration/{key}'({ params: { key }, body: { was } }, request) {
      await configuration.remove(key, was);
      model.log.info('setting reset to its default', { key, ...callerFacts(request) });
      return { success: true, key };
    },
  } satisfies Partial<Handlers>;
};

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The CAS settings that browsers need: only the URLs that people are sent to. */
function casAddresses({ configuration, methods }: Model): PublicConfiguration['authCasSettings'] {
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
function publicConfiguration(model: Model): PublicConfiguration {
  const { configuration, methods } = model;
  const shared = Object.fromEntries(publicKeys.map((key) => [key, configuration.get(key)]));
  return {
    ...(shared as Pick<ConfigurationValues, PublicKey>),
    authCasSettings: casAddresses(model),
    passwordRecovery: model.accountMail.canRecover(),
    storesPasswords: methods.storePasswords(),
    signInMethods: shownMethods(model),
  };
}
