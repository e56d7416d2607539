/** Headers in which a proxy says who somebody is: other requests lose them, and sessions of other people end. */
import type { IncomingMessage } from 'node:http';
import type { Visitor } from '../model/access/padDecisions';
import type { Model } from '../model/model';
import type { SessionRecord } from '../model/store/entities';
import { readCookie } from './cookie';
import { entryCookie } from './entryCookie';

/** Removes them from a request that no proxy has sent, so that other plugins do not believe them either. */
export function removeForeignHeaders({ header }: Pick<Model, 'header'>, request: IncomingMessage): void {
  const names = header.foreignHeaders(request);
  if (names.length === 0) return;
  for (const name of names) {
    delete request.headers[name];
    delete request.headersDistinct[name];
  }
  const { rawHeaders } = request;
  request.rawHeaders = rawHeaders.filter(
    (_, index) => !names.includes((rawHeaders[index - (index % 2)] ?? '').toLowerCase()),
  );
}

type Sessions = Pick<Model, 'header' | 'sessions' | 'log'>;

/**
 * The session, unless it began with the headers of a proxy that names somebody else now: it ends then. A proxy may name
 * nobody, for example where it asks nobody to sign in.
 */
export async function unlessProxyNamesAnother<Session extends SessionRecord>(
  { header, sessions, log }: Sessions,
  session: Session | undefined,
  request: IncomingMessage,
): Promise<Session | undefined> {
  const { method, subject = '' } = session?.signedInBy ?? {};
  if (!session || method !== 'header' || !header.namesAnother(request, subject)) return session;
  await sessions.end(session._id);
  log.info('session ended, the proxy names somebody else', { user: session.owner });
  return undefined;
}

/** The visitor of the entry cookie of a request. */
export async function visitorOf(
  model: Sessions & Pick<Model, 'padAccess'>,
  request: IncomingMessage,
): Promise<Visitor> {
  const visitor = await model.padAccess.visitor(readCookie(request.headers.cookie, entryCookie));
  const session = await unlessProxyNamesAnother(model, visitor.session, request);
  return session === visitor.session ? visitor : model.padAccess.visitor(undefined);
}
