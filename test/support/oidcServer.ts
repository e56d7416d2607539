/**
 * A provider of OpenID Connect on a free port of 127.0.0.1: `oidc-provider`, which signs people in at once. Tests can
 * change its keys and let it misbehave.
 */
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import {
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  type JWTPayload,
  SignJWT,
  UnsecuredJWT,
} from 'jose';
import Provider, { type ClientMetadata, type Configuration } from 'oidc-provider';
import { listen } from './listening';

export interface OidcPersonOfTest {
  sub: string;
  preferred_username?: string;
  email?: string;
  email_verified?: boolean;
  given_name?: string;
  family_name?: string;
  groups?: string[];
}

export interface OidcServer {
  /** `issuer` of the settings. */
  url: string;
  clientId: string;
  /** The settings of a provider that work, changed by `changes`. */
  provider(changes?: Record<string, unknown>): Record<string, unknown>;
  /** Who is at the keyboard. `undefined`: somebody who refuses. */
  present(person: OidcPersonOfTest | undefined): void;
  /** Uses new keys from now on. The old ones are gone. */
  rotateKeys(): Promise<void>;
  /** Answers a path itself, before the provider does. Return false to let the provider answer. */
  intercept(
    how: ((path: string, request: IncomingMessage, response: ServerResponse) => boolean) | undefined,
  ): void;
  /** Changes every ID token before it is sent. `null`: sign nothing (`alg: none`). A text is sent as the token. */
  changeTokens(how: ((claims: JWTPayload) => JWTPayload | null | Promise<string>) | undefined): void;
  /** Signs any claims with the present key. */
  sign(claims: JWTPayload, type?: string): Promise<string>;
  /** Path and query of every request, in order. */
  requests: string[];
  stop(): Promise<void>;
}

export interface OidcServerOptions {
  /** Where our server is, for the addresses that the provider accepts. Without a slash at the end. */
  root: string;
  /** The name of the provider in our settings. */
  id?: string;
  client?: Partial<ClientMetadata>;
}

const clientSecret = 'a secret of the client that is long enough';

async function newKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return {
    ...(await exportJWK(privateKey)),
    use: 'sig',
    alg: 'RS256',
    kid: Math.random().toString(36).slice(2),
  };
}

const toSign = async (key: JWK) => (await importJWK(key, 'RS256')) as CryptoKey;

function configurationOf(
  { root, id = 'school', client }: OidcServerOptions,
  { key, personOf }: { key: JWK; personOf: (sub: string) => OidcPersonOfTest | undefined },
): Configuration {
  const base = `${root}/mypads/api/auth/oidc/${id}`;
  return {
    clients: [
      {
        client_id: 'pads',
        client_secret: clientSecret,
        redirect_uris: [`${base}/callback`],
        post_logout_redirect_uris: [`${root}/mypads/`],
        backchannel_logout_uri: `${base}/logout`,
        backchannel_logout_session_required: true,
        ...client,
      },
    ],
    jwks: { keys: [key] },
    cookies: { keys: ['a key for the cookies of the tests'] },
    claims: {
      openid: ['sub'],
      profile: ['preferred_username', 'given_name', 'family_name', 'groups'],
      email: ['email', 'email_verified'],
    },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: { enabled: true },
    },
    pkce: { required: () => true },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
    // It would send no message of a sign-out to an address of this machine.
    fetch: (url, options) => fetch(url, { ...options, dispatcher: undefined } as RequestInit),
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    async findAccount(_context, sub) {
      return { accountId: sub, claims: async () => ({ ...personOf(sub), sub }) };
    },
  };
}

/** Signs the person in and agrees for them, as they would on the provider's pages. */
async function interact(
  provider: Provider,
  person: OidcPersonOfTest | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { params, prompt, session } = await provider.interactionDetails(request, response);
  if (person === undefined) {
    await provider.interactionFinished(request, response, { error: 'access_denied' });
    return;
  }
  if (prompt.name === 'login') {
    await provider.interactionFinished(request, response, { login: { accountId: person.sub } });
    return;
  }
  const grant = new provider.Grant({ accountId: session?.accountId, clientId: String(params.client_id) });
  grant.addOIDCScope(String(params.scope));
  await provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
}

export async function startOidcServer(options: OidcServerOptions): Promise<OidcServer> {
  const people = new Map<string, OidcPersonOfTest>();
  const requests: string[] = [];
  let visitor: OidcPersonOfTest | undefined;
  let key = await newKey();
  let intercept: Parameters<OidcServer['intercept']>[0];
  let change: Parameters<OidcServer['changeTokens']>[0];
  let provider: Provider;

  const server = http.createServer((request, response) => void answer(request, response));
  const { url, stop } = await listen(server);
  const build = (): Provider =>
    new Provider(url, configurationOf(options, { key, personOf: (sub) => people.get(sub) }));
  provider = build();

  const sign = async (claims: JWTPayload, type = 'JWT'): Promise<string> =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: key.kid, typ: type }).sign(await toSign(key));

  /** The answer of the token endpoint with another ID token. */
  async function changed(text: string, how: NonNullable<typeof change>): Promise<string> {
    const answer = JSON.parse(text);
    if (!answer.id_token) return text;
    const claims = JSON.parse(Buffer.from(answer.id_token.split('.')[1], 'base64url').toString());
    const next = await how(claims);
    if (next === null) answer.id_token = new UnsecuredJWT(claims).encode();
    else answer.id_token = typeof next === 'string' ? next : await sign(next);
    return JSON.stringify(answer);
  }

  function changeAnswer(response: ServerResponse, how: NonNullable<typeof change>): void {
    const end = response.end.bind(response) as (text: string) => ServerResponse;
    response.end = ((text: unknown) => {
      void changed(String(text), how).then((next) => {
        response.setHeader('content-length', Buffer.byteLength(next));
        end(next);
      });
      return response;
    }) as typeof response.end;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    requests.push(request.url ?? '');
    const { pathname } = new URL(request.url ?? '/', url);
    if (intercept?.(pathname, request, response)) return;
    if (pathname.startsWith('/interaction/')) await interact(provider, visitor, request, response);
    else {
      if (pathname === '/token' && change) changeAnswer(response, change);
      await provider.callback()(request, response);
    }
  }

  return {
    url,
    clientId: 'pads',
    provider: (changes = {}) => ({
      name: 'The School',
      issuer: url,
      clientId: 'pads',
      clientSecret,
      ...changes,
    }),
    present(person) {
      visitor = person;
      if (person) people.set(person.sub, person);
    },
    async rotateKeys() {
      key = await newKey();
      provider = build();
    },
    intercept: (how) => {
      intercept = how;
    },
    changeTokens: (how) => {
      change = how;
    },
    sign,
    requests,
    stop,
  };
}
