/** What calls that change groups share: the answer with the group, and the log line. */
import type { Request } from 'express';
import type { Actor } from '../../model/access/permissions';
import { recordNotFound } from '../../model/errors';
import type { GroupRecord } from '../../model/store/entities';
import { peopleOf } from '../../model/store/records';
import type { Group, Person } from '../answers';
import { callerFacts } from '../middleware/caller';
import type { Services } from '../services';
import { presentGroupFor, presentPerson } from './presenter';
import type { GroupSavedAnswer } from './schema';

export const groupMessages = [
  'group created',
  'group changed',
  'group left',
  'group removed',
  'group put into the trash',
] as const;

interface GroupEventFacts {
  /** Names of fields. */
  changed?: string[];
  /** The id of the person who was removed. */
  removed?: string;
}

/** Throws KEY_NOT_FOUND if the group has been removed in the meantime. */
async function present({ model }: Services, actor: Actor, { _id: id }: GroupRecord) {
  const content = (await model.groupContents.read([id])).get(id);
  if (content === undefined) throw recordNotFound(id);
  return { ...presentGroupFor(actor, content.group, content, model.policy()), people: content.people };
}

/** The group, and its people as far as the actor may see them. */
export async function presentWithPeople(
  services: Services,
  actor: Actor,
  record: GroupRecord,
): Promise<{ value: Group; users: Record<string, Person> }> {
  const { group, sight, people } = await present(services, actor, record);
  const visible = peopleOf(group).flatMap((id) => people.get(id) ?? []);
  const users = Object.fromEntries(visible.map((person) => [person._id, presentPerson(person, sight)]));
  return { value: group, users };
}

/** The answer to a call that changed the group. */
export async function savedGroup(
  services: Services,
  actor: Actor,
  group: GroupRecord,
): Promise<GroupSavedAnswer> {
  return { success: true, key: group._id, value: (await present(services, actor, group)).group };
}

/** Writes a log line about a change of a group (its id) and who made it. */
export function logGroupEvent(
  { model }: Services,
  what: (typeof groupMessages)[number],
  request: Request,
  group: string,
  facts: GroupEventFacts = {},
): void {
  model.log.info(what, { group, ...facts, ...callerFacts(request) });
}
