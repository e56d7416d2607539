/**
 * Lists of groups without any cache: reads every record and presents it. The expected answers of cachedLists.test.ts.
 */

import type { Group, Pad, Person } from '../../api/answers';
import { presentGroupFor, presentLocked, presentPerson } from '../../api/group/presenter';
import type { GroupAnswer, GroupsAnswer } from '../../api/group/schema';
import { presentPad } from '../../api/pad/presenter';
import { actorOf } from '../../model/access/padDecisions';
import {
  type Actor,
  groupAbilities,
  groupSight,
  type Policy,
  padAbilities,
  peopleSight,
} from '../../model/access/permissions';
import type { PersonSummary } from '../../model/folders/groupContent';
import type { Model } from '../../model/model';
import type { GroupRecord, PadRecord } from '../../model/store/entities';
import { peopleOf } from '../../model/store/records';

/** Groups with the records that are needed to present them. */
interface GroupData {
  groups: GroupRecord[];
  /** The pads of each group by group id, in the group's order. Only pads whose own record names the group. */
  pads: Map<string, PadRecord[]>;
  /** Accounts of the people whom the caller may see. */
  people: ReadonlyMap<string, PersonSummary>;
}

interface Presented {
  groups: Record<string, Group>;
  pads: Record<string, Pad>;
  users: Record<string, Person>;
  admins: Record<string, Person>;
}

/** Pads that a group lists and that name this group themselves, in the order of its list. */
async function loadPads(model: Model, groups: GroupRecord[]): Promise<Map<string, PadRecord[]>> {
  const found = await model.pads.findMany(groups.flatMap((group) => group.pads));
  return new Map(
    groups.map((group): [string, PadRecord[]] => [
      group._id,
      group.pads.map((id) => found.get(id)).filter((pad): pad is PadRecord => pad?.group === group._id),
    ]),
  );
}

async function loadGroupData(model: Model, actor: Actor, groups: GroupRecord[]): Promise<GroupData> {
  const policy = model.policy();
  const known = groups.filter((group) => peopleSight(actor, group, policy) !== 'none');
  const [pads, people] = await Promise.all([
    loadPads(model, groups),
    model.users.findMany([...new Set(known.flatMap(peopleOf))]),
  ]);
  return { groups, pads, people };
}

function presentGroups(actor: Actor, data: GroupData, policy: Policy): Presented {
  const groups = new Map<string, Group>();
  const pads = new Map<string, Pad>();
  const users = new Map<string, Person>();
  const admins = new Set<string>();
  for (const stored of data.groups) {
    const inside = { pads: data.pads.get(stored._id) ?? [], people: data.people };
    const { group, sight, current, listed } = presentGroupFor(actor, stored, inside, policy);
    groups.set(group._id, group);
    for (const pad of listed) pads.set(pad._id, presentPad(actor, pad, current, policy));
    for (const id of peopleOf(group)) {
      const user = data.people.get(id);
      if (user && (sight === 'full' || !users.has(id))) users.set(id, presentPerson(user, sight));
    }
    for (const id of group.admins) admins.add(id);
  }
  return {
    groups: Object.fromEntries(groups),
    pads: Object.fromEntries(pads),
    users: Object.fromEntries(users),
    admins: Object.fromEntries([...users].filter(([id]) => admins.has(id))),
  };
}

/** Who calls with this token. */
export async function actorWith(model: Model, token: string | undefined): Promise<Actor> {
  return actorOf(await model.sessions.read(token, ['user', 'admin', 'guest']), model.sessions);
}

async function plainBookmarkedPads(model: Model, actor: Actor, ids: string[]): Promise<Record<string, Pad>> {
  const pads = [...(await model.pads.findMany(ids)).values()];
  const groups = await model.groups.findMany(pads.map((pad) => pad.group));
  const policy = model.policy();
  const shown = pads.flatMap((pad): [string, Pad][] => {
    const group = groups.get(pad.group);
    if (group === undefined || !padAbilities(actor, pad, group, policy).bookmark) return [];
    return [[pad._id, presentPad(actor, pad, group, policy)]];
  });
  return Object.fromEntries(shown);
}

/** `GET group` */
export async function uncachedGroups(
  model: Model,
  actor: Actor & { kind: 'user' },
): Promise<GroupsAnswer['value']> {
  const user = await model.users.get(actor.id);
  const marks = user?.bookmarks ?? { groups: [], pads: [] };
  const policy = model.policy();
  const found = await model.groups.findMany([...(user?.groups ?? []), ...marks.groups]);
  const mine = [...found.values()].filter((group) => peopleOf(group).includes(actor.id));
  const marked = marks.groups
    .flatMap((id) => found.get(id) ?? [])
    .filter((group) => groupAbilities(actor, group, policy).bookmark);
  const elsewhere = marked.filter((group) => !mine.includes(group));
  const shown = presentGroups(actor, await loadGroupData(model, actor, mine), policy);
  const beside = presentGroups(actor, await loadGroupData(model, actor, elsewhere), policy);
  const groups = { ...beside.groups, ...shown.groups };
  return {
    groups: shown.groups,
    pads: shown.pads,
    users: { ...beside.users, ...shown.users },
    admins: { ...beside.admins, ...shown.admins },
    bookmarks: {
      groups: Object.fromEntries(marked.flatMap(({ _id: id }) => (groups[id] ? [[id, groups[id]]] : []))),
      pads: await plainBookmarkedPads(model, actor, marks.pads),
    },
  };
}

/** `GET group/:id`; `undefined` where it is refused. */
export async function uncachedGroup(
  model: Model,
  actor: Actor,
  id: string,
): Promise<GroupAnswer | undefined> {
  const group = await model.groups.find(id);
  const sight = group && groupSight(actor, group, model.policy());
  if (group === undefined || sight === 'no') return undefined;
  if (sight === 'name') return { key: id, value: presentLocked(group) };
  const { groups, pads, users } = presentGroups(
    actor,
    await loadGroupData(model, actor, [group]),
    model.policy(),
  );
  const times = await model.pads.lastUpdates([...(await model.pads.findMany(Object.keys(pads))).values()]);
  for (const pad of Object.values(pads)) pad.lastUpdate = times.get(pad._id) ?? null;
  const value = groups[id] as NonNullable<(typeof groups)[string]>;
  return { key: id, value, pads, users };
}
