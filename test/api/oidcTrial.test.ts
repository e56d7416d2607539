/** An administrator tries a provider of OpenID Connect before people use it. */
import { expect } from 'chai';
import { buildUser, signInAsAdmin } from '../support/factories';
import type { OidcPersonOfTest } from '../support/oidcServer';
import { ada, oidcError, oidcRoot, useOidc } from '../support/oidcSignIn';

describe('trying to sign in with OpenID Connect', () => {
  const oidc = useOidc();
  /** What the administrator sees in the end. */
  async function tryAs(person: OidcPersonOfTest | undefined = ada) {
    oidc.server.present(person);
    const browser = oidc.browser();
    const { begun, answer } = await browser.tryAs(await signInAsAdmin(oidc.app));
    expect(begun.status, begun.text).to.equal(200);
    const { pathname, search } = await answer();
    const path = pathname.replace('/etherpad/mypads', '') + search;
    return { browser, path, seen: await browser.open(path) };
  }

  it('shows the claims and what would happen, and changes nothing, also before it is offered', async () => {
    await oidc.set('authMethods', []);
    const { seen, browser, path } = await tryAs();
    expect(seen.body).to.deep.include({
      provider: 'school',
      outcome: 'new',
      person: { login: 'ada', email: 'ada@example.org', firstname: 'Ada', lastname: 'Lovelace' },
    });
    expect(seen.body.claims).to.deep.include({ sub: 'a-1', groups: ['staff', 'maths'] });
    expect(await oidc.app.model.users.findByLogin('ada')).to.equal(undefined);
    expect((await browser.open(path)).location, 'a second time').to.match(/\/login&oidc=/);
    expect(String(seen.response.headers['set-cookie'])).not.to.include('mypads_entry');
  });

  it('says which account would open, or why none would', async () => {
    const outcomeOf = async (person?: OidcPersonOfTest) => {
      const { outcome, account, reason } = (await tryAs(person)).seen.body;
      return [outcome, account ?? reason];
    };
    await buildUser(oidc.app, { login: 'lovelace', email: 'ada@example.org' });
    expect(await outcomeOf()).to.deep.equal(['refused', oidcError('USER.EMAIL_ALREADY_EXISTS')]);
    await oidc.configure({ linkDomains: ['example.org'] });
    expect(await outcomeOf()).to.deep.equal(['linked', 'lovelace']);
    await oidc.signIn();
    expect(await outcomeOf()).to.deep.equal(['known', 'lovelace']);
    const eve = { ...ada, sub: 'e-1', email: 'eve@example.org' };
    expect(await outcomeOf({ ...eve, preferred_username: 'lovelace' })).to.deep.equal([
      'refused',
      oidcError('USER.ALREADY_EXISTS'),
    ]);
    expect(await outcomeOf({ ...eve, email_verified: false })).to.deep.equal([
      'refused',
      oidcError('AUTHENTICATION.LDAP_NO_VALID_MAIL'),
    ]);
    // An address that nobody has confirmed is theirs.
    const waiting = { login: 'waiting', email: eve.email, password: 'long enough', active: false };
    await oidc.app.model.users.register({ ...waiting, unconfirmedUntil: Date.now() + 3600_000 });
    expect(await outcomeOf({ ...eve, preferred_username: 'eve' })).to.deep.equal(['new', undefined]);
    await oidc.configure({ allow: { claim: 'groups', values: ['board'] } });
    expect(await outcomeOf()).to.deep.equal(['refused', oidcError('AUTHENTICATION.OIDC_DENIED')]);
  });

  it('is for administrators, and for the browser that began it', async () => {
    const user = await buildUser(oidc.app);
    expect((await oidc.browser().tryAs(user.token)).begun.status).to.equal(401);
    oidc.server.present(ada);
    const { answer } = await oidc.browser().tryAs(await signInAsAdmin(oidc.app));
    const { pathname, search } = await answer();
    const elsewhere = await oidc.browser().open(pathname.replace('/etherpad/mypads', '') + search);
    expect([elsewhere.status, elsewhere.body]).to.deep.equal([303, {}]);
    expect(elsewhere.location).to.include(`${oidcRoot}/mypads/?/login`);
  });
});
