/** The caller's IP address, for mails about the caller's own account. That of a server administrator is left out. */
import type { Request } from 'express';
import { mayAdministrate } from '../../model/access/permissions';

export const placeOf = (request: Request): string | undefined =>
  mayAdministrate(request.mypads.actor) ? undefined : request.connected.address;
