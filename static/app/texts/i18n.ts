import { createInstance } from 'i18next';
import { createContext, createElement, type ReactNode, useContext } from 'react';
import type english from '../../../locales/en.json';
import { type LanguageCode, languageCodes, languages, matchLanguage } from '../../../model/languages';
import { readItem, writeItem } from '../lib/storage';
import { createStore } from '../lib/store';
import { base } from '../navigation/location';

type WithoutPlural<Key extends string> = Key extends `${infer Name}_${'one' | 'other'}` ? Name : Key;

/** The key of a text in locales/. For a text with plural forms, without `_one` or `_other`. */
export type TextKey = WithoutPlural<Extract<keyof typeof english, string>>;

/** Values for `{{name}}` in a text. `count` chooses the plural form. */
export type TextValues = Readonly<Record<string, string | number>>;

export type Translate = (key: TextKey, values?: TextValues) => string;

type Texts = Readonly<Record<string, string>>;

const numberFormats = new Map<string, Intl.NumberFormat>();

/** An address within a text, so that the writing direction of the language does not reorder it. */
export const isolated = (address: string): string => `\u2068${address}\u2069`;

/** A value in a text. Numbers have the digits of the language, and are grouped from five digits on. */
function formatValue(value: unknown, language: string): string {
  if (typeof value !== 'number') return String(value);
  const format = numberFormats.get(language) ?? new Intl.NumberFormat(language, { useGrouping: 'min2' });
  numberFormats.set(language, format);
  return format.format(value);
}

const engine = createInstance({
  lng: 'none',
  fallbackLng: false,
  resources: {},
  keySeparator: false,
  nsSeparator: false,
  returnEmptyString: false,
});
void engine.init();

const storageKey = 'language';
const current = createStore(translationOf('none'));

interface Boot {
  /** The URL of files with texts, relative to the base path: `*` is a language and an area (areas.ts). */
  texts: string;
  /** Areas whose files are lists of texts. The list of their keys is in the file `keys-` and the area. */
  listed: readonly string[];
  /** URLs of the style sheets of later areas. */
  styles: Readonly<Record<string, string>>;
  /** The best language for this browser, chosen by the server. */
  lang: LanguageCode;
  title: string;
}

/** Data that the server wrote into the page. */
export const boot: Boot = JSON.parse(
  document.getElementById('mypads-boot')?.textContent ??
    '{"texts":"","listed":[],"styles":{},"lang":"en","title":"MyPads"}',
);

/** Uses `_other` for plural forms that a language has but its file does not (French "many"). */
function withAllPlurals(language: string, texts: Texts): Texts {
  const complete: Record<string, string> = { ...texts };
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  for (const [key, text] of Object.entries(texts)) {
    if (!key.endsWith('_other')) continue;
    for (const form of forms) complete[`${key.slice(0, -'other'.length)}${form}`] ??= text;
  }
  return complete;
}

/** Said when the texts of a language cannot be loaded. */
export const languageProblem = 'BACKEND.ERROR.CONFIGURATION.LANG_PROBLEM';

/** Areas whose texts the page needs. */
const areas = new Set(['first']);
/** Languages and areas whose texts are there. */
const loaded = new Set<string>();

async function load(name: string) {
  const answer = await fetch(base + boot.texts.replace('*', name));
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  return answer.json();
}

/** The texts of an area by their keys, which may be in another file. */
async function textsOf(language: string, area: string): Promise<Texts> {
  const isListed = boot.listed.includes(area);
  const [texts, names] = await Promise.all([load(`${language}-${area}`), isListed && load(`keys-${area}`)]);
  if (!names) return texts;
  const pairs = names.map((name: string, index: number) => [name, texts[index]]);
  return Object.fromEntries(pairs.filter(([, text]: unknown[]) => text !== null));
}

/** Loads the texts of a language, for all areas in use. @throws if a file cannot be loaded. */
async function loadLanguage(language: string): Promise<void> {
  await Promise.all(
    [...areas].map(async (area) => {
      const name = `${language} ${area}`;
      if (loaded.has(name)) return;
      const texts = withAllPlurals(language, await textsOf(language, area));
      engine.addResourceBundle(language, 'translation', texts, true, true);
      loaded.add(name);
    }),
  );
}

