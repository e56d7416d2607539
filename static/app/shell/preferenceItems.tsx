import { type LanguageCode, languages } from '../../../model/languages';
import { DarkThemeIcon, LightThemeIcon, SystemThemeIcon } from '../components/icons';
import type { MenuAction, MenuItem } from '../components/Menu';
import { toasts } from '../components/Toasts';
import { useSettings } from '../data/configuration';
import { chooseLanguage, languageCodes, useTranslation } from '../i18n';
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

/** Actions that choose a language. Empty if a setting hides them or there is only one language. */
export function useLanguageItems(): (MenuAction & { code: LanguageCode })[] {
  const { t, language } = useTranslation();
  const { disableLangageSelect } = useSettings();
  if (disableLangageSelect || languageCodes.length < 2) return [];
  return languageCodes.map((code) => ({
    code,
    label: languages[code].name,
    hint: languages[code].reviewed ? undefined : t('language.unreviewed'),
    checked: code === language,
    onSelect: () => {
      chooseLanguage(code).catch(() => toasts.error(t('BACKEND.ERROR.CONFIGURATION.LANG_PROBLEM')));
    },
  }));
}

/** Options of a select. */
export const languageOptions: readonly { value: LanguageCode; label: string }[] = languageCodes.map(
  (code) => ({ value: code, label: languages[code].name }),
);
