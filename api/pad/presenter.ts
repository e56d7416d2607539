/** Turns pad records into what the API answers, without secrets. */

import {
  type Actor,
  effectiveSettings,
  lastEditorSeen,
  type Policy,
  padAbilities,
  seesGroup,
  usablePassword,
} from '../../model/access/permissions';
import type { GroupRecord, PadRecord } from '../../model/store/entities';
import type { Pad, PadSummary } from '../answers';

/** Whether the record has a usable password. */
export function hasPassword(record: Pick<GroupRecord, 'password'>): boolean {
  return usablePassword(record.password) !== null;
}

export function editorShown(
  actor: Actor,
  pad: PadRecord,
  group: GroupRecord,
  policy: Policy,
): Pick<Pad, 'lastEditor'> {
  const lastEditor = lastEditorSeen(actor, pad.lastEditor, group, policy);
  return lastEditor === undefined ? {} : { lastEditor };
}

/** The id of the pad's group; `null` if the actor does not see the group. */
const groupShown = (actor: Actor, group: GroupRecord, policy: Policy): string | null =>
  seesGroup(actor, group, policy) ? group._id : null;

/** `lastUpdate`: milliseconds since 1970; `null` if nobody has written in the pad yet, or if it is not known. */
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
    group: groupShown(actor, group, policy),
    visibility: pad.visibility,
    readonly: pad.readonly,
    hasPassword: pad.visibility === 'private' && hasPassword(pad),
    ctime: pad.ctime,
    lastUpdate,
    ...editorShown(actor, pad, group, policy),
    ...(pad.template && { template: true }),
    effective: effectiveSettings(pad, group),
    abilities: padAbilities(actor, pad, group, policy),
  };
}

/** A pad for somebody who came with its read-only id: with that id, and without anything to change or bookmark. */
export function presentReadOnlyPad(readOnlyId: string, shown: Pad): Pad {
  const { enter } = shown.abilities;
  return {
    ...shown,
    _id: readOnlyId,
    abilities: {
      enter: enter === 'write' ? 'read' : enter,
      edit: false,
      remove: false,
      removeChatHistory: false,
      move: false,
      bookmark: false,
      askToWrite: false,
    },
  };
}

/** A pad in a list. */
export function presentPadSummary(
  actor: Actor,
  pad: PadRecord,
  group: GroupRecord,
  policy: Policy,
): PadSummary {
  return {
    _id: pad._id,
    name: pad.name,
    group: groupShown(actor, group, policy),
    visibility: effectiveSettings(pad, group).visibility,
    ctime: pad.ctime,
    lastUpdate: pad.lastUpdate ?? null,
    ...editorShown(actor, pad, group, policy),
  };
}
