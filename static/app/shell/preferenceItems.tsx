import { type LanguageCode, languageCodes, languages } from '../../../model/languages';
import { DarkThemeIcon, LightThemeIcon, SystemThemeIcon } from '../components/icons';
import type { MenuAction, MenuItem } from '../components/Menu';
import { toasts, useErrorToast } from '../components/Toasts';
import { useSaveLanguage, useSettings } from '../data/configuration';
import { chooseLanguage, languageProblem, useTranslation } from '../texts/i18n';
import { chooseTheme, themes, useTheme } from './theme';

const themeIcons = { system: SystemThemeIcon, light: LightThemeIcon, dark: DarkThemeIcon };

/** The icon of the current theme. */
export function ThemeIcon() {
  const Icon = themeIcons[useTheme()];
  return <Icon />;
}

/** Menu entries that choose the theme. */
export function useThemeItems(): MenuItem[] {
  const { t } = useTranslation();
  const current = useTheme();
  return themes.map((theme) => {
    const Icon = themeIcons[theme];
    return {
      label: t(`theme.${theme}`),
      icon: <Icon />,
      checked: theme === current,
      onSelect: () => chooseTheme(theme),
    };
  });
}

/** Actions that choose a language, for the account too. Empty if a setting hides them. */
export function useLanguageItems(): (MenuAction & { code: LanguageCode })[] {
  const { t, language } = useTranslation();
  const { disableLangageSelect } = useSettings();
  const save = useSaveLanguage();
  const showError = useErrorToast();
  const choose = async (code: LanguageCode): Promise<void> => {
    const failed = await chooseLanguage(code).catch(() => true);
    if (failed === true) toasts.error(t(languageProblem));
    else await save(code).catch(showError);
  };
  if (disableLangageSelect) return [];
  return languageCodes.map((code) => ({
    code,
    label: languages[code].name,
    hint: languages[code].reviewed ? undefined : t('language.unreviewed'),
    checked: code === language,
    onSelect: () => void choose(code),
  }));
}

/** Options of a select. */
export const languageOptions: readonly { value: LanguageCode; label: string }[] = languageCodes.map(
  (code) => ({ value: code, label: languages[code].name }),
);
