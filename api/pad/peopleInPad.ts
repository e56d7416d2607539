/** Shows who has pads open now, as far as the caller may see these people. */
import { type Actor, isPadListed, peopleSight } from '../../model/access/permissions';
import type { GroupContent } from '../../model/folders/groupContent';
import type { PeopleInPad } from '../../model/ports';
import type { GroupRecord, PadRecord } from '../../model/store/entities';
import { peopleOf } from '../../model/store/records';
import { nextSlice, sliceUsed } from '../../model/store/timeSlice';
import { presentPerson } from '../group/presenter';
import type { PresentIds } from '../group/schema';
import type { Services } from '../services';
import { isNamedInPads } from './identity';
import type { Present } from './schema';

const maxNamed = 20;

/**
 * Names only people of the pad's group who have a name in pads, and only if the caller may see the people of the group.
 */
export async function visiblePeopleInPad(
  { model, peopleInPads }: Services,
  actor: Actor,
  { pad, group }: { pad: PadRecord; group: GroupRecord },
): Promise<Present> {
  const { people = [], guests = 0, named: guestNames } = peopleInPads().get(pad._id) ?? {};
  const count = people.length + guests;
  const sight = peopleSight(actor, group, model.policy());
  if (sight === 'none' || count === 0) return { count, people: [] };
  // Of people with whom the pad alone is shared, only managers know.
  const sharedWith = sight === 'full' ? Object.keys(pad.people ?? {}) : [];
  const members = new Set([...peopleOf(group), ...sharedWith]);
  const known = people.filter((id) => members.has(id));
  const found = await model.users.findMany(known.slice(0, 2 * maxNamed));
  const naming = { useFirstLastNameInPads: model.configuration.get('useFirstLastNameInPads') };
  const named = [...found.values()].filter((user) => isNamedInPads(user, naming));
  const shown = named.slice(0, maxNamed).map((user) => presentPerson(user, sight));
  return { count, people: shown, ...(guestNames && { guests: guestNames.slice(0, maxNamed) }) };
}

type Shown = Pick<Services, 'model' | 'peopleInPads'>;

/** The pads of a group that are listed for the caller and that people have open. */
async function openPadsIn(
  { model, peopleInPads }: Shown,
  actor: Actor,
  { group, pads }: GroupContent,
): Promise<Map<string, PeopleInPad>> {
  const inside = peopleInPads();
  const policy = model.policy();
  const found = new Map<string, PeopleInPad>();
  for (const pad of inside.size === 0 ? [] : pads) {
    const there = inside.get(pad._id);
    if (there !== undefined && isPadListed(actor, pad, group, policy)) found.set(pad._id, there);
    if (sliceUsed()) await nextSlice();
  }
  return found;
}

/** As `visiblePeopleInPad`, but only the ids of people, from what is known of the group. Each person counts once. */
function idsOf(
  { model }: Shown,
  actor: Actor,
  content: GroupContent,
  there: readonly PeopleInPad[],
): PresentIds {
  const everybody = [...new Set(there.flatMap(({ people }) => people))];
  const count = there.reduce((sum, { guests }) => sum + guests, everybody.length);
  if (peopleSight(actor, content.group, model.policy()) === 'none') return { count, people: [] };
  const naming = { useFirstLastNameInPads: model.configuration.get('useFirstLastNameInPads') };
  const named = everybody.filter((id) => {
    const person = content.people.get(id);
    return person !== undefined && isNamedInPads(person, naming);
  });
  return { count, people: named.slice(0, maxNamed) };
}

/** Who has each pad of the group open. Without pads that nobody has open. */
export async function presentInPads(
  shown: Shown,
  actor: Actor,
  content: GroupContent,
): Promise<Record<string, PresentIds>> {
  const open = await openPadsIn(shown, actor, content);
  return Object.fromEntries([...open].map(([id, there]) => [id, idsOf(shown, actor, content, [there])]));
}

/** Who has pads of each group open. Without groups in whose pads nobody is. */
export async function presentInGroups(
  shown: Shown,
  actor: Actor,
  contents: Iterable<GroupContent>,
): Promise<Record<string, PresentIds>> {
  const found: [string, PresentIds][] = [];
  for (const content of contents) {
    const open = await openPadsIn(shown, actor, content);
    if (open.size > 0) found.push([content.group._id, idsOf(shown, actor, content, [...open.values()])]);
  }
  return Object.fromEntries(found);
}
