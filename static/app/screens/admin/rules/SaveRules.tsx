import type { GroupRulesPreview, SentGroupRule } from '../../../../../api/rules/schema';
import { ConfirmDialog } from '../../../components/ConfirmDialog';
import { toasts } from '../../../components/Toasts';
import { useSaveRules } from '../../../data/administration';
import { useTranslation } from '../../../texts/i18n';
import { ChangeList } from './ChangeList';

export interface SaveRulesProps {
  rules: readonly SentGroupRule[];
  /** Of the rules that these were made from. */
  version: number;
  preview: GroupRulesPreview;
  onSaved: () => void;
  onClose: () => void;
}

/** Shows who would get and lose which role, and saves the rules. */
export function SaveRules({ rules, version, preview, onSaved, onClose }: SaveRulesProps) {
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
        await save.mutateAsync({ rules, version });
        onSaved();
        toasts.success(t('admin.rules.saved'));
      }}
    >
      {gains.count + losses.count === 0 && <p>{t('admin.rules.noChange')}</p>}
      <ChangeList title={t('admin.rules.losses', { count: losses.count })} changes={losses} users={users} />
      <ChangeList title={t('admin.rules.gains', { count: gains.count })} changes={gains} users={users} />
      <p className="muted">{t('admin.rules.known')}</p>
    </ConfirmDialog>
  );
}
