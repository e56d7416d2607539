/**
 * Signing in with OpenID Connect. The browser goes from `start` to the provider and back to `callback`, which leads to
 * the page with a code. The page sends the code and gets the token, so no token is ever in an address.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import { type ErrorKey, errorStatus, MyPadsError } from '../../model/errors';
import { type Beginning, signInTime, type Tried } from '../../model/signin/oidc';
import type { MethodOfSession } from '../../model/store/entities';
import { entryCookieOptions } from '../../web/connection';
import { readCookiesOf } from '../../web/cookie';
import { addressOf } from '../../web/rateLimit';
import type { Handlers } from '../calls';
import { answered } from '../middleware/answerCall';
import type { Services } from '../services';
import type { TrialAnswer } from './schema';
import { createSession } from './session';
import { costsOf, logRefusedSignIn, provedByService } from './signInCalls';

/**
 * Secrets of this browser: only the browser that has begun a sign-in can finish it. Each sign-in has a cookie of its
 * own, because several tabs may begin at the same moment, and the end of one must not end the others.
 */
const cookieStart = 'mypads_oidc_';
/** Sign-ins with a cookie of their own. Further ones share the newest, so that the request's headers stay small. */
const maxCookies = 10;
/** How long the page may take to send the code, in milliseconds. */
const codeTime = 60_000;

/** What the callback keeps for the page, once. */
type Outcome = { user: string; browser: string; signedInBy: MethodOfSession } | { error: string };

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url');
const newName = (): string => randomBytes(32).toString('base64url');

const cookieOf = (secret: string): string => cookieStart + digest(secret).slice(0, 8);
const secretsOf = (request: Request): string[] =>
  readCookiesOf(request.headers.cookie, cookieStart).filter((value) => /^[\w-]{43}$/.test(value));

/** A path in the app. Anything else could lead to another site. */
const pathIn = (next: string | undefined): string =>
  next !== undefined && /^\/(?![/\\])[^\\\p{C}\s]*$/u.test(next) ? next : '/';

function redirect(response: Response, address: string): typeof answered {
  response.statusCode = 303;
  response.setHeader('Location', address);
  response.end();
  return answered;
}

/** Leads to the sign-in screen. */
function toPage(
  { model }: Services,
  response: Response,
  parameters: Record<string, string>,
): typeof answered {
  const query = new URLSearchParams(parameters).toString();
  return redirect(response, `${model.configuration.get('rootUrl')}/mypads/?/login${query && `&${query}`}`);
}

const isErrorKey = (key: string): key is ErrorKey => Object.hasOwn(errorStatus, key);

/** Keeps an outcome for the page and leads to it. */
async function finish(
  services: Services,
  { request, response, next }: { request: Request; response: Response; next: string },
  outcome: Outcome,
): Promise<typeof answered> {
  const code = newName();
  const terms = { milliseconds: codeTime, requester: addressOf(request) };
  await services.model.coordination.keep(`oidc-outcome:${code}`, outcome, terms);
  return toPage(services, response, { oidc: code, ...(next !== '/' && { return: next }) });
}

/** Runs a step whose failure the page shows. */
async function orShow<Answer>(
  services: Services,
  { request, response }: { request: Request; response: Response },
  work: () => Promise<Answer>,
): Promise<Answer | typeof answered> {
  try {
    return await work();
  } catch (error) {
    const noAddress = services.model.configuration.get('rootUrl') === '';
    if (!(error instanceof MyPadsError) || noAddress) throw error;
    return finish(services, { request, response, next: '/' }, { error: error.key });
  }
}

/** Begins a sign-in that only this browser can finish. Returns the page of the provider. */
async function begin(
  { model }: Services,
  { request, response }: { request: Request; response: Response },
  provider: string,
  rest: Pick<Beginning, 'next' | 'trial'>,
): Promise<string> {
  const secrets = secretsOf(request);
  const browser = (secrets.length < maxCookies ? undefined : secrets.at(-1)) ?? newName();
  const address = await model.oidc.begin(provider, { ...rest, browser, requester: addressOf(request) });
  const options = entryCookieOptions(request.connected);
  response.cookie(cookieOf(browser), browser, { ...options, maxAge: signInTime });
  return address;
}

const startHandlers = (services: Services) => {
  return {
    async 'POST /admin/trySignIn/{provider}'({ params: { provider } }, request, response) {
      const url = await begin(services, { request, response }, provider, { next: '/', trial: true });
      return { success: true, url };
    },

    'GET /auth/oidc/{provider}/start': ({ params: { provider }, query }, request, response) =>
      orShow(services, { request, response }, async (): Promise<typeof answered> => {
        // Another site must not begin a sign-in: with `auto` it can lead to the sign-in screen. That does not begin one
        // by itself here: if `rootUrl` is http and a proxy leads to https, it would be led back without end.
        const site = request.headers['sec-fetch-site'];
        if (site === 'cross-site' || site === 'same-site') return toPage(services, response, { auto: 'no' });
        const address = await begin(services, { request, response }, provider, { next: pathIn(query.next) });
        return redirect(response, address);
      }),
  } satisfies Partial<Handlers>;
};

