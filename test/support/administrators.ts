/** Calls and answers for the tests of server administrators. */
import { expect } from 'chai';
import { type StartOptions, type TestApp, useTestAppForEach } from './app';
import { type Call, callerOf } from './caller';
import { buildUser } from './factories';
import { useAdmin } from './people';

export const incorrect = { error: 'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT' };
export const denied = { error: 'BACKEND.ERROR.AUTHENTICATION.ADMIN' };

/** These addresses refuse guests and people who are no server administrators. */
export async function expectOnlyForAdministrators(app: TestApp, ...places: readonly string[]): Promise<void> {
  const user = await buildUser(app);
  for (const token of [undefined, user.token]) {
    for (const place of places) {
      const { status, body } = await callerOf(app, token)('get', place);
      expect([status, body], place).to.deep.equal([401, denied]);
    }
  }
}

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
