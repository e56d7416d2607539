import supertest, { type Test } from 'supertest';
import type { TestApp } from './app';

export type Method = 'get' | 'post' | 'put' | 'delete';

/** Calls the API: `call('put', 'group/x', {name})`. */
export type Call = (method: Method, path: string, body?: unknown) => Test;

/** Calls the API with this token, or as a guest without one. */
export function callerOf(app: Pick<TestApp, 'agent'>, token?: string): Call {
  return (method, path, body) => {
    const request = app.agent[method](`/api/${path}`);
    if (token !== undefined) request.set('Authorization', `Bearer ${token}`);
    return body === undefined ? request : request.send(body as object);
  };
}

/** The same, at a real Etherpad with this address. */
export const hostCallerOf = ({ url }: { url: string }, token?: string): Call =>
  callerOf({ agent: supertest(`${url}/mypads`) }, token);

/** Encodes a password for a query. */
export function encodePassword(password: string): string {
  return encodeURIComponent(Buffer.from(password, 'utf8').toString('base64'));
}

/** The records under `mypads:` without sessions, secrets, indexes and the administration log, to find changes. */
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
