/** What the routes of pads share: finding a pad, checking the caller's rights on it, and answering with it. */
import type { Request } from 'express';
import {
  type Actor,
  entryErrors,
  groupAbilities,
  type PadAbilities,
  padAbilities,
  padEntry,
} from '../../model/access/permissions';
import { MyPadsError } from '../../model/errors';
import type { GroupCheck } from '../../model/folders/groupRecords';
import type { GroupRecord, PadRecord } from '../../model/store/entities';
import { recordByAdmin } from '../middleware/adminLog';
import { throwUnless } from '../middleware/authorise';
import { callerFacts } from '../middleware/caller';
import type { Services } from '../services';
import { presentPad } from './presenter';
import type { PadSavedAnswer } from './schema';

/** A pad and its group. */
export interface PadInGroup {
  pad: PadRecord;
  group: GroupRecord;
}

/** A pad as a path names it. */
export interface NamedPad extends PadInGroup {
  /** The id in the path. People with a read-only id learn no other. */
  id: string;
  /** Whether this is the read-only id. */
  readOnly: boolean;
}

/** Log messages about pads, with the action for the administration log. */
export const padEvents = {
  'pad created': 'padCreated',
  'pad duplicated': 'padCreated',
  'pad changed': 'padChanged',
  'pad removed': 'padRemoved',
  'chat history removed': 'chatRemoved',
} as const;

type PadEvent = keyof typeof padEvents;

interface PadEventFacts {
  /** Names of fields. */
  changed?: string[];
  /** The id of the pad that was duplicated. */
  from?: string;
}

export interface PadLookup {
  /** `undefined` for a pad without a group too: nobody can open it. */
  find(id: string): Promise<PadInGroup | undefined>;
  /** As `find`. Throws KEY_NOT_FOUND. */
  require(id: string): Promise<PadInGroup>;
  /** As `require`, also for a read-only id. */
  requireNamed(id: string): Promise<NamedPad>;
  /** Throws KEY_NOT_FOUND, DENIED_RECORD_EDIT. */
  requireAbility(
    request: Request,
    id: string,
    ability: keyof Pick<PadAbilities, 'remove' | 'removeChatHistory'>,
  ): Promise<PadInGroup>;
  /**
   * Throws MUST_BE if signing in may open the pad, PASSWORD_MISSING if its password would, and otherwise DENIED_RECORD.
   */
  requireEntry(actor: Actor, pad: PadInGroup | NamedPad): 'read' | 'write';
  /** A check that throws DENIED unless the actor may create pads in the group. */
  mayCreate(actor: Actor): GroupCheck;
  /** The answer to a call that changed the pad. Throws KEY_NOT_FOUND if the group has been removed in the meantime. */
  saved(actor: Actor, pad: PadRecord): Promise<PadSavedAnswer>;
  /**
   * Writes a log line about a change of a pad and who made it. Changes by server administrators also go into their log.
   */
  logEvent(what: PadEvent, request: Request, pad: PadRecord, facts?: PadEventFacts): void;
}

export function createPadLookup({ model, padOfReadOnlyId }: Services): PadLookup {
  const { pads, groups } = model;
  const notFound = (id: string) => new MyPadsError('BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND', { key: id });

  async function find(id: string): Promise<PadInGroup | undefined> {
    const pad = await pads.find(id);
    const group = pad && (await groups.find(pad.group));
    return pad && group && { pad, group };
  }

  async function requirePad(id: string): Promise<PadInGroup> {
    const found = await find(id);
    if (found === undefined) throw notFound(id);
    return found;
  }

  return {
    find,
    require: requirePad,
    async requireNamed(id) {
      const found = await find(id);
      if (found) return { ...found, id, readOnly: false };
      const pad = await padOfReadOnlyId(id);
      const named = pad === undefined ? undefined : await find(pad);
      if (named === undefined) throw notFound(id);
      return { ...named, id, readOnly: true };
    },
    async requireAbility({ mypads: { actor } }, id, ability) {
      const found = await requirePad(id);
      const allowed = padAbilities(actor, found.pad, found.group, model.policy())[ability];
      throwUnless(allowed, 'BACKEND.ERROR.AUTHENTICATION.DENIED_RECORD_EDIT', id);
      return found;
    },
    requireEntry(actor, named) {
      const { pad, group } = named;
      const { id, readOnly } = 'id' in named ? named : { id: pad._id, readOnly: false };
      const entry = padEntry(actor, pad, group, model.policy());
      if (entry === 'read' || entry === 'write') return readOnly ? 'read' : entry;
      throw new MyPadsError(entryErrors[entry], { key: id });
    },
    mayCreate: (actor) => (group) => {
      const { createPad } = groupAbilities(actor, group, model.policy());
      throwUnless(createPad, 'BACKEND.ERROR.AUTHENTICATION.DENIED', group._id);
    },
    async saved(actor, pad) {
      const group = await groups.find(pad.group);
      if (group === undefined) throw notFound(pad._id);
      return { success: true, key: pad._id, value: presentPad(actor, pad, group, model.policy()) };
    },
    logEvent(what, request, { _id: id, group, name }, facts = {}) {
      model.log.info(what, { pad: id, group, ...facts, ...callerFacts(request) });
      const object = { kind: 'pad' as const, id, ...(what === 'pad removed' && { name }) };
      recordByAdmin(model, request, padEvents[what], { object, changed: facts.changed });
    },
  };
}
