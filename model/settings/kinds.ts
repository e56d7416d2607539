/** The kinds of values that settings have, in zod. The description of a schema is shown in docs/configuration.md. */

import * as z from 'zod';
import { cutText } from '../cutText';
import { isObject } from '../fields';
import { inOneLine } from '../inOneLine';
import { limits } from '../limits';
import { mailAddress } from '../mail/address';

export type ServiceSettings = Record<string, unknown>;

/** Names of the kinds. The administration has a form for each. */
export const kindNames = [
  'flag',
  'text',
  'name',
  'secret',
  'html',
  'integer',
  'choice',
  'choices',
  'someOf',
  'steps',
  'address',
  'email',
  'list',
  'texts',
  'service',
] as const;

export type KindName = (typeof kindNames)[number];

export interface Kind<Value extends z.ZodType = z.ZodType> {
  kind: KindName;
  /** Valid values. Converts other spellings, such as `"587"`, of forms, files and old databases. */
  value: Value;
  /** The same for a stored value: an invalid one becomes the nearest valid one, because ep_mypads 1.x had no limits. */
  stored?: z.ZodType<z.output<Value>>;
  /** Finds an error inside a valid object when it is to be stored. Stored values are not checked. */
  toStore?: z.ZodType;
}

export const flag = {
  kind: 'flag',
  value: z.boolean().describe('`true` or `false`'),
  // As 1.x took them, the text `false` too, so that an upgrade opens nothing that was closed.
  stored: z.union([z.boolean(), z.number(), z.string()]).transform(Boolean),
} as const satisfies Kind;

const textOf = (longest: number) => z.string().max(longest).describe(`text of at most ${longest} characters`);

export const text = { kind: 'text', value: textOf(300) } as const satisfies Kind;

