import { MyPadsError } from '../../model/errors';
import type { Handlers } from '../calls';
import type { Assets } from '../page/assets';

/** All texts of a language. Browsers revalidate them each time: the name has no hash. */
export const l10nHandlers = (assets: Assets) =>
  ({
    async 'GET /l10n/{file}'({ params: { file } }, _request, response) {
      const language = /^([\w-]{1,20})\.json$/.exec(file)?.[1] ?? '';
      const texts = await assets.texts(language);
      if (texts === undefined) throw new MyPadsError('BACKEND.ERROR.CONFIGURATION.LANG_PROBLEM');
      response.setHeader('Cache-Control', 'no-cache');
      return texts;
    },
  }) satisfies Partial<Handlers>;
