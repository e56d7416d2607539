import { expect } from 'chai';
import { startApp } from '../support/app';
import { openOidcBrowser } from '../support/oidcBrowser';
import { oidcError, oidcRoot, useOidc } from '../support/oidcSignIn';

describe('the limit of sign-ins with OpenID Connect', () => {
  const oidc = useOidc();

  it('counts those of this browser that fail', async () => {
    const strict = await startApp({ limitFactor: 0.005 });
    try {
      for (const key of ['rootUrl', 'authOidcSettings', 'authMethods'] as const)
        await strict.model.configuration.set(key, oidc.app.model.configuration.get(key));
      const fails = async (): Promise<unknown[]> => {
        const browser = openOidcBrowser(strict, oidcRoot);
        const answer = await browser.visitUntilAnswer('/api/auth/oidc/school/start');
        answer.searchParams.set('code', 'made up');
        const own = answer.pathname.replace(/^.*\/mypads(?=\/)/, '') + answer.search;
        const { status, body } = await browser.redeem(new URL((await browser.open(own)).location));
        return [status, body.error];
      };
      expect(await fails()).to.deep.equal([400, oidcError('AUTHENTICATION.OIDC_FAILED')]);
      expect(await fails()).to.deep.equal([429, oidcError('PERMISSION.TOO_MANY')]);
    } finally {
      await strict.close();
    }
  });
});
