/**
 * Etherpad's own accounts: what its authentication plugins say of a name and a password, and who is signed in at Etherpad itself. Plugins are
 * asked as Etherpad asks them (checkAccess of its node/hooks/express/webaccess), with a request, an answer and a session that are
 * nobody's: only what was typed speaks, and what a plugin does with them stays without effect.
 */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import express, { type Request, type Response } from 'express';
import type { HostAccounts, HostAnswer, HostSession, HostSettings } from '../model/ports';
import { core } from './core';

interface Hooks {
  aCallFirst(name: string, context: Record<string, unknown>): Promise<unknown[] | undefined>;
}

interface PluginDefinitions {
  hooks: Record<string, unknown[] | undefined>;
}

/** As much of a session of the host as a plugin can expect. */
class PrivateSession {
  user?: unknown;
  readonly #renew: (session: PrivateSession | undefined) => void;

  constructor(renew: (session: PrivateSession | undefined) => void) {
    this.#renew = renew;
  }
  regenerate(done?: () => void): this {
    this.#renew(new PrivateSession(this.#renew));
    done?.();
    return this;
  }
  destroy(done?: () => void): this {
    this.#renew(undefined);
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

type PrivateRequest = Request & { session?: PrivateSession };

/** An application that serves nobody; it lends its requests and answers what plugins call on them. */
const stage = express();

function privateRequest(login: string, password: string, address: string): PrivateRequest {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: address });
  const bare = new IncomingMessage(socket);
  bare.method = 'POST';
  bare.url = '/admin-auth/';
  bare.headers = {
    host: 'localhost',
    authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`,
  };
  const request: PrivateRequest = Object.setPrototypeOf(bare, stage.request);
  const renew = (session: PrivateSession | undefined): void => {
    request.session = session;
  };
  renew(new PrivateSession(renew));
  const rest = { originalUrl: bare.url, baseUrl: '', params: {}, body: {}, cookies: {}, signedCookies: {} };
  return Object.assign(request, rest);
}

/** `taken` is called when a plugin sends it. */
function privateResponse(request: PrivateRequest, taken: () => void): Response {
  const response: Response = Object.setPrototypeOf(new ServerResponse(request), stage.response);
  request.res = response;
  response.locals = {};
  response.req = request;
  response.end = (): Response => {
    taken();
    return response;
  };
  return response;
}

/** What a plugin writes into the accounts stays with it. */
function copyOf(accounts: ReturnType<HostSettings['users']>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(accounts).map(([name, account]) => [name, { ...account }]));
}

export function createAccounts(settings: HostSettings): HostAccounts {
  const hooks = core<Hooks>('static/js/pluginfw/hooks');
  const definitions = core<PluginDefinitions>('static/js/pluginfw/plugin_defs');

  async function ask(request: PrivateRequest, context: Record<string, unknown>) {
    const [accepted] = (await hooks.aCallFirst('authenticate', context)) ?? [];
    return accepted === true ? { user: request.session?.user } : undefined;
  }

  return {
    present: () => (definitions.hooks.authenticate ?? []).length > 0,
    authenticate(username, password, address) {
      // A plugin that answers itself, or lets the call pass, wants something else than a name and a password.
      return new Promise<HostAnswer | undefined>((resolve, reject) => {
        const taken = (): void => resolve(undefined);
        const req = privateRequest(username, password, address);
        const res = privateResponse(req, taken);
        const users = copyOf(settings.users());
        ask(req, { req, res, next: taken, users, username, password }).then(resolve, reject);
      });
    },
  };
}

/** The session that the host keeps for whoever makes this request; `undefined` without one, or when nobody is signed in there. */
export function sessionOf(request: object): HostSession | undefined {
  const { session } = request as { session?: { id?: unknown; user?: unknown } };
  if (typeof session?.id !== 'string' || session.user === undefined || session.user === null)
    return undefined;
  return { id: session.id, user: session.user };
}
