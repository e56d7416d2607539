/**
 * Searches in the texts of the pads that the caller may open. The rights come first: what they may not open has no part
 * in numbers, excerpts or order.
 */
import { isOpen, lastEditorSeen, type Policy, padEntry, seesGroup } from '../../model/access/permissions';
import { MyPadsError } from '../../model/errors';
import type { Model } from '../../model/model';
import type { GroupRecord, PadRecord } from '../../model/store/entities';
import { nextSlice, sliceUsed } from '../../model/store/timeSlice';
import { matchOf } from '../../model/texts/textQuery';
import type { Handlers } from '../calls';
import { loadOwn } from '../group/lists';
import type { PersonActor } from '../middleware/authorise';
import { presentPadSummary } from '../pad/presenter';
import type { PadInGroup } from '../records';
import type { Services } from '../services';
import type { SearchAnswer } from './schema';

const changeOf = ({ lastUpdate, ctime }: PadRecord): number => lastUpdate ?? ctime;

/** Whether the caller sees this tag of the group: they see none of a group of which they can open a single pad. */
const hasTag = (actor: PersonActor, group: GroupRecord, tag: string, policy: Policy): boolean =>
  group.tags.includes(tag) && seesGroup(actor, group, policy);

/** The pads in the caller's lists that fit the filters and that they may open without another password. */
async function searchedPads(
  model: Model,
  actor: PersonActor,
  fits: (pad: PadRecord, group: GroupRecord) => boolean,
): Promise<Map<string, PadInGroup>> {
  const policy = model.policy();
  const own = await loadOwn(model, actor, policy);
  const { memberOf, otherBookmarked, linked, bookmarkedPadIds, sharedPadIds } = own;
  const found = new Map<string, PadInGroup>();
  const add = (pad: PadRecord, group: GroupRecord | undefined): void => {
    if (group === undefined || !fits(pad, group)) return;
    if (isOpen(padEntry(actor, pad, group, policy))) found.set(pad._id, { pad, group });
  };
  for (const { group, pads } of [...memberOf, ...otherBookmarked, ...linked]) {
    for (const pad of pads) {
      add(pad, group);
      if (sliceUsed()) await nextSlice();
    }
  }
  const others = [...bookmarkedPadIds, ...sharedPadIds].filter((id) => !found.has(id));
  const pads = await model.editTimes.complete(await model.pads.findMany(others));
  const groups = await model.groups.findMany([...pads.values()].map(({ group }) => group));
  for (const pad of pads.values()) add(pad, groups.get(pad.group));
  return found;
}

/** So many of them, the latest change first. To sort all of 50,000 holds up edits. */
async function newest(found: readonly PadInGroup[], count: number): Promise<PadInGroup[]> {
  const times = new Float64Array(found.length);
  for (const [index, { pad }] of found.entries()) {
    times[index] = changeOf(pad);
    if (sliceUsed()) await nextSlice();
  }
  const least = times.sort().at(-count) ?? 0;
  const latest: PadInGroup[] = [];
  for (const one of found) {
    if (changeOf(one.pad) >= least) latest.push(one);
    if (sliceUsed()) await nextSlice();
  }
  return latest.sort((one, other) => changeOf(other.pad) - changeOf(one.pad));
}

export const searchHandlers = ({ model }: Services) =>
  ({
    async 'GET /search'({ caller: { actor }, query }): Promise<SearchAnswer> {
      const { text, group, tag, by, since = 0, offset = 0, limit = 50 } = query;
      if (!model.configuration.get('searchTexts')) throw new MyPadsError('BACKEND.ERROR.TYPE.ROUTE');
      // Before and after the search, which opens an empty file if the last one was lost.
      const wasComplete = model.textIndex.isComplete();
      const match = matchOf(text);
      if (match === undefined) return { value: [], count: 0, complete: wasComplete };
      const policy = model.policy();
      const pads = await searchedPads(
        model,
        actor,
        (pad, of) =>
          (group === undefined || pad.group === group) &&
          (tag === undefined || hasTag(actor, of, tag, policy)) &&
          (by === undefined || lastEditorSeen(actor, pad.lastEditor, of, policy) === by) &&
          changeOf(pad) >= since,
      );
      const matches = await model.textIndex.find(match, pads);
      const shown = (await newest(matches, offset + limit)).slice(offset, offset + limit);
      const excerpts = await model.textIndex.excerpts(
        text,
        shown.map(({ pad }) => pad._id),
      );
      const value = shown.map(({ pad, group: of }) => ({
        pad: presentPadSummary(actor, pad, of, model.policy()),
        excerpt: excerpts.get(pad._id) ?? [],
      }));
      return { value, count: matches.length, complete: wasComplete && model.textIndex.isComplete() };
    },
  }) satisfies Partial<Handlers>;
