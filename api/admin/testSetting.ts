/** `POST admin/testSetting`: tests settings of a sign-in service without storing them. */
import type { Router } from 'express';
import type { Configuration } from '../../model/settings/configuration';
import { testCas } from '../../model/signin/cas';
import { testBind } from '../../model/signin/ldap';
import { type SuccessAnswer, successAnswer } from '../answers';
import { route } from '../middleware/route';
import type { Services } from '../services';
import { type testableSettings, testSetting } from './schema';

type Test = (value: unknown, configuration: Configuration) => Promise<void>;

const tests: Record<(typeof testableSettings)[number], Test> = {
  authLdapSettings: (value) => testBind(value),
  authCasSettings: (value, configuration) => testCas(value, configuration.get('rootUrl')),
};

export function addTestSetting(router: Router, { model: { configuration } }: Services): void {
  router.post(
    '/testSetting',
    route(
      {
        who: 'administrator',
        summary:
          'Tests settings for LDAP or CAS without storing them: searches the directory, or asks the CAS server to validate a made-up ticket.',
        input: testSetting,
        answer: successAnswer,
        errors: [
          'BACKEND.ERROR.CONFIGURATION.UNABLE_TO_BIND_TO_LDAP',
          'BACKEND.ERROR.CONFIGURATION.ROOTURL_NOT_CONFIGURED',
          'BACKEND.ERROR.AUTHENTICATION.CAS_FAILED',
          'BACKEND.ERROR.AUTHENTICATION.DIRECTORY_UNAVAILABLE',
          'BACKEND.ERROR.TYPE.PARAM_INVALID',
        ],
      },
      async ({ body: { key, value } }): Promise<SuccessAnswer> => {
        await tests[key](configuration.complete(key, value), configuration);
        return { success: true };
      },
    ),
  );
}
