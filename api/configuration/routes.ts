/** The settings: a part for everybody, all of them for server administrators. */
import { type Request, Router } from 'express';
import type { PadRecord } from '../../model/entities';
import { keys } from '../../model/store';
import { keyAnswer } from '../answers';
import { callerFacts, requireAdmin } from '../middleware/session';
import { route } from '../middleware/validate';
import type { Services } from '../services';
import { ownUser } from '../user/presenter';
import type {
  AuthentifiedOnlyAnswer,
  ConfigurationAnswer,
  KeyAnswer,
  SettingAnswer,
  SettingSavedAnswer,
  UseFirstLastNameAnswer,
} from '../wire';
import { publicConfiguration } from './presenter';
import {
  authentifiedOnlyAnswer,
  byKey,
  configurationAnswer,
  keyAndValue,
  padOfQuery,
  settingAnswer,
  settingSavedAnswer,
  useFirstLastNameAnswer,
  valueByKey,
} from './schema';

export function configurationRoutes({ model }: Services): Router {
  const { configuration } = model;
  const router = Router();

  async function save(request: Request, key: string, value: unknown): Promise<SettingSavedAnswer> {
    requireAdmin(request);
    await configuration.set(key, value);
    model.log.info('setting changed', { key, ...callerFacts(request) });
    return { success: true, key, value: configuration.shown(key) };
  }

  router.get(
    '/',
    route({}, configurationAnswer, (_input, request): ConfigurationAnswer => {
      const { actor, user, host } = request.mypads;
      const shared = publicConfiguration(configuration);
      if (actor.kind === 'admin') {
        const value = { ...shared, ...configuration.all() };
        return { value, auth: true, locked: configuration.locked(), secrets: configuration.secrets() };
      }
      return {
        value: shared,
        auth: actor.kind !== 'guest',
        ...(user && { user: ownUser(user) }),
        ...(host && { hostAdministrator: host.name }),
      };
    }),
  );

  router.get(
    '/public/usefirstlastname',
    route(
      {},
      useFirstLastNameAnswer,
      (): UseFirstLastNameAnswer => ({
        success: true,
        usefirstlastname: configuration.get('useFirstLastNameInPads'),
      }),
    ),
  );

  router.get(
    '/public/allpadspublicsauthentifiedonly',
    route(padOfQuery, authentifiedOnlyAnswer, async ({ query }, request): Promise<AuthentifiedOnlyAnswer> => {
      const on = configuration.get('allPadsPublicsAuthentifiedOnly');
      const answer: AuthentifiedOnlyAnswer = { success: true, allpadspublicsauthentifiedonly: on };
      if (!on || query.pid === undefined || !request.mypads.user) return answer;
      const pad = await model.store.get<PadRecord>(keys.pad(query.pid));
      return pad ? { ...answer, group: pad.group } : answer;
    }),
  );

  router.get(
    '/:key',
    route(byKey, settingAnswer, ({ params: { key } }, request): SettingAnswer => {
      requireAdmin(request);
      return { key, value: configuration.shown(key) };
    }),
  );

  router.post(
    '/',
    route(keyAndValue, settingSavedAnswer, ({ body }, request) => {
      return save(request, body.key, body.value);
    }),
  );

  router.put(
    '/:key',
    route(valueByKey, settingSavedAnswer, ({ params, body }, request) => {
      return save(request, params.key, body.value);
    }),
  );

  router.delete(
    '/:key',
    route(byKey, keyAnswer, async ({ params: { key } }, request): Promise<KeyAnswer> => {
      requireAdmin(request);
      await configuration.remove(key);
      model.log.info('setting back to its default', { key, ...callerFacts(request) });
      return { success: true, key };
    }),
  );

  return router;
}
