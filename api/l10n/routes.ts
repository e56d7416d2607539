import { Router } from 'express';
import { MyPadsError } from '../../model/errors';
import { described } from '../middleware/validate';
import type { Assets } from '../page/assets';
import { texts } from './schema';

/** `GET l10n/<lang>.json`: the texts of a language under a name without a hash, asked again each time. */
export function l10nRoutes(assets: Assets): Router {
  const router = Router();
  router.get(
    '/:file',
    described(texts, (request, response) => {
      const language = /^([\w-]{1,20})\.json$/.exec(String(request.params.file))?.[1] ?? '';
      const languages = assets.manifest?.languages ?? {};
      const file = Object.hasOwn(languages, language) ? languages[language] : undefined;
      if (file === undefined || !assets.send(file, request, response, 'no-cache')) {
        throw new MyPadsError('BACKEND.ERROR.CONFIGURATION.LANG_PROBLEM');
      }
    }),
  );
  return router;
}
