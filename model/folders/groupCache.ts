/**
 * Groups with their pads and people in memory, bounded by bytes. Every write changes or drops what it concerns, so that
 * nothing here is older than the database.
 */
import { LRUCache } from 'lru-cache';
import { isObject } from '../fields';
import { listChange } from '../store/listChanges';
import { peopleOf, readGroup, readPad, readUser } from '../store/records';
import { keys, shortId } from '../store/store';
import {
  contentOf,
  type GroupContent,
  knownGroupFields,
  knownPadFields,
  type PersonSummary,
  sameSummary,
  summaryOf,
  withPads,
} from './groupContent';

/** Maximum size of the cache, for about 50,000 pads. Sizes are estimates on the high side: a pad takes 450 bytes. */
const maxBytes = 36 * 1024 * 1024;
const bytesOf = { group: 2_000, pad: 600, person: 250 };

const prefixes = {
  group: keys.group(''),
  pad: keys.pad(''),
  removal: keys.deletePad(''),
  user: keys.user(''),
};

/** Groups by the id of a person in them, or by the short id of a pad, which its removal note has too. */
class GroupsById {
  /** Most ids are in one group: its id alone saves the memory of a set. */
  private readonly groups = new Map<string, string | Set<string>>();

  of(id: string): readonly string[] {
    const found = this.groups.get(id);
    if (found === undefined) return [];
    return typeof found === 'string' ? [found] : [...found];
  }

  has(id: string): boolean {
    return this.groups.has(id);
  }

  add(id: string, group: string): void {
    const found = this.groups.get(id);
    if (found === undefined) this.groups.set(id, group);
    else if (typeof found !== 'string') found.add(group);
    else if (found !== group) this.groups.set(id, new Set([found, group]));
  }

  remove(id: string, group: string): void {
    const found = this.groups.get(id);
    if (found === group) this.groups.delete(id);
    else if (found instanceof Set && found.delete(group) && found.size === 0) this.groups.delete(id);
  }
}

const sizeOf = ({ group, pads }: GroupContent): number =>
  bytesOf.group +
  group.description.length * 4 +
  group.pads.length * 60 +
  pads.length * bytesOf.pad +
  pads.reduce((sum, { name }) => sum + name.length * 2, 0) +
  peopleOf(group).length * bytesOf.person;

export class GroupCache {
  private readonly padGroups = new GroupsById();
  private readonly personGroups = new GroupsById();
  /** People of cached groups; `undefined` for a missing account. */
  private readonly summaries = new Map<string, PersonSummary | undefined>();
  private readonly contents = new LRUCache<string, GroupContent>({
    maxSize: maxBytes,
    sizeCalculation: sizeOf,
    dispose: (content) => this.removeFromIndexes(content),
  });
  /**
   * Groups whose content has an old summary of somebody. It is made anew when it is asked for, because a directory may
   * change 50,000 people of one group, one after the other.
   */
  private readonly stale = new Set<string>();
  /** Groups in which somebody or a pad is new. They are read again, and of their people only those who are new. */
  private readonly outdated = new Set<string>();

  private removeFromIndexes({ group }: GroupContent): void {
    this.stale.delete(group._id);
    this.outdated.delete(group._id);
    this.removeIds(group._id, group.pads, peopleOf(group));
  }

  private removeIds(group: string, pads: readonly string[], people: readonly string[]): void {
    for (const id of pads) this.padGroups.remove(shortId(id), group);
    for (const id of people) {
      this.personGroups.remove(id, group);
      if (!this.personGroups.has(id)) this.summaries.delete(id);
    }
  }

  get(id: string): GroupContent | undefined {
    const content = this.contents.get(id);
    if (content === undefined || this.outdated.has(id)) return undefined;
    if (!this.stale.delete(id)) return content;
    return this.replace(contentOf(content.group, content.pads, this.summaries));
  }

  /** Leaves the indexes as they are: with 50,000 people, they take a tenth of a second. */
  private replace(content: GroupContent): GroupContent {
    this.contents.set(content.group._id, content, { noDisposeOnSet: true });
    return content;
  }

  /** True when this very content is in the cache and current. */
  has(content: GroupContent): boolean {
    const id = content.group._id;
    return this.contents.peek(id) === content && !this.stale.has(id) && !this.outdated.has(id);
  }

