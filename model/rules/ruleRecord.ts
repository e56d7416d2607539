/** The stored rules, and the groups that are made for them. */

import type { Users } from '../accounts/user';
import { cutText } from '../cutText';
import { MyPadsError } from '../errors';
import type { Groups } from '../folders/group';
import { newId } from '../ids';
import { limits } from '../limits';
import type { Basics } from '../store/basics';
import { type GroupRule, memberLists, ruleSources } from '../store/entities';
import { texts } from '../store/records';
import { keys } from '../store/store';
import { isAttributeName } from './attributes';

/** A rule as server administrators send it. `managers`: usernames or addresses. */
export type SentRule = Omit<GroupRule, 'id'> & { id?: string | undefined };

/** `version` grows with each change by an administrator, and with each restored group that rules are about. */
export interface StoredRules {
  version: number;
  rules: readonly GroupRule[];
}

export interface RuleRecordContext extends Pick<Basics, 'store' | 'log'> {
  users: Pick<Users, 'findByEntries' | 'findMany'>;
  groups: Pick<Groups, 'create' | 'findMany'>;
  /** Names of the providers of OpenID Connect. */
  providers: () => readonly string[];
}

function readRule(stored: Partial<GroupRule> | null): GroupRule | undefined {
  const { id, provider, attribute, value, folder, managers } = stored ?? {};
  const source = ruleSources.find((known) => known === stored?.source);
  const role = memberLists.find((known) => known === stored?.role);
  if (typeof id !== 'string' || typeof attribute !== 'string' || typeof value !== 'string') return undefined;
  if (source === undefined || role === undefined || !isAttributeName(attribute)) return undefined;
  return {
    ...{ id, source, attribute, value, role, absentIsEmpty: stored?.absentIsEmpty === true },
    ...(typeof provider === 'string' && { provider }),
    ...(typeof folder === 'string' && { folder }),
    ...(managers !== undefined && { managers: texts(managers) }),
  };
}

function readRules(stored: unknown): StoredRules {
  const { version, rules } = (stored ?? {}) as { version?: unknown; rules?: unknown };
  return {
    version: typeof version === 'number' ? version : 0,
    rules: Array.isArray(rules) ? rules.flatMap((rule) => readRule(rule) ?? []) : [],
  };
}

/** Whether a rule is about the same people and the same group, so that what it has given can stay. */
const isSame = (one: GroupRule, other: SentRule): boolean =>
  (['source', 'provider', 'attribute', 'value'] as const).every((field) => one[field] === other[field]) &&
  (other.managers === undefined
    ? one.managers === undefined && one.folder === other.folder
    : one.managers !== undefined);

/** The first part of the name (DN) of a group in a directory, or the value itself. */
export function groupNameOf({ source, value }: GroupRule): string {
  const first = source === 'ldap' ? /^[\w.-]+=((?:\\.|[^,\\])+)/.exec(value)?.[1] : undefined;
  const name = first?.replace(/\\(.)/g, '$1') ?? value;
  return cutText(name, limits.name).trim();
}

/** Throws CONFIGURATION.GROUP_RULE with a reason. */
function refuseRule({ value }: Pick<GroupRule, 'value'>, reason: string): never {
  throw new MyPadsError('BACKEND.ERROR.CONFIGURATION.GROUP_RULE', {
    reason: `the rule about ${JSON.stringify(value.slice(0, 100))} ${reason}`,
  });
}

export class RuleRecord {
  constructor(private readonly context: RuleRecordContext) {}

  async read(): Promise<StoredRules> {
    return readRules(await this.context.store.get(keys.groupRules));
  }

  /**
   * `read`: the version that the rules were made from. Throws CONFIGURATION.CHANGED if there is another one now,
   * CONFIGURATION.GROUP_RULE, SERVER.BUSY.
   */
  async replace(sent: readonly SentRule[], read?: number): Promise<StoredRules> {
    const { store } = this.context;
    return store.locked([keys.groupRules], async () => {
      const { version } = await this.read();
      if (version !== (read ?? version)) throw new MyPadsError('BACKEND.ERROR.CONFIGURATION.CHANGED');
      const next = { version: version + 1, rules: await this.resolve(sent) };
      await store.set(keys.groupRules, next);
      return next;
    });
  }

