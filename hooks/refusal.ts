/** What is said of somebody who may not enter a pad: the key for programs, and the line for the log. */
import type { IncomingMessage } from 'node:http';
import { connectionOf } from '../api/middleware/connection';
import { addressOf } from '../api/middleware/rateLimit';
import type { Decision, Visitor } from '../model/door';
import type { ErrorKey } from '../model/errors';
import type { House } from './house';

type Refused = Exclude<Decision['entry'], 'read' | 'write'>;

export const refusals: Record<Refused, ErrorKey> = {
  signIn: 'BACKEND.ERROR.AUTHENTICATION.MUST_BE',
  password: 'BACKEND.ERROR.TYPE.PASSWORD_MISSING',
  no: 'BACKEND.ERROR.AUTHENTICATION.DENIED_RECORD',
  unknown: 'BACKEND.ERROR.PERMISSION.UNEXPECTED',
  closed: 'BACKEND.ERROR.PERMISSION.UNEXPECTED',
};

/** The caller's address, as limits count it and the log tells it. */
export function addressAt({ trustsProxy }: House, request: IncomingMessage): string {
  return addressOf({ connected: connectionOf(request, trustsProxy()) });
}

/** `call` as `GET /p/:id`. That a password is asked for is no refusal yet. */
export function noteRefusal(
  house: House,
  request: IncomingMessage,
  visitor: Visitor | undefined,
  { call, reason, pad }: { call: string; reason: ErrorKey; pad: string },
): void {
  if (reason === refusals.password) return;
  const by = visitor?.actor.kind === 'user' ? { by: visitor.actor.id } : {};
  house.log.info('refused', { call, reason, pad, ...by, address: addressAt(house, request) });
}
