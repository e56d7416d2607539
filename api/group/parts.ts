/**
 * Cached JSON of groups. Callers with the same role, proved passwords and policy get the same JSON. Each cache entry
 * belongs to one `GroupContent`; a change makes a new `GroupContent`, and its JSON replaces the old one.
 */

import { LRUCache } from 'lru-cache';
import {
  type Actor,
  type GroupAbilities,
  grantsOf,
  groupUnlocked,
  isByRule,
  type PeopleSight,
  type Policy,
  padUnlocked,
  roleIn,
} from '../../model/access/permissions';
import type { GroupContent, PersonSummary } from '../../model/folders/groupContent';
import { nextSlice, sliceUsed } from '../../model/store/timeSlice';
import { presentPad } from '../pad/presenter';
import { type JsonPart, jsonPart, member } from '../serialisedAnswer';
import { presentGroupFor, presentPerson, presentSummary } from './presenter';

/** JSON of a group with its pads. */
export interface FullPart {
  /** `group`: `"id":{…}`. `value`: only the object. */
  group: JsonPart;
  value: JsonPart;
  /** Each part has several pads: `"id":{…},"id":{…}`. */
  pads: JsonPart[];
  sight: PeopleSight;
}

/** JSON of a group without its pads. */
export interface SummaryPart {
  /** `"id":{…}` */
  group: JsonPart;
  /** The key of these abilities in the answer. */
  abilitiesKey: string;
  abilities: GroupAbilities;
  sight: PeopleSight;
}

/** Pads per part. */
const padBatchSize = 100;

/** The cache key: what the JSON depends on besides the content. */
function variantKey(actor: Actor, { group, locked, shared }: GroupContent, policy: Policy): string {
  const role = roleIn(actor, group);
  const byRule = isByRule(actor, group);
  const key = `${group._id} ${role} ${byRule} ${policy.allPadsPublicsAuthentifiedOnly} ${policy.linksBy}`;
  if (role === 'groupAdmin' || role === 'serverAdmin') return key;
  const provedPads = locked.filter((pad) => padUnlocked(actor, pad, group, 'pad')).map(({ _id }) => _id);
  const grants = grantsOf(actor, group, shared, policy);
  return JSON.stringify([key, groupUnlocked(actor, group), grants, ...provedPads]);
}

class VariantCache<Part extends object> {
  /** A weak reference, so that a folder's old content is not kept in memory after a change. */
  private readonly parts: LRUCache<string, { content: WeakRef<GroupContent>; part: Part }>;

  /** `maxBytes` for all, with the bytes of each by `sizeOf`. */
  constructor(
    maxBytes: number,
    sizeOf: (part: Part) => number,
    private readonly make: (actor: Actor, content: GroupContent, policy: Policy) => Promise<Part> | Part,
  ) {
    this.parts = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ part }, key) => bytesOfEntry + key.length * 2 + sizeOf(part),
    });
  }

  /** Returns a promise only if the JSON must be made: awaiting thousands of cached values would be slow. */
  of(actor: Actor, content: GroupContent, policy: Policy): Promise<Part> | Part {
    const key = variantKey(actor, content, policy);
    const cached = this.parts.get(key);
    if (cached?.content.deref() === content) return cached.part;
    const made = this.make(actor, content, policy);
    const keep = (part: Part): Part => {
      this.parts.set(key, { content: new WeakRef(content), part });
      return part;
    };
    return made instanceof Promise ? made.then(keep) : keep(made);
  }
}

const megabyte = 1024 * 1024;
/** The objects of an entry. */
const bytesOfEntry = 500;
const sizeOfPart = ({ bytes }: JsonPart): number => 200 + bytes.length;

const sizeOfFull = ({ group, pads }: FullPart): number =>
  [group, ...pads].reduce((sum, part) => sum + sizeOfPart(part), 0);

export const fullParts = new VariantCache(16 * megabyte, sizeOfFull, async (actor, content, policy) => {
  const { group, sight, current, listed } = presentGroupFor(actor, content.group, content, policy);
  const whole = jsonPart(member(group._id, group));
  const start = Buffer.byteLength(`${JSON.stringify(group._id)}:`);
  const pads: JsonPart[] = [];
  for (let next = 0; next < listed.length; next += padBatchSize) {
    if (sliceUsed()) await nextSlice();
    const some = listed.slice(next, next + padBatchSize);
    pads.push(
      jsonPart(some.map((pad) => member(pad._id, presentPad(actor, pad, current, policy))).join(',')),
    );
  }
  return { group: whole, value: { ...whole, bytes: whole.bytes.subarray(start) }, pads, sight };
});

const sizeOfSummary = ({ group }: SummaryPart): number => sizeOfPart(group);

export const summaryParts = new VariantCache(
  4 * megabyte,
  sizeOfSummary,
  (actor, content, policy): SummaryPart => {
    const { summary, abilities, sight } = presentSummary(actor, content.group, content, policy);
    return {
      group: jsonPart(member(summary._id, summary)),
      abilitiesKey: summary.abilities,
      abilities,
      sight,
    };
  },
);

/** `"id":[{…},…]`: ids and names of the listed pads. Empty if there are none. */
export const padNamesParts = new VariantCache(4 * megabyte, sizeOfPart, (actor, content, policy) => {
  const { group, listed } = presentGroupFor(actor, content.group, content, policy);
  return jsonPart(
    listed.length === 0
      ? ''
      : member(
          group._id,
          listed.map(({ _id, name }) => ({ _id, name })),
        ),
  );
});

/** A change of an account makes a new `PersonSummary`, so the cached JSON cannot be outdated. */
const people = new WeakMap<PersonSummary, Partial<Record<PeopleSight, string>>>();

/** `"id":{…}` */
export function personMember(person: PersonSummary, sight: PeopleSight): string {
  const known = people.get(person) ?? {};
  people.set(person, known);
  known[sight] ??= member(person._id, presentPerson(person, sight));
  return known[sight];
}
