/** Shows who has a pad open now, as far as the caller may see these people. */
import { type Actor, peopleSight } from '../../model/access/permissions';
import type { GroupRecord, PadRecord } from '../../model/store/entities';
import { peopleOf } from '../../model/store/records';
import { presentPerson } from '../group/presenter';
import type { Services } from '../services';
import { padIdentity } from './identity';
import type { Present } from './schema';

const maxNamed = 20;

/** The number of people in a pad. */
export function countPeopleInPad({ peopleInPad }: Pick<Services, 'peopleInPad'>, pad: string): number {
  const { people, guests } = peopleInPad(pad);
  return people.length + guests;
}

/**
 * Names only people of the pad's group who have a name in pads, and only if the caller may see the people of the group.
 */
export async function visiblePeopleInPad(
  services: Services,
  actor: Actor,
  { pad, group }: { pad: PadRecord; group: GroupRecord },
): Promise<Present> {
  const { model } = services;
  const count = countPeopleInPad(services, pad._id);
  const sight = peopleSight(actor, group, model.policy());
  if (sight === 'none' || count === 0) return { count, people: [] };
  const members = new Set(peopleOf(group));
  const known = services.peopleInPad(pad._id).people.filter((id) => members.has(id));
  const found = await model.users.findMany(known.slice(0, 2 * maxNamed));
  const useFirstLastNameInPads = model.configuration.get('useFirstLastNameInPads');
  const named = [...found.values()].filter(
    (user) => padIdentity(user, { useFirstLastNameInPads }).userName !== '',
  );
  return { count, people: named.slice(0, maxNamed).map((user) => presentPerson(user, sight)) };
}
