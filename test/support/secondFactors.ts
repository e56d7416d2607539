/** Authenticator apps and passkeys of people, over HTTP. */
import { TOTP } from 'otpauth';
import type { TestApp } from './app';
import { createAuthenticator } from './authenticator';
import { callerOf } from './caller';
import type { TestUser } from './factories';

export const site = 'https://pads.example.org';

/** The codes of an authenticator app, at the time of the server. */
export const codeOf = (app: TestApp, secret: string): string =>
  new TOTP({ secret }).generate({ timestamp: app.ports.now() });

/** Moves the clock to the next code. */
export const nextCode = (app: TestApp): void => app.ports.advance(30_000);

/** Adds an authenticator app. Returns its secret, and the recovery codes. */
export async function addApp(
  app: TestApp,
  { login, password, token }: TestUser,
): Promise<{ secret: string; recoveryCodes: string[]; id: string }> {
  const call = callerOf(app, token);
  const path = `user/${login}/factors/totp`;
  const begun = await call('post', `${path}/options`, { currentPassword: password }).expect(200);
  const { pending, secret } = begun.body;
  const { body } = await call('post', path, { pending, code: codeOf(app, secret) }).expect(200);
  return { secret, recoveryCodes: body.recoveryCodes, id: body.value._id };
}

/** Adds a passkey. */
export async function addPasskey(app: TestApp, { login, password, token }: TestUser) {
  const device = createAuthenticator(site);
  const call = callerOf(app, token);
  const path = `user/${login}/factors/passkey`;
  const { body } = await call('post', `${path}/options`, { currentPassword: password }).expect(200);
  await call('post', path, { name: 'Phone', passkey: device.make(body.value) }).expect(200);
  return device;
}