/** The id in the address of a folder, also of its pads in the administration, where administrators can open it. */
function folderNamed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const id = /(?:\/mypads\/group\/|[?&]group=)([^/&#]+)/.exec(value)?.[1];
  if (id === undefined) return value.trim();
  try {
    return decodeURIComponent(id);
  } catch {
    return undefined;
  }
}

/** The id of a folder; its address is understood too. */
export const folder = {
  kind: 'text',
  value: z.preprocess(folderNamed, z.string().max(300)).describe('id or address of a folder'),
} as const satisfies Kind;

/** A text that no answer contains. */
export const secret = { kind: 'secret', value: textOf(300) } as const satisfies Kind;

export const html = { kind: 'html', value: textOf(50_000) } as const satisfies Kind;

/** Not a pattern: programs read these in the description of the API, and few languages know this property. */
const isVisible = (value: string): boolean => /[^\s\p{Default_Ignorable_Code_Point}\u2800]/u.test(value);

const visibleText = z
  .preprocess(
    (value) => (typeof value === 'string' ? inOneLine(value) : value),
    z.string().max(limits.text).min(1).refine(isVisible),
  )
  .describe(`text of 1 to ${limits.text} characters`);

/** A text of one line that is not empty. */
export const name = {
  kind: 'name',
  value: visibleText,
  stored: z.preprocess(
    (stored) => (typeof stored === 'string' ? cutText(stored, limits.text) : stored),
    visibleText,
  ),
} as const satisfies Kind;

/** The form of ep_mypads 1.x stored numbers as text. */
const asNumber = (value: unknown): unknown =>
  typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;

export function integer(least: number, most: number) {
  const nearest = (value: number): number => Math.min(most, Math.max(least, Math.round(value)));
  return {
    kind: 'integer',
    value: z
      .preprocess(asNumber, z.int().min(least).max(most))
      .describe(`whole number from ${least} to ${most}`),
    stored: z.preprocess(asNumber, z.number().transform(nearest)),
  } as const satisfies Kind;
}

/** At least 1. A stored 0 counts as not set, as in ep_mypads 1.x. */
export function positive(most: number) {
  const one = integer(1, most);
  const withoutZero = (value: unknown): unknown => (Number(value) === 0 ? undefined : value);
  return { ...one, stored: z.preprocess(withoutZero, one.stored) } as const satisfies Kind;
}

const listed = (names: readonly string[]): string => names.map((one) => `\`${one}\``).join(', ');

export const choice = <const Name extends string>(names: readonly Name[]) =>
  ({ kind: 'choice', value: z.enum(names).describe(listed(names)) }) as const satisfies Kind;

/** Several of `names`. */
export const choices = <const Name extends string>(names: readonly Name[]) =>
  ({
    kind: 'choices',
    value: z.array(z.enum(names)).describe(`list of ${listed(names)}`),
  }) as const satisfies Kind;

/** Some of `names`, each at most once. */
const distinct = <const Name extends string>(names: readonly Name[]) =>
  z
    .array(z.enum(names))
    .refine((value) => new Set(value).size === value.length)
    .meta({ description: `list of ${listed(names)}`, uniqueItems: true });

/** Some of `names`, in an order that counts. */
export const someOf = <const Name extends string>(names: readonly Name[]) =>
  ({ kind: 'someOf', value: distinct(names) }) as const satisfies Kind;

/** Some of `names`. The administration has a screen of its own for them. */
export const steps = <const Name extends string>(names: readonly Name[]) =>
  ({ kind: 'steps', value: distinct(names) }) as const satisfies Kind;

/** The page of ep_mypads 1.x adds a field `attrs` to every object that it sends. */
function withoutAttrs(value: unknown): unknown {
  if (!isObject(value) || !Object.hasOwn(value, 'attrs')) return value;
  const { attrs: _, ...rest } = value;
  return rest;
}

const longestMessage = 10_000;
const languageCode = z.string().regex(/^[a-zA-Z]{2,3}(-\w{2,8})*$/);
const message = z.string().max(longestMessage);
const isMessage = ([code, value]: [string, unknown]): boolean =>
  languageCode.safeParse(code).success && message.safeParse(value).success;

/** Texts by language. */
export const texts = {
  kind: 'texts',
  value: z
    .preprocess(withoutAttrs, z.record(languageCode, message))
    .describe(`object: language code to text of at most ${longestMessage} characters`),
  stored: z
    .preprocess(withoutAttrs, z.record(z.string(), z.unknown()))
    .transform((value) => Object.fromEntries(Object.entries(value).filter(isMessage)))
    .pipe(z.record(languageCode, message)),
} as const satisfies Kind;

const isAddress = (value: string): boolean =>
  value === '' || (/^https?:\/\/[^\s/?#\\@]+(\/[^\s?#\\]*)?$/i.test(value) && URL.canParse(value));

/** A URL that a path can be appended to: scheme, host, optional port and path. */
export const address = {
  kind: 'address',
  value: z
    .preprocess(
      (value) => (typeof value === 'string' ? value.trim().replace(/\/+$/, '') : value),
      z.string().max(300).refine(isAddress),
    )
    .describe('`http` or `https` address of at most 300 characters without `?`, `#` and password, or empty'),
} as const satisfies Kind;

/** Accepts `MyPads <pads@example.org>`. The sender's name is always the title of the site. */
export const email = {
  kind: 'email',
  value: z
    .preprocess(
      (value) => (typeof value === 'string' ? (/<([^<>]*)>\s*$/.exec(value)?.[1] ?? value) : value),
      z.string().refine((value) => value === '' || mailAddress(value) !== undefined),
    )
    .describe('email address, or empty'),
} as const satisfies Kind;

/** Converts a text with commas. Leaves out empty and repeated names. */
function asNames(value: unknown): unknown {
  const names: unknown = typeof value === 'string' ? value.split(',') : value;
  if (!Array.isArray(names)) return value;
  const trimmed = names.map((one: unknown) => (typeof one === 'string' ? one.trim() : one));
  return [...new Set(trimmed)].filter((one) => one !== '');
}

const maxNames = 1_000;
export const list = {
  kind: 'list',
  value: z
    .preprocess(asNames, z.array(z.string().max(300)).max(maxNames))
    .describe(`list of at most ${maxNames} texts, or one text with commas`),
} as const satisfies Kind;

/** Limits of nested settings. Without them, deep nesting could overflow the stack. */
const deepest = 8;
const maxValues = 1_000;

function isWithinSize(value: ServiceSettings): boolean {
  const waiting: [unknown, number][] = [[value, 1]];
  let count = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [inner, depth] = next;
    count += 1;
    if (count > maxValues || depth > deepest) return false;
    if (typeof inner !== 'object' || inner === null) continue;
    for (const one of Object.values(inner)) waiting.push([one, depth + 1]);
  }
  return true;
}

/** Settings of a sign-in service, which `page` of docs/ describes. */
export const service = (page: string, toStore: z.ZodType) =>
  ({
    kind: 'service',
    value: z
      .preprocess(withoutAttrs, z.record(z.string(), z.unknown()).refine(isWithinSize))
      .describe(`object, see [${page}](${page}#the-settings)`),
    toStore,
  }) as const satisfies Kind;
