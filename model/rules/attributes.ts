/**
 * What services sent about people when they last signed in: the values of attributes that rules name, and no others.
 * With them, rules can be changed without a new sign-in of everybody.
 */
import { limits } from '../limits';
import type { Attributes } from '../signin/signIn';
import type { GroupRule } from '../store/entities';
import { texts } from '../store/records';

/** Who sends an attribute. */
export type Service = Pick<GroupRule, 'source' | 'provider'>;

/** By service, then by the name of the attribute. `null`: the service sent nothing about it. */
export type KnownAttributes = Readonly<Record<string, Attributes>>;

const serviceName = ({ source, provider }: Service): string =>
  provider === undefined ? source : `${source}:${provider}`;

/** Only claims of OpenID Connect have names whose letter case counts. */
const attributeName = ({ source, attribute }: Pick<GroupRule, 'source' | 'attribute'>): string =>
  source === 'oidc' ? attribute : attribute.toLowerCase();

/** Directories ignore letter case, and blanks beside the commas of a name (DN). */
const comparable = ({ source }: Pick<GroupRule, 'source'>, value: string): string =>
  source === 'ldap' ? value.toLowerCase().replace(/\s*,\s*/g, ',') : value;

/**
 * Whether a rule may name an attribute like this. Values are stored by these names, and Etherpad's database library
 * throws at a record with this one, which ends Etherpad.
 */
export const isAttributeName = (name: string): boolean => name.toLowerCase() !== '__proto__';

const isAbout = (one: Service) => (other: Service) => serviceName(one) === serviceName(other);

const own = <Value>(record: Readonly<Record<string, Value>> | undefined, name: string): Value | undefined =>
  record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;

/** The attributes of a service that rules name. */
export const wantedOf = (rules: readonly GroupRule[], service: Service): string[] => [
  ...new Set(rules.filter(isAbout(service)).map(attributeName)),
];

/** At most `limits.attributeValues` values, those that rules name first, so that these rules stay true. */
function kept(
  service: Service,
  [name, values]: readonly [string, readonly string[] | null],
  rules: readonly GroupRule[],
): readonly string[] | null {
  if (values === null || values.length <= limits.attributeValues) return values;
  const naming = rules.filter(isAbout(service)).filter((rule) => attributeName(rule) === name);
  const named = new Set(naming.map(comparableValue));
  const isNamed = (value: string): boolean => named.has(comparable(service, value));
  const [first, others] = [values.filter(isNamed), values.filter((value) => !isNamed(value))];
  return [...first, ...others].slice(0, limits.attributeValues);
}

/** What is known after a sign-in. */
export function withSeen(
  known: KnownAttributes,
  { service, attributes }: { service: Service; attributes: Attributes },
  rules: readonly GroupRule[],
): KnownAttributes {
  const cut = Object.entries(attributes).map((entry) => [entry[0], kept(service, entry, rules)] as const);
  return { ...known, [serviceName(service)]: Object.fromEntries(cut) };
}

/** Without what no rule names any more. */
export function stillNamed(known: KnownAttributes, rules: readonly GroupRule[]): KnownAttributes {
  const named = new Set(rules.map((rule) => `${serviceName(rule)} ${attributeName(rule)}`));
  const left = Object.entries(known).map(([service, attributes]) => {
    const own = Object.entries(attributes).filter(([name]) => named.has(`${service} ${name}`));
    return [service, Object.fromEntries(own)] as const;
  });
  return Object.fromEntries(left.filter(([, attributes]) => Object.keys(attributes).length > 0));
}

/** The stored record of a person: `user` is their id, because keys can have a digest of it. */
export interface AttributesRecord {
  user: string;
  known: KnownAttributes;
}

/** Reads a record. Anything else than the values of attributes is left out. */
export function readAttributes(stored: unknown): AttributesRecord | undefined {
  const { user, known } = (stored ?? {}) as { user?: unknown; known?: unknown };
  if (typeof user !== 'string' || typeof known !== 'object' || known === null) return undefined;
  const services = Object.entries(known).map(([service, attributes]) => {
    const values = Object.entries<unknown>(typeof attributes === 'object' ? (attributes ?? {}) : {});
    const read = values.map(([name, value]) => [name, value === null ? null : texts(value)] as const);
    return [service, Object.fromEntries(read)] as const;
  });
  return { user, known: Object.fromEntries(services) };
}

/** The values of rules, which are compared with each person's. */
const comparableValues = new WeakMap<GroupRule, string>();

function comparableValue(rule: GroupRule): string {
  const value = comparableValues.get(rule) ?? comparable(rule, rule.value);
  comparableValues.set(rule, value);
  return value;
}

/** The rules about an attribute of a service, by the value that makes them true. */
interface AboutAttribute extends Pick<GroupRule, 'source'> {
  service: string;
  attribute: string;
  byValue: Map<string, GroupRule[]>;
}

/** Finds the rules that are true for a person. With hundreds of rules, it takes longest to try each for everybody. */
export function trueRules(rules: readonly GroupRule[]): (known: KnownAttributes) => GroupRule[] {
  const all = new Map<string, AboutAttribute>();
  for (const rule of rules) {
    const [service, attribute] = [serviceName(rule), attributeName(rule)];
    const name = JSON.stringify([service, attribute]);
    const about = all.get(name) ?? { source: rule.source, service, attribute, byValue: new Map() };
    const value = comparableValue(rule);
    about.byValue.set(value, [...(about.byValue.get(value) ?? []), rule]);
    all.set(name, about);
  }
  return (known) => {
    const found = new Set<GroupRule>();
    for (const { source, service, attribute, byValue } of all.values())
      for (const value of own(own(known, service), attribute) ?? [])
        for (const rule of byValue.get(comparable({ source }, value)) ?? []) found.add(rule);
    return [...found];
  };
}

/** `unknown`: the service sent nothing, which says neither. */
export type Match = 'yes' | 'no' | 'unknown';

/** Tells whether rules are about a person of whom this is known. */
export function matching(known: KnownAttributes): (rule: GroupRule) => Match {
  const sets = new Map<readonly string[], Set<string>>();
  return (rule) => {
    const values = own(own(known, serviceName(rule)), attributeName(rule));
    if (values === undefined) return 'unknown';
    if (values === null) return rule.absentIsEmpty ? 'no' : 'unknown';
    const set = sets.get(values) ?? new Set(values.map((value) => comparable(rule, value)));
    sets.set(values, set);
    return set.has(comparableValue(rule)) ? 'yes' : 'no';
  };
}
