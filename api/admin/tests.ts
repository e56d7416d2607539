/** Tests the stored mail settings, and settings of a sign-in service before they are stored. */
import type { Configuration } from '../../model/settings/configuration';
import { testCas } from '../../model/signin/cas';
import { testBind } from '../../model/signin/ldap';
import { testOidc } from '../../model/signin/oidc';
import type { Handlers } from '../calls';
import { callerFacts, ownerOf } from '../middleware/caller';
import type { Services } from '../services';
import type { testableSettings } from './schema';

type Test = (value: unknown, configuration: Configuration) => Promise<void>;

const tests: Record<(typeof testableSettings)[number], Test> = {
  authLdapSettings: (value) => testBind(value),
  authOidcSettings: (value, configuration) => testOidc(value, configuration.get('rootUrl')),
  authCasSettings: (value, configuration) => testCas(value, configuration.get('rootUrl')),
};

export const testHandlers = ({ model, limits }: Services) => {
  const { configuration } = model;
  return {
    async 'POST /admin/testMail'({ body: { to, lang }, caller }, request) {
      await limits.consume('testMail', ownerOf(caller)?.owner ?? '');
      const receipt = await model.accountMail.sendTest(to, lang);
      model.log.info('test mail sent', callerFacts(request));
      model.events.emit({ about: 'mail', what: 'testSent' });
      return { success: true, ...receipt };
    },

    async 'POST /admin/testSetting'({ body: { key, value } }) {
      await tests[key](configuration.complete(key, value), configuration);
      return { success: true };
    },
  } satisfies Partial<Handlers>;
};
