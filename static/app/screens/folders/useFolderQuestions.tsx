import { type ReactNode, useMemo, useState } from 'react';
import { isReported, toasts, useErrorToast } from '../../components/Toasts';
import { useToggleBookmark } from '../../data/bookmarks';
import { useUpdateGroup } from '../../data/folderChanges';
import type { ListedFolder } from '../../data/folders';
import { useLatest } from '../../lib/useLatest';
import { useErrorText } from '../../texts/errorText';
import { useTranslation } from '../../texts/i18n';
import { useNewPad } from '../newPad/useNewPad';
import { LeaveFolder, RemoveFolder } from '../removal/RemoveFolder';
import { ShareFolder } from '../sharing/ShareDialog';
import { useArchiveGroups } from './changes';
import type { FolderQuestions } from './FolderRow';
import type { Entry } from './folderListing';
import { TagFolders } from './laterDialogs';
import { RemoveFolders } from './RemoveFolders';

type Question =
  | { about: 'share' | 'leave'; group: ListedFolder }
  | { about: 'tag'; groups: readonly ListedFolder[] }
  | { about: 'remove'; entries: readonly Entry[] };

/** Archives folders or restores them, and shows a message with a button that undoes it. */
export function useArchive(): (groups: readonly ListedFolder[], archived: boolean) => void {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { mutateAsync } = useArchiveGroups();
  return useMemo(() => {
    const archive = async (groups: readonly ListedFolder[], archived: boolean): Promise<void> => {
      const failed = await mutateAsync({ ids: groups.map(({ _id }) => _id), archived });
      const [first] = failed;
      if (first !== undefined) {
        const text = t('folders.notChanged', { count: failed.length });
        toasts.error(isReported(first.error) ? text : `${text} ${errorText(first.error)}`);
      }
      const isChanged = (group: ListedFolder): boolean =>
        group.archived !== archived && !failed.some(({ id }) => id === group._id);
      const changed = groups.filter(isChanged).map((group) => ({ ...group, archived }));
      const count = changed.length;
      const name = changed[0]?.name ?? '';
      if (count === 0) return;
      toasts.success(
        archived ? t('folders.archived', { count, name }) : t('folders.unarchived', { count, name }),
        { action: { label: t('action.undo'), run: () => void archive(changed, !archived) } },
      );
    };
    return (groups, archived) => void archive(groups, archived);
  }, [t, errorText, mutateAsync]);
}

/**
 * The questions of folder rows and the open dialog. `onRemoved` is called after folders were removed. `self`: id of the
 * signed-in person.
 */
export function useFolderQuestions(self: string, onRemoved?: () => void) {
  const [question, setQuestion] = useState<Question | null>(null);
  const archive = useArchive();
  const showError = useErrorToast();
  const { mutate: toggle } = useToggleBookmark();
  const { mutateAsync: rename } = useUpdateGroup();
  const newPad = useNewPad();
  const create = useLatest(newPad.create);
  const questions = useMemo<FolderQuestions>(
    () => ({
      newPad: (group) => create.current(group),
      star: ({ _id: id }) => toggle({ type: 'groups', key: id }, { onError: showError }),
      share: (group) => setQuestion({ about: 'share', group }),
      leave: (group) => setQuestion({ about: 'leave', group }),
      remove: (...entries) => setQuestion({ about: 'remove', entries }),
      archive: (group) => archive([group], !group.archived),
      rename: ({ _id: id }, name) => rename({ id, name }),
      tag: (groups) => setQuestion({ about: 'tag', groups }),
    }),
    [archive, toggle, rename, showError],
  );
  // A late answer to one question must not close the next.
  const close = (): void => setQuestion((now) => (now === question ? null : now));
  let dialog: ReactNode = null;
  if (question?.about === 'share') dialog = <ShareFolder group={question.group} onClose={close} />;
  if (question?.about === 'tag') dialog = <TagFolders groups={question.groups} onClose={close} />;
  if (question?.about === 'leave') {
    const { group } = question;
    dialog = <LeaveFolder group={group} pads={group.padCount} onClose={close} onDone={close} />;
  }
  if (question?.about === 'remove') {
    const done = (): void => {
      close();
      onRemoved?.();
    };
    const [first, ...others] = question.entries;
    dialog =
      first !== undefined && others.length === 0 ? (
        <RemoveFolder group={first.group} pads={first.group.padCount} onClose={close} onDone={done} />
      ) : (
        <RemoveFolders entries={question.entries} self={self} onClose={close} onDone={done} />
      );
  }
  return { questions, dialog };
}
