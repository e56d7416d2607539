/** Signing in through a real nginx with the lines of docs/proxy-sign-in.md. */
import { expect } from 'chai';
import { type ListeningApp, startListeningApp } from '../support/app';
import { autheliaCookie, type ProxyWithSignIn, startProxyWithSignIn } from '../support/authelia';

describe('sign-in by a proxy', () => {
  let etherpad: ListeningApp;
  let nginx: ProxyWithSignIn;
  before(async () => {
    etherpad = await startListeningApp();
    const { configuration } = etherpad.app.model;
    await configuration.set('authHeaderSettings', { name: 'Authelia', proxies: ['127.0.0.1'] });
    await configuration.set('authMethod', 'header');
    nginx = await startProxyWithSignIn(etherpad.url);
  });
  after(async () => {
    await nginx.stop();
    await etherpad.close();
  });

  const signIn = (headers: Record<string, string>) =>
    fetch(`${nginx.url}/mypads/api/auth/login/header`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: '{}',
      redirect: 'manual',
    });

  it('signs in whom the proxy knows, whatever the caller says', async () => {
    const answer = await signIn({
      Cookie: `${autheliaCookie}=ada`,
      'Remote-User': 'admin',
      'Remote-Name': 'Boss',
    });
    expect(answer.status).to.equal(200);
    expect((await answer.json()).user).to.include({ login: 'ada', email: 'ada@example.org', firstname: '' });
  });

  it('lets nobody else reach the server', async () => {
    const answer = await signIn({ 'Remote-User': 'admin' });
    expect([answer.status, answer.headers.get('location')]).to.deep.equal([302, 'https://auth.example.org/']);
    expect(await etherpad.app.model.users.findByLogin('admin')).to.equal(undefined);
  });
});
