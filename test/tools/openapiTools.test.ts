/** What tools for OpenAPI make of the description: a linter, and a generator of typed clients. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect } from 'chai';
import { type ListeningApp, startListeningApp, temporaryFolder } from '../support/app';
import { buildUser } from '../support/factories';

const root = resolve(__dirname, '..', '..');
const program = (name: string): string => join(root, 'node_modules', '.bin', name);

/**
 * Redocly's rule compares paths without their methods, so it names `GET /pad/ispublic/{id}` of 1.x and
 * `POST /pad/{id}/ticket`, though no request fits both. `ambiguous` compares them with their methods.
 * `operation-2xx-response` is left out for calls that browsers open: they answer 303 and nothing else (`leads`).
 */
const rules = { 'no-ambiguous-paths': 'off' } as const;

/** Whether the operation at this place of the description answers with a redirect only. */
function leads(source: string, pointer: string | undefined): boolean {
  const [path = '', method = ''] = (pointer ?? '').split('/').slice(2, 4);
  const name = path.replaceAll('~1', '/').replaceAll('~0', '~');
  return '303' in (JSON.parse(source).paths[name]?.[method]?.responses ?? {});
}

/**
 * Classes that generators of clients define themselves (OpenAPI Generator for Python, Java and TypeScript,
 * openapi-python-client), and words of these languages. In lower case.
 */
const reserved = new Set(
  [
    'ApiClient ApiError ApiException ApiKeyError ApiResponse ApiTypeError ApiValueError AuthenticatedClient BaseApi Client',
    'Configuration HttpError OpenApiException Pair RestClientObject RestResponse ServerConfiguration',
    'BadRequestException ForbiddenException NotFoundException ServiceException UnauthorizedException',
    'None True False Literal Optional Union Type Enum Self',
    'Any Boolean Date Dict Error Exception File Float Integer List Map Number Object Record Request Response Set String',
  ]
    .join(' ')
    .toLowerCase()
    .split(' '),
);

/** Pairs of calls that one request fits. A path with fewer variables goes first, so it does not count. */
function ambiguous(paths: Record<string, object>): string[] {
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ method, path, parts: path.split('/') })),
  );
  const isVariable = (part: string | undefined): boolean => part?.startsWith('{') ?? false;
  const variables = (parts: string[]): number => parts.filter(isVariable).length;
  return calls.flatMap((one, index) =>
    calls
      .slice(index + 1)
      .filter(
        ({ method, parts }) =>
          method === one.method &&
          parts.length === one.parts.length &&
          variables(parts) === variables(one.parts) &&
          parts.every((part, at) => part === one.parts[at] || isVariable(part) || isVariable(one.parts[at])),
      )
      .map(({ method, path }) => `${method} ${one.path} ${path}`),
  );
}

async function problemsOf(source: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'], rules });
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
  return problems
    .filter(
      ({ ruleId, location }) => ruleId !== 'operation-2xx-response' || !leads(source, location[0]?.pointer),
    )
    .map(({ severity, message, location }) => `${severity} ${location[0]?.pointer} ${message}`);
}

/** The compiler's or the generator's complaints, '' when there are none. */
function run(name: string, args: string[]): string {
  try {
    execFileSync(program(name), args, { cwd: root, encoding: 'utf8', stdio: 'pipe' });
    return '';
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    return `${stdout}${stderr}`;
  }
}

