/**
 * Rules that make groups of a directory members of folders: people of whom LDAP, CAS or a provider of OpenID Connect
 * sends a value of an attribute have a role in a group. Applied when somebody signs in, and to everybody in the
 * background when the rules change.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Users } from '../accounts/user';
import { actingAs, byServer } from '../actor';
import type { Events } from '../events';
import type { RecordIndex } from '../index/recordIndex';
import type { JobQueue, JobRun, Jobs } from '../jobs/types';
import type { ConfirmedPerson } from '../signin/signIn';
import { inBatches } from '../store/batches';
import type { GroupRecord, GroupRule, UserRecord } from '../store/entities';
import { readGroup } from '../store/records';
import { keys } from '../store/store';
import {
  type AttributesRecord,
  type KnownAttributes,
  readAttributes,
  type Service,
  stillNamed,
  wantedOf,
  withSeen,
} from './attributes';
import { RuleApplication, type RuleApplicationContext } from './ruleApplication';
import { type Preview, previewOf } from './rulePreview';
import { RuleRecord, type RuleRecordContext, type SentRule, type StoredRules } from './ruleRecord';
import { RuleSync } from './ruleSync';

export interface SignedIn {
  service: Service;
  attributes: ConfirmedPerson['attributes'];
}

export interface GroupRulesContext extends RuleRecordContext, Omit<RuleApplicationContext, 'makeGroup'> {
  users: RuleRecordContext['users'] & Pick<Users, 'get'>;
  recordIndex: Pick<RecordIndex, 'ids'>;
  events: Pick<Events, 'emit'>;
  jobs: Pick<Jobs, 'define'>;
}

/** How often rules are applied to people who sign in again and again meanwhile. */
const mostRounds = 5;

export class GroupRules {
  private readonly record: RuleRecord;
  private readonly application: RuleApplication;
  /** Its facts are the version of the rules that are applied. */
  private readonly applying: JobQueue<number>;
  /** Its facts are the id of the group. A call that begins it gives what restores the group. */
  private readonly restoring: JobQueue<string, void, () => Promise<void>>;

  constructor(private readonly context: GroupRulesContext) {
    this.record = new RuleRecord(context);
    this.application = new RuleApplication({ ...context, makeGroup: (rule) => this.record.makeGroup(rule) });
    this.applying = context.jobs.define<number>({
      type: 'applyGroupRules',
      run: (_version, run) => this.applyToAll(run),
      shared: {
        delay: 0,
        merge: (version, more) => Math.max(version, more),
        without: (version, done) => (version > done ? version : undefined),
      },
    });
    this.restoring = context.jobs.define<string, void, () => Promise<void>>({
      type: 'restoreGroup',
      // After a crash nobody asks for the restore any more. What follows does no harm without it.
      first: async (_group, _run, restore) => restore?.(),
      run: async (group, { signal }) => {
        // Its editors may be open already, and a run over everybody may take minutes.
        await this.applyToGroup(group, signal);
        await this.applying.begin(await this.record.renew());
      },
    });
  }

  async list(): Promise<readonly GroupRule[]> {
    return (await this.read()).rules;
  }

  /** The rules with their version. */
  read = (): Promise<StoredRules> => this.record.read();

  /** The attributes of a service that rules name. */
  async wanted(service: Service): Promise<readonly string[]> {
    return wantedOf(await this.list(), service);
  }

  /**
   * Applies the rules to somebody who signs in. Resolves to the account as it is then. Never rejects: nobody must be
   * kept out by a rule.
   */
  async signedIn(user: UserRecord, seen: SignedIn): Promise<UserRecord> {
    // No rule names an attribute of this service.
    if (Object.keys(seen.attributes).length === 0) return user;
    try {
      const changed = await actingAs(byServer, () => this.applyTo(user, seen));
      return (changed && (await this.context.users.get(user._id))) || user;
    } catch (error) {
      this.context.log.error('group rules not applied at a sign-in', {
        user: user._id,
        error: String(error),
      });
      return user;
    }
  }

  /** Whether something has changed. */
  private async applyTo(user: UserRecord, seen: SignedIn): Promise<boolean> {
    const { version, rules } = await this.record.read();
    let known: KnownAttributes = {};
    await this.context.store.update<AttributesRecord>(keys.attributes(user._id), (stored) => {
      const before = readAttributes(stored)?.known ?? {};
      known = withSeen(before, seen, rules);
      return isDeepStrictEqual(known, before) ? undefined : { user: user._id, known };
    });
    const changed = await this.application.toPeople([{ user, known }], rules);
    const now = await this.record.read();
    // They changed meanwhile, so the job may have been here before.
    if (now.version !== version) await this.applying.begin(now.version);
    return changed;
  }

