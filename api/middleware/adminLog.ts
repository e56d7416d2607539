/** Adds to the administration log what a server administrator did. */
import type { Request } from 'express';
import type { AdminAction, AdminObject } from '../../model/access/adminLog';
import type { Model } from '../../model/model';

/** A program that makes many accounts and folders sends the same random text with each call. */
const importHeader = 'Mypads-Import';

/** The changes that share one entry if they belong to an import, with the fields that they may change. */
const importable: Partial<Record<AdminAction, readonly string[]>> = {
  accountCreated: [],
  accountChanged: ['firstname', 'lastname', 'organization'],
  groupCreated: [],
  groupChanged: ['name', 'admins', 'users'],
};

/** The import that a change belongs to; `undefined` if the change needs an entry of its own. */
function importOf(
  request: Request,
  action: AdminAction,
  changed: readonly string[] = [],
): string | undefined {
  const sent = request.get(importHeader) ?? '';
  const fields = importable[action];
  return /^[\w-]{8,64}$/.test(sent) && fields && changed.every((name) => fields.includes(name))
    ? sent
    : undefined;
}

/** Does nothing if the caller is not a server administrator. `changed`: names of fields, never values. */
export function recordByAdmin(
  { adminLog }: Pick<Model, 'adminLog'>,
  request: Request,
  action: AdminAction,
  { object, changed }: { object?: AdminObject; changed?: string[] } = {},
): void {
  const { session } = request.mypads;
  if (session?.kind !== 'admin') return;
  const by = session.owner;
  const ofImport = importOf(request, action, changed);
  if (ofImport === undefined) adminLog.add({ action, by, object, changed });
  else adminLog.add({ action: 'imported', by, import: ofImport });
}
