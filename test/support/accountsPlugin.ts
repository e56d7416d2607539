/**
 * An authentication plugin that tests install into a real Etherpad together with ours. It checks password hashes of the
 * settings file, has accounts of its own, and misbehaves in a different way for each login.
 */
import { createHash } from 'node:crypto';
import type { Application, Request, Response } from 'express';
import { core } from '../../host/core';

interface Account {
  username?: string;
  is_admin?: boolean;
  hash?: string;
  password?: string;
}

type Session = Record<'regenerate' | 'save' | 'destroy', (done: () => void) => void> & { user?: unknown };

interface Context {
  req: Request & { session: Session };
  res: Response;
  next: () => void;
  users: Record<string, Account>;
}

type Behaviour = (context: Context, callback: (value: unknown) => void) => unknown;

/** The password of every account that only this plugin knows. */
export const pluginPassword = 'known to the plugin';

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Stores the user in the session and accepts. */
const accept =
  (user: unknown): Behaviour =>
  ({ req }) => {
    req.session.user = user;
    return true;
  };

/** What the plugin does when this login and the right password are sent. */
const behaviours: Record<string, Behaviour> = {
  ada: accept({ username: 'ada', is_admin: true }),
  person: accept({ username: 'person', is_admin: false }),
  demoted: accept({ username: 'demoted', is_admin: true }),
  // Some plugins add the people they know to Etherpad's accounts.
  noter: ({ req }) => {
    const settings = core<{ users: Record<string, Account> }>('node/utils/Settings');
    settings.users.noter = { username: 'noter', is_admin: true };
    req.session.user = settings.users.noter;
    return true;
  },
  // Some plugins start a new session and answer later.
  careful: ({ req }, callback) => {
    req.session.regenerate(() => {
      req.session.user = { username: 'careful', is_admin: true };
      req.session.save(() => setTimeout(() => callback([true]), 20));
    });
  },
  thrower: () => {
    throw new Error(`no directory for ${pluginPassword}`);
  },
  rejecter: () => Promise.reject(new Error('no directory')),
  silent: () => new Promise(() => {}),
  challenger: ({ res }) => {
    res.status(401).set('WWW-Authenticate', 'Basic').send('Sign in');
    return new Promise(() => {});
  },
  redirecter: ({ res }) => {
    res.cookie('sso', '1').redirect('https://sign-on.example.org/');
    return new Promise(() => {});
  },
  passer: ({ next }) => {
    next();
    return new Promise(() => {});
  },
  talker: ({ req, res }) => {
    req.session.user = { username: 'talker', is_admin: true };
    res.json({ welcome: true });
    return true;
  },
  nameless: accept({ is_admin: true }),
  nothing: () => true,
  texter: accept('texter'),
  prototype: accept({ username: 'prototype', is_admin: true }),
  leaver: ({ req }, callback) => {
    req.session.destroy(() => callback([true]));
  },
  word: ({ req }) => {
    req.session.user = { username: 'word', is_admin: true };
    return 'yes';
  },
  writer: ({ users }) => {
    users.intruder = { password: pluginPassword, is_admin: true };
    for (const account of Object.values(users)) account.is_admin = true;
    return false;
  },
};

/** Etherpad's hook. Reads the login from the header, as old plugins do. */
export function authenticate(_name: string, context: Context, callback: (value: unknown) => void): unknown {
  const { req, users } = context;
  const header = /^Basic (.*)$/.exec(req.headers.authorization ?? '')?.[1];
  if (header === undefined) return [];
  const [name = '', ...rest] = Buffer.from(header, 'base64').toString().split(':');
  const password = rest.join(':');
  const account = users[name];
  if (account?.hash !== undefined) {
    if (account.hash !== digest(password)) return [];
    account.username = name;
    req.session.user = account;
    return true;
  }
  if (password !== pluginPassword || !Object.hasOwn(behaviours, name)) return [];
  return behaviours[name]?.(context, callback);
}

/** Etherpad's hook: routes that show who is signed in, and a sign-out, which Etherpad itself does not have. */
export function expressConfigure(_name: string, { app }: { app: Application }): void {
  app.get('/test-accounts/whoami', (request, response) => {
    const { user } = (request as Context['req']).session;
    response.json({ user: (user as Account | undefined)?.username ?? null });
  });
  app.post('/test-accounts/logout', (request, response) => {
    (request as Context['req']).session.destroy(() => void response.end('bye'));
  });
}
