/**
 * Cached JSON of groups. Callers with the same role, proved passwords and policy get the same JSON. Each cache entry
 * belongs to one `GroupContent`; a change makes a new `GroupContent`, so the entry cannot be outdated.
 */

import {
  type Actor,
  type GroupAbilities,
  groupUnlocked,
  type PeopleSight,
  type Policy,
  padUnlocked,
  relation,
} from '../../model/access/permissions';
import type { GroupContent, PersonSummary } from '../../model/folders/groupContent';
import { nextSlice, sliceUsed } from '../../model/store/timeSlice';
import { presentPad } from '../pad/presenter';
import { type JsonPart, jsonPart, member } from '../serialisedAnswer';
import { presentGroupFor, presentPerson, presentSummary } from './presenter';

/** A group with its pads. */
export interface WholePart {
  /** `group`: `"id":{…}`. `value`: only the object. */
  group: JsonPart;
  value: JsonPart;
  /** Each `"id":{…},…` */
  pads: JsonPart[];
  sight: PeopleSight;
}

/** A group without its pads. */
export interface ShortPart {
  /** `"id":{…}` */
  group: JsonPart;
  /** The key of these abilities in the answer. */
  kind: string;
  abilities: GroupAbilities;
  sight: PeopleSight;
}

/** Pads that are serialised at a time. */
const padBatchSize = 100;

/** Cached variants of one group: for administrators, members and others, and for callers who have proved passwords. */
const mostVariants = 4;

/** The cache key: everything besides the content that the JSON depends on. */
function variantKey(actor: Actor, { group, locked }: GroupContent, policy: Policy): string {
  const who = relation(actor, group);
  const kind = `${who} ${policy.allPadsPublicsAuthentifiedOnly}`;
  if (who === 'groupAdmin' || who === 'serverAdmin') return kind;
  const proved = locked.filter((pad) => padUnlocked(actor, pad, group, 'pad')).map(({ _id }) => _id);
  return JSON.stringify([kind, groupUnlocked(actor, group), ...proved]);
}

function keep<Part>(known: Map<string, Part>, kind: string, part: Part): Part {
  const [oldest] = known.keys();
  if (known.size >= mostVariants && oldest !== undefined) known.delete(oldest);
  known.set(kind, part);
  return part;
}

class VariantCache<Part> {
  readonly #parts = new WeakMap<GroupContent, Map<string, Part>>();

  constructor(readonly make: (actor: Actor, content: GroupContent, policy: Policy) => Promise<Part> | Part) {}

  /** Returns a promise only if the JSON must be made: awaiting thousands of cached values would be slow. */
  of(actor: Actor, content: GroupContent, policy: Policy): Promise<Part> | Part {
    const kind = variantKey(actor, content, policy);
    const known = this.#parts.get(content) ?? new Map<string, Part>();
    const kept = known.get(kind);
    if (kept !== undefined) return kept;
    this.#parts.set(content, known);
    const made = this.make(actor, content, policy);
    return made instanceof Promise ? made.then((part) => keep(known, kind, part)) : keep(known, kind, made);
  }
}

const wholes = new VariantCache<WholePart>(async (actor, content, policy) => {
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

const shorts = new VariantCache<ShortPart>((actor, content, policy) => {
  const { summary, abilities, sight } = presentSummary(actor, content.group, content, policy);
  return { group: jsonPart(member(summary._id, summary)), kind: summary.abilities, abilities, sight };
});

const names = new VariantCache<JsonPart>((actor, content, policy) => {
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

/** `"id":[{…},…]`: ids and names of the listed pads. Empty if there are none. */
export const namesPart = (
  actor: Actor,
  content: GroupContent,
  policy: Policy,
): Promise<JsonPart> | JsonPart => names.of(actor, content, policy);

export const wholePart = (
  actor: Actor,
  content: GroupContent,
  policy: Policy,
): Promise<WholePart> | WholePart => wholes.of(actor, content, policy);

export const shortPart = (
  actor: Actor,
  content: GroupContent,
  policy: Policy,
): Promise<ShortPart> | ShortPart => shorts.of(actor, content, policy);

const people = new WeakMap<PersonSummary, Partial<Record<PeopleSight, string>>>();

/** `"id":{…}` */
export function personMember(person: PersonSummary, sight: PeopleSight): string {
  const known = people.get(person) ?? {};
  people.set(person, known);
  known[sight] ??= member(person._id, presentPerson(person, sight));
  return known[sight];
}
