/** What follows when people were added to a group: they get an email, and invitations of their addresses end. */
import type { Actor } from '../../model/access/permissions';
import { MyPadsError } from '../../model/errors';
import type { GroupRecord } from '../../model/store/entities';
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

/** `before`: the people whom the group had. Nobody is told about what they did themselves. */
export async function welcomeAdded(
  services: Services,
  actor: Actor,
  before: readonly string[],
  after: GroupRecord,
): Promise<void> {
  const { users, invitations, addedMail } = services.model;
  const self = actor.kind === 'user' ? actor.id : null;
  const added = peopleOf(after).filter((id) => !before.includes(id) && id !== self);
  if (added.length === 0) return;
  if (after.invitations.length > 0) {
    const accounts = await users.findMany(added);
    await invitations.endFor(
      after._id,
      [...accounts.values()].map(({ email }) => email),
    );
  }
  if (!addedMail.isOn()) return;
  const people = await withinLimit(services, added);
  if (people.length > 0) await addedMail.tell({ group: after._id, people, by: self });
}
