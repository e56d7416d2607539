/** Signing in through a real nginx with the lines of docs/proxy-sign-in.md. A small program stands in for Authelia. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { type ListeningApp, startListeningApp } from '../support/app';
import { examples } from '../support/docExamples';
import { type RunningProxy, startNginxWith } from '../support/nginx';

/** Whom Authelia knows, by the cookie. */
const authelia = createServer(({ url, headers }, response) => {
  const name = /\bauthelia_session=(\w+)/.exec(headers.cookie ?? '')?.[1];
  if (url !== '/api/authz/auth-request') response.statusCode = 404;
  else if (name === undefined) response.writeHead(401, { Location: 'https://auth.example.org/' });
  else response.setHeaders(new Headers({ 'Remote-User': name, 'Remote-Email': `${name}@example.org` }));
  response.end();
});

describe('sign-in by a proxy', () => {
  let etherpad: ListeningApp;
  let nginx: RunningProxy;
  before(async () => {
    authelia.listen(0, '127.0.0.1');
    await once(authelia, 'listening');
    etherpad = await startListeningApp();
    const { configuration } = etherpad.app.model;
    await configuration.set('authHeaderSettings', { name: 'Authelia', proxies: ['127.0.0.1'] });
    await configuration.set('authMethod', 'header');
    const [ask = '', headers = ''] = examples('proxy-sign-in.md', 'nginx');
    const program = `127.0.0.1:${(authelia.address() as AddressInfo).port}`;
    nginx = await startNginxWith(
      (port) => `server {
        listen 127.0.0.1:${port};
        ${ask.replace('127.0.0.1:9091', program)}
        location / {
          proxy_pass ${etherpad.url};
          ${headers}
        }
      }`,
    );
  });
  after(async () => {
    await nginx.stop();
    await etherpad.close();
    authelia.close();
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
      Cookie: 'authelia_session=ada',
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
