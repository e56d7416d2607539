/** Applies the rules to everybody whom a service lists, without waiting until they sign in. */
import { isDeepStrictEqual } from 'node:util';
import type { Attributes } from '../signin/signIn';
import { forEachInSlices } from '../store/batches';
import type { GroupRecord, GroupRule, UserRecord } from '../store/entities';
import { keys, type Store } from '../store/store';
import { nextSlice, sliceUsed } from '../store/timeSlice';
import {
  type AttributesRecord,
  type KnownAttributes,
  readAttributes,
  type Service,
  withSeen,
} from './attributes';
import type { RuleApplication } from './ruleApplication';
import { type Preview, Previewing } from './rulePreview';

/** An account, and what the service sends about its owner. */
export interface ListedAccount {
  user: UserRecord;
  attributes: Attributes;
}

interface KnownAccount extends ListedAccount {
  /** What is known with what the service sends, and whether that is more or less than is stored. */
  known: KnownAttributes;
  isNew: boolean;
}

interface RulesOfRun {
  version: number;
  rules: readonly GroupRule[];
  groups: ReadonlyMap<string, GroupRecord>;
  /** Applies the rules again if they have changed since. */
  changed: () => Promise<void>;
}

export class RuleSync {
  private readonly previewing: Previewing;

  constructor(
    private readonly context: { store: Store; application: Pick<RuleApplication, 'toPeople'> },
    private readonly service: Service,
    private readonly run: RulesOfRun,
  ) {
    this.previewing = new Previewing(run.rules, run.groups);
  }

  /** What the rules change for all whom `assess` and `apply` have got. */
  get preview(): Preview {
    return this.previewing.preview;
  }

  /** What people lose, by id of their account. */
  get losses(): ReadonlyMap<string, readonly string[]> {
    return this.previewing.losses;
  }

  /** Another one after each change of the rules by an administrator. */
  get version(): number {
    return this.run.version;
  }

  /** Changes nothing. Resolves to the ids of those whom `apply` would concern. */
  async assess(people: readonly ListedAccount[]): Promise<string[]> {
    if (this.run.rules.length === 0) return [];
    const known = await this.known(people);
    await this.previewing.add(known);
    const { changing } = this.previewing;
    return known.flatMap((one) => (one.isNew || changing.has(one.user._id) ? one.user._id : []));
  }

  /**
   * Gives roles to all of them, and takes roles from those of whom `mayLose` is true. What the service sends about the
   * others is not stored, so that nothing else takes these roles from them.
   */
  async apply(people: readonly ListedAccount[], mayLose: (id: string) => boolean): Promise<void> {
    if (this.run.rules.length === 0) return;
    const known = await this.known(people);
    await this.previewing.add(known);
    const keeps = (id: string): boolean => this.losses.has(id) && !mayLose(id);
    await this.context.application.toPeople(
      known.map((one) => ({ ...one, keeps: keeps(one.user._id) })),
      this.run.rules,
    );
    const remembered = known.filter(({ user, isNew }) => isNew && !keeps(user._id));
    await forEachInSlices(remembered, ({ user, attributes }) => this.remember(user._id, attributes));
  }

  /** Call it after the last `apply`. */
  end(): Promise<void> {
    return this.run.changed();
  }

  private async remember(user: string, attributes: Attributes): Promise<void> {
    const { service, run } = this;
    await this.context.store.update<AttributesRecord>(keys.attributes(user), (stored) => ({
      user,
      known: withSeen(readAttributes(stored)?.known ?? {}, { service, attributes }, run.rules),
    }));
  }

  private async known(people: readonly ListedAccount[]): Promise<KnownAccount[]> {
    const { service, run } = this;
    const stored = await this.context.store.getMany<unknown>(
      people.map(({ user }) => keys.attributes(user._id)),
    );
    const known: KnownAccount[] = [];
    for (const [index, { user, attributes }] of people.entries()) {
      if (sliceUsed()) await nextSlice();
      const before = readAttributes(stored[index])?.known ?? {};
      const after = withSeen(before, { service, attributes }, run.rules);
      known.push({ user, attributes, known: after, isNew: !isDeepStrictEqual(after, before) });
    }
    return known;
  }
}
