import { expect } from 'chai';
import { startApp, type TestApp } from '../support/app';

describe('the description of the API', () => {
  let app: TestApp;
  before(async () => {
    app = await startApp();
  });
  after(() => app.close());

  it('lists the calls of the specification with what they take', async () => {
    const { status, body } = await app.agent.get('/api/openapi.json');
    expect(status).to.equal(200);
    expect(body.openapi).to.equal('3.1.0');
    const calls = Object.entries<object>(body.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    expect(calls).to.include.members([
      'get /configuration',
      'put /configuration/{key}',
      'post /auth/login',
      'get /auth/logout',
      'post /auth/check',
      'post /auth/admin/login',
      'get /auth/admin/logout',
      'post /user',
      'put /user/{login}',
      'delete /user/{login}',
      'get /user/{login}',
      'post /usermark',
      'get /group',
      'get /group/{id}',
      'post /group',
      'put /group/{id}',
      'delete /group/{id}',
      'post /group/resign',
      'post /group/invite',
      'get /pad/{id}',
      'post /pad',
      'put /pad/{id}',
      'delete /pad/{id}',
      'get /cache/check',
    ]);
    const login = body.paths['/auth/login'].post.requestBody.content['application/json'].schema;
    expect(login.required).to.have.members(['login', 'password']);
    expect(login.additionalProperties).to.equal(false);
    expect(login.properties.login).to.deep.include({ type: 'string', maxLength: 300 });
  });
});
