import { expect } from 'chai';
import { useTestApp } from '../support/app';
import { checkEach } from '../support/cases';

interface Answer {
  $ref?: string;
  anyOf?: Answer[];
  properties?: Record<string, Answer>;
}

/** The calls of ep_mypads 1.x, and the fields of their answers. */
const earlierCalls: Record<string, string> = {
  'get /configuration': 'value auth user',
  'put /configuration/{key}': 'success key value',
  'get /configuration/{key}': 'key value',
  'post /configuration': 'success key value',
  'delete /configuration/{key}': 'success key',
  'get /configuration/public/usefirstlastname': 'success usefirstlastname',
  'get /configuration/public/allpadspublicsauthentifiedonly': 'success allpadspublicsauthentifiedonly',
  'post /auth/login': 'success token user',
  'post /auth/login/cas': 'success token user',
  'post /auth/check': 'success',
  'get /auth/logout': 'success',
  'post /auth/admin/login': 'success token',
  'get /auth/admin/logout': 'success',
  'post /user': 'success key value',
  'get /user/{login}': 'key value',
  'put /user/{login}': 'success key value',
  'delete /user/{login}': 'success key',
  'get /all-users': 'users usersCount',
  'get /search-users/{text}': 'users usersCount',
  'post /usermark': 'success',
  'get /group': 'value',
  'get /group/{id}': 'key value pads users',
  'post /group': 'success key value',
  'put /group/{id}': 'success key value',
  'delete /group/{id}': 'success key',
  'post /group/invite': 'success value users present absent',
  'post /group/resign': 'success value',
  'get /pad/{id}': 'key value',
  'post /pad': 'success key value',
  'put /pad/{id}': 'success key value',
  'delete /pad/{id}': 'success key',
  'delete /pad/chathistory/{id}': 'success key',
  'get /pad/ispublic/{id}': 'success key ispublic',
  'get /userlist': 'value present absent',
  'post /userlist': 'success key value present absent',
  'put /userlist/{key}': 'success key value present absent',
  'delete /userlist/{key}': 'success',
  'post /passrecover': 'success',
  'get /passrecover/{token}': 'success',
  'put /passrecover/{token}': 'success',
  'post /accountconfirm': 'success',
  'get /cache/check': 'userCacheReady',
};

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
    for (const { properties, additionalProperties, oneOf } of bodies) {
      expect(properties.auth_token).to.include({ type: 'string' });
      if (!oneOf) expect(additionalProperties, 'other fields are refused').to.equal(false);
    }
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
    // Only of fields that it has.
    expect(keysOf(paths['/group/{id}'].get, 400)).not.to.include('BACKEND.ERROR.TYPE.PARAM_STR');
    expect(keysOf(paths['/userlist'].post, 400)).not.to.include('BACKEND.ERROR.USER.USERLIST_NOT_FOUND');
    // Their emails are sent later.
    for (const call of ['/passrecover', '/invitations/{id}/resend'])
      expect(keysOf(paths[call].post, 400)).not.to.include('BACKEND.ERROR.TYPE.TO_MAIL');
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

  it('has only patterns that the tools of most languages read', async () => {
    const { text } = await app.agent.get('/api/openapi.json');
    const patterns = [...text.matchAll(/"pattern":("[^"]*")/g)].map(([, one = '']): string =>
      JSON.parse(one),
    );
    expect(patterns.length).to.be.greaterThan(0);
    expect(patterns.filter((one) => /\\p|\(\?<|[^\x20-\x7e]/.test(one))).to.deep.equal([]);
  });

  it('has the calls of ep_mypads 1.x, which answer with the same fields', async () => {
    const { paths, components } = (await app.agent.get('/api/openapi.json')).body;
    const fieldsOf = ({ $ref, anyOf, properties }: Answer): string[] => {
      if ($ref) return fieldsOf(components.schemas[$ref.replace('#/components/schemas/', '')]);
      return anyOf?.flatMap(fieldsOf) ?? Object.keys(properties ?? {});
    };
    await checkEach(earlierCalls, (fields, call) => {
      const [method = '', path = ''] = call.split(' ');
      const { schema } = paths[path][method].responses[200].content['application/json'];
      expect(fieldsOf(schema)).to.include.members(fields.split(' '));
    });
  });

  it('says what a call takes, and that it takes nothing else', async () => {
    const { body } = await app.agent.get('/api/openapi.json');
    expect(body.openapi).to.equal('3.1.0');
    const login = body.components.schemas.PostAuthLoginBody;
    expect(login.required).to.have.members(['login', 'password']);
    expect(login.properties.login).to.deep.include({ type: 'string', maxLength: 300 });
  });
});
