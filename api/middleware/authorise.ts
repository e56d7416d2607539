/** Who may go on: the rules are model/permissions.ts, these turn their "no" into an error. */
import type { Request } from 'express';
import { type ErrorKey, MyPadsError } from '../../model/errors';
import type { Actor } from '../../model/permissions';

export type PersonActor = Actor & { kind: 'user' };

/** The signed-in person. Throws AUTHENTICATION.NOT_AUTH, also for server administrators. */
export function requirePerson(request: Request): PersonActor {
  const { actor } = request.mypads;
  if (actor.kind !== 'user') throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.NOT_AUTH');
  return actor;
}

/** A signed-in person or a server administrator. Throws AUTHENTICATION.NOT_AUTH. */
export function requireSignedIn(request: Request): Actor {
  const { actor } = request.mypads;
  if (actor.kind === 'guest') throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.NOT_AUTH');
  return actor;
}

/** Throws `error` unless it is allowed. */
export function demand(allowed: boolean, error: ErrorKey, key?: string): void {
  if (!allowed) throw new MyPadsError(error, key === undefined ? {} : { key });
}
