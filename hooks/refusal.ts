/** The error keys and the log line for refused access to a pad. */
import type { IncomingMessage } from 'node:http';
import type { Decision, Visitor } from '../model/access/padDecisions';
import { entryErrors, isRefusal } from '../model/access/permissions';
import type { ErrorKey } from '../model/errors';
import { connectionOf } from '../web/connection';
import { addressOf } from '../web/rateLimit';
import type { Runtime } from './runtime';

export const refusals: Record<Exclude<Decision['entry'], 'read' | 'write'>, ErrorKey> = {
  ...entryErrors,
  removed: 'BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND',
  unknown: 'BACKEND.ERROR.PERMISSION.UNEXPECTED',
  closed: 'BACKEND.ERROR.PERMISSION.UNEXPECTED',
};

/** The caller's IP address, as used for rate limits and in the log. */
export function addressAt({ trustsProxy }: Runtime, request: IncomingMessage): string {
  return addressOf({ connected: connectionOf(request, trustsProxy()) });
}

/** Logs a refused visit of a pad. Asking for a password is no refusal. `call`: for example `GET /p/:id`. */
export function logRefusedAccess(
  runtime: Runtime,
  request: IncomingMessage,
  visitor: Visitor | undefined,
  { call, reason, pad }: { call: string; reason: ErrorKey; pad: string },
): void {
  if (!isRefusal(reason)) return;
  const by = visitor?.actor.kind === 'user' ? { by: visitor.actor.id } : {};
  runtime.log.info('pad access refused', { call, reason, pad, ...by, address: addressAt(runtime, request) });
}
