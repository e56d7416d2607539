/**
 * What rules of the server give people in a group, beside what people have given them. The lists of a group have the
 * stronger of both, so that nothing else has to ask about rules. What was given by hand stays when a rule ends.
 */
import {
  type GroupRecord,
  type MemberList,
  type MembersByRole,
  memberLists,
  type RuleGrant,
} from './entities';
import { listChange } from './listChanges';
import { eachOnOneList } from './records';

export type GivenRoles = RuleGrant['rules'];

/** What a sync of a file gives is kept as a rule with this id, which no other rule has. */
export const fileRule = 'import';

/** What a sync of a file gives the person; rules of a directory do not change it. */
export function givenByFile({ byRule }: Pick<GroupRecord, 'byRule'>, person: string): GivenRoles {
  const role = byRule?.get(person)?.rules[fileRule];
  return role === undefined ? {} : { [fileRule]: role };
}

type WithGrants = MembersByRole & Pick<GroupRecord, 'byRule'>;

/** The role with most rights. */
const strongest = (roles: readonly (MemberList | undefined)[]): MemberList | undefined =>
  memberLists.find((list) => roles.includes(list));

/** The role that rules give the person. */
export const roleByRule = ({ byRule }: Pick<GroupRecord, 'byRule'>, person: string): MemberList | undefined =>
  strongest(Object.values(byRule?.get(person)?.rules ?? {}));

/** The roles of those whom `isMeant` names. A map of 50,000 people takes some milliseconds. */
function rolesOf(
  lists: MembersByRole,
  isMeant: (person: string) => boolean = () => true,
): Map<string, MemberList> {
  const roles = new Map<string, MemberList>();
  for (const list of memberLists)
    for (const person of lists[list]) if (isMeant(person)) roles.set(person, list);
  return roles;
}

/** People who keep their role keep their place in the list. */
function withRoles(lists: MembersByRole, roles: ReadonlyMap<string, MemberList | undefined>): MembersByRole {
  const before = rolesOf(lists, (person) => roles.has(person));
  const listed = (list: MemberList): string[] => {
    const stay = lists[list].filter((person) => !roles.has(person) || roles.get(person) === list);
    const come = [...roles].filter(([person, role]) => role === list && before.get(person) !== list);
    return [...stay, ...come.map(([person]) => person)];
  };
  return { admins: listed('admins'), users: listed('users'), readers: listed('readers') };
}

/**
 * The group after a change by people: a new role is what they have given, and nobody gets fewer rights than rules give.
 * Entries of `byRule` that the change itself has made or left out count as they are.
 */
export function keepRuleGrants(before: GroupRecord, after: GroupRecord): GroupRecord {
  const { byRule } = after;
  if (byRule === undefined || memberLists.every((list) => before[list] === after[list])) return after;
  const differing = memberLists.flatMap((list) => {
    const { left, joined } = listChange(before[list], after[list]);
    return [...left, ...joined];
  });
  const changed = new Set(differing);
  const is = rolesOf(after, (person) => changed.has(person));
  const grants = new Map<string, RuleGrant>();
  const roles = new Map<string, MemberList | undefined>();
  for (const person of changed) {
    const grant = byRule.get(person);
    if (grant === undefined || grant !== before.byRule?.get(person)) continue;
    const own = is.get(person);
    grants.set(person, { rules: grant.rules, ...(own && { own }) });
    roles.set(person, strongest([own, roleByRule(after, person)]));
  }
  if (roles.size === 0) return after;
  return { ...after, ...withRoles(after, roles), byRule: new Map([...byRule, ...grants]) };
}

/**
 * The grants of these people with a role that people give them now. Who has it by a rule already would lose it with the
 * rule otherwise.
 */
function withOwnRole(
  { byRule }: Pick<GroupRecord, 'byRule'>,
  people: readonly string[],
  role: MemberList,
): Pick<GroupRecord, 'byRule'> {
  const given = people.flatMap((person): [string, RuleGrant][] => {
    const grant = byRule?.get(person);
    if (grant === undefined || strongest([grant.own, role]) === grant.own) return [];
    return [[person, { ...grant, own: role }]];
  });
  return given.length === 0 ? {} : { byRule: new Map([...(byRule ?? []), ...given]) };
}

