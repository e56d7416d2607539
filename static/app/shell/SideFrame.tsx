import { type ReactNode, type Ref, useLayoutEffect, useRef, useState } from 'react';
import { IconButton } from '../components/Button';
import { classNames } from '../components/classNames';
import { CloseIcon } from '../components/icons';
import { openDialog } from '../components/openDialogs';
import { MenuIcon } from '../components/screenIcons';
import { Link, useLocation } from '../navigation/location';
import { useTranslation } from '../texts/i18n';
import { SkipLink } from './Frame';
import frameStyles from './Frame.module.css';
import styles from './SideFrame.module.css';

export interface SideFrameProps {
  /** The sidebar. On a phone, links that may lead to the same path must call `onLeave`, which closes it. */
  sidebar: (onLeave?: () => void) => ReactNode;
  /** The title in the bar on a phone, and the path that it links to. */
  title: string;
  home: string;
  /** Shown instead of the sidebar while it is folded away. */
  folded?: ReactNode;
  /** The element around the sidebar. */
  ref?: Ref<HTMLElement>;
  children: ReactNode;
}

/** The sidebar on a phone, shown over the screen. */
function Sheet({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const { t } = useTranslation();
  const element = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => (element.current ? openDialog(element.current) : undefined), []);
  return (
    <dialog
      ref={element}
      aria-label={t('nav.label')}
      className={styles.sheet}
      onCancel={(event) => {
        event.preventDefault();
        // React hands on the event of a dialog that was opened from within this one.
        if (event.target === event.currentTarget) onClose();
      }}
      onMouseDown={(event) => event.target === event.currentTarget && onClose()}
    >
      <IconButton
        label={t('nav.close')}
        icon={<CloseIcon />}
        onClick={onClose}
        className={styles.sheetClose}
      />
      {children}
    </dialog>
  );
}

/** A layout with a sidebar, or on a phone a bar with a button that opens it. */
export function SideFrame({ sidebar, title, home, folded = false, ref, children }: SideFrameProps) {
  const { t } = useTranslation();
  const [path] = useLocation();
  /** The path that the sidebar of a phone was opened on. It closes when another one is shown, also by Back. */
  const [openOn, setOpenOn] = useState<string | null>(null);
  const open = openOn === path;
  if (openOn !== null && !open) setOpenOn(null);
  const close = (): void => setOpenOn(null);
  return (
    <div className={classNames(styles.frame, folded !== false && styles.folded)}>
      <SkipLink />
      <header ref={ref} className={styles.side}>
        {folded === false ? sidebar() : folded}
      </header>
      <header className={styles.bar}>
        <IconButton
          label={t('nav.open')}
          icon={<MenuIcon />}
          aria-haspopup="dialog"
          aria-expanded={open}
          onClick={() => setOpenOn(path)}
        />
        <Link href={home} className={frameStyles.barTitle}>
          {title}
        </Link>
      </header>
      <main id="main" tabIndex={-1} className={frameStyles.main}>
        {children}
      </main>
      {open && <Sheet onClose={close}>{sidebar(close)}</Sheet>}
    </div>
  );
}
