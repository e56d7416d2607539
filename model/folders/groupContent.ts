/** A group with what lists show of its pads and people. */
import type { GroupRecord, PadRecord, UserRecord } from '../store/entities';
import { peopleOf } from '../store/records';

/** The fields of a person that lists show. `useLoginAndColorInPads` decides whether they say where the person is. */
export type PersonSummary = Pick<
  UserRecord,
  '_id' | 'login' | 'color' | 'firstname' | 'lastname' | 'email' | 'useLoginAndColorInPads'
>;

/** A group with its pads and people. Immutable: a change makes a new object. */
export interface GroupContent {
  readonly group: GroupRecord;
  /** The pads that the group lists and that name the group, without those being removed, in the group's order. */
  readonly pads: readonly PadRecord[];
  /** The pads with their own password. */
  readonly locked: readonly PadRecord[];
  /** The pads that are shared alone with people. */
  readonly shared: readonly PadRecord[];
  /** The people of the group whose account exists, by user id. */
  readonly people: ReadonlyMap<string, PersonSummary>;
}

/** The fields that lists show. */
export function summaryOf(user: UserRecord): PersonSummary {
  const { _id, login, color, firstname, lastname, email, useLoginAndColorInPads } = user;
  return { _id, login, color, firstname, lastname, email, useLoginAndColorInPads };
}

export function sameSummary(one: PersonSummary | undefined, other: PersonSummary | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return (Object.keys(one) as (keyof PersonSummary)[]).every((field) => one[field] === other[field]);
}

/** Only the known fields that lists need: records of other programs may have others of any size. */
export function knownGroupFields(group: GroupRecord): GroupRecord {
  const { _id, name, description, visibility, password, readonly, archived } = group;
  const { allowUsersToCreatePads, tags, admins, users, readers, byRule, pads, links, requests, ctime } =
    group;
  const settings = { description, visibility, password, readonly, archived, allowUsersToCreatePads, tags };
  const people = { admins, users, readers, ...(byRule && { byRule }) };
  return { _id, name, ...settings, ...people, pads, links, requests, invitations: [], ctime };
}

/** As `knownGroupFields`. */
export function knownPadFields(pad: PadRecord): PadRecord {
  const { _id, name, group, visibility, password, readonly } = pad;
  const { ctime, lastUpdate, lastEditor, people, template } = pad;
  const settings = { visibility, password, readonly, users: [] };
  const others = { ctime, lastUpdate, lastEditor, people, ...(template && { template }) };
  return { _id, name, group, ...settings, ...others };
}

/** The same with other pads, in the group's order. */
export const withPads = <Content extends Pick<GroupContent, 'group' | 'people'>>(
  content: Content,
  pads: readonly PadRecord[],
): Content & GroupContent => ({
  ...content,
  pads,
  locked: pads.filter(({ visibility }) => visibility === 'private'),
  shared: pads.filter((pad) => pad.people !== undefined),
});

/** `pads`: in the group's order. `summaries`: of everybody in the group; of a missing account `undefined`. */
export function contentOf(
  group: GroupRecord,
  pads: readonly PadRecord[],
  summaries: ReadonlyMap<string, PersonSummary | undefined>,
): GroupContent {
  const people = new Map<string, PersonSummary>();
  for (const id of peopleOf(group)) {
    const summary = summaries.get(id);
    if (summary !== undefined) people.set(id, summary);
  }
  return withPads({ group, people }, pads);
}