  /** The same rules with a new version, so that they are applied to everyone again. */
  async renew(): Promise<number> {
    const { store } = this.context;
    return store.locked([keys.groupRules], async () => {
      const { version, rules } = await this.read();
      await store.set(keys.groupRules, { version: version + 1, rules });
      return version + 1;
    });
  }

  /** The rules as they would be stored. One about other people or another group is a new one. Throws as `replace`. */
  async resolve(sent: readonly SentRule[]): Promise<GroupRule[]> {
    const before = new Map((await this.read()).rules.map((rule) => [rule.id, rule]));
    const accounts = await this.context.users.findByEntries([
      ...new Set(sent.flatMap(({ managers = [] }) => managers)),
    ]);
    const rules = sent.map((rule) => {
      const earlier = before.get(rule.id ?? '');
      const same = earlier && isSame(earlier, rule) ? earlier : undefined;
      const managers = rule.managers?.map(
        (entry) => accounts.get(entry) ?? refuseRule(rule, `names ${JSON.stringify(entry)}: no such account`),
      );
      const id = same?.id ?? newId('');
      const folder = managers === undefined ? rule.folder : same?.folder;
      const lostAll = same?.managers?.length === 0;
      return { isNew: same === undefined, lostAll, rule: { ...rule, id, folder, managers } };
    });
    await this.requireUsable(rules);
    return rules.map(({ rule }) => rule);
  }

  /** What has not changed may name a group or a provider that is gone. `lostAll`: so are its managers. */
  private async requireUsable(
    rules: readonly { isNew: boolean; lostAll: boolean; rule: GroupRule }[],
  ): Promise<void> {
    const providers = this.context.providers();
    const added = rules.flatMap(({ isNew, rule }) => (isNew ? [rule] : []));
    const found = await this.context.groups.findMany(added.flatMap(({ folder }) => folder ?? []));
    const ids = rules.map(({ rule }) => rule.id);
    for (const { rule, lostAll } of rules) {
      if (ids.indexOf(rule.id) !== ids.lastIndexOf(rule.id)) refuseRule(rule, 'has the id of another one');
      if (rule.folder === undefined && !rule.managers?.length && !lostAll)
        refuseRule(rule, 'names neither a folder nor a manager for a new one');
    }
    for (const rule of added) {
      if (rule.folder !== undefined && !found.has(rule.folder))
        refuseRule(rule, `names the folder ${JSON.stringify(rule.folder)}, which does not exist`);
      if (rule.provider !== undefined && !providers.includes(rule.provider))
        refuseRule(rule, `names the provider ${JSON.stringify(rule.provider)}, which is not set up`);
    }
  }

  /** Makes the group of a rule, once. `undefined` if the rule is gone, or nobody is there to manage the group. */
  async makeGroup({ id }: Pick<GroupRule, 'id'>): Promise<string | undefined> {
    const { store, users, groups, log } = this.context;
    return store.locked([keys.groupRules], async () => {
      const stored = await this.read();
      const rule = stored.rules.find((one) => one.id === id);
      if (rule === undefined || rule.folder !== undefined) return rule?.folder;
      const admins = [...(await users.findMany(rule.managers ?? [])).keys()];
      const [first] = admins;
      if (first === undefined) {
        log.warn('no folder made for a rule, none of its managers exists', { rule: id });
        return undefined;
      }
      const { _id: folder } = await groups.create(first, { name: groupNameOf(rule), admins });
      const rules = stored.rules.map((one) => (one.id === id ? { ...one, folder } : one));
      await store.set(keys.groupRules, { ...stored, rules });
      log.info('folder made for a rule', { rule: id, group: folder });
      return folder;
    });
  }

  /** Takes removed accounts out of the managers of groups that are still to be made. */
  async forget(people: ReadonlySet<string>): Promise<void> {
    const { store } = this.context;
    const isGone = (id: string): boolean => people.has(id);
    if (!(await this.read()).rules.some(({ managers }) => managers?.some(isGone))) return;
    await store.locked([keys.groupRules], async () => {
      const stored = await this.read();
      const rules = stored.rules.map((rule) =>
        rule.managers ? { ...rule, managers: rule.managers.filter((id) => !isGone(id)) } : rule,
      );
      await store.set(keys.groupRules, { ...stored, rules });
    });
  }
}
