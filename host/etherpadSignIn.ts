/**
 * Signs in with Etherpad's own accounts: by its authentication plugins, or by its session. Plugins are called as in
 * Etherpad's webaccess.checkAccess, but with an isolated request, response and session. These contain only the name,
 * the password and the address, and changing them has no effect.
 */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import express, { type Request, type Response } from 'express';
import type { HostAccounts, HostAnswer, HostSession, HostSettings } from '../model/ports';
import { pluginDefinitions, pluginHooks } from './core';

/** The methods of Etherpad's session that a plugin may call, without any storage behind them. */
class IsolatedSession {
  user?: unknown;

  constructor(private readonly renew: (session: IsolatedSession | undefined) => void) {}
  regenerate(done?: () => void): this {
    this.renew(new IsolatedSession(this.renew));
    done?.();
    return this;
  }
  destroy(done?: () => void): this {
    this.renew(undefined);
    done?.();
    return this;
  }
  save(done?: () => void): this {
    done?.();
    return this;
  }
  reload(done?: () => void): this {
    done?.();
    return this;
  }
  touch(): this {
    return this;
  }
}

type IsolatedRequest = Request & { session?: IsolatedSession };

/** Not a server. Isolated requests and responses get the methods of express that plugins may call from it. */
const pluginApp = express();

function isolatedRequest(login: string, password: string, address: string): IsolatedRequest {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: address });
  const bare = new IncomingMessage(socket);
  bare.method = 'POST';
  bare.url = '/admin-auth/';
  bare.headers = {
    host: 'localhost',
    authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`,
  };
  const request: IsolatedRequest = Object.setPrototypeOf(bare, pluginApp.request);
  const renew = (session: IsolatedSession | undefined): void => {
    request.session = session;
  };
  renew(new IsolatedSession(renew));
  const rest = { originalUrl: bare.url, baseUrl: '', params: {}, body: {}, cookies: {}, signedCookies: {} };
  return Object.assign(request, rest);
}

/** `onAnswered` is called when a plugin sends the response. */
function isolatedResponse(request: IsolatedRequest, onAnswered: () => void): Response {
  const response: Response = Object.setPrototypeOf(new ServerResponse(request), pluginApp.response);
  request.res = response;
  response.locals = {};
  response.req = request;
  response.end = (): Response => {
    onAnswered();
    return response;
  };
  return response;
}

/** A copy, so that a plugin cannot change the real accounts. */
function copyOf(accounts: ReturnType<HostSettings['users']>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(accounts).map(([name, account]) => [name, { ...account }]));
}

export function createAccounts(settings: HostSettings): HostAccounts {
  const hooks = pluginHooks();
  const definitions = pluginDefinitions();

  /** `undefined` unless a plugin accepts. */
  async function askPlugins(request: IsolatedRequest, context: Record<string, unknown>) {
    const [accepted] = (await hooks.aCallFirst('authenticate', context)) ?? [];
    return accepted === true ? { user: request.session?.user } : undefined;
  }

  return {
    present: () => (definitions.hooks.authenticate ?? []).length > 0,
    authenticate(username, password, address) {
      // A plugin that sends a response or calls `next` did not accept the name and password.
      return new Promise<HostAnswer | undefined>((resolve, reject) => {
        const onAnswered = (): void => resolve(undefined);
        const req = isolatedRequest(username, password, address);
        const res = isolatedResponse(req, onAnswered);
        const users = copyOf(settings.users());
        askPlugins(req, { req, res, next: onAnswered, users, username, password }).then(resolve, reject);
      });
    },
  };
}

/** Etherpad's own session of this request; `undefined` if there is none or nobody is signed in to it. */
export function sessionOf(request: object): HostSession | undefined {
  const { session } = request as { session?: { id?: unknown; user?: unknown } };
  if (typeof session?.id !== 'string' || session.user === undefined || session.user === null)
    return undefined;
  return { id: session.id, user: session.user };
}