/** What an administrator sees of a trial. */
async function triedOf({ model }: Services, { provider, claims, person }: Tried): Promise<TrialAnswer> {
  const shown = { provider: provider.id, claims };
  if (person instanceof MyPadsError) return { ...shown, outcome: 'refused', reason: person.key };
  const { login, email, firstname, lastname } = person;
  const preview = await model.signIn.previewProvider({ provider, person });
  return {
    ...shown,
    person: { login, email, firstname, lastname },
    outcome: preview.outcome,
    ...('account' in preview && { account: preview.account.login }),
    ...('reason' in preview && { reason: preview.reason }),
  };
}

const callbackHandlers = (services: Services) => {
  const { model, limits } = services;

  /** Signs the person in, and returns what the page gets for its code. */
  async function outcomeOf(provider: string, parameters: Record<string, string>, request: Request) {
    const attempt = async () => {
      // Before the limit: any site can make a browser send an answer for which it does not wait. Nobody can guess one.
      const started = await model.oidc.takeStarted(provider, parameters.state, secretsOf(request));
      const costs = await costsOf(services, request, () => provedByService('oidc'));
      return limits.attempt(costs, async () => {
        const finished = await model.oidc.finish(provider, parameters, started);
        if ('claims' in finished) return { tried: await triedOf(services, finished) };
        return { started, finished, user: await model.signIn.byProvider(finished) };
      });
    };
    const { tried, started, finished, user } = await logRefusedSignIn(services, request, attempt, () => ({
      by: 'oidc',
    }));
    if (tried) return tried;
    const { identity, sid } = finished.person;
    const signedInBy = { ...identity, provider: finished.provider.id, ...(sid !== undefined && { sid }) };
    return { next: finished.next, outcome: { user: user._id, browser: started.browser, signedInBy } };
  }

  return {
    'GET /auth/oidc/{provider}/callback': ({ params: { provider }, query }, request, response) =>
      orShow(services, { request, response }, async (): Promise<TrialAnswer | typeof answered> => {
        const { answer, ...sent } = query;
        const kept =
          answer === undefined ? undefined : await model.coordination.take(`oidc-answer:${answer}`);
        const parameters = (kept ?? sent) as Record<string, string>;
        const found = await outcomeOf(provider, parameters, request);
        if ('claims' in found) return found;
        const { next, outcome } = found;
        return finish(services, { request, response, next }, outcome);
      }),

    /**
     * `response_mode=form_post`. It comes from the provider's page, so the browser sends no cookie with it. What it
     * brings is kept, and the browser comes again with its cookie.
     */
    'POST /auth/oidc/{provider}/callback': ({ params: { provider }, body }, request, response) =>
      orShow(services, { request, response }, async (): Promise<typeof answered> => {
        if (!model.oidc.answersByForm(provider))
          throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.OIDC_FAILED');
        const answer = newName();
        const terms = { milliseconds: codeTime, requester: addressOf(request) };
        await model.coordination.keep(`oidc-answer:${answer}`, body, terms);
        const path = `/mypads/api/auth/oidc/${encodeURIComponent(provider)}/callback?answer=${answer}`;
        return redirect(response, `${model.configuration.get('rootUrl')}${path}`);
      }),
  } satisfies Partial<Handlers>;
};

export const oidcHandlers = (services: Services) => {
  const { model, limits } = services;
  return {
    ...startHandlers(services),
    ...callbackHandlers(services),

    async 'POST /auth/login/oidc'({ body: { code } }, request, response) {
      const refused = () => new MyPadsError('BACKEND.ERROR.AUTHENTICATION.OIDC_FAILED');
      const outcome = (await model.coordination.take(`oidc-outcome:${code}`)) as Outcome | undefined;
      if (outcome === undefined) throw refused();
      if ('error' in outcome) throw isErrorKey(outcome.error) ? new MyPadsError(outcome.error) : refused();
      const browser = secretsOf(request).find((secret) => digest(secret) === outcome.browser);
      const user = await model.users.get(outcome.user);
      if (browser === undefined || user === undefined) throw refused();
      response.clearCookie(cookieOf(browser), entryCookieOptions(request.connected));
      const facts = { proved: [provedByService('oidc')], signedInBy: outcome.signedInBy };
      return createSession(services, user, facts, request, response);
    },

    async 'POST /auth/oidc/{provider}/logout'({ params: { provider }, body }, request) {
      const ended = await limits.attempt([['providerLogout', addressOf(request)]], async () =>
        model.signIn.endProviderSessions(await model.oidc.readLogout(provider, body.logout_token)),
      );
      model.log.info('signed out by the provider', { provider, sessions: ended });
      return { success: true };
    },

    /** Only who knows the session at the provider can end anything, so that it does not matter who frames this. */
    async 'GET /auth/oidc/{provider}/logout'({ params: { provider: id }, query }, _request, response) {
      const provider = model.oidc.providers().find((one) => one.id === id);
      if (!provider) throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.OIDC_FAILED');
      const { origin } = new URL(provider.issuer);
      response.removeHeader('X-Frame-Options');
      response.setHeader('Content-Security-Policy', `default-src 'none'; frame-ancestors ${origin}`);
      const ended = await model.signIn.endProviderSessions({ issuer: query.iss, sid: query.sid });
      if (ended > 0) model.log.info('signed out by the provider', { provider: id, sessions: ended });
      return { success: true };
    },
  } satisfies Partial<Handlers>;
};
