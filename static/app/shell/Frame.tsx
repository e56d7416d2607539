import type { ReactNode } from 'react';
import { IconButton, LinkButton } from '../components/Button';
import { Menu } from '../components/Menu';
import { useHasHelp, useSettings } from '../data/configuration';
import { signInPath } from '../data/session';
import { Link, useLocation } from '../navigation/location';
import { paths } from '../navigation/paths';
import { useTranslation } from '../texts/i18n';
import styles from './Frame.module.css';
import { useLanguageChoice } from './LanguageChoice';
import { ThemeIcon, useThemeItems } from './preferenceItems';

/** The first element for the keyboard: skips the navigation. */
export function SkipLink() {
  const { t } = useTranslation();
  return (
    <button type="button" className={styles.skip} onClick={() => document.getElementById('main')?.focus()}>
      {t('nav.skip')}
    </button>
  );
}

/** Choice of language and theme for guests. */
function Preferences() {
  const { t } = useTranslation();
  const languages = useLanguageChoice();
  const themeItems = useThemeItems();
  return (
    <div className={styles.preferences}>
      {languages.item && (
        <IconButton
          label={languages.item.label}
          icon={languages.item.icon}
          aria-haspopup="dialog"
          onClick={languages.item.onSelect}
        />
      )}
      {languages.dialog}
      <Menu
        label={t('theme.label')}
        items={themeItems}
        trigger={(props) => <IconButton {...props} label={t('theme.label')} icon={<ThemeIcon />} />}
      />
    </div>
  );
}

/** Links to the guide and to the administration, unless a setting names the people who are shown the latter. */
function Footer({ hidden }: { hidden: boolean }) {
  const { t } = useTranslation();
  const { userLoginsAsAdmin } = useSettings();
  const hasHelp = useHasHelp();
  if (hidden) return null;
  return (
    <footer className={styles.cardFooter}>
      {hasHelp && <Link href={paths.help}>{t('help.title')}</Link>}
      {userLoginsAsAdmin.length === 0 && <Link href="/admin">{t('nav.administration')}</Link>}
    </footer>
  );
}

/** The layout for guests: a bar with a link to sign in. */
export function GuestFrame({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const { title } = useSettings();
  const [path] = useLocation();
  return (
    <div className={styles.guest}>
      <SkipLink />
      <header className={styles.guestBar}>
        <Link href="/" className={styles.barTitle}>
          {title}
        </Link>
        <Preferences />
        <LinkButton href={signInPath()}>{t('login.title')}</LinkButton>
      </header>
      <main id="main" tabIndex={-1} className={styles.main}>
        {children}
      </main>
      {/* The editor fills the window. */}
      <Footer hidden={path.includes('/pad/view/')} />
    </div>
  );
}

/** The layout of signing in and registering: one card in the middle. */
export function CardFrame({ children }: { children: ReactNode }) {
  const { title } = useSettings();
  const [path] = useLocation();
  return (
    <div className={styles.cardFrame}>
      <header className={styles.cardBar}>
        <Preferences />
      </header>
      <main id="main" tabIndex={-1} className={styles.cardMain}>
        <p className={styles.brand}>{title}</p>
        {children}
      </main>
      <Footer hidden={path.startsWith('/admin')} />
    </div>
  );
}