  put(content: GroupContent): void {
    const { group, people } = content;
    const { _id } = group;
    const before = this.contents.peek(_id)?.group;
    this.replace(content);
    this.stale.delete(_id);
    this.outdated.delete(_id);
    // Too large for the cache.
    if (this.contents.peek(_id) !== content) return;
    const pads = listChange(before?.pads ?? [], group.pads);
    const persons = listChange(before ? peopleOf(before) : [], peopleOf(group));
    this.removeIds(_id, pads.left, persons.left);
    for (const id of pads.joined) this.padGroups.add(shortId(id), _id);
    for (const id of persons.joined) {
      this.personGroups.add(id, _id);
      this.summaries.set(id, people.get(id));
    }
  }

  /** Somebody in the content that `put` got has changed meanwhile. The next `get` has their new summary. */
  markStale(id: string): void {
    if (this.contents.has(id)) this.stale.add(id);
  }

  hasPerson(id: string): boolean {
    return this.summaries.has(id);
  }

  person(id: string): PersonSummary | undefined {
    return this.summaries.get(id);
  }

  clear(): void {
    this.contents.clear();
  }

  /** Call it after each write. `failed`: the stored value is not known. */
  written(key: string, value: unknown, failed: boolean): void {
    if (key.startsWith(prefixes.group)) {
      const id = key.slice(prefixes.group.length);
      if (failed) this.contents.delete(id);
      else this.groupWritten(id, value);
    } else if (key.startsWith(prefixes.pad)) {
      const id = key.slice(prefixes.pad.length);
      if (failed) this.drop(this.padGroups.of(shortId(id)));
      else this.padWritten(id, value);
    } else if (key.startsWith(prefixes.removal)) {
      const id = key.slice(prefixes.removal.length);
      if (failed || value === undefined) this.drop(this.padGroups.of(id));
      else this.removalNoted(id);
    } else if (key.startsWith(prefixes.user)) {
      const id = key.slice(prefixes.user.length);
      if (failed) this.drop(this.personGroups.of(id));
      else this.userWritten(id, value);
    }
  }

  private drop(groups: readonly string[]): void {
    for (const group of groups) this.contents.delete(group);
  }

  private padWritten(id: string, stored: unknown): void {
    const pad = readPad(id, stored);
    for (const group of this.padGroups.of(shortId(id))) {
      const content = this.contents.peek(group);
      const index = content?.pads.findIndex((other) => other._id === id) ?? -1;
      if (content === undefined || pad?.group !== group || index < 0) this.contents.delete(group);
      else this.replace(withPads(content, content.pads.with(index, knownPadFields(pad))));
    }
  }

  /** A pad that is being removed is not shown. Its group may still list it. */
  private removalNoted(id: string): void {
    for (const group of this.padGroups.of(id)) {
      const content = this.contents.peek(group);
      if (content === undefined) continue;
      const left = content.pads.filter((pad) => shortId(pad._id) !== id);
      if (left.length < content.pads.length) this.replace(withPads(content, left));
    }
  }

  private userWritten(id: string, stored: unknown): void {
    const groups = this.personGroups.of(id);
    if (groups.length === 0) return;
    const user = readUser(id, stored);
    const summary = user && summaryOf(user);
    if (sameSummary(summary, this.summaries.get(id))) return;
    this.summaries.set(id, summary);
    for (const group of groups) this.stale.add(group);
  }

  /** Keeps what is known of pads and people: only those who come with this write must be read. */
  private groupWritten(id: string, stored: unknown): void {
    const content = this.contents.peek(id);
    if (content === undefined) return;
    // What rules give takes longest to read, so it is read only if the group stays in the cache.
    const facts = readGroup(id, isObject(stored) ? { ...stored, byRule: undefined } : stored);
    const before = new Set(content.group.pads);
    const known =
      facts?.pads.every((pad) => before.has(pad)) &&
      peopleOf(facts).every((person) => this.summaries.has(person));
    const group = known ? readGroup(id, stored) : undefined;
    if (group === undefined) {
      if (facts) this.outdated.add(id);
      else this.contents.delete(id);
      return;
    }
    const pads = new Map(content.pads.map((pad) => [pad._id, pad]));
    const left = group.pads.flatMap((pad) => pads.get(pad) ?? []);
    this.put(contentOf(knownGroupFields(group), left, this.summaries));
  }
}
