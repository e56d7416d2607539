/** What an export is about: pads, a group, or a person. See records.ts. */
import type { Request } from 'express';
import { mayAdministrate } from '../model/access/permissions';
import { MyPadsError } from '../model/errors';
import type { ExportOwner, ExportSubject, OwnExport } from '../model/exports/exports';
import {
  type Asked,
  group,
  idIn,
  notFoundKey,
  openPad,
  type RecordRule,
  requireEntry,
  requirePad,
} from './records';

/** Who asks for exports: a person, or a server administrator by name. */
export function ownerOfExports({ mypads }: Request): ExportOwner {
  if (mypads.user) return { kind: 'user', name: mypads.user._id };
  return { kind: 'admin', name: mypads.session?.owner ?? '' };
}

async function padsOf(asked: Asked, ids: readonly string[]): Promise<ExportSubject> {
  const pads = [];
  for (const id of new Set(ids)) {
    // Not by a read-only id: the file has the id of the pad.
    const found = await requirePad(asked.services, id);
    requireEntry(asked.services, asked.actor, { ...found, id, readOnly: false });
    pads.push({ id: found.pad._id, name: found.pad.name });
  }
  return { kind: 'pads', pads };
}

const ofPeople = group('export', 'group');

async function groupOf(asked: Asked): Promise<ExportSubject> {
  const { group } = await ofPeople.find(asked);
  return { kind: 'group', id: group._id, name: group.name };
}

async function personOf(asked: Asked): Promise<ExportSubject> {
  if (!mayAdministrate(asked.actor)) throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.ADMIN');
  const login = idIn(asked, 'user');
  const found = await asked.services.model.users.named(login);
  if (!found) throw new MyPadsError('BACKEND.ERROR.USER.NOT_FOUND', { key: login });
  return { kind: 'account', id: found._id };
}

/** Exactly one of `pads`, `group`, `me`, and for server administrators `user`. */
export const exported: RecordRule<{ subject: ExportSubject }> = {
  names: ['pads', 'group', 'user'],
  openTo:
    'person: pads that they may open, groups whose reader, member or manager they are, and their own data; server administrator: the data of a person',
  errors: [
    ...new Set([
      ...openPad.errors,
      ...ofPeople.errors,
      'BACKEND.ERROR.AUTHENTICATION.ADMIN' as const,
      'BACKEND.ERROR.AUTHENTICATION.DENIED' as const,
      'BACKEND.ERROR.USER.NOT_FOUND' as const,
      'BACKEND.ERROR.TYPE.PARAM_INVALID' as const,
    ]),
  ],
  async find(asked) {
    const { pads, group, user, me } = asked.fields;
    const named = [pads, group, user, me].filter((one) => one !== undefined);
    if (named.length !== 1) throw new MyPadsError('BACKEND.ERROR.TYPE.PARAM_INVALID', { field: 'pads' });
    if (user !== undefined) return { subject: await personOf(asked) };
    const { user: own } = asked.request.mypads;
    // Server administrators never enter pads; they get those of a person with the data of this person.
    if (!own) throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.DENIED');
    if (me !== undefined) return { subject: { kind: 'account', id: own._id } };
    if (group !== undefined) return { subject: await groupOf(asked) };
    return { subject: await padsOf(asked, pads as string[]) };
  },
};

/** An export that the caller has asked for. For everyone else it does not exist. */
export const ownExport: RecordRule<{ owner: ExportOwner; found: OwnExport }> = {
  names: ['id'],
  openTo: 'who has asked for it',
  errors: [notFoundKey],
  async find(asked) {
    const owner = ownerOfExports(asked.request);
    return { owner, found: await asked.services.model.exports.find(owner, idIn(asked, 'id')) };
  },
};
