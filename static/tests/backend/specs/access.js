/**
 * For Etherpad's own test runner, which runs the specs of installed plugins: the plugin is loaded and protects pads.
 * All other tests are in the repository; see docs/architecture.md.
 */

const assert = require('node:assert').strict;
const common = require('ep_etherpad-lite/tests/backend/common');

describe('ep_mypads', function () {
  this.timeout(60_000);
  let agent;

  const person = {
    login: `spec${Date.now().toString(36)}`,
    password: 'a password for the specs',
    email: `spec${Date.now().toString(36)}@example.org`,
  };

  /** Calls the API. Returns the body of the answer, which has to be 200. */
  const call = async (method, path, body, token) => {
    const request = agent[method](`/mypads/api/${path}`);
    if (token) request.set('Authorization', `Bearer ${token}`);
    const answer = await request.send(body);
    assert.equal(answer.status, 200, `${method} ${path}: ${answer.text}`);
    return answer.body;
  };

  before(async () => {
    agent = await common.init();
  });

  it('answers', async () => {
    const answer = await agent.get('/mypads/api/cache/check');
    assert.equal(answer.status, 200);
  });

  it('leaves pads open that are not in a folder', async () => {
    await agent.get(`/p/${person.login}`).expect(200);
  });

  it('protects the pads of a folder', async () => {
    await call('post', 'user', person);
    const { token } = await call('post', 'auth/login', { login: person.login, password: person.password });
    const folder = await call('post', 'group', { name: 'Specs', visibility: 'restricted' }, token);
    const pad = await call('post', 'pad', { name: 'Secret', group: folder.key }, token);
    for (const path of ['', '/export/txt', '/timeslider?embed=1']) {
      const answer = await agent.get(`/p/${pad.key}${path}`);
      assert.notEqual(answer.status, 200, `/p/${pad.key}${path} is open`);
    }
    await call('delete', `user/${person.login}`, { currentPassword: person.password }, token);
  });
});
