/**
 * Single sign-on with OpenID Connect: the code flow with PKCE, state and nonce. The protocol is openid-client's; the
 * connection is our own, with time and size limits.
 */
import { createHash, createPrivateKey, randomBytes, timingSafeEqual } from 'node:crypto';
import { importPKCS8, type JSONWebKeySet } from 'jose';
import * as client from 'openid-client';
import { MyPadsError } from '../errors';
import { type Fields, isObject } from '../fields';
import type { Coordination, Log } from '../ports';
import { logoutFacts, type ProviderLogout } from './oidcLogout';
import { type OidcPerson, personOfClaims } from './oidcPerson';
import { type OidcProvider, readProviders } from './oidcSettings';
import { createProviderFetch } from './providerFetch';
import { externalTimeLimit } from './signIn';

export interface OidcContext {
  /** `authOidcSettings`, read at each call. */
  settings(): unknown;
  /** Whether people may sign in with them. Administrators try them before. */
  isOffered(): boolean;
  /** Address of Etherpad. Providers send people back to `<rootUrl>/mypads/api/auth/oidc/<provider>/callback`. */
  rootUrl(): string;
  coordination: Pick<Coordination, 'keep' | 'take'>;
  /** The claims of a provider that rules name. */
  wanted?(provider: string): Promise<readonly string[]>;
  log: Log;
  now: () => number;
  /** Time limit for all requests of one step, in milliseconds. */
  timeLimit?: number | undefined;
}

export interface Beginning {
  /** The path in the app to open afterwards. */
  next: string;
  /** A secret of the browser, in a cookie, for this sign-in. Only this browser can finish. */
  browser: string;
  /** For the limit of what is kept. */
  requester: string;
  /** Only shows what the provider says of the person. */
  trial?: true;
}

export interface Finished {
  provider: OidcProvider;
  person: OidcPerson;
  next: string;
}

/** What the provider says of a person who does not want to sign in here. */
export interface Tried {
  provider: OidcProvider;
  claims: Readonly<Record<string, unknown>>;
  /** Why the settings do not let such a person in. */
  person: OidcPerson | MyPadsError;
}

/** How long somebody may take to sign in at the provider, in milliseconds. */
export const signInTime = 10 * 60_000;
/** Seconds by which the clocks of provider and server may differ. */
const clockDifference = 60;

/** What is kept between the two steps, once, under the name of the state. */
export interface Started {
  provider: string;
  nonce: string;
  verifier: string;
  next: string;
  trial?: true;
  /** SHA-256 of the browser's secret. */
  browser: string;
}

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url');
const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

const failed = () => new MyPadsError('BACKEND.ERROR.AUTHENTICATION.OIDC_FAILED');

/** What the provider has said, which openid-client does not put into the message of an error. */
function answerIn(error: Error): unknown[] {
  if (error instanceof client.WWWAuthenticateChallengeError) {
    const said = error.cause.flatMap(({ parameters }) => [parameters.error, parameters.error_description]);
    return [`status ${error.status}`, ...said];
  }
  if (error instanceof client.ResponseBodyError || error instanceof client.AuthorizationResponseError)
    return [error.error, error.error_description];
  const { cause } = error;
  if (cause instanceof Error) return [failureText(cause)];
  if (cause instanceof Response) return [`status ${cause.status}`];
  const isOtherIssuer = isObject(cause) && cause.attribute === 'issuer' && isObject(cause.body);
  return isOtherIssuer ? [`it is ${(cause.body as Fields).issuer}`] : [];
}

/** The error in words, for the log. */
function failureText(error: unknown): string {
  if (!(error instanceof Error)) return String(error).slice(0, 300);
  if (/^(Abort|Timeout)Error$/.test(error.name)) return 'no answer in time';
  return [error.message, ...answerIn(error)].filter(Boolean).join(': ').slice(0, 300);
}

/** Whether the provider was not reached, so that nothing is known about the person. */
function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  if (
    /^(Abort|Timeout)Error$/.test(error.name) ||
    /^(E[A-Z]+$|ERR_TLS|CERT_|UNABLE_|DEPTH_|SELF_)/.test(String(code))
  )
    return true;
  if (/status code|too long|answers with status/.test(error.message)) return true;
  return isOutage(error.cause);
}

