/** What putting other people into folders costs: nobody's list of folders grows by thousands in a moment. */
import type { Actor } from '../../model/permissions';
import { peopleOf } from '../../model/records';
import type { Services } from '../services';

/** People who are to belong to a group: their ids, or logins and e-mail addresses. */
interface Joining {
  admins?: readonly string[];
  users?: readonly string[];
  entries?: readonly string[];
}

/**
 * Pays for everybody who exists and is not in the group yet; `id` is missing for a new one. Server administrators pay nothing, nor does
 * anybody for themselves. Throws PERMISSION.TOO_MANY, SERVER.BUSY before accounts are indexed.
 */
export async function payForJoining(
  { model, limits }: Services,
  actor: Actor,
  { admins = [], users = [], entries = [] }: Joining,
  id?: string,
): Promise<void> {
  if (actor.kind !== 'user' || admins.length + users.length + entries.length === 0) return;
  const invited = await model.users.findByEntries(entries.map((entry) => entry.trim()));
  const group = id === undefined ? undefined : await model.groups.find(id);
  const present = new Set([actor.id, ...(group ? peopleOf(group) : [])]);
  const coming = [...admins, ...users, ...invited.values()].filter((person) => !present.has(person));
  for (const person of (await model.users.findMany([...new Set(coming)])).keys()) {
    await limits.spend('invitation', `${actor.id} ${person}`);
    await limits.spend('invitationPerson', person);
  }
}
