import type { ReactNode } from 'react';
import { keepsFocus } from '../components/keepFocus';
import { Link, useLocation } from '../navigation/location';
import { useTranslation } from '../texts/i18n';
import styles from './Sidebar.module.css';

export interface SidebarItemProps {
  href: string;
  /** By default, whether the link leads to the address of this screen. `chosen`: one of several choices on it. */
  current?: boolean | 'chosen';
  icon: ReactNode;
  /** The tooltip. */
  title?: string;
  count?: number;
  onLeave?: () => void;
  children: string;
}

/** A link in the sidebar. */
export function SidebarItem(props: SidebarItemProps) {
  const { digits } = useTranslation();
  const [path] = useLocation();
  const { href, current = path === href, icon, title, count, onLeave, children } = props;
  return (
    <li ref={keepsFocus}>
      <Link
        href={href}
        title={title}
        aria-current={current === true ? 'page' : current === 'chosen' || undefined}
        className={styles.item}
        onClick={onLeave}
      >
        {icon}
        <span className={styles.label}>{children}</span>
        {count !== undefined && <span className={styles.count}>{digits(count)}</span>}
      </Link>
    </li>
  );
}
