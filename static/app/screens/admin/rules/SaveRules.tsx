import type { GroupRulesPreview, SentGroupRule } from '../../../../../api/rules/schema';
import { listOfRole } from '../../../../../model/store/entities';
import { displayName } from '../../../components/Avatar';
import { ConfirmDialog } from '../../../components/Dialog';
import { toasts } from '../../../components/Toasts';
import { useSaveRules } from '../../../data/administration';
import { useTranslation } from '../../../texts/i18n';
import styles from './SaveRules.module.css';

export interface SaveRulesProps {
  rules: readonly SentGroupRule[];
  preview: GroupRulesPreview;
  onClose: () => void;
}

/** Shows who would get and lose which role, and saves the rules. */
export function SaveRules({ rules, preview, onClose }: SaveRulesProps) {
  const { t } = useTranslation();
  const save = useSaveRules();
  const { gains, losses, users } = preview;
  return (
    <ConfirmDialog
      title={t('admin.rules.save')}
      action={t('action.save')}
      danger={losses.count > 0}
      onClose={onClose}
      onConfirm={async () => {
        await save.mutateAsync(rules);
        onClose();
        toasts.success(t('admin.rules.saved'));
      }}
    >
      {gains.count + losses.count === 0 && <p>{t('admin.rules.noChange')}</p>}
      <ChangeList title={t('admin.rules.losses', { count: losses.count })} changes={losses} users={users} />
      <ChangeList title={t('admin.rules.gains', { count: gains.count })} changes={gains} users={users} />
      <p className={styles.known}>{t('admin.rules.known')}</p>
    </ConfirmDialog>
  );
}

interface ChangeListProps extends Pick<GroupRulesPreview, 'users'> {
  title: string;
  changes: GroupRulesPreview['gains'];
}

function ChangeList({ title, changes: { count, rows }, users }: ChangeListProps) {
  const { t } = useTranslation();
  if (count === 0) return null;
  const roleText = (role: (typeof rows)[number]['before']): string =>
    role === null ? t('admin.rules.noRole') : t(`share.role.${listOfRole[role]}`);
  return (
    <section className={styles.changes}>
      <h3 className={styles.title}>{title}</h3>
      <ul className={styles.list} aria-label={title}>
        {rows.map(({ user, folder, name, before, after }) => {
          const person = users[user];
          const facts = { name: person ? displayName(person) : '', folder: name };
          const roles = { before: roleText(before), after: roleText(after) };
          return <li key={`${user} ${folder ?? name}`}>{t('admin.rules.change', { ...facts, ...roles })}</li>;
        })}
        {rows.length < count && <li>…</li>}
      </ul>
    </section>
  );
}
