/** Settings: some for everybody, all of them for server administrators. */
import { type Request, Router } from 'express';
import { mayAdministrate } from '../../model/access/permissions';
import type { ErrorKey } from '../../model/errors';
import type { PadRecord } from '../../model/store/entities';
import { keys } from '../../model/store/store';
import { type KeyAnswer, keyAnswer } from '../answers';
import { recordByAdmin } from '../middleware/adminLog';
import { callerFacts } from '../middleware/caller';
import { route } from '../middleware/route';
import type { Services } from '../services';
import { ownUser } from '../user/presenter';
import { publicConfiguration } from './presenter';
import {
  type AuthentifiedOnlyAnswer,
  authentifiedOnlyAnswer,
  byKey,
  type ConfigurationAnswer,
  configurationAnswer,
  keyAndValue,
  padOfQuery,
  type SettingAnswer,
  type SettingSavedAnswer,
  settingAnswer,
  settingSavedAnswer,
  type UseFirstLastNameAnswer,
  useFirstLastNameAnswer,
  valueByKey,
} from './schema';

/** Errors of calls that change a setting: model/settings checks the value, and tries settings of sign-in services. */
const changeErrors = [
  'BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND',
  'BACKEND.ERROR.CONFIGURATION.LOCKED',
  'BACKEND.ERROR.CONFIGURATION.SIGN_IN_NOT_CONFIGURED',
  'BACKEND.ERROR.CONFIGURATION.UNABLE_TO_BIND_TO_LDAP',
  'BACKEND.ERROR.AUTHENTICATION.DIRECTORY_UNAVAILABLE',
  'BACKEND.ERROR.TYPE.PARAM_INVALID',
  'BACKEND.ERROR.TYPE.SMTP_CONFIG',
  'BACKEND.ERROR.TYPE.PASSWORD_SIZE',
] as const satisfies readonly ErrorKey[];

/** Adds what everybody may read: `GET /` and `/public/…`. */
function addPublicRoutes(router: Router, model: Services['model']): void {
  const { configuration } = model;

  router.get(
    '/',
    route(
      {
        who: 'public',
        summary:
          'Returns the public settings and the caller’s account. Server administrators get all settings.',
        answer: configurationAnswer,
      },
      (_input, request): ConfigurationAnswer => {
        const { actor, user, host } = request.mypads;
        const recovery = model.accountMail.canRecover();
        const shared = publicConfiguration(configuration, recovery);
        if (mayAdministrate(actor)) {
          const value = { ...shared, ...configuration.all() };
          return { value, auth: true, locked: configuration.locked(), secrets: configuration.secrets() };
        }
        return {
          value: shared,
          auth: actor.kind !== 'guest',
          ...(user && { user: ownUser(model.referenceCleanup.withoutRemoved(user)) }),
          ...(host && { hostAdministrator: host.name }),
        };
      },
    ),
  );

  router.get(
    '/public/usefirstlastname',
    route(
      {
        who: 'public',
        summary: 'Says whether people appear in pads with first and last name. For older programs.',
        deprecated: true,
        answer: useFirstLastNameAnswer,
      },
      (): UseFirstLastNameAnswer => ({
        success: true,
        usefirstlastname: configuration.get('useFirstLastNameInPads'),
      }),
    ),
  );

  router.get(
    '/public/allpadspublicsauthentifiedonly',
    route(
      {
        who: 'public',
        summary:
          'Says whether all pads are open to everybody who is signed in, and to nobody else. If so, people who are signed in also get the group of the pad `pid`. For older programs.',
        deprecated: true,
        input: padOfQuery,
        answer: authentifiedOnlyAnswer,
      },
      async ({ query }, request): Promise<AuthentifiedOnlyAnswer> => {
        const on = configuration.get('allPadsPublicsAuthentifiedOnly');
        const answer: AuthentifiedOnlyAnswer = { success: true, allpadspublicsauthentifiedonly: on };
        if (!on || query.pid === undefined || !request.mypads.user) return answer;
        const pad = await model.store.get<PadRecord>(keys.pad(query.pid));
        return pad ? { ...answer, group: pad.group } : answer;
      },
    ),
  );
}

/** Adds `PUT /:key`, and `POST /`, which does the same. */
function addSettingChanges(router: Router, model: Services['model']): void {
  const { configuration } = model;

  async function save(request: Request, key: string, value: unknown): Promise<SettingSavedAnswer> {
    await configuration.set(key, value);
    model.log.info('setting changed', { key, ...callerFacts(request) });
    recordByAdmin(model, request, 'settingChanged', { object: { kind: 'setting', id: key } });
    return { success: true, key, value: configuration.shown(key) };
  }

  router.post(
    '/',
    route(
      {
        who: 'administrator',
        summary: 'Changes the setting `key`. For older programs.',
        deprecated: true,
        input: keyAndValue,
        answer: settingSavedAnswer,
        errors: changeErrors,
        example: { body: { key: 'title', value: 'Our pads' } },
      },
      ({ body }, request) => save(request, body.key, body.value),
    ),
  );

  router.put(
    '/:key',
    route(
      {
        who: 'administrator',
        summary: 'Changes a setting.',
        input: valueByKey,
        answer: settingSavedAnswer,
        errors: changeErrors,
        example: { body: { value: 'Our pads' } },
      },
      ({ params, body }, request) => save(request, params.key, body.value),
    ),
  );
}

/** Adds `GET /:key` and `DELETE /:key`. */
function addSettingRoutes(router: Router, model: Services['model']): void {
  const { configuration } = model;

  router.get(
    '/:key',
    route(
      {
        who: 'administrator',
        summary: 'Returns a setting.',
        input: byKey,
        answer: settingAnswer,
        errors: ['BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND'],
      },
      ({ params: { key } }): SettingAnswer => ({ key, value: configuration.shown(key) }),
    ),
  );

  router.delete(
    '/:key',
    route(
      {
        who: 'administrator',
        summary: 'Resets a setting to its default.',
        input: byKey,
        answer: keyAnswer,
        errors: [
          'BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND',
          'BACKEND.ERROR.CONFIGURATION.LOCKED',
          'BACKEND.ERROR.CONFIGURATION.SIGN_IN_NOT_CONFIGURED',
          'BACKEND.ERROR.TYPE.PASSWORD_SIZE',
        ],
      },
      async ({ params: { key } }, request): Promise<KeyAnswer> => {
        await configuration.remove(key);
        model.log.info('setting reset to its default', { key, ...callerFacts(request) });
        recordByAdmin(model, request, 'settingReset', { object: { kind: 'setting', id: key } });
        return { success: true, key };
      },
    ),
  );
}

export function configurationRoutes({ model }: Services): Router {
  const router = Router();
  addPublicRoutes(router, model);
  addSettingRoutes(router, model);
  addSettingChanges(router, model);
  return router;
}
