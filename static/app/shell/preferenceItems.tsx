import { DarkThemeIcon, LightThemeIcon, SystemThemeIcon } from '../components/icons';
import type { MenuItem } from '../components/Menu';
import { toasts } from '../components/Toasts';
import { useSettings } from '../data/queries';
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

/** Menu entries that choose the language. Empty if a setting hides them or there is only one language. */
export function useLanguageItems(): MenuItem[] {
  const { t, language } = useTranslation();
  const { languages, disableLangageSelect } = useSettings();
  const offered = languageCodes.filter((code) => Object.hasOwn(languages, code));
  if (disableLangageSelect || offered.length < 2) return [];
  return offered.map((code) => ({
    label: languages[code] ?? code,
    checked: code === language,
    onSelect: () => {
      chooseLanguage(code).catch(() => toasts.error(t('BACKEND.ERROR.CONFIGURATION.LANG_PROBLEM')));
    },
  }));
}
