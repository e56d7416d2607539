/** What people are told when they delete something that gets into the trash. */
import { dateFormatter } from '../../../../model/dateFormat';
import { type ToastOptions, toasts, useErrorToast } from '../../components/Toasts';
import { useSettings } from '../../data/configuration';
import { useRestore } from '../../data/restore';
import { deletedHere } from '../../data/useCall';
import { useTranslation } from '../../texts/i18n';

const day = 24 * 3600_000;

/** The day until which what is deleted now can be restored; `undefined` if deleting is final. */
export function useRestorableUntil(): string | undefined {
  const { language } = useTranslation();
  const { trashDays } = useSettings();
  const format = dateFormatter(language, { dateStyle: 'long' });
  return !trashDays ? undefined : format(Date.now() + trashDays * day);
}

/**
 * The button of the message that something was deleted. It restores what this page has deleted of it; `name`: of a
 * single thing.
 */
export function useUndoRemoval(): (ids: readonly string[], name?: string) => ToastOptions {
  const { t } = useTranslation();
  const showError = useErrorToast();
  const { trashDays } = useSettings();
  const { mutateAsync: restore } = useRestore();
  return (gone, name) => {
    const ids = gone.filter((id) => deletedHere.has(id));
    const undo = () => {
      const show = toasts.changing();
      const report = (done: number): void => {
        const detail = t('import.running', { done, total: ids.length });
        show(t('text.detail', { text: t('trash.restore'), detail }));
      };
      return restore(ids.length > 1 ? { ids, report } : { ids }).then(() => {
        if (name !== undefined) toasts.success(t('trash.restored', { name }));
      }, showError);
    };
    return !trashDays || ids.length === 0
      ? {}
      : { action: { label: t('action.undo'), run: () => void undo() } };
  };
}
