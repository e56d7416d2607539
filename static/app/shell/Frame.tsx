import type { ReactNode } from 'react';
import { IconButton, LinkButton } from '../components/Button';
import { LanguageIcon, SystemThemeIcon } from '../components/icons';
import { Menu } from '../components/Menu';
import { useSettings } from '../data/queries';
import { signInPlace } from '../data/session';
import { useTranslation } from '../i18n';
import { Link } from '../location';
import styles from './Frame.module.css';
import { useLanguageItems, useThemeItems } from './preferenceItems';

/** The first stop of the keyboard: past the navigation, to the screen. */
export function SkipLink() {
  const { t } = useTranslation();
  return (
    <button type="button" className={styles.skip} onClick={() => document.getElementById('main')?.focus()}>
      {t('nav.skip')}
    </button>
  );
}

/** Language and theme for somebody who is not signed in. */
function Preferences() {
  const { t } = useTranslation();
  const languageItems = useLanguageItems();
  const themeItems = useThemeItems();
  return (
    <div className={styles.preferences}>
      {languageItems.length > 0 && (
        <Menu
          label={t('language.label')}
          items={languageItems}
          trigger={(props) => <IconButton {...props} label={t('language.label')} icon={<LanguageIcon />} />}
        />
      )}
      <Menu
        label={t('theme.label')}
        items={themeItems}
        trigger={(props) => <IconButton {...props} label={t('theme.label')} icon={<SystemThemeIcon />} />}
      />
    </div>
  );
}

/** Around what a guest may see: a bar with the way to sign in. */
export function GuestFrame({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const { title } = useSettings();
  return (
    <div className={styles.guest}>
      <SkipLink />
      <header className={styles.guestBar}>
        <Link href="/" className={styles.barTitle}>
          {title}
        </Link>
        <Preferences />
        <LinkButton kind="primary" href={signInPlace()}>
          {t('login.title')}
        </LinkButton>
      </header>
      <main id="main" tabIndex={-1} className={styles.main}>
        {children}
      </main>
    </div>
  );
}

/** Around signing in and registering: one card in the middle. */
export function CardFrame({ children }: { children: ReactNode }) {
  const { title } = useSettings();
  return (
    <div className={styles.cardFrame}>
      <header className={styles.cardBar}>
        <Preferences />
      </header>
      <main id="main" tabIndex={-1} className={styles.cardMain}>
        <p className={styles.brand}>{title}</p>
        {children}
      </main>
    </div>
  );
}
