/** Adds to the administration log what a server administrator did. */
import type { Request } from 'express';
import type { AdminAction, AdminObject } from '../../model/access/adminLog';
import type { Model } from '../../model/model';

/** Does nothing if the caller is not a server administrator. `changed`: names of fields, never values. */
export function recordByAdmin(
  { adminLog }: Pick<Model, 'adminLog'>,
  request: Request,
  action: AdminAction,
  { object, changed }: { object?: AdminObject; changed?: string[] } = {},
): void {
  const { session } = request.mypads;
  if (session?.kind === 'admin') adminLog.add({ action, by: session.owner, object, changed });
}
