/** What may leave of a pad. */
import type { GroupRecord, PadRecord } from '../../model/entities';
import { type Actor, effectiveSettings, type Policy, padAbilities } from '../../model/permissions';
import type { Pad } from '../wire';

/** Does it have a password that could be proved? */
export function hasPassword(record: Pick<GroupRecord, 'password'>): boolean {
  return record.password !== null && typeof record.password === 'object';
}

/** `lastUpdate`: milliseconds since 1970, `null` while nobody has written in the pad or nobody was asked. */
export function presentPad(
  actor: Actor,
  pad: PadRecord,
  group: GroupRecord,
  policy: Policy,
  lastUpdate: number | null = pad.lastUpdate ?? null,
): Pad {
  return {
    _id: pad._id,
    name: pad.name,
    group: pad.group,
    visibility: pad.visibility,
    readonly: pad.readonly,
    hasPassword: pad.visibility === 'private' && hasPassword(pad),
    ctime: pad.ctime,
    lastUpdate,
    effective: effectiveSettings(pad, group),
    abilities: padAbilities(actor, pad, group, policy),
  };
}
