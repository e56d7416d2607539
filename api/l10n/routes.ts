import { Router } from 'express';
import { MyPadsError } from '../../model/errors';
import { type Declaration, declared } from '../middleware/route';
import type { Assets } from '../page/assets';
import { byFile, textsAnswer } from './schema';

/** `GET l10n/<lang>.json`: the texts of a language. Browsers revalidate the file each time: its name has no hash. */
export function l10nRoutes(assets: Assets): Router {
  const declaration: Declaration = {
    who: 'public',
    summary: 'Returns the texts of the page in a language, for example `en.json`.',
    input: byFile,
    answer: textsAnswer,
    errors: ['BACKEND.ERROR.CONFIGURATION.LANG_PROBLEM'],
  };
  const router = Router();
  router.get(
    '/:file',
    declared(declaration, (request, response) => {
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
