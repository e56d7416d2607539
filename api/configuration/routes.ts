/** Settings: some for everybody, all of them for server administrators. */
import { type Request, Router } from 'express';
import { mayAdministrate } from '../../model/access/permissions';
import type { PadRecord } from '../../model/store/entities';
import { keys } from '../../model/store/store';
import { type KeyAnswer, keyAnswer } from '../answers';
import { recordByAdmin } from '../middleware/adminLog';
import { originOf } from '../middleware/rootUrl';
import { callerFacts } from '../middleware/session';
import { route } from '../middleware/validate';
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

/** Adds what everybody may read: `GET /` and `/public/…`. */
function addPublicRoutes(router: Router, model: Services['model']): void {
  const { configuration } = model;

  router.get(
    '/',
    route({ who: 'public', answer: configurationAnswer }, (_input, request): ConfigurationAnswer => {
      const { actor, user, host } = request.mypads;
      const recovery = model.accountMail.canRecover(originOf(request, configuration));
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
    }),
  );

  router.get(
    '/public/usefirstlastname',
    route(
      { who: 'public', answer: useFirstLastNameAnswer },
      (): UseFirstLastNameAnswer => ({
        success: true,
        usefirstlastname: configuration.get('useFirstLastNameInPads'),
      }),
    ),
  );

  router.get(
    '/public/allpadspublicsauthentifiedonly',
    route(
      { who: 'public', input: padOfQuery, answer: authentifiedOnlyAnswer },
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

/** Adds what server administrators read and change: one setting. */
function addSettingRoutes(router: Router, model: Services['model']): void {
  const { configuration } = model;

  async function save(request: Request, key: string, value: unknown): Promise<SettingSavedAnswer> {
    await configuration.set(key, value);
    model.log.info('setting changed', { key, ...callerFacts(request) });
    recordByAdmin(model, request, 'settingChanged', { object: { kind: 'setting', id: key } });
    return { success: true, key, value: configuration.shown(key) };
  }

  router.get(
    '/:key',
    route(
      { who: 'administrator', input: byKey, answer: settingAnswer },
      ({ params: { key } }): SettingAnswer => {
        return { key, value: configuration.shown(key) };
      },
    ),
  );

  router.post(
    '/',
    route({ who: 'administrator', input: keyAndValue, answer: settingSavedAnswer }, ({ body }, request) => {
      return save(request, body.key, body.value);
    }),
  );

  router.put(
    '/:key',
    route(
      { who: 'administrator', input: valueByKey, answer: settingSavedAnswer },
      ({ params, body }, request) => {
        return save(request, params.key, body.value);
      },
    ),
  );

  router.delete(
    '/:key',
    route(
      { who: 'administrator', input: byKey, answer: keyAnswer },
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
  return router;
}