  /** Replaces all rules, and begins to apply them to everybody. Throws as `RuleRecord.replace`. */
  async save(sent: readonly SentRule[], read?: number): Promise<StoredRules> {
    const stored = await this.record.replace(sent, read);
    await this.applying.begin(stored.version);
    this.context.events.emit({ about: 'groupRules', what: 'changed' });
    return stored;
  }

  /**
   * Calls `restore`, which takes this group out of the trash, and applies the rules again, also after a crash: what
   * they give may have begun or ended there, where no run looks. Throws as `restore`.
   */
  async restore({ _id, byRule }: Pick<GroupRecord, '_id' | 'byRule'>, restore: () => Promise<void>) {
    const isNamed = (await this.list()).some(({ folder }) => folder === _id);
    if (byRule === undefined && !isNamed) await restore();
    else await this.restoring.begin(_id, { given: restore });
  }

  /** Who would get and lose which role. Changes nothing. Throws as `save`. */
  async preview(sent: readonly SentRule[]): Promise<Preview> {
    const rules = await this.record.resolve(sent);
    return previewOf(this.context, { before: await this.list(), rules });
  }

  /** Begins a run over everybody of a service, with the rules as they are now. */
  async syncing(service: Service): Promise<RuleSync> {
    const stored = await this.record.read();
    const groups = await this.context.records.findMany(stored.rules.flatMap(({ folder }) => folder ?? []));
    return new RuleSync({ ...this.context, application: this.application }, service, {
      ...stored,
      groups,
      changed: async () => {
        const { version } = await this.record.read();
        if (version !== stored.version) await this.applying.begin(version);
      },
    });
  }

  /** Removes what is stored about removed accounts. */
  async forget(people: ReadonlySet<string>): Promise<void> {
    for (const id of people) await this.context.store.remove(keys.attributes(id));
    await this.record.forget(people);
  }

  /** Takes away what ended while the group was in the trash. */
  private async applyToGroup(id: string, signal: AbortSignal): Promise<void> {
    const { rules } = await this.record.read();
    const group = (await this.context.records.findMany([id])).get(id);
    if (group?.byRule === undefined) return;
    await this.application.toGroup(group, rules);
    const own = rules.filter(({ folder }) => folder === id);
    const people = [...group.byRule.keys()].map((person) => keys.attributes(person));
    await inBatches(people, (part) => this.applyToKnown(part, own), { signal });
  }

  /** What is stored under these keys, by key. */
  private async readKnown(people: readonly string[]): Promise<Map<string, AttributesRecord>> {
    const stored = await this.context.store.getMany<unknown>(people);
    const read = people.map((key, index) => [key, readAttributes(stored[index])] as const);
    return new Map(read.flatMap(([key, record]) => (record ? [[key, record]] : [])));
  }

  /**
   * `people`: keys of their attributes. Repeated for those who sign in meanwhile: what was known before could be
   * written after what their sign-in has changed.
   */
  private async applyToKnown(people: readonly string[], rules: readonly GroupRule[]): Promise<void> {
    let found = await this.readKnown(people);
    for (let round = 0; round < mostRounds && found.size > 0; round += 1) {
      const accounts = await this.context.users.findMany([...found.values()].map(({ user }) => user));
      const known = [...found.values()].flatMap((one) => {
        const user = accounts.get(one.user);
        return user ? [{ user, known: one.known }] : [];
      });
      await this.application.toPeople(known, rules);
      const before = found;
      const now = await this.readKnown([...before.keys()]);
      found = new Map([...now].filter(([key, record]) => !isDeepStrictEqual(record, before.get(key))));
    }
  }

  private async applyToAll({ signal, progress }: JobRun): Promise<void> {
    const { store } = this.context;
    const { rules } = await this.record.read();
    const prefix = keys.group('');
    const groups = await store.scan(prefix);
    const people = await store.scan(keys.attributes(''));
    let done = 0;
    const count = (part: readonly string[]): void => {
      done += part.length;
      progress(done, groups.length + people.length);
    };
    await inBatches(
      groups,
      async (part) => {
        const stored = await store.getMany<unknown>(part);
        for (const [index, key] of part.entries()) {
          const group = readGroup(key.slice(prefix.length), stored[index]);
          if (group?.byRule !== undefined) await this.application.toGroup(group, rules);
        }
        count(part);
      },
      { signal },
    );
    await inBatches(
      people,
      async (part) => {
        await this.applyToKnown(part, rules);
        for (const key of part) await this.forgetUnnamed(key, rules);
        count(part);
      },
      { signal },
    );
  }

  private async forgetUnnamed(key: string, rules: readonly GroupRule[]): Promise<void> {
    const { store } = this.context;
    await store.locked([key], async () => {
      const record = readAttributes(await store.get(key));
      const left = stillNamed(record?.known ?? {}, rules);
      if (Object.keys(left).length === 0) await store.remove(key);
      else if (record && !isDeepStrictEqual(left, record.known))
        await store.set(key, { ...record, known: left });
    });
  }
}
