/**
 * The languages of the page, the mails and the accounts. A language has an entry here and the files
 * locales/<code>.json and templates/mail/<code>.json; docs/translating.md says how to add one.
 */

export interface Language {
  /** Its name in the language itself. */
  name: string;
  direction: 'ltr' | 'rtl';
  /** Whether the texts were read well enough to be shown without a mark (docs/tested.md). */
  reviewed: boolean;
}

/** By BCP 47 code, in the order of choices: by name, Latin script first. */
const list = {
  id: { name: 'Bahasa Indonesia', direction: 'ltr', reviewed: false },
  ca: { name: 'Català', direction: 'ltr', reviewed: false },
  cs: { name: 'Čeština', direction: 'ltr', reviewed: false },
  da: { name: 'Dansk', direction: 'ltr', reviewed: false },
  de: { name: 'Deutsch', direction: 'ltr', reviewed: true },
  en: { name: 'English', direction: 'ltr', reviewed: true },
  es: { name: 'Español', direction: 'ltr', reviewed: true },
  eu: { name: 'Euskara', direction: 'ltr', reviewed: false },
  fr: { name: 'Français', direction: 'ltr', reviewed: true },
  gl: { name: 'Galego', direction: 'ltr', reviewed: false },
  it: { name: 'Italiano', direction: 'ltr', reviewed: true },
  hu: { name: 'Magyar', direction: 'ltr', reviewed: false },
  nl: { name: 'Nederlands', direction: 'ltr', reviewed: false },
  nb: { name: 'Norsk bokmål', direction: 'ltr', reviewed: false },
  pl: { name: 'Polski', direction: 'ltr', reviewed: false },
  pt: { name: 'Português', direction: 'ltr', reviewed: false },
  'pt-BR': { name: 'Português (Brasil)', direction: 'ltr', reviewed: false },
  ro: { name: 'Română', direction: 'ltr', reviewed: false },
  fi: { name: 'Suomi', direction: 'ltr', reviewed: false },
  sv: { name: 'Svenska', direction: 'ltr', reviewed: false },
  tr: { name: 'Türkçe', direction: 'ltr', reviewed: false },
  el: { name: 'Ελληνικά', direction: 'ltr', reviewed: false },
  ru: { name: 'Русский', direction: 'ltr', reviewed: false },
  uk: { name: 'Українська', direction: 'ltr', reviewed: false },
  he: { name: 'עברית', direction: 'rtl', reviewed: false },
  ar: { name: 'العربية', direction: 'rtl', reviewed: false },
  fa: { name: 'فارسی', direction: 'rtl', reviewed: false },
  th: { name: 'ไทย', direction: 'ltr', reviewed: false },
  ja: { name: '日本語', direction: 'ltr', reviewed: false },
  'zh-Hans': { name: '简体中文', direction: 'ltr', reviewed: false },
  'zh-Hant': { name: '繁體中文', direction: 'ltr', reviewed: false },
  ko: { name: '한국어', direction: 'ltr', reviewed: false },
} as const satisfies Readonly<Record<string, Language>>;

export type LanguageCode = keyof typeof list;

export const languages: Readonly<Record<LanguageCode, Language>> = list;

export const languageCodes = Object.keys(languages) as LanguageCode[];

export function byLanguage<Value>(of: (code: LanguageCode) => Value): Record<LanguageCode, Value> {
  return Object.fromEntries(languageCodes.map((code) => [code, of(code)])) as Record<LanguageCode, Value>;
}

/** Norwegian is `no` in many browsers, and people who ask for Nynorsk read Bokmål too. */
const relatives: Readonly<Record<string, string>> = { no: 'nb', nn: 'nb' };

/** Language and script, such as `zh-Hans` for `zh-CN`; `undefined` for texts that are no language tag. */
function familyOf(tag: string): string | undefined {
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    return `${relatives[language] ?? language}-${script}`;
  } catch {
    return undefined;
  }
}

const families = new Map<string, string | undefined>();

function keptFamilyOf(code: LanguageCode): string | undefined {
  if (!families.has(code)) families.set(code, familyOf(code));
  return families.get(code);
}

/** People have a handful of languages. A header of 16 KB can name thousands, which would take too long to read. */
const maxWanted = 20;

/**
 * The first of the `wanted` tags that is among the `known` codes, whatever the region: `fr-CA` finds `fr`, `pt-AO`
 * finds `pt`, `no` finds `nb`, `zh-CN` finds `zh-Hans` and `zh-TW` finds `zh-Hant`. Of codes with the same script, the
 * first in the list.
 */
export function matchLanguage<Code extends LanguageCode>(
  wanted: readonly string[],
  known: readonly Code[],
): Code | undefined {
  for (const tag of wanted.slice(0, maxWanted)) {
    const family = familyOf(tag);
    const found =
      known.find((code) => code.toLowerCase() === tag.toLowerCase()) ??
      known.find((code) => family !== undefined && keptFamilyOf(code) === family);
    if (found !== undefined) return found;
  }
  return undefined;
}