describe('tools for OpenAPI', () => {
  const folder = temporaryFolder();
  let text: string;
  let host: ListeningApp;
  before(async () => {
    host = await startListeningApp();
    text = await (await fetch(`${host.url}/mypads/api/openapi.json`)).text();
  });
  after(async () => {
    await host.close();
    folder.remove();
  });

  it('find nothing to criticise by the recommended rules of redocly', async () => {
    expect(await problemsOf(text)).to.deep.equal([]);
  });

  it('find the call of each request', () => {
    const { paths } = JSON.parse(text);
    // Ids of our pads end with twelve random characters, so none of them is `ispublic`, `links` or `access`.
    const known = ['get /pad/ispublic/{id} /pad/{id}/links', 'get /pad/ispublic/{id} /pad/{id}/access'];
    expect(ambiguous(paths)).to.deep.equal(known);
    const { get } = paths['/pad/ispublic/{id}'];
    expect(ambiguous({ ...paths, '/pad/{id}/public': { get } })).to.deep.equal([
      ...known,
      'get /pad/ispublic/{id} /pad/{id}/public',
    ]);
  });

  it('get names that are no classes of their own', () => {
    const names = Object.keys(JSON.parse(text).components.schemas);
    expect(names).to.include.members(['ServerSettings', 'PostAuthLoginBody', 'Failure']);
    for (const name of names) expect(name).to.match(/^([A-Z][a-z0-9]+)+$/);
    const lower = names.map((name) => name.toLowerCase());
    expect(new Set(lower).size, 'also where letter case does not count').to.equal(names.length);
    expect(lower.filter((name) => reserved.has(name))).to.deep.equal([]);
  });

  it('find what is wrong in a damaged description', async () => {
    const { security: _, ...login } = JSON.parse(text).paths['/auth/login'].post;
    const broken = { ...JSON.parse(text), paths: { '/auth/login': { post: login } } };
    expect(await problemsOf(JSON.stringify(broken))).not.to.deep.equal([]);
  });

  it('resolve the address of the server, also below a path of a proxy', () => {
    const [server] = JSON.parse(text).servers;
    for (const place of [host.url, 'https://example.org', 'https://example.org/some/pads']) {
      const { href } = new URL(server.url, `${place}/mypads/api/openapi.json`);
      expect(href).to.equal(`${place}/mypads/api`);
    }
  });

  it('make a typed client that walks through a whole session', async () => {
    const description = join(folder.path, 'openapi.json');
    writeFileSync(description, text);
    expect(run('oazapfts', [description, 'test/tools/client/generated.ts'])).to.equal('');
    expect(run('tsc', ['-p', 'test/tools/client'])).to.equal('');
    const session = './client/session.ts';
    const { walk } = await import(session);
    const other = await buildUser(host.app);
    const base = new URL(JSON.parse(text).servers[0].url, `${host.url}/mypads/api/openapi.json`).href;
    const seen = await walk(base, other.login, { login: 'root', password: 'rootroot' });
    expect(seen).to.deep.equal([
      'BACKEND.ERROR.AUTHENTICATION.NOT_AUTH',
      'BACKEND.ERROR.TYPE.MAIL BACKEND.ERROR.USER.ALREADY_EXISTS ada true',
      'name true read 1',
      `${other.login} and not nobody`,
      '1 BACKEND.ERROR.API_TOKEN.SCOPE write',
      'BACKEND.ERROR.AUTHENTICATION.NOT_AUTH',
      'BACKEND.ERROR.TYPE.PARAM_INVALID 7 false 2',
    ]);
  });

  it('mark everything as read-only that cannot be written', () => {
    const { paths, components } = JSON.parse(text);
    const bodyOf = (path: string, method: string) => {
      const { $ref } = paths[path][method].requestBody.content['application/json'].schema;
      return Object.keys(components.schemas[$ref.replace('#/components/schemas/', '')].properties);
    };
    expect(bodyOf('/user/{login}', 'put')).not.to.include.members(['login']);
    expect(bodyOf('/user/{login}', 'put')).not.to.include.members(['groups']);
    for (const name of ['_id', 'pads', 'ctime', 'abilities', 'hasPassword', 'admin']) {
      expect(bodyOf('/group/{id}', 'put'), name).not.to.include(name);
      expect(bodyOf('/pad/{id}', 'put'), name).not.to.include(name);
    }
    expect(bodyOf('/group', 'post')).not.to.include('_id');
  });
});
