import type { Group } from '../../../../api/answers';
import type { MembersByRole } from '../../../../model/store/entities';
import { peopleOf } from '../../../../model/store/records';
import { ConfirmDialog } from '../../components/ConfirmDialog';
import { toasts } from '../../components/Toasts';
import { useRemoveGroup, useResign } from '../../data/folderChanges';
import { useTranslation } from '../../texts/i18n';
import styles from './removal.module.css';
import { useRestorableUntil, useUndoRemoval } from './undo';

interface Props {
  group: Pick<Group, '_id' | 'name'> & MembersByRole;
  /** Number of its pads. */
  pads: number;
  onClose: () => void;
  /** Called after the folder was removed or left. It must close the question. */
  onDone: () => void;
}

/** Asks before a folder is removed with its pads. */
export function RemoveFolder({ group, pads, onClose, onDone }: Props) {
  const { t } = useTranslation();
  const remove = useRemoveGroup();
  const undo = useUndoRemoval();
  const others = peopleOf(group).length - 1;
  return (
    <ConfirmDialog
      danger
      title={t('remove.folder.title', { name: group.name })}
      action={t('remove.folder.submit')}
      onClose={onClose}
      onConfirm={async () => {
        await remove.mutateAsync(group._id);
        onDone();
        toasts.success(t('remove.folder.done', { name: group.name }), undo([group._id], group.name));
      }}
    >
      <FolderLoss pads={pads} people={others} />
    </ConfirmDialog>
  );
}

/** What is removed with folders: the number of their pads, and of other people who lose access. */
export function FolderLoss({ pads, people }: { pads: number; people: number }) {
  const { t } = useTranslation();
  const date = useRestorableUntil();
  const lost = date === undefined ? 'remove.folder.pads' : 'folders.pads';
  return (
    <ul className={styles.list}>
      {pads > 0 && <li>{t(lost, { count: pads })}</li>}
      {people > 0 && <li>{t('remove.folder.people', { count: people })}</li>}
      <li>{date === undefined ? t('remove.final') : t('remove.trash', { date })}</li>
    </ul>
  );
}

/** Asks before the person leaves a folder. */
export function LeaveFolder({ group, pads, onClose, onDone }: Props) {
  const { t } = useTranslation();
  const resign = useResign();
  return (
    <ConfirmDialog
      danger
      title={t('remove.leave.title', { name: group.name })}
      action={t('remove.leave.submit')}
      onClose={onClose}
      onConfirm={async () => {
        await resign.mutateAsync(group._id);
        onDone();
        toasts.success(t('remove.leave.done', { name: group.name }));
      }}
    >
      <p>{t('remove.leave.text', { count: pads })}</p>
    </ConfirmDialog>
  );
}
