/** Loads what answers about groups need, everything at once and by key. */
import type { GroupRecord, PadRecord } from '../../model/entities';
import type { Model } from '../../model/model';
import { type Actor, groupAbilities, groupSight, padAbilities, peopleSight } from '../../model/permissions';
import { peopleOf } from '../../model/records';
import { presentPad } from '../pad/presenter';
import type { GroupsAnswer, Pad } from '../wire';
import { presentScene, type Scene } from './presenter';

type Parts = Pick<Model, 'groups' | 'pads' | 'users' | 'policy'>;

/** Pads that the groups list and that name their group, in the order of the lists. */
async function loadPads(model: Parts, groups: GroupRecord[]): Promise<Map<string, PadRecord[]>> {
  const found = await model.pads.findMany(groups.flatMap((group) => group.pads));
  return new Map(
    groups.map((group): [string, PadRecord[]] => [
      group._id,
      group.pads.map((id) => found.get(id)).filter((pad): pad is PadRecord => pad?.group === group._id),
    ]),
  );
}

export async function loadScene(model: Parts, actor: Actor, groups: GroupRecord[]): Promise<Scene> {
  const policy = model.policy();
  const known = groups.filter((group) => peopleSight(actor, group, policy) !== 'none');
  const [pads, people] = await Promise.all([
    loadPads(model, groups),
    model.users.findMany([...new Set(known.flatMap(peopleOf))]),
  ]);
  return { groups, pads, people };
}

/** Bookmarked pads by id, as far as the person may still bookmark them. */
async function loadBookmarkedPads(model: Parts, actor: Actor, ids: string[]): Promise<Record<string, Pad>> {
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

/** A person's groups, and what is bookmarked elsewhere, as far as it may be seen. */
export async function loadOwn(model: Parts, actor: Actor & { kind: 'user' }): Promise<GroupsAnswer['value']> {
  const user = await model.users.get(actor.id);
  const marks = user?.bookmarks ?? { groups: [], pads: [] };
  const policy = model.policy();
  const found = await model.groups.findMany([...(user?.groups ?? []), ...marks.groups]);
  const mine = [...found.values()].filter((group) => peopleOf(group).includes(actor.id));
  const marked = marks.groups
    .map((id) => found.get(id))
    .filter((group) => group !== undefined)
    .filter((group) => groupAbilities(actor, group, policy).bookmark);
  const elsewhere = marked.filter((group) => !mine.includes(group));
  const [own, others, markedPads] = await Promise.all([
    loadScene(model, actor, mine),
    loadScene(model, actor, elsewhere),
    loadBookmarkedPads(model, actor, marks.pads),
  ]);
  const shown = presentScene(actor, own, policy);
  const beside = presentScene(actor, others, policy);
  const groups = { ...beside.groups, ...shown.groups };
  return {
    groups: shown.groups,
    pads: shown.pads,
    // Of one's own groups one knows more of the people.
    users: { ...beside.users, ...shown.users },
    admins: { ...beside.admins, ...shown.admins },
    bookmarks: {
      groups: Object.fromEntries(
        marked.flatMap(({ _id: id }) => (groups[id] === undefined ? [] : [[id, groups[id]]])),
      ),
      pads: markedPads,
    },
  };
}

/** Does the actor see more of the group than its name? */
export function seesInside(actor: Actor, group: GroupRecord, model: Parts): boolean {
  const sight = groupSight(actor, group, model.policy());
  return sight === 'all' || sight === 'open';
}
