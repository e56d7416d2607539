/** What calls that change pads share: the answer with the pad, and the log line. */
import type { Request } from 'express';
import type { Actor } from '../../model/access/permissions';
import { recordNotFound } from '../../model/errors';
import type { PadRecord } from '../../model/store/entities';
import { callerFacts } from '../middleware/caller';
import type { Services } from '../services';
import { presentPad } from './presenter';
import type { PadSavedAnswer } from './schema';

export const padMessages = [
  'pad created',
  'pad duplicated',
  'pad changed',
  'pad removed',
  'pad put into the trash',
  'chat history removed',
] as const;

interface PadEventFacts {
  /** Names of fields. */
  changed?: string[];
  /** The id of the pad that was duplicated. */
  from?: string;
}

/** The answer to a call that changed the pad. Throws KEY_NOT_FOUND if its group has been removed in the meantime. */
export async function savedPad({ model }: Services, actor: Actor, pad: PadRecord): Promise<PadSavedAnswer> {
  const group = await model.groups.find(pad.group);
  if (group === undefined) throw recordNotFound(pad._id);
  return { success: true, key: pad._id, value: presentPad(actor, pad, group, model.policy()) };
}

/** Writes a log line about a change of a pad and who made it. */
export function logPadEvent(
  { model }: Services,
  what: (typeof padMessages)[number],
  request: Request,
  { _id: id, group }: PadRecord,
  facts: PadEventFacts = {},
): void {
  model.log.info(what, { pad: id, group, ...facts, ...callerFacts(request) });
}
