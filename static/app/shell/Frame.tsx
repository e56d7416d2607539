import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import type { OwnUser } from '../../../api/wire';
import { IconButton, LinkButton } from '../components/Button';
import { CloseIcon, LanguageIcon, MenuIcon, SystemThemeIcon } from '../components/icons';
import { Menu } from '../components/Menu';
import { useSettings } from '../data/queries';
import { signInPlace } from '../data/session';
import { useTranslation } from '../i18n';
import { Link } from '../location';
import styles from './Frame.module.css';
import { useLanguageItems, useThemeItems } from './preferenceItems';
import { Sidebar } from './Sidebar';

/** The first stop of the keyboard: past the navigation, to the screen. */
function SkipLink() {
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

/** The sidebar on a phone: a sheet over the screen. */
function Sheet({ user, onClose }: { user: OwnUser; onClose: () => void }) {
  const { t } = useTranslation();
  const element = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={element}
      aria-label={t('nav.label')}
      className={styles.sheet}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onMouseDown={(event) => event.target === event.currentTarget && onClose()}
    >
      <IconButton
        label={t('nav.close')}
        icon={<CloseIcon />}
        onClick={onClose}
        className={styles.sheetClose}
      />
      <Sidebar user={user} onLeave={onClose} />
    </dialog>
  );
}

/** Around the screens of somebody who is signed in: a sidebar, on a phone a bar with a button that opens it. */
export function PersonFrame({ user, children }: { user: OwnUser; children: ReactNode }) {
  const { t } = useTranslation();
  const { title } = useSettings();
  const [open, setOpen] = useState(false);
  return (
    <div className={styles.frame}>
      <SkipLink />
      <div className={styles.side}>
        <Sidebar user={user} />
      </div>
      <header className={styles.bar}>
        <IconButton
          label={t('nav.open')}
          icon={<MenuIcon />}
          aria-haspopup="dialog"
          aria-expanded={open}
          onClick={() => setOpen(true)}
        />
        <Link href="/mypads" className={styles.barTitle}>
          {title}
        </Link>
      </header>
      <main id="main" tabIndex={-1} className={styles.main}>
        {children}
      </main>
      {open && <Sheet user={user} onClose={() => setOpen(false)} />}
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