const algorithms: Record<string, string> = { rsa: 'RS256', ec: 'ES256', ed25519: 'EdDSA' };

async function authenticationOf(provider: OidcProvider): Promise<client.ClientAuth> {
  const { privateKey, keyId, clientSecret = '', clientAuth } = provider;
  if (privateKey === undefined)
    return clientAuth === 'post'
      ? client.ClientSecretPost(clientSecret)
      : client.ClientSecretBasic(clientSecret);
  const type = createPrivateKey(privateKey).asymmetricKeyType ?? '';
  const key = await importPKCS8(privateKey, algorithms[type] ?? 'RS256');
  return client.PrivateKeyJwt(
    keyId === undefined ? (key as CryptoKey) : { key: key as CryptoKey, kid: keyId },
  );
}

const fetchOf = ({ strictSSL, ca }: OidcProvider, timeLimit: number) =>
  createProviderFetch({
    signal: AbortSignal.timeout(timeLimit),
    rejectUnauthorized: strictSSL !== false,
    ca,
  });

/** Reads what the provider says of itself. Afresh at each step, so that new keys count at once. */
async function discover(provider: OidcProvider, timeLimit: number): Promise<client.Configuration> {
  const { issuer, clientId } = provider;
  const fetch = fetchOf(provider, timeLimit);
  return client.discovery(
    new URL(issuer),
    clientId,
    { [client.clockTolerance]: clockDifference },
    await authenticationOf(provider),
    {
      [client.customFetch]: fetch as client.CustomFetch,
      execute: [
        // Only an issuer on this machine may be http: oidcSettings.ts.
        ...(issuer.startsWith('http:') ? [client.allowInsecureRequests] : []),
        client.enableNonRepudiationChecks,
      ],
    },
  );
}

/** How long what a provider says of itself is remembered for the beginning of sign-ins, in milliseconds. */
const discoveryTime = 60_000;
const maxKnown = 100;

export class OidcSignIn {
  /** So that many people who begin to sign in do not ask the provider each time. */
  private readonly known = new Map<string, { until: number; found: Promise<client.Configuration> }>();
  private readonly timeLimit: number;

  constructor(private readonly context: OidcContext) {
    this.timeLimit = context.timeLimit ?? externalTimeLimit;
  }

  /** The providers, in their order. */
  providers(): OidcProvider[] {
    return this.context.isOffered() ? this.allProviders() : [];
  }

  private allProviders(): OidcProvider[] {
    return readProviders(this.context.settings());
  }

  /** Whether the provider answers with a form. */
  answersByForm(id: string): boolean {
    return this.allProviders().some((one) => one.id === id && one.responseMode === 'form_post');
  }

  /**
   * Where a browser begins to sign in. Throws AUTHENTICATION.OIDC_FAILED for an unknown provider,
   * AUTHENTICATION.DIRECTORY_UNAVAILABLE, CONFIGURATION.ROOTURL_NOT_CONFIGURED.
   */
  begin(id: string, { next, browser, requester, trial }: Beginning): Promise<string> {
    const providers = trial ? this.allProviders() : this.providers();
    return this.step(id, providers, async (provider) => {
      const callback = this.callbackOf(provider);
      const configuration = await this.discoverForBeginning(provider);
      const state = randomBytes(32).toString('base64url');
      const [nonce, verifier] = [client.randomNonce(), client.randomPKCECodeVerifier()];
      const secrets = { nonce, verifier, browser: digest(browser) };
      const started: Started = { provider: id, next, ...secrets, ...(trial && { trial }) };
      const terms = { milliseconds: signInTime, requester };
      await this.context.coordination.keep(`oidc:${state}`, started, terms);
      const { scopes = 'openid profile email', responseMode } = provider;
      return client.buildAuthorizationUrl(configuration, {
        redirect_uri: callback,
        scope: scopes,
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(responseMode === 'form_post' && { response_mode: 'form_post' }),
      }).href;
    });
  }

