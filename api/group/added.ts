/** What follows when people got a group or a pad: they get an email, and invitations of their addresses end. */
import { type Actor, accountIdOf } from '../../model/access/permissions';
import { MyPadsError } from '../../model/errors';
import { endInvitationsOf } from '../../model/people/joinedPeople';
import type { GroupRecord, PadRecord } from '../../model/store/entities';
import { peopleOf } from '../../model/store/records';
import type { Services } from '../services';

/** The people whose limit for such emails is not reached. Nobody learns whether it is. */
async function withinLimit({ limits }: Services, people: readonly string[]): Promise<string[]> {
  const within: string[] = [];
  for (const person of people) {
    try {
      await limits.consume('addedMail', person);
      within.push(person);
    } catch (error) {
      if (!(error instanceof MyPadsError)) throw error;
    }
  }
  return within;
}

/** `pad`: it alone was shared with them. Nobody is told about what they did themselves. */
async function welcome(
  services: Services,
  actor: Actor,
  { people, group, pad }: { people: readonly string[]; group: GroupRecord; pad?: string },
): Promise<void> {
  const { addedMail } = services.model;
  const self = accountIdOf(actor);
  const added = people.filter((id) => id !== self);
  if (added.length === 0) return;
  await endInvitationsOf(services.model, added, group, pad);
  if (!addedMail.isOn()) return;
  const told = await withinLimit(services, added);
  const facts = { group: group._id, ...(pad !== undefined && { pad }), by: self };
  if (told.length > 0) await addedMail.tell({ ...facts, people: told });
}

/** `before`: the people whom the group had. */
export function welcomeAdded(
  services: Services,
  actor: Actor,
  before: readonly string[],
  after: GroupRecord,
): Promise<void> {
  const people = peopleOf(after).filter((id) => !before.includes(id));
  return welcome(services, actor, { people, group: after });
}

/** `before`: the pad as it was. */
export function welcomeToPad(
  services: Services,
  actor: Actor,
  before: PadRecord,
  { group, pad }: { group: GroupRecord; pad: PadRecord },
): Promise<void> {
  const people = Object.keys(pad.people ?? {}).filter((id) => before.people?.[id] === undefined);
  return welcome(services, actor, { people, group, pad: pad._id });
}
