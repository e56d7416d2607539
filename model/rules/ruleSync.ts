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
  /** What was known before the service has sent the attributes, and with them. */
  before: KnownAttributes;
  known: KnownAttributes;
}

interface RulesOfRun {
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

  /** Changes nothing. */
  async assess(people: readonly ListedAccount[]): Promise<void> {
    if (this.run.rules.length > 0) await this.previewing.add(await this.known(people));
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
    const remembered = known.filter(({ user }) => !keeps(user._id));
    await forEachInSlices(remembered, ({ user, attributes, before }) =>
      this.remember(user._id, attributes, before),
    );
  }

  /** Call it after the last `apply`. */
  end(): Promise<void> {
    return this.run.changed();
  }

  private async remember(user: string, attributes: Attributes, before: KnownAttributes): Promise<void> {
    const { service, run } = this;
    const next = (now: KnownAttributes) => withSeen(now, { service, attributes }, run.rules);
    if (isDeepStrictEqual(next(before), before)) return;
    await this.context.store.update<AttributesRecord>(keys.attributes(user), (stored) => ({
      user,
      known: next(readAttributes(stored)?.known ?? {}),
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
      known.push({ user, attributes, before, known: after });
    }
    return known;
  }
}
