/** Tests the stored mail settings, and settings of a sign-in service before they are stored. */
import type { Request } from 'express';
import type { Configuration } from '../../model/settings/configuration';
import { testCas } from '../../model/signin/cas';
import { testHeader } from '../../model/signin/header';
import { testBind } from '../../model/signin/ldap';
import { testOidc } from '../../model/signin/oidc';
import type { Handlers } from '../calls';
import { callerFacts, ownerOf } from '../middleware/caller';
import type { Services } from '../services';
import type { testableSettings } from './schema';

/** Resolves to what the service says, for administrators. */
type Test = (value: unknown, configuration: Configuration, request: Request) => Promise<string[] | undefined>;

const nothing = () => undefined;

const tests: Record<(typeof testableSettings)[number], Test> = {
  authLdapSettings: (value) => testBind(value).then(nothing),
  authOidcSettings: (value, configuration) => testOidc(value, configuration.get('rootUrl')),
  authCasSettings: (value, configuration) => testCas(value, configuration.get('rootUrl')).then(nothing),
  authHeaderSettings: async (value, _configuration, request) => testHeader(value, request),
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

    async 'POST /admin/testSetting'({ body: { key, value } }, request) {
      const found = await tests[key](configuration.complete(key, value), configuration, request);
      return { success: true, ...(found && { found }) };
    },
  } satisfies Partial<Handlers>;
};
