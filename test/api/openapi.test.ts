import { expect } from 'chai';
import { useTestApp } from '../support/app';

describe('the description of the API', () => {
  const app = useTestApp();

  it('says in words what each call does and for whom, under a name of its own', async () => {
    const { body } = await app.agent.get('/api/openapi.json');
    const paths: Record<string, string>[][] = Object.values<object>(body.paths).map(Object.values);
    const operations = paths.flat();
    for (const { summary, description } of operations) {
      expect(summary).to.match(/^.{5,}[.?]$/);
      expect(description).to.match(/^For: ./);
    }
    const names = operations.map(({ operationId }) => operationId);
    expect(new Set(names).size).to.equal(names.length);
    expect(names).to.include.members(['getGroup', 'getGroupById', 'postPadByIdTicket']);
  });

  it('says that each body may contain the token, and when to try again', async () => {
    const { paths, components } = (await app.agent.get('/api/openapi.json')).body;
    const operations = Object.values<object>(paths).flatMap((path) => Object.values(path));
    const bodies = operations.flatMap(({ requestBody, operationId }) => {
      const name = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Body`;
      // Forms come from services to sign in; an import is a file.
      if (!requestBody?.content['application/json']) return [];
      expect(requestBody.content['application/json'].schema).to.deep.equal({
        $ref: `#/components/schemas/${name}`,
      });
      return components.schemas[name];
    });
    expect(bodies).to.have.length.above(15);
    for (const { properties } of bodies) expect(properties.auth_token).to.include({ type: 'string' });
    for (const { responses } of operations) expect(responses[503].headers).to.have.keys('Retry-After');
    expect(paths['/auth/login'].post.responses[429].headers).to.have.keys('Retry-After');
  });

  it('says what must be sent, by whom, and which calls exist only for older programs', async () => {
    const { body, text } = await app.agent.get('/api/openapi.json');
    const at = (call: string) => {
      const [method = '', path = ''] = call.split(' ');
      return body.paths[path][method];
    };
    expect(at('post /auth/login').requestBody.required).to.equal(true);
    expect(at('delete /user/{login}').requestBody.required).to.equal(false);
    expect(at('post /auth/login').security).to.deep.include({});
    for (const call of ['get /group', 'get /all-users', 'put /user/{login}', 'post /auth/logout']) {
      expect(at(call).security, call).to.deep.equal([{ token: [] }, { auth_token: [] }]);
    }
    for (const call of ['get /auth/logout', 'post /configuration']) {
      expect(at(call).deprecated, call).to.equal(true);
    }
    expect(at('post /auth/logout')).not.to.have.property('deprecated');
    for (const { name, description } of body.tags) expect(description, name).to.match(/^.{10,}[.?]$/);
    expect(text).not.to.include('"number"');
  });

  it('names the errors of each call with their statuses', async () => {
    const { paths } = (await app.agent.get('/api/openapi.json')).body;
    const keysOf = (call: { responses: Record<string, object> }, status: number): string[] =>
      JSON.parse(JSON.stringify(call.responses[status])).content['application/json'].schema.allOf[1]
        .properties.error.enum;
    expect(keysOf(paths['/group'].get, 401)).to.deep.equal(['BACKEND.ERROR.AUTHENTICATION.NOT_AUTH']);
    expect(keysOf(paths['/all-users'].get, 401)).to.deep.equal(['BACKEND.ERROR.AUTHENTICATION.ADMIN']);
    expect(keysOf(paths['/user'].post, 400)).to.include.members([
      'BACKEND.ERROR.USER.ALREADY_EXISTS',
      'BACKEND.ERROR.TYPE.PASSWORD_SIZE',
      'USER.ERR.PASSWORD_MISMATCH',
    ]);
    // Guests may make it; API tokens may be refused.
    expect(paths['/cache/check'].get.responses).not.to.have.any.keys('401', '404');
    expect(keysOf(paths['/cache/check'].get, 403)).to.deep.equal([
      'BACKEND.ERROR.API_TOKEN.SCOPE',
      'BACKEND.ERROR.API_TOKEN.ADDRESS',
    ]);
  });

  it('says for each setting which values are valid', async () => {
    const { components } = (await app.agent.get('/api/openapi.json')).body;
    const { properties } = components.schemas.ServerSettings;
    const { description, ...passwordMin } = properties.passwordMin;
    expect(passwordMin).to.deep.equal({ type: 'integer', minimum: 1, maximum: 1_000 });
    expect(description).to.match(/^Minimum length/);
    expect(properties.checkMails).to.include({ type: 'boolean' });
    expect(properties.checkMails.description, 'a page of docs/ is named, not linked').to.match(
      /See `docs\/mail\.md`\.$/,
    );
    const { oneOf } = components.schemas.PostConfigurationBody;
    const sent = oneOf.find(({ title }: { title: string }) => title === 'tokenDuration');
    expect(sent.description).to.match(/^Minutes for which/);
    expect(sent.properties.value.description).to.equal('whole number from 1 to 10080');
    const titles = oneOf.map(({ title }: { title: string }) => title);
    expect(titles).to.include.members(['title', 'SMTPPass']).and.not.to.include('languages');
  });

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
      'post /auth/login/cas',
      'get /auth/logout',
      'post /auth/check',
      'post /auth/admin/login',
      'get /auth/admin/logout',
      'post /user',
      'put /user/{login}',
      'delete /user/{login}',
      'get /user/{login}',
      'get /all-users',
      'get /search-users/{text}',
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
      'delete /pad/chathistory/{id}',
      'get /userlist',
      'post /userlist',
      'put /userlist/{key}',
      'delete /userlist/{key}',
      'post /passrecover',
      'get /passrecover/{token}',
      'put /passrecover/{token}',
      'post /accountconfirm',
      'get /cache/check',
      'get /l10n/{file}',
    ]);
    const login = body.components.schemas.PostAuthLoginBody;
    expect(login.required).to.have.members(['login', 'password']);
    expect(login.additionalProperties).to.equal(false);
    expect(login.properties.login).to.deep.include({ type: 'string', maxLength: 300 });
  });
});
