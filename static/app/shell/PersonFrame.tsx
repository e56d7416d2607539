import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import type { OwnUser } from '../../../api/wire';
import { IconButton } from '../components/Button';
import { CloseIcon, MenuIcon } from '../components/icons';
import { useSettings } from '../data/queries';
import { useTranslation } from '../i18n';
import { Link } from '../location';
import { places } from '../places';
import { SkipLink } from './Frame';
import styles from './Frame.module.css';
import { Sidebar } from './Sidebar';

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
      <header className={styles.side}>
        <Sidebar user={user} />
      </header>
      <header className={styles.bar}>
        <IconButton
          label={t('nav.open')}
          icon={<MenuIcon />}
          aria-haspopup="dialog"
          aria-expanded={open}
          onClick={() => setOpen(true)}
        />
        <Link href={places.folders} className={styles.barTitle}>
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
