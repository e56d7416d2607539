/** What the routes of groups share: finding a group, checking the caller's rights on it, and answering with it. */
import type { Request } from 'express';
import { type Actor, type GroupAbilities, groupAbilities } from '../../model/access/permissions';
import { MyPadsError } from '../../model/errors';
import type { GroupContent } from '../../model/folders/groupContent';
import type { GroupCheck } from '../../model/folders/groupRecords';
import type { GroupRecord } from '../../model/store/entities';
import { peopleOf } from '../../model/store/records';
import type { Group, Person } from '../answers';
import { recordByAdmin } from '../middleware/adminLog';
import { throwUnless } from '../middleware/authorise';
import { callerFacts } from '../middleware/caller';
import type { Services } from '../services';
import { presentGroupFor, presentPerson } from './presenter';
import type { GroupSavedAnswer } from './schema';

/** Log messages about groups, with the action for the administration log. */
export const groupEvents = {
  'group created': 'groupCreated',
  'group changed': 'groupChanged',
  'group left': 'groupChanged',
  'group removed': 'groupRemoved',
} as const;

type GroupEvent = keyof typeof groupEvents;

interface GroupEventFacts {
  /** Names of fields. */
  changed?: string[];
  /** The id of the person who was removed. */
  removed?: string;
  /** The name of a removed group, for the administration log only. */
  name?: string;
}

export interface GroupLookup {
  /** Reads the group, its people and its pads. Throws KEY_NOT_FOUND. */
  requireContent(id: string): Promise<GroupContent>;
  /**
   * Throws KEY_NOT_FOUND, DENIED_RECORD_EDIT. `check` repeats the test on the current record, right before it is
   * written.
   */
  requireAbility(
    request: Request,
    id: string,
    ability: keyof GroupAbilities,
  ): Promise<{ actor: Actor; check: GroupCheck; group: GroupRecord }>;
  /** The group, and its people as far as the actor may see them. */
  presentWithPeople(
    actor: Actor,
    group: GroupRecord,
  ): Promise<{ value: Group; users: Record<string, Person> }>;
  /** The answer to a call that changed the group. */
  saved(actor: Actor, group: GroupRecord): Promise<GroupSavedAnswer>;
  /**
   * Writes a log line about a change of a group (its id) and who made it. Changes by server administrators also go into
   * their log.
   */
  logEvent(what: GroupEvent, request: Request, group: string, facts?: GroupEventFacts): void;
}

export function createGroupLookup({ model }: Services): GroupLookup {
  const notFound = (id: string) => new MyPadsError('BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND', { key: id });

  async function requireContent(id: string): Promise<GroupContent> {
    const content = (await model.groupContents.read([id])).get(id);
    if (content === undefined) throw notFound(id);
    return content;
  }

  async function present(actor: Actor, { _id: id }: GroupRecord) {
    const content = await requireContent(id);
    return { ...presentGroupFor(actor, content.group, content, model.policy()), people: content.people };
  }

  return {
    requireContent,
    async requireAbility({ mypads: { actor } }, id, ability) {
      const check: GroupCheck = (group) => {
        const allowed = groupAbilities(actor, group, model.policy())[ability];
        throwUnless(allowed, 'BACKEND.ERROR.AUTHENTICATION.DENIED_RECORD_EDIT', id);
      };
      const group = await model.groups.find(id);
      if (group === undefined) throw notFound(id);
      check(group);
      return { actor, check, group };
    },
    async presentWithPeople(actor, record) {
      const { group, sight, people } = await present(actor, record);
      const visible = peopleOf(group).flatMap((id) => people.get(id) ?? []);
      const users = Object.fromEntries(visible.map((person) => [person._id, presentPerson(person, sight)]));
      return { value: group, users };
    },
    async saved(actor, group) {
      return { success: true, key: group._id, value: (await present(actor, group)).group };
    },
    logEvent(what, request, group, { name, ...facts } = {}) {
      model.log.info(what, { group, ...facts, ...callerFacts(request) });
      const changed = facts.removed === undefined ? facts.changed : ['users'];
      const object = { kind: 'group' as const, id: group, name };
      recordByAdmin(model, request, groupEvents[what], { object, changed });
    },
  };
}
