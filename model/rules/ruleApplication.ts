/** Gives people the roles that rules give them, and takes away what rules give no more. */
import { isError } from '../errors';
import type { GroupRecords, IndexChange } from '../folders/groupRecords';
import type { Log } from '../ports';
import { type GroupRecord, type GroupRule, memberLists, type UserRecord } from '../store/entities';
import { type GroupIndex, groupsOf } from '../store/records';
import { type GivenRoles, type GrantOptions, givenByFile, withRuleGrants } from '../store/ruleGrants';
import { nextSlice, sliceUsed } from '../store/timeSlice';
import { type KnownAttributes, type Match, matching, trueRules } from './attributes';

export interface KnownPerson {
  user: Pick<UserRecord, '_id' | GroupIndex>;
  known: KnownAttributes;
  /** Nothing is taken from them: a rule that is not about them any more counts as if nothing were known. */
  keeps?: boolean;
}

/** What the rules of one group say about a person. */
type Results = readonly { rule: GroupRule; match: Match }[];

/** By group, then by person. */
export type Outcome = Map<string, Map<string, Results>>;

/** The roles that rules give a person in a group. What is not known about them stays. */
export function givenRoles(group: Pick<GroupRecord, 'byRule'>, person: string, results: Results): GivenRoles {
  const before = group.byRule?.get(person)?.rules ?? {};
  const applies = results.filter(
    ({ rule, match }) => match === 'yes' || (match === 'unknown' && Object.hasOwn(before, rule.id)),
  );
  const byRules = Object.fromEntries(applies.map(({ rule }) => [rule.id, rule.role]));
  return { ...byRules, ...givenByFile(group, person) };
}

/**
 * What rules say about people, for the groups that concern them. `groupOf`: the group of a rule whose group is not made
 * yet, asked when somebody comes who gets a role in it.
 */
export async function outcomeOf(
  people: readonly KnownPerson[],
  rules: readonly GroupRule[],
  groupOf: (rule: GroupRule) => Promise<string | undefined>,
): Promise<Outcome> {
  const outcome: Outcome = new Map();
  const find = trueRules(rules);
  const rulesOf = new Map<string | undefined, GroupRule[]>();
  for (const rule of rules) rulesOf.set(rule.folder, [...(rulesOf.get(rule.folder) ?? []), rule]);
  for (const { user, known, keeps = false } of people) {
    if (sliceUsed()) await nextSlice();
    const matches = matching(known);
    const resultOf = (rule: GroupRule) => {
      const match = matches(rule);
      return { rule, match: keeps && match === 'no' ? ('unknown' as const) : match };
    };
    const made = new Map<string, GroupRule[]>();
    const concerned = new Set(groupsOf(user));
    for (const rule of find(known)) {
      const group = rule.folder ?? (await groupOf(rule));
      if (group === undefined) continue;
      concerned.add(group);
      if (rule.folder === undefined) made.set(group, [...(made.get(group) ?? []), rule]);
    }
    for (const group of concerned) {
      const about = [...(rulesOf.get(group) ?? []), ...(made.get(group) ?? [])];
      if (about.length === 0) continue;
      const results = about.map(resultOf);
      outcome.set(group, (outcome.get(group) ?? new Map<string, Results>()).set(user._id, results));
    }
  }
  return outcome;
}

export interface RuleApplicationContext {
  records: Pick<GroupRecords, 'change' | 'findMany' | 'changeMany'>;
  makeGroup: (rule: GroupRule) => Promise<string | undefined>;
  log: Log;
}

/** Gives and takes roles. The last manager stays, as given by people. `indexed`: see `GroupRecords.change`. */
export async function changeGrants(
  { records, log }: { records: Pick<GroupRecords, 'change'>; log: Log },
  id: string,
  given: (group: GroupRecord) => ReadonlyMap<string, GivenRoles>,
  indexed: readonly IndexChange[] = [],
): Promise<void> {
  const attempt = (options: GrantOptions) => {
    const decide = (current: GroupRecord) => {
      const after = withRuleGrants(current, given(current), options);
      return after && { after, changed: [...memberLists] };
    };
    return records.change(id, decide, indexed);
  };
  try {
    await attempt({});
  } catch (error) {
    // Somebody has deleted the group meanwhile.
    if (isError(error, 'BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND')) return;
    if (!isError(error, 'BACKEND.ERROR.GROUP.RESIGN_UNIQUE_ADMIN')) throw error;
    await attempt({ keepManagers: true });
    log.warn('rule ended for the last manager of a folder, who stays', { group: id });
  }
}

export class RuleApplication {
  constructor(private readonly context: RuleApplicationContext) {}

  /** One change for each group that changes, however many people it is about. */
  async toPeople(people: readonly KnownPerson[], rules: readonly GroupRule[]): Promise<boolean> {
    const made = new Map<string, Promise<string | undefined>>();
    const groupOf = (rule: GroupRule): Promise<string | undefined> => {
      const group = made.get(rule.id) ?? this.context.makeGroup(rule);
      made.set(rule.id, group);
      return group;
    };
    const outcome = await outcomeOf(people, rules, groupOf);
    const groups = await this.context.records.findMany([...outcome.keys()]);
    const given = (group: GroupRecord) =>
      new Map(
        [...(outcome.get(group._id) ?? [])].map(([person, results]) => [
          person,
          givenRoles(group, person, results),
        ]),
      );
    const changes: [GroupRecord, GroupRecord][] = [];
    for (const group of groups.values()) {
      if (sliceUsed()) await nextSlice();
      const after = withRuleGrants(group, given(group));
      if (after) changes.push([group, after]);
    }
    await this.context.records.changeMany(changes, (id, indexed) =>
      changeGrants(this.context, id, given, indexed),
    );
    return changes.length > 0;
  }

  /** Takes away what rules give in this group that are gone, or about another one. */
  async toGroup(group: GroupRecord, rules: readonly GroupRule[]): Promise<void> {
    const own = new Map(
      rules.filter(({ folder }) => folder === group._id).map((rule) => [rule.id, rule.role]),
    );
    const given = (current: GroupRecord) =>
      new Map(
        [...(current.byRule ?? [])].map(([person, { rules: roles }]): [string, GivenRoles] => {
          const left = Object.keys(roles).flatMap((id) => {
            const role = own.get(id);
            return role === undefined ? [] : [[id, role] as const];
          });
          return [person, { ...Object.fromEntries(left), ...givenByFile(current, person) }];
        }),
      );
    if (withRuleGrants(group, given(group)) !== undefined) await changeGrants(this.context, group._id, given);
  }
}
