/** People, groups and pads on a real host, made over HTTP as programs make them. */
import type { Answer, RunningEtherpad } from './etherpad';
import { until } from './waiting';

export interface Credentials {
  /** For the API. */
  token?: string;
  /** `Cookie` header with the cookie that opens pads. */
  cookie?: string;
}

export interface Person extends Credentials {
  login: string;
  id: string;
  token: string;
  cookie: string;
}

interface Made {
  key: string;
}

export const password = 'correct horse battery';

/** The `Cookie` header that a browser would send after this answer; `undefined` when it sets no entry cookie. */
export function entryCookieOf(answer: Answer): string | undefined {
  const cookie = answer.headers.getSetCookie().find((one) => /^mypads_entry=[^;]/.test(one));
  return cookie?.split(';')[0];
}

function expectSuccess(answer: Answer, what: string): void {
  if (answer.status !== 200) throw new Error(`${what}: ${answer.status} ${JSON.stringify(answer.body)}`);
}

/** The token of a new session of the server administrator. */
export async function signInAsAdmin({ admin, api }: RunningEtherpad): Promise<string> {
  const answer = await api('POST', 'auth/admin/login', {
    body: { login: admin.name, password: admin.password },
  });
  expectSuccess(answer, 'signing the administrator in');
  return (answer.body as { token: string }).token;
}

/** At the first start with an old database, nobody can sign in before this resolves. */
export async function untilAccountsAreIndexed({ api }: RunningEtherpad): Promise<void> {
  await until('the accounts are indexed', async () => {
    const { body } = await api('GET', 'cache/check');
    return (body as { userCacheReady?: boolean }).userCacheReady === true;
  });
}

/** How many people were made in this process. It makes their logins different, also in fixtures of one Etherpad. */
let people = 0;

export function createFixture(etherpad: RunningEtherpad) {
  const { api } = etherpad;

  async function signIn(login: string): Promise<{ token: string; cookie: string; id: string }> {
    const answer = await api('POST', 'auth/login', { body: { login, password } });
    expectSuccess(answer, `signing ${login} in`);
    const { token, user } = answer.body as { token: string; user: { _id: string } };
    return { token, id: user._id, cookie: entryCookieOf(answer) ?? '' };
  }

  return {
    signIn,
    async person(name: string): Promise<Person> {
      let login = '';
      let answer = {} as Answer;
      let token: string | undefined;
      // Several processes refuse to write while Redis takes longer than a second to answer a busy machine.
      await until(`${name} is registered`, async () => {
        people += 1;
        login = `${name}${people}`;
        const body = { login, password, email: `${login}@example.org`, firstname: name, lastname: 'Test' };
        answer = await api('POST', 'user', { token, body });
        // An address may register a hundred people an hour; administrators may add any number.
        if (answer.status === 429) token = await signInAsAdmin(etherpad);
        return answer.status !== 503 && answer.status !== 429;
      });
      expectSuccess(answer, `registering ${login}`);
      return { login, ...(await signIn(login)) };
    },
    /** Returns its id. */
    async group(owner: Person, fields: Record<string, unknown> = {}): Promise<string> {
      const body = { name: 'A group', visibility: 'restricted', ...fields };
      const answer = await api('POST', 'group', { token: owner.token, body });
      expectSuccess(answer, 'making a group');
      return (answer.body as Made).key;
    },
    /** Returns its id. */
    async pad(owner: Person, group: string, fields: Record<string, unknown> = {}): Promise<string> {
      const answer = await api('POST', 'pad', {
        token: owner.token,
        body: { name: 'A pad', group, ...fields },
      });
      expectSuccess(answer, 'making a pad');
      return (answer.body as Made).key;
    },
    async invite(owner: Person, gid: string, loginsOrEmails: string[], invite = true): Promise<void> {
      const body = { gid, invite, loginsOrEmails };
      expectSuccess(await api('POST', 'group/invite', { token: owner.token, body }), 'inviting');
    },
    async change(owner: Person, path: string, body: Record<string, unknown>): Promise<void> {
      expectSuccess(await api('PUT', path, { token: owner.token, body }), `changing ${path}`);
    },
    /** Enters a password with these credentials. A guest without credentials gets some at the first password. */
    async unlock(path: string, secret: string, who: Credentials = {}): Promise<Credentials> {
      const answer = await api('POST', `${path}/unlock`, { token: who.token, body: { password: secret } });
      expectSuccess(answer, `unlocking ${path}`);
      const { token } = answer.body as { token?: string };
      return { token: token ?? who.token, cookie: entryCookieOf(answer) ?? who.cookie };
    },
    /** Makes a link to a folder or a pad (`group/<id>`, `pad/<id>`). Returns its id and secret. */
    async link(owner: Person, path: string, body: object = {}): Promise<{ _id: string; secret: string }> {
      const answer = await api('POST', `${path}/links`, { token: owner.token, body: { ...body } });
      expectSuccess(answer, 'making a link');
      return (answer.body as { value: { _id: string; secret: string } }).value;
    },
    /** Shares a pad alone with people, in this role. */
    async sharePad(owner: Person, pad: string, role: string, loginsOrEmails: string[]): Promise<void> {
      const body = { loginsOrEmails, role };
      expectSuccess(await api('POST', `pad/${pad}/people`, { token: owner.token, body }), 'sharing a pad');
    },
    /** Opens a link with these credentials. A guest without credentials gets some. */
    async openLink(secret: string, who: Credentials = {}): Promise<Credentials> {
      const answer = await api('POST', 'links/open', { token: who.token, body: { secret } });
      expectSuccess(answer, 'opening a link');
      const { token } = answer.body as { token?: string };
      return { token: token ?? who.token, cookie: entryCookieOf(answer) ?? who.cookie };
    },
    async configure(key: string, value: unknown): Promise<void> {
      const token = await signInAsAdmin(etherpad);
      expectSuccess(await api('PUT', `configuration/${key}`, { token, body: { value } }), `setting ${key}`);
      await api('POST', 'auth/admin/logout', { token });
    },
  };
}

export type Fixture = ReturnType<typeof createFixture>;