/** The group when people give these people a role. Nobody gets one with fewer rights than before. */
export function withGiven(group: GroupRecord, people: readonly string[], role: MemberList): GroupRecord {
  const lists = eachOnOneList({ ...group, [role]: [...new Set([...group[role], ...people])] });
  return { ...group, ...lists, ...withOwnRole(group, people, role) };
}

/** The role without what a sync of a file gives. */
export function roleWithoutFile(
  { byRule }: Pick<GroupRecord, 'byRule'>,
  person: string,
): MemberList | undefined {
  const { [fileRule]: _, ...others } = byRule?.get(person)?.rules ?? {};
  return strongest([byRule?.get(person)?.own, ...Object.values(others)]);
}

/** The role that people have given. */
function ownRole({ byRule }: WithGrants, person: string, role: MemberList | undefined) {
  const grant = byRule?.get(person);
  return grant === undefined ? role : grant.own;
}

/** A role of a person now, and with other rules. */
export interface RoleChange {
  before: MemberList | undefined;
  after: MemberList | undefined;
}

/** Tells for each person what other rules would change. `isMeant`: whom it is asked about; without it, everybody. */
export function roleChanges(
  group: WithGrants,
  isMeant?: (person: string) => boolean,
): (person: string, given: GivenRoles) => RoleChange {
  const roles = rolesOf(group, isMeant);
  return (person, given) => {
    const before = roles.get(person);
    return { before, after: strongest([ownRole(group, person, before), ...Object.values(given)]) };
  };
}

function isSame(one: GivenRoles, other: GivenRoles): boolean {
  const rules = Object.keys(one);
  return rules.length === Object.keys(other).length && rules.every((rule) => one[rule] === other[rule]);
}

/** Whether the record of the group says just this of the person. */
export const hasGrant = ({ byRule }: WithGrants, person: string, given: GivenRoles): boolean =>
  isSame(byRule?.get(person)?.rules ?? {}, given);

export interface GrantOptions {
  /** Managers who would lose their role keep it, as given by people. */
  keepManagers?: boolean;
}

/** The group when rules give these people these roles; `undefined` if that changes nothing. */
export function withRuleGrants(
  group: GroupRecord,
  given: ReadonlyMap<string, GivenRoles>,
  { keepManagers = false }: GrantOptions = {},
): GroupRecord | undefined {
  const changed = new Map<string, RuleGrant | undefined>();
  const roles = new Map<string, MemberList | undefined>();
  const changeOf = roleChanges(group, (person) => given.has(person));
  for (const [person, rules] of given) {
    const { before, after } = changeOf(person, rules);
    if (before === after && hasGrant(group, person, rules)) continue;
    const keeps = keepManagers && before === 'admins' && after !== 'admins';
    const own = keeps ? before : ownRole(group, person, before);
    roles.set(person, keeps ? before : after);
    changed.set(person, Object.keys(rules).length === 0 ? undefined : { rules, ...(own && { own }) });
  }
  if (roles.size === 0) return undefined;
  const byRule = new Map(group.byRule);
  for (const [person, grant] of changed) {
    if (grant === undefined) byRule.delete(person);
    else byRule.set(person, grant);
  }
  return { ...group, ...withRoles(group, roles), byRule };
}

/** The group without what rules give these people. */
export function withoutGrants(group: GroupRecord, people: ReadonlySet<string>): Pick<GroupRecord, 'byRule'> {
  if (group.byRule === undefined) return {};
  return { byRule: new Map([...group.byRule].filter(([person]) => !people.has(person))) };
}

/** The group when these people, of whom several may have grants, become one of them. */
export function withUnitedGrants(
  group: GroupRecord,
  people: readonly string[],
  kept: string,
): Pick<GroupRecord, 'byRule'> {
  const grants = people.flatMap((person) => group.byRule?.get(person) ?? []);
  if (grants.length === 0) return {};
  const roles = rolesOf(group);
  const own = strongest(people.map((person) => ownRole(group, person, roles.get(person))));
  const rules: GivenRoles = {};
  for (const [rule, role] of grants.flatMap((grant) => Object.entries(grant.rules)))
    rules[rule] = strongest([rules[rule], role]) ?? role;
  const { byRule } = withoutGrants(group, new Set(people));
  return { byRule: new Map([...(byRule ?? []), [kept, { rules, ...(own && { own }) }]]) };
}
