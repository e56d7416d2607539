import { toasts, useErrorToast } from '../../components/Toasts';
import { type Marking, useMarkMany } from '../../data/bulk';
import { useTranslation } from '../../texts/i18n';

/** Sets or removes many bookmarks, and shows a message with a button that undoes it. */
export function useMarking(): (marking: Marking) => void {
  const { t } = useTranslation();
  const showError = useErrorToast();
  const { mutateAsync } = useMarkMany();
  const mark = async (marking: Marking, isUndo = false): Promise<void> => {
    const { type, marked } = marking;
    try {
      const { changed, refused } = await mutateAsync(marking);
      if (refused.length > 0) toasts.error(t('star.many.refused', { count: refused.length }));
      if (changed.length === 0) return;
      const count = changed.length;
      const undo = {
        label: t('action.undo'),
        run: () => void mark({ type, ids: changed, marked: !marked }, true),
      };
      toasts.success(
        marked ? t('star.many.added', { count }) : t('star.many.removed', { count }),
        isUndo ? {} : { action: undo },
      );
    } catch (error) {
      showError(error);
    }
  };
  return (marking) => void mark(marking);
}
