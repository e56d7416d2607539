import { MyPadsError } from '../../model/errors';
import type { Handlers } from '../calls';
import { answered } from '../middleware/answerCall';
import type { Assets } from '../page/assets';

/** The texts of a language. Browsers revalidate the file each time: its name has no hash. */
export const l10nHandlers = (assets: Assets) =>
  ({
    async 'GET /l10n/{file}'({ params: { file } }, request, response): Promise<typeof answered> {
      const language = /^([\w-]{1,20})\.json$/.exec(file)?.[1] ?? '';
      const isKnown = Object.hasOwn(assets.manifest?.languages ?? {}, language);
      if (!isKnown || !(await assets.send(`l10n/${language}.json`, request, response, 'no-cache'))) {
        throw new MyPadsError('BACKEND.ERROR.CONFIGURATION.LANG_PROBLEM');
      }
      return answered;
    },
  }) satisfies Partial<Handlers>;