  /**
   * What was kept for this answer of a provider. It is used up, whoever sends it. Asks the provider nothing. Throws
   * AUTHENTICATION.OIDC_FAILED if this browser waits for no such answer; the log says why. `secrets`: of the browser.
   */
  takeStarted(id: string, state: string | undefined, secrets: readonly string[]): Promise<Started> {
    return this.step(id, this.allProviders(), async () => {
      const started = (await this.context.coordination.take(`oidc:${state ?? ''}`)) as Started | undefined;
      if (started === undefined) throw this.refused(id, 'an answer that nobody waits for');
      if (started.provider !== id) throw this.refused(id, 'the answer of another provider');
      if (!secrets.some((secret) => isSame(started.browser, digest(secret))))
        throw this.refused(id, 'another browser than the one that began');
      if (!started.trial && !this.context.isOffered()) throw this.refused(id, 'no such provider');
      return started;
    });
  }

  /**
   * Signs a person in with the parameters with which the provider has sent the browser back. `started`: what was kept
   * for them. Throws AUTHENTICATION.OIDC_FAILED (the log says why), AUTHENTICATION.OIDC_DENIED (this person may not
   * enter), AUTHENTICATION.DIRECTORY_UNAVAILABLE, TYPE.USER_INVALID.
   */
  finish(
    id: string,
    parameters: Readonly<Record<string, string>>,
    started: Started,
  ): Promise<Finished | Tried> {
    return this.step(id, this.allProviders(), async (provider): Promise<Finished | Tried> => {
      if (parameters.access_token !== undefined || parameters.id_token !== undefined)
        throw this.refused(id, 'a token in the address');
      const claims = await this.claimsOf(provider, parameters, started);
      if (started.trial) return { provider, claims, person: this.personOrRefusal(provider, claims) };
      const wanted = (await this.context.wanted?.(id)) ?? [];
      const person = personOfClaims(provider, claims, { log: this.context.log, wanted });
      return { provider, person, next: started.next };
    });
  }

  /** Where a browser ends its session at the provider; `undefined` if it cannot. */
  signOutUrl(id: string): Promise<string | undefined> {
    const url = this.step(id, this.providers(), async (provider) => {
      if (provider.signOut === false) return undefined;
      const configuration = await this.discoverForBeginning(provider);
      if (!configuration.serverMetadata().end_session_endpoint) return undefined;
      const back = `${this.context.rootUrl()}/mypads/`;
      return client.buildEndSessionUrl(configuration, { post_logout_redirect_uri: back }).href;
    });
    return url.catch(() => undefined);
  }

  /** Whom the provider has signed out. Throws AUTHENTICATION.OIDC_FAILED, AUTHENTICATION.DIRECTORY_UNAVAILABLE. */
  readLogout(id: string, token: string): Promise<ProviderLogout> {
    return this.step(id, this.providers(), async (provider) => {
      const configuration = await discover(provider, this.timeLimit);
      const { jwks_uri: address, issuer } = configuration.serverMetadata();
      if (address === undefined) throw this.refused(id, 'the provider has no keys');
      const answer = await fetchOf(provider, this.timeLimit)(address);
      const keys = (await answer.json()) as JSONWebKeySet;
      return logoutFacts(token, { keys, issuer, audience: provider.clientId, clockDifference });
    });
  }

