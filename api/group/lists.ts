/** Builds the answers with the caller's groups, in full or as a summary, and with one group, from cached JSON. */

import {
  type Actor,
  groupAbilities,
  groupSight,
  isOpen,
  type PeopleSight,
  type Policy,
  padAbilities,
  padEntry,
} from '../../model/access/permissions';
import type { GroupContent, PersonSummary } from '../../model/folders/groupContent';
import { neededRequests } from '../../model/folders/groupRequests';
import type { Model } from '../../model/model';
import type { GroupRecord, PadRecord } from '../../model/store/entities';
import { groupsOf, peopleOf } from '../../model/store/records';
import { nextSlice, sliceUsed } from '../../model/store/timeSlice';
import type { PersonActor } from '../middleware/authorise';
import { presentInGroups } from '../pad/peopleInPad';
import { presentPad, presentPadSummary } from '../pad/presenter';
import {
  AnswerBuilder,
  type JsonPart,
  member,
  ObjectMembers,
  type SerialisedAnswer,
} from '../serialisedAnswer';
import type { Services } from '../services';
import { type FullPart, fullParts, padNamesParts, personMember, summaryParts } from './parts';
import { templatesOf } from './presenter';
import type {
  GroupAnswer,
  GroupsAnswer,
  OverviewAnswer,
  PadNamesAnswer,
  PresentAnswer,
  RecentPadsAnswer,
} from './schema';

type Parts = Pick<
  Model,
  'groups' | 'groupContents' | 'editTimes' | 'pads' | 'recentPads' | 'users' | 'policy'
>;

interface Own {
  /** Groups that the person belongs to. */
  memberOf: GroupContent[];
  /** Bookmarked groups that the person may still bookmark. `otherBookmarked`: those that they do not belong to. */
  bookmarked: GroupContent[];
  otherBookmarked: GroupContent[];
  bookmarkedPadIds: readonly string[];
  sharedPadIds: readonly string[];
  /** Groups that links open which the person keeps, without those that they belong to. */
  linked: GroupContent[];
}

/** What the person's lists are made from. */
export async function loadOwn(model: Parts, actor: PersonActor, policy: Policy): Promise<Own> {
  const user = await model.users.get(actor.id);
  const bookmarks = user?.bookmarks ?? { groups: [], pads: [] };
  const kept = user?.keptLinks ?? [];
  const keptGroups = kept.flatMap(({ group }) => group ?? []);
  const ids = [...(user ? groupsOf(user) : []), ...bookmarks.groups, ...keptGroups];
  const found = await model.groupContents.read(ids);
  const memberOf = new Set([...found.values()].filter(({ group }) => peopleOf(group).includes(actor.id)));
  const bookmarked = [...new Set(bookmarks.groups)]
    .flatMap((id) => found.get(id) ?? [])
    .filter(({ group }) => groupAbilities(actor, group, policy).bookmark);
  const otherBookmarked = bookmarked.filter((content) => !memberOf.has(content));
  const sharedPadIds = [...(user?.sharedPads ?? []), ...kept.flatMap(({ pad }) => pad ?? [])];
  const linked = [...new Set(keptGroups)]
    .flatMap((id) => found.get(id) ?? [])
    .filter((content) => !memberOf.has(content) && groupSight(actor, content.group, policy) === 'open');
  const pads = { bookmarkedPadIds: bookmarks.pads, sharedPadIds };
  return { memberOf: [...memberOf], bookmarked, otherBookmarked, linked, ...pads };
}

/** Adds those of the pads for which `show` gives a JSON value. */
async function addPads(
  members: ObjectMembers,
  model: Parts,
  { memberOf, otherBookmarked }: Own,
  ids: readonly string[],
  show: (pad: PadRecord, group: GroupRecord) => unknown,
): Promise<void> {
  if (ids.length === 0) return;
  const wanted = new Set(ids);
  const known = new Map<string, { pad: PadRecord; group: GroupContent['group'] }>();
  for (const { pads, group } of [...memberOf, ...otherBookmarked]) {
    for (const pad of pads) if (wanted.has(pad._id)) known.set(pad._id, { pad, group });
  }
  const notListed = await model.pads.findMany([...wanted].filter((id) => !known.has(id)));
  const others = await model.editTimes.complete(notListed);
  const groups = await model.groups.findMany([...others.values()].map(({ group }) => group));
  for (const id of wanted) {
    const other = others.get(id);
    const group = other && groups.get(other.group);
    const found = known.get(id) ?? (other && group && { pad: other, group });
    const shown = found && show(found.pad, found.group);
    if (shown === undefined) continue;
    members.text(member(id, shown));
    if (sliceUsed()) await nextSlice();
  }
}

