/**
 * The access check at addresses of other plugins that name a pad, such as `/public/<pad>`: most plugins check nothing.
 * Plugins that list or search pads name none in the address; the checkup warns of those that are known.
 */
import type { Request, RequestHandler, Response } from 'express';
import { isOpen } from '../model/access/permissions';
import { MyPadsError } from '../model/errors';
import { visitorOf } from '../web/proxyHeaders';
import { answerError } from './errorPage';
import { logRefusedAccess, refusals } from './refusal';
import { currentRuntime, type Runtime } from './runtime';
import { answerUnavailable, isHostAddress, mayNamePad, namesInAddress } from './unavailable';

/** An address with more names is refused, because each of them is looked up in the database. */
const maxNames = 30;

/** Returns true if the request may go on. Otherwise it has been answered. */
async function checkNamedPads(
  runtime: Runtime,
  request: Request,
  response: Response,
  names: readonly string[],
): Promise<boolean> {
  await runtime.model.upToDate();
  const visitor = await visitorOf(runtime.model, request);
  const isReading = request.method === 'GET' || request.method === 'HEAD';
  for (const name of names) {
    const padId = await runtime.padIds.ofUrl(name);
    if (padId === undefined) continue;
    const { entry, managed } = await runtime.model.padAccess.decide(padId, visitor);
    if (!managed) continue;
    response.set('Cache-Control', 'no-store');
    const mayWrite = entry === 'write' && !runtime.padIds.isReadOnlyId(name);
    if (isOpen(entry) && (isReading || mayWrite)) continue;
    const reason = isOpen(entry) ? 'BACKEND.ERROR.AUTHENTICATION.DENIED_RECORD_EDIT' : refusals[entry];
    const call = `${request.method} of another plugin`;
    logRefusedAccess(runtime, request, visitor, { call, reason, pad: padId });
    answerError(request, response, new MyPadsError(reason));
    return false;
  }
  return true;
}

/** Use it for all addresses, before other plugins add theirs. An error refuses access. */
export const otherAddresses: RequestHandler = (request, response, next) => {
  if (isHostAddress(request.url)) return next();
  const names = namesInAddress(request.url);
  const runtime = currentRuntime();
  if (!runtime) {
    if (names?.some(mayNamePad) !== false) answerUnavailable(request, response);
    else next();
    return;
  }
  if (names === undefined || names.length > maxNames) {
    answerError(request, response, new MyPadsError('BACKEND.ERROR.TYPE.ADDRESS'));
    return;
  }
  checkNamedPads(runtime, request, response, names).then(
    (allowed) => {
      if (allowed) next();
    },
    (error: unknown) => {
      runtime.log.error('pad access check failed, page refused', { error: String(error) });
      if (!response.headersSent) answerUnavailable(request, response);
    },
  );
};
