/** `POST admin/testSetting`: tries settings of a sign-in service without storing them. */
import type { Router } from 'express';
import type { Configuration } from '../../model/settings/configuration';
import { testCas } from '../../model/signin/cas';
import { testBind } from '../../model/signin/ldap';
import { type SuccessAnswer, successAnswer } from '../answers';
import { route } from '../middleware/validate';
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
      { who: 'administrator', input: testSetting, answer: successAnswer },
      async ({ body: { key, value } }): Promise<SuccessAnswer> => {
        await tests[key](configuration.complete(key, value), configuration);
        return { success: true };
      },
    ),
  );
}