/**
 * The people in an answer, and how much it shows of each. A person in several groups is shown as in the group that
 * shows most.
 */
class PeopleShown {
  readonly users = new Map<string, { person: PersonSummary; sight: PeopleSight }>();
  readonly admins = new Set<string>();

  add({ group, people }: GroupContent, sight: PeopleSight): void {
    if (sight === 'none') return;
    for (const [id, person] of people) {
      if (sight === 'full' || !this.users.has(id)) this.users.set(id, { person, sight });
    }
    for (const id of group.admins) if (people.has(id)) this.admins.add(id);
  }
}

async function addPeople(
  members: ObjectMembers,
  all: Iterable<{ person: PersonSummary; sight: PeopleSight }>,
): Promise<void> {
  for (const { person, sight } of all) {
    members.text(personMember(person, sight));
    if (sliceUsed()) await nextSlice();
  }
}

/** True for a pad that the person can open only because it is shared with them, or because they keep its link. */
function isSharedWith(actor: PersonActor, pad: PadRecord, group: GroupRecord, policy: Policy): boolean {
  return isOpen(padEntry(actor, pad, group, policy)) && !peopleOf(group).includes(actor.id);
}

/** `GET group` */
export async function ownGroups(model: Parts, actor: PersonActor): Promise<SerialisedAnswer<GroupsAnswer>> {
  const policy = model.policy();
  const own = await loadOwn(model, actor, policy);
  const [people, otherPeople] = [new PeopleShown(), new PeopleShown()];
  const builder = new AnswerBuilder();
  const parts = new Map<GroupContent, FullPart>();
  const addTo = async (shown: PeopleShown, contents: readonly GroupContent[]): Promise<void> => {
    for (const content of contents) {
      const made = fullParts.of(actor, content, policy);
      const part = made instanceof Promise ? await made : made;
      parts.set(content, part);
      shown.add(content, part.sight);
      if (sliceUsed()) await nextSlice();
    }
  };
  await addTo(people, own.memberOf);
  await addTo(otherPeople, own.otherBookmarked);
  const addParts = (contents: readonly GroupContent[], pick: (part: FullPart) => JsonPart[]): void => {
    const members = new ObjectMembers(builder);
    for (const content of contents) {
      const part = parts.get(content);
      for (const one of part === undefined ? [] : pick(part)) members.part(one);
    }
  };

  builder.text('{"value":{"groups":{');
  addParts(own.memberOf, ({ group }) => [group]);
  builder.text('},"pads":{');
  addParts(own.memberOf, ({ pads }) => pads);
  builder.text('},"users":{');
  await addPeople(new ObjectMembers(builder), new Map([...otherPeople.users, ...people.users]).values());

  builder.text('},"admins":{');
  const admins = [otherPeople, people].flatMap(({ users, admins: ids }) =>
    [...users].filter(([id]) => ids.has(id)),
  );
  await addPeople(new ObjectMembers(builder), new Map(admins).values());

  builder.text('},"bookmarks":{"groups":{');
  addParts(own.bookmarked, ({ group }) => [group]);
  builder.text('},"pads":{');
  await addPads(new ObjectMembers(builder), model, own, own.bookmarkedPadIds, (pad, group) =>
    padAbilities(actor, pad, group, policy).bookmark ? presentPad(actor, pad, group, policy) : undefined,
  );
  return builder.text('}}}}').done();
}

