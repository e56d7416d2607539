import type { ReactNode } from 'react';
import { Link } from '../navigation/location';
import { useTranslation } from '../texts/i18n';
import styles from './Sidebar.module.css';

export interface SidebarItemProps {
  href: string;
  /** The link leads to this screen. `chosen`: it is one of several choices on this screen. */
  current: boolean | 'chosen';
  icon: ReactNode;
  /** The tooltip. */
  title?: string;
  count?: number;
  onLeave?: () => void;
  children: string;
}

/** A link in the sidebar. */
export function SidebarItem({ href, current, icon, title, count, onLeave, children }: SidebarItemProps) {
  const { digits } = useTranslation();
  return (
    <li>
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
