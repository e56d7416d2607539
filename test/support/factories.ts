/** Creates people, groups and pads over HTTP, as a person would. */
import type { Group, OwnUser, Pad } from '../../api/answers';
import type { TokenFields } from '../../api/token/schema';
import type { TestApp } from './app';

let counter = 0;
const next = (): number => {
  counter += 1;
  return counter;
};

export interface TestUser {
  id: string;
  login: string;
  email: string;
  password: string;
  /** The token of a valid session. */
  token: string;
  /** Value of the cookie that opens pads. */
  entryToken: string;
  value: OwnUser;
}

function fail(what: string, answer: { status: number; text: string }): never {
  throw new Error(`${what}: ${answer.status} ${answer.text}`);
}

/** The entry cookie's value in an answer. */
export function entryTokenOf(answer: { headers: Record<string, unknown> }): string {
  const cookies = answer.headers['set-cookie'];
  const list: unknown[] = Array.isArray(cookies) ? cookies : [cookies];
  return (
    /^mypads_entry=([^;]*)/.exec(
      list.map(String).find((one) => one.startsWith('mypads_entry=')) ?? '',
    )?.[1] ?? ''
  );
}

/** Signs in once more; every call makes one more session. */
export async function signIn(
  app: TestApp,
  login: string,
  password: string,
): Promise<{ token: string; entryToken: string }> {
  const answer = await app.agent.post('/api/auth/login').send({ login, password });
  if (answer.status !== 200) fail('sign-in', answer);
  return { token: answer.body.token, entryToken: entryTokenOf(answer) };
}

/** A registered person who is signed in. */
export async function buildUser(app: TestApp, fields: Record<string, unknown> = {}): Promise<TestUser> {
  const login = `person${next()}`;
  const body = { login, password: `secret of ${login}`, email: `${login}@example.org`, ...fields };
  const answer = await app.agent.post('/api/user').send(body);
  if (answer.status !== 200) fail('registration', answer);
  const value: OwnUser = answer.body.value;
  const session = await signIn(app, body.login, body.password);
  return { id: value._id, login: body.login, email: body.email, password: body.password, ...session, value };
}

/** The token of a server administrator's session. */
export async function signInAsAdmin(app: TestApp): Promise<string> {
  const answer = await app.agent.post('/api/auth/admin/login').send({ login: 'root', password: 'rootroot' });
  if (answer.status !== 200) fail('administrator', answer);
  return answer.body.token;
}

/** A group that `owner` administers. */
export async function buildGroup(
  app: TestApp,
  owner: TestUser,
  fields: Record<string, unknown> = {},
): Promise<Group> {
  const answer = await app.agent
    .post('/api/group')
    .set('Authorization', `Bearer ${owner.token}`)
    .send({ name: `Group ${next()}`, ...fields });
  if (answer.status !== 200) fail('group', answer);
  return answer.body.value;
}

/** A pad of a group; `maker` has the right to create it. */
export async function buildPad(
  app: TestApp,
  maker: TestUser,
  group: Pick<Group, '_id'>,
  fields: Record<string, unknown> = {},
): Promise<Pad> {
  const answer = await app.agent
    .post('/api/pad')
    .set('Authorization', `Bearer ${maker.token}`)
    .send({ name: `Pad ${next()}`, group: group._id, ...fields });
  if (answer.status !== 200) fail('pad', answer);
  return answer.body.value;
}

/** An API token of this person with the given scopes, or of the server administrator `root`. Returns its text. */
export async function buildApiToken(
  app: TestApp,
  owner: Pick<TestUser, 'login' | 'token'> | 'root',
  fields: Partial<TokenFields> = {},
): Promise<string> {
  const path = owner === 'root' ? 'admin/tokens' : `user/${owner.login}/tokens`;
  const session = owner === 'root' ? await signInAsAdmin(app) : owner.token;
  const answer = await app.agent
    .post(`/api/${path}`)
    .set('Authorization', `Bearer ${session}`)
    .send({ name: 'Program', scopes: ['read', 'write', 'people'], ...fields });
  if (answer.status !== 200) fail('API token', answer);
  return answer.body.token;
}