/** `GET overview` */
export async function overview(model: Parts, actor: PersonActor): Promise<SerialisedAnswer<OverviewAnswer>> {
  const policy = model.policy();
  const own = await loadOwn(model, actor, policy);
  const people = new PeopleShown();
  const abilitySets = new Map<string, string>();
  const builder = new AnswerBuilder();
  const addGroups = async (contents: readonly GroupContent[]): Promise<void> => {
    const members = new ObjectMembers(builder);
    for (const content of contents) {
      const made = summaryParts.of(actor, content, policy);
      const { group, abilitiesKey, abilities, sight } = made instanceof Promise ? await made : made;
      members.part(group);
      if (!abilitySets.has(abilitiesKey)) abilitySets.set(abilitiesKey, member(abilitiesKey, abilities));
      people.add(content, sight);
      if (sliceUsed()) await nextSlice();
    }
  };

  builder.text('{"value":{"groups":{');
  await addGroups(own.memberOf);
  builder.text('},"bookmarks":{"groups":{');
  await addGroups(own.bookmarked);
  builder.text('},"pads":{');
  await addPads(new ObjectMembers(builder), model, own, own.bookmarkedPadIds, (pad, group) =>
    padAbilities(actor, pad, group, policy).bookmark
      ? presentPadSummary(actor, pad, group, policy)
      : undefined,
  );
  builder.text('}},"shared":{"groups":{');
  await addGroups(own.linked);
  builder.text('},"pads":{');
  await addPads(new ObjectMembers(builder), model, own, own.sharedPadIds, (pad, group) =>
    isSharedWith(actor, pad, group, policy) ? presentPadSummary(actor, pad, group, policy) : undefined,
  );
  builder.text(`}},"abilities":{${[...abilitySets.values()].join(',')}},"users":{`);
  await addPeople(new ObjectMembers(builder), people.users.values());
  let requests = 0;
  for (const content of own.memberOf) {
    if (content.group.requests.length === 0 || !content.group.admins.includes(actor.id)) continue;
    requests += neededRequests(content, policy).length;
    if (sliceUsed()) await nextSlice();
  }
  builder.text(`},${member('requests', requests)}`);
  const { templatesFolder: id } = policy;
  const forAll = id === '' ? undefined : (await model.groupContents.read([id])).get(id);
  const { templates } = templatesOf(forAll?.pads ?? []);
  if (templates !== undefined) builder.text(`,${member('templates', templates)}`);
  return builder.text('}}').done();
}

/** `GET overview/pads` */
export async function padNames(model: Parts, actor: PersonActor): Promise<SerialisedAnswer<PadNamesAnswer>> {
  const policy = model.policy();
  const { memberOf, otherBookmarked, linked } = await loadOwn(model, actor, policy);
  const builder = new AnswerBuilder();
  builder.text('{"value":{');
  const members = new ObjectMembers(builder);
  for (const content of new Set([...memberOf, ...otherBookmarked, ...linked])) {
    const made = padNamesParts.of(actor, content, policy);
    members.part(made instanceof Promise ? await made : made);
    if (sliceUsed()) await nextSlice();
  }
  return builder.text('}}').done();
}

/** `GET overview/recent` */
export async function recentPads(model: Parts, actor: PersonActor): Promise<RecentPadsAnswer> {
  const ids = await model.recentPads.of(actor.id);
  const pads = await model.editTimes.complete(await model.pads.findMany(ids));
  const groups = await model.groups.findMany([...pads.values()].map(({ group }) => group));
  const policy = model.policy();
  const value = ids.flatMap((id) => {
    const pad = pads.get(id);
    const group = pad && groups.get(pad.group);
    if (pad === undefined || group === undefined) return [];
    return isOpen(padEntry(actor, pad, group, policy)) ? [presentPadSummary(actor, pad, group, policy)] : [];
  });
  return { value };
}

/** `GET overview/present` */
export async function presentInOwnGroups(
  services: Pick<Services, 'model' | 'peopleInPads'>,
  actor: PersonActor,
): Promise<PresentAnswer> {
  if (services.peopleInPads().size === 0) return { value: {} };
  const { model } = services;
  const { memberOf, otherBookmarked } = await loadOwn(model, actor, model.policy());
  return { value: await presentInGroups(services, actor, [...memberOf, ...otherBookmarked]) };
}

/** `GET group/:id` for a caller who may see the group's content. `token`: the token of a guest's new session. */
export async function openedGroup(
  model: Parts,
  actor: Actor,
  content: GroupContent,
  token?: string,
): Promise<SerialisedAnswer<GroupAnswer>> {
  const policy = model.policy();
  const { value, pads, sight } = await fullParts.of(actor, content, policy);
  const builder = new AnswerBuilder();
  builder.text(`{${member('key', content.group._id)},"value":`).part(value);
  builder.text(',"pads":{');
  const members = new ObjectMembers(builder);
  for (const part of pads) members.part(part);
  builder.text('},"users":{');
  const people = new PeopleShown();
  people.add(content, sight);
  await addPeople(new ObjectMembers(builder), people.users.values());
  builder.text(token === undefined ? '}}' : `},${member('token', token)}}`);
  return builder.done({ kept: token === undefined ? 'by the caller' : 'nowhere' });
}
