import { Router } from 'express';
import { MyPadsError } from '../../model/errors';
import { described } from '../middleware/validate';
import type { Assets } from '../page/assets';
import { texts } from './schema';

/** `GET l10n/<lang>.json`: the texts of a language. The name has no hash, so browsers revalidate it each time. */
export function l10nRoutes(assets: Assets): Router {
  const router = Router();
  router.get(
    '/:file',
    described(texts, (request, response) => {
      const language = /^([\w-]{1,20})\.json$/.exec(String(request.params.file))?.[1] ?? '';
      const languages = assets.manifest?.languages ?? {};
      const isKnown = Object.hasOwn(languages, language);
      if (!isKnown || !assets.send(`l10n/${language}.json`, request, response, 'no-cache')) {
        throw new MyPadsError('BACKEND.ERROR.CONFIGURATION.LANG_PROBLEM');
      }
    }),
  );
  return router;
}