/** The language that was asked for last: it is shown, or is being loaded. */
let wanted = 'none';

/** Whether no other language was asked for since. */
export const isWanted = (language: string): boolean => language === wanted;

/**
 * Loads the texts of a language and shows the page in it, unless another one was asked for meanwhile.
 * @throws if a file cannot be loaded; the language then stays the same.
 */
export async function showLanguage(language: LanguageCode): Promise<void> {
  wanted = language;
  if (language === current.get().language) return;
  await loadLanguage(language).catch((error: unknown) => {
    if (isWanted(language)) wanted = current.get().language;
    throw error;
  });
  if (!isWanted(language)) return;
  await engine.changeLanguage(language);
  document.documentElement.lang = language;
  document.documentElement.dir = languages[language].direction;
  current.set(translationOf(language));
}

/** Loads the texts of an area, now and for every language that is shown later. @throws if a file cannot be loaded. */
export async function loadTexts(area: string): Promise<void> {
  areas.add(area);
  const shown = new Set([current.get().language, wanted]);
  shown.delete('none');
  await Promise.all([...shown].map(loadLanguage));
}

/** The language that the person chose in the menu, or that their account had when they last signed in. */
export const rememberedLanguage = (): string | null => readItem(storageKey);

/** Shows the page in `language` and stores the choice for the next visit. @throws like `showLanguage`. */
export async function chooseLanguage(language: LanguageCode): Promise<void> {
  await showLanguage(language);
  if (isWanted(language)) writeItem(storageKey, language);
}

// All tabs of a browser show the same language. One that cannot load the texts stays as it is.
addEventListener('storage', ({ key, newValue }) => {
  const chosen = languageCodes.find((code) => code === newValue);
  if (key === storageKey && chosen !== undefined) showLanguage(chosen).catch(() => undefined);
});

/** The first language of the list that has texts, else the one that the server chose. `fr-CA` matches `fr`. */
export function firstLanguage(wanted: readonly (string | null)[]): LanguageCode {
  const tags = wanted.filter((tag) => tag !== null);
  return matchLanguage(tags, languageCodes) ?? boot.lang;
}

/** The text of a key in the current language, for code outside of components. */
export const translate: Translate = (key, values) => current.get().t(key, values);

/** Whether there is a text for this key. For keys that come from the server. */
export function hasText(key: string): key is TextKey {
  return engine.exists(key);
}

interface Translation {
  t: Translate;
  language: string;
  /** With the digits of the language. */
  digits: (number: number) => string;
  /** Names one after another, joined as the language does it: "A, B, and C". */
  list: (names: readonly string[]) => string;
}

/** Rows of a list use the same texts, so each text, and each of its plural forms, is looked up only once. */
function translationOf(language: string): Translation {
  const lookUp = engine.getFixedT(language);
  const plurals = new Intl.PluralRules(language === 'none' ? 'en' : language);
  const known = new Map<string, string>();
  const textOf = (key: TextKey, count: unknown): string => {
    const name = typeof count === 'number' ? `${key} ${count && plurals.select(count)}` : key;
    const text = known.get(name) ?? lookUp(key, { count, skipInterpolation: true });
    known.set(name, text);
    return text;
  };
  const t: Translate = (key, values) => {
    const text = textOf(key, values?.count);
    if (values === undefined) return text;
    return text.replace(/{{(\w+)}}/g, (_whole, name: string) => formatValue(values[name], language));
  };
  const names = new Intl.ListFormat(language === 'none' ? 'en' : language);
  return { t, language, digits: (number) => formatValue(number, language), list: (all) => names.format(all) };
}

const TranslationContext = createContext(current.get());

/** Wraps the whole page and renders it again when the language changes. */
export function TranslationProvider({ children }: { children: ReactNode }) {
  return createElement(TranslationContext, { value: current.use() }, children);
}

/** `t` gives the text of a key in the current language. Components that use it follow a change of language. */
export function useTranslation(): Translation {
  return useContext(TranslationContext);
}
