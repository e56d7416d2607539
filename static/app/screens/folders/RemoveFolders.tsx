import { peopleOf } from '../../../../model/store/records';
import { ConfirmDialog } from '../../components/ConfirmDialog';
import { toasts } from '../../components/Toasts';
import { useErrorText } from '../../texts/errorText';
import { useTranslation } from '../../texts/i18n';
import { FolderLoss } from '../removal/RemoveFolder';
import { useUndoRemoval } from '../removal/undo';
import { useRemoveGroups } from './changes';
import styles from './Folders.module.css';
import type { Entry } from './folderListing';

/** Number of names that the question lists before "and 3 more". */
const namesShown = 6;

export interface RemoveFoldersProps {
  entries: readonly Entry[];
  /** The signed-in person. They are not counted among those who lose access. */
  self: string;
  onDone: () => void;
  onClose: () => void;
}

/** Asks before several folders are removed. Names them and what is removed with them. */
export function RemoveFolders({ entries, self, onDone, onClose }: RemoveFoldersProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const remove = useRemoveGroups();
  const undo = useUndoRemoval();
  const count = entries.length;
  const pads = entries.reduce((sum, { group }) => sum + group.padCount, 0);
  const people = new Set(entries.flatMap(({ group }) => peopleOf(group)));
  people.delete(self);
  const confirm = async (): Promise<void> => {
    const ids = entries.map(({ group }) => group._id);
    const failed = await remove.mutateAsync({ ids });
    const gone = ids.filter((id) => !failed.some((one) => one.id === id));
    const first = failed[0];
    if (first !== undefined && failed.length === count) throw first.error;
    if (first === undefined) toasts.success(t('folders.removed', { count }), undo(gone));
    else
      toasts.error(
        `${t('folders.notRemoved', { count: failed.length })} ${errorText(first.error)}`,
        undo(gone),
      );
    onDone();
  };
  return (
    <ConfirmDialog
      danger
      title={t('folders.remove.many', { count })}
      action={t('folders.remove.action', { count })}
      onConfirm={confirm}
      onClose={onClose}
    >
      <ul className={styles.names}>
        {entries.slice(0, namesShown).map(({ group }) => (
          <li key={group._id}>{group.name}</li>
        ))}
        {count > namesShown && <li>{t('folders.remove.more', { count: count - namesShown })}</li>}
      </ul>
      <FolderLoss pads={pads} people={people.size} />
    </ConfirmDialog>
  );
}
