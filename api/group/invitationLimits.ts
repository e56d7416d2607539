/** Rate limits for adding other people to folders, so that nobody can fill somebody else's list of folders. */
import type { Actor } from '../../model/access/permissions';
import { peopleOf } from '../../model/store/records';
import type { Services } from '../services';

/** People to add to a group. */
interface People {
  /** Ids. */
  admins?: readonly string[];
  users?: readonly string[];
  readers?: readonly string[];
  /** Logins and e-mail addresses. */
  entries?: readonly string[];
}

/**
 * Consumes a point for each existing account that is not in the group yet. Without `id`: for a new group. Adding
 * oneself costs nothing, and server administrators are not limited. Throws PERMISSION.TOO_MANY, SERVER.BUSY.
 */
export async function limitInvitations(
  { model, limits }: Services,
  actor: Actor,
  { admins = [], users = [], readers = [], entries = [] }: People,
  id?: string,
): Promise<void> {
  if (actor.kind !== 'user' || admins.length + users.length + readers.length + entries.length === 0) return;
  const invited = await model.users.findByEntries(entries.map((entry) => entry.trim()));
  const group = id === undefined ? undefined : await model.groups.find(id);
  const present = new Set([actor.id, ...(group ? peopleOf(group) : [])]);
  const added = [...admins, ...users, ...readers, ...invited.values()].filter(
    (person) => !present.has(person),
  );
  for (const person of (await model.users.findMany([...new Set(added)])).keys()) {
    await limits.consume('invitation', `${actor.id} ${person}`);
    await limits.consume('invitationPerson', person);
  }
}
