import type { Test } from 'supertest';
import type { TestApp } from './app';

export type Method = 'get' | 'post' | 'put' | 'delete';

/** Somebody who calls the API: `call('put', 'group/x', {name})`. */
export type Call = (method: Method, path: string, body?: unknown) => Test;

/** Without a token: a guest. */
export function callerOf(app: TestApp, token?: string): Call {
  return (method, path, body) => {
    const request = app.agent[method](`/api/${path}`);
    if (token !== undefined) request.set('Authorization', `Bearer ${token}`);
    return body === undefined ? request : request.send(body as object);
  };
}

/** A password as it travels in a query. */
export function encodePassword(password: string): string {
  return encodeURIComponent(Buffer.from(password, 'utf8').toString('base64'));
}

/** Waits until nothing that follows behind answers is left to do: in the tests' own process, or in the server over the network. */
export function settled(app: TestApp): Promise<void> {
  return app.idle();
}

/** Everything under `mypads:` in the database, for "nothing changed" and "nothing is left". Sessions, secrets and the administration log aside. */
export async function snapshot(app: TestApp): Promise<Record<string, unknown>> {
  const found = await app.ports.database.findKeys('mypads:*', null);
  const kept = found
    .filter((key) => !/^mypads:(?:session|sessions|secret|index|adminlog)(?::|$)/.test(key))
    .sort();
  const entries = await Promise.all(
    kept.map(
      async (key): Promise<[string, unknown]> => [key, structuredClone(await app.ports.database.get(key))],
    ),
  );
  return Object.fromEntries(entries);
}
