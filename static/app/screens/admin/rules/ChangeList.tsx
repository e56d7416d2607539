import type { ReactNode } from 'react';
import type { GroupRulesPreview } from '../../../../../api/rules/schema';
import { listOfRole } from '../../../../../model/store/entities';
import { displayName } from '../../../components/Avatar';
import { useTranslation } from '../../../texts/i18n';
import styles from './ChangeList.module.css';

export interface ChangeListProps extends Pick<GroupRulesPreview, 'users'> {
  title: string;
  changes: GroupRulesPreview['gains'];
}

/** Who gets or loses which role. */
export function ChangeList({ title, changes: { count, rows }, users }: ChangeListProps) {
  const { t } = useTranslation();
  const roleText = (role: (typeof rows)[number]['before']): string =>
    role === null ? t('admin.rules.noRole') : t(`share.role.${listOfRole[role]}`);
  return (
    <ShortList title={title} count={count} shown={rows.length}>
      {rows.map(({ user, folder, name, before, after }) => {
        const person = users[user];
        const facts = { name: person ? displayName(person) : '', folder: name };
        const roles = { before: roleText(before), after: roleText(after) };
        return <li key={`${user} ${folder ?? name}`}>{t('admin.rules.change', { ...facts, ...roles })}</li>;
      })}
    </ShortList>
  );
}

interface ShortListProps {
  title: string;
  /** Of all rows, and of those that are shown. */
  count: number;
  shown: number;
  children: ReactNode;
}

/** The first rows of a list; nothing if it is empty. */
export function ShortList({ title, count, shown, children }: ShortListProps) {
  if (count === 0) return null;
  return (
    <section className={styles.changes}>
      <h3 className={styles.title}>{title}</h3>
      <ul className={styles.list} aria-label={title}>
        {children}
        {shown < count && <li>…</li>}
      </ul>
    </section>
  );
}
