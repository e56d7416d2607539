import { createInstance } from 'i18next';
import {
  createContext,
  createElement,
  type ReactNode,
  useContext,
  useMemo,
  useSyncExternalStore,
} from 'react';
import type english from '../../locales/en.json';
import { base } from './location';

type WithoutPlural<Key extends string> = Key extends `${infer Name}_${'one' | 'other'}` ? Name : Key;

/** The key of a text in locales/. A text in several plural forms is named without its `_one`, `_other`. */
export type TextKey = WithoutPlural<Extract<keyof typeof english, string>>;

/** What goes into a text's `{{name}}`. `count` chooses the plural form. */
export type TextValues = Readonly<Record<string, string | number>>;

export type Translate = (key: TextKey, values?: TextValues) => string;

type Texts = Readonly<Record<string, string>>;

const engine = createInstance({
  lng: 'none',
  fallbackLng: false,
  resources: {},
  keySeparator: false,
  nsSeparator: false,
  interpolation: { escapeValue: false },
  returnEmptyString: false,
});
void engine.init();

const listeners = new Set<() => void>();
const storageKey = 'language';
let current = 'none';

interface Boot {
  /** Languages that have texts, with the address of their file below the base path. */
  languages: Readonly<Record<string, string>>;
  /** The best of them for this browser, as the server saw it. */
  lang: string;
  title: string;
}

/** What the server wrote into the page. */
export const boot: Boot = JSON.parse(
  document.getElementById('mypads-boot')?.textContent ?? '{"languages":{},"lang":"en","title":"MyPads"}',
);

/** The codes of the languages that have texts. */
export const languageCodes: readonly string[] = Object.keys(boot.languages);

/** `_other` stands in for plural forms that a language has and a file does not write (French "many"). */
function withAllPlurals(language: string, texts: Texts): Texts {
  const complete: Record<string, string> = { ...texts };
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  for (const [key, text] of Object.entries(texts)) {
    if (!key.endsWith('_other')) continue;
    for (const form of forms) complete[`${key.slice(0, -'other'.length)}${form}`] ??= text;
  }
  return complete;
}

const rightToLeft = new Set(['ar', 'fa', 'he', 'ur', 'yi', 'dv', 'ps']);

/**
 * Loads a language's texts and shows the page in it.
 * @throws when the file cannot be loaded; the page then stays in its language.
 */
export async function showLanguage(language: string): Promise<void> {
  if (language === current) return;
  if (!engine.hasResourceBundle(language, 'translation')) {
    const answer = await fetch(base + (boot.languages[language] ?? `l10n/${language}.json`));
    if (!answer.ok) throw new Error(`No texts for ${language}: ${answer.status}`);
    engine.addResourceBundle(language, 'translation', withAllPlurals(language, await answer.json()));
  }
  await engine.changeLanguage(language);
  current = language;
  document.documentElement.lang = language;
  document.documentElement.dir = rightToLeft.has(language.split('-')[0] ?? '') ? 'rtl' : 'ltr';
  for (const listener of listeners) listener();
}

/** The language that the person chose in the menu, or that their account had at the last sign-in. */
export function rememberedLanguage(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null;
  }
}

/** Shows the page in `language` and in it again at the next visit. @throws as `showLanguage`. */
export async function chooseLanguage(language: string): Promise<void> {
  await showLanguage(language);
  try {
    localStorage.setItem(storageKey, language);
  } catch {
    // A browser that keeps nothing: until the tab closes.
  }
}

/** The first language of the list that has texts; a code matches what starts with it (`fr` for `fr-CA`). */
export function firstLanguage(wanted: readonly (string | null | undefined)[]): string {
  for (const tag of wanted) {
    const code = languageCodes.find(
      (known) =>
        tag?.toLowerCase() === known.toLowerCase() ||
        tag?.toLowerCase().startsWith(`${known.toLowerCase()}-`),
    );
    if (code !== undefined) return code;
  }
  return boot.lang;
}

/** The text behind a key in the current language, outside of components. */
export const translate: Translate = (key, values) => engine.t(key, { ...values });

/** Is there a text for this key? For keys that come from the server. */
export function hasText(key: string): key is TextKey {
  return engine.exists(key);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

interface Translation {
  t: Translate;
  language: string;
}

/** A list says the same words in every row: texts without values are looked up once. */
function translationOf(language: string): Translation {
  const lookUp = engine.getFixedT(language);
  const known = new Map<TextKey, string>();
  const t: Translate = (key, values) => {
    if (values !== undefined) return lookUp(key, { ...values });
    const text = known.get(key) ?? lookUp(key);
    known.set(key, text);
    return text;
  };
  return { t, language };
}

const TranslationContext = createContext<Translation>(translationOf('none'));

/** Around the whole page: shows it in another language when that was chosen. */
export function TranslationProvider({ children }: { children: ReactNode }) {
  const language = useSyncExternalStore(subscribe, () => current);
  const translation = useMemo(() => translationOf(language), [language]);
  return createElement(TranslationContext, { value: translation }, children);
}

/** `t` gives the text behind a key in the current language; a component that asks for it follows a change of language. */
export function useTranslation(): Translation {
  return useContext(TranslationContext);
}
