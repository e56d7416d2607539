/** A browser without scripts, for sign-ins with OpenID Connect: it keeps cookies and follows redirects. */
import type { Response } from 'supertest';
import type { OwnUser } from '../../api/answers';
import type { TestApp } from './app';

export interface OidcBrowser {
  /** Begins to sign in, goes to the provider and comes back. Returns the address of the last redirect to the page. */
  visit(path: string): Promise<URL>;
  /** Goes on from an address to which `open` was led, as `visit`. */
  follow(address: string): Promise<URL>;
  /** As `visit`, but stops before the provider's answer is sent to us. Returns where it would have been sent. */
  visitUntilAnswer(path: string): Promise<URL>;
  /** Begins a trial as an administrator. `answer`: the address to which the provider sends the browser back. */
  tryAs(token: string, provider?: string): Promise<{ begun: Response; answer(): Promise<URL> }>;
  /** Opens an address of ours, with the cookies. */
  open(
    path: string,
  ): Promise<{ status: number; location: string; body: Record<string, unknown>; response: Response }>;
  /** Sends the code of an address of the page. */
  redeem(
    page: URL,
  ): Promise<{ status: number; body: { token: string; user: OwnUser; error: string }; response: Response }>;
  /** Signs in as a person would. */
  signIn(provider?: string): ReturnType<OidcBrowser['redeem']>;
}

/** Cookies by name. Each host has its own. */
class Cookies {
  private readonly kept = new Map<string, string>();

  take(lines: readonly string[]): void {
    for (const line of lines) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split(/=(.*)/s);
      if (value === '') this.kept.delete(name);
      else this.kept.set(name, value);
    }
  }

  header(): string {
    return [...this.kept].map(([name, value]) => `${name}=${value}`).join('; ');
  }
}

/** `root`: the setting `rootUrl`. Requests to it go to the app, with the headers `more`. */
export function openOidcBrowser(app: TestApp, root: string, more: Record<string, string> = {}): OidcBrowser {
  const ours = new Cookies();
  const theirs = new Cookies();
  const api = `${root}/mypads`;

  async function open(path: string) {
    const answer = await app.agent
      .get(path)
      .set({ ...more, Cookie: ours.header() })
      .redirects(0);
    const lines = answer.headers['set-cookie'];
    ours.take([lines ?? []].flat().map(String));
    const location = String(answer.headers.location ?? '');
    return { status: answer.status, location, body: answer.body, response: answer };
  }

  async function post(path: string, form: URLSearchParams) {
    // It comes from a page of the provider, so browsers send no cookie.
    const answer = await app.agent.post(path).type('form').send(form.toString()).redirects(0);
    return { status: answer.status, location: String(answer.headers.location ?? '') };
  }

  /** One step at the provider. Returns the next address, and a form that the page there sends by itself. */
  async function atProvider(address: string): Promise<{ next: string; form?: URLSearchParams }> {
    const answer = await fetch(address, { redirect: 'manual', headers: { cookie: theirs.header() } });
    theirs.take(answer.headers.getSetCookie());
    const next = answer.headers.get('location');
    if (next !== null) return { next: new URL(next, address).href };
    const html = await answer.text();
    const action = /<form[^>]* action="([^"]*)"/.exec(html)?.[1];
    if (action === undefined) throw new Error(`${address} ${answer.status}: ${html.slice(0, 500)}`);
    const fields = [...html.matchAll(/<input[^>]* name="([^"]*)" value="([^"]*)"/g)];
    return {
      next: action,
      form: new URLSearchParams(fields.map(([, name = '', value = '']) => [name, value])),
    };
  }

  async function run(first: string, stop: (address: string) => boolean): Promise<URL> {
    let next = first;
    let form: URLSearchParams | undefined;
    for (let steps = 0; steps < 20; steps += 1) {
      if (stop(next) || next.startsWith(`${api}/?`)) return new URL(next);
      if (next.startsWith(api)) {
        const own = next.slice(api.length);
        next = (form ? await post(own, form) : await open(own)).location;
        form = undefined;
      } else ({ next, form } = await atProvider(next));
    }
    throw new Error(`too many redirects, the last one to ${next}`);
  }

  const follow = (address: string) => run(address, () => false);
  const visit = async (path: string) => follow((await open(path)).location);
  const isAnswer = (address: string) => address.startsWith(`${api}/api/auth/oidc/`);

  async function redeem(page: URL) {
    const code = page.searchParams.get('oidc');
    const answer = await app.agent
      .post('/api/auth/login/oidc')
      .set({ ...more, Cookie: ours.header() })
      .send({ code });
    if (answer.status === 599) throw new Error(answer.text);
    ours.take([answer.headers['set-cookie'] ?? []].flat().map(String));
    return { status: answer.status, body: answer.body, response: answer };
  }

  return {
    visit,
    follow,
    visitUntilAnswer: async (path) => run((await open(path)).location, isAnswer),
    async tryAs(token, provider = 'school') {
      const begun = await app.agent
        .post(`/api/admin/trySignIn/${provider}`)
        .set({ Authorization: `Bearer ${token}`, Cookie: ours.header() });
      ours.take([begun.headers['set-cookie'] ?? []].flat().map(String));
      return { begun, answer: () => run(begun.body.url, isAnswer) };
    },
    open,
    redeem,
    signIn: async (provider = 'school') => redeem(await visit(`/api/auth/oidc/${provider}/start`)),
  };
}