  /** The claims of the ID token, and those that only `userinfo` has. */
  private async claimsOf(
    provider: OidcProvider,
    parameters: Readonly<Record<string, string>>,
    { verifier, nonce }: Started,
  ): Promise<client.IDToken> {
    const answer = new URL(this.callbackOf(provider));
    answer.search = new URLSearchParams(parameters).toString();
    const configuration = await discover(provider, this.timeLimit);
    const tokens = await client.authorizationCodeGrant(configuration, answer, {
      pkceCodeVerifier: verifier,
      expectedNonce: nonce,
      expectedState: parameters.state ?? '',
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (claims === undefined) throw this.refused(provider.id, 'no ID token');
    if (!configuration.serverMetadata().userinfo_endpoint) return claims;
    const told = await client.fetchUserInfo(configuration, tokens.access_token, claims.sub);
    // It is about the address beside it, which may be another one than that of the ID token.
    const isOther = claims.email !== undefined && claims.email !== told.email;
    return { ...told, ...(isOther && { email_verified: undefined }), ...claims };
  }

  private personOrRefusal(provider: OidcProvider, claims: client.IDToken): OidcPerson | MyPadsError {
    try {
      return personOfClaims(provider, claims, { log: this.context.log, wanted: [] });
    } catch (error) {
      if (error instanceof MyPadsError) return error;
      throw error;
    }
  }

  private discoverForBeginning(provider: OidcProvider): Promise<client.Configuration> {
    const key = JSON.stringify(provider);
    const before = this.known.get(key);
    if (before && before.until > this.context.now()) return before.found;
    const found = discover(provider, this.timeLimit);
    if (this.known.size >= maxKnown) this.known.clear();
    this.known.set(key, { until: this.context.now() + discoveryTime, found });
    found.catch(() => this.known.delete(key));
    return found;
  }

  private refused(provider: string, reason: string): MyPadsError {
    this.context.log.warn('OpenID Connect refused, sign-in refused', {
      provider: provider.slice(0, 50),
      reason,
    });
    return failed();
  }

  /** Runs a step with a provider. What goes wrong is logged, and becomes one of two errors. */
  private async step<T>(
    id: string,
    providers: readonly OidcProvider[],
    work: (provider: OidcProvider) => Promise<T>,
  ): Promise<T> {
    const provider = providers.find((one) => one.id === id);
    if (provider === undefined) throw this.refused(id, 'no such provider');
    try {
      return await work(provider);
    } catch (error) {
      if (error instanceof MyPadsError) throw error;
      const reason = failureText(error);
      if (!isOutage(error)) throw this.refused(id, reason);
      this.context.log.error('OpenID Connect provider unavailable', { provider: id, reason });
      throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.DIRECTORY_UNAVAILABLE');
    }
  }

  private callbackOf({ id }: OidcProvider): string {
    const root = this.context.rootUrl();
    if (root === '') throw new MyPadsError('BACKEND.ERROR.CONFIGURATION.ROOTURL_NOT_CONFIGURED');
    return `${root}/mypads/api/auth/oidc/${id}/callback`;
  }
}

/**
 * Tests all providers: reads what they say of themselves, and their keys. Resolves to the kinds of keys of each. Throws
 * CONFIGURATION.ROOTURL_NOT_CONFIGURED, and with a `reason` AUTHENTICATION.OIDC_FAILED or
 * AUTHENTICATION.DIRECTORY_UNAVAILABLE.
 */
export async function testOidc(value: unknown, rootUrl: string): Promise<string[]> {
  if (rootUrl === '') throw new MyPadsError('BACKEND.ERROR.CONFIGURATION.ROOTURL_NOT_CONFIGURED');
  const failedWith = (reason: string) =>
    new MyPadsError('BACKEND.ERROR.AUTHENTICATION.OIDC_FAILED', { reason });
  const providers = readProviders(value);
  if (providers.length === 0) throw failedWith('there is no provider');
  const found: string[] = [];
  for (const provider of providers) {
    try {
      const configuration = await discover(provider, externalTimeLimit);
      const { jwks_uri: address } = configuration.serverMetadata();
      const answer = address === undefined ? undefined : await fetchOf(provider, externalTimeLimit)(address);
      const { keys = [] } = ((await answer?.json()) ?? {}) as Partial<JSONWebKeySet>;
      if (keys.length === 0) throw new Error('the provider has no keys');
      found.push(`${provider.name}: ${keys.map(({ alg, kty }) => alg ?? kty).join(', ')}`);
    } catch (error) {
      const reason = `${provider.id}: ${failureText(error)}`;
      if (!isOutage(error)) throw failedWith(reason);
      throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.DIRECTORY_UNAVAILABLE', { reason });
    }
  }
  return found;
}
