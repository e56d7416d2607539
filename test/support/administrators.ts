/** Calls and answers for the tests of server administrators. */
import { type StartOptions, type TestApp, useTestAppForEach } from './app';
import type { Call } from './caller';
import { useAdmin } from './people';

export const incorrect = { error: 'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT' };
export const denied = { error: 'BACKEND.ERROR.AUTHENTICATION.ADMIN' };

/** Names that every JavaScript object answers to. */
export const builtIn = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf'];

export const loginOf = (app: TestApp) => (login: unknown, password: unknown) =>
  app.agent.post('/api/auth/admin/login').send({ login, password });

/** Something that only administrators see. */
export const settingsOf = (app: TestApp) => (token: string, cookie?: string) => {
  const call = app.agent.get('/api/configuration/title').query({ auth_token: token });
  return cookie === undefined ? call : call.set('Cookie', cookie);
};

/** A new product for each test of a `describe`, and calls of a server administrator. */
export function useAdministrator(options?: StartOptions): { app: TestApp; admin: Call } {
  const app = useTestAppForEach(options);
  return { app, admin: useAdmin(app, beforeEach) };
}
