/** Moving pads, for the dialog and for the sidebar that they are dropped on. */
import { useMemo } from 'react';
import type { Choice } from '../../components/ChoiceList';
import { isReported, toasts } from '../../components/Toasts';
import { useGroups } from '../../data/folders';
import { type BulkResult, type Progress, useMovePads } from '../../data/padChanges';
import { searchable } from '../../lib/matching';
import { useErrorText } from '../../texts/errorText';
import { useTranslation } from '../../texts/i18n';

/** The folders that pads can be moved to: those that the person administers. `undefined` while they are loaded. */
export function useTargets(from: string) {
  const { language, list } = useTranslation();
  const { data } = useGroups();
  return useMemo(
    () =>
      data &&
      Object.values(data.groups)
        .filter((group) => group._id !== from && group.abilities.edit)
        .sort(
          (one, other) =>
            Number(one.archived) - Number(other.archived) || one.name.localeCompare(other.name, language),
        )
        .map(({ _id: id, name, tags }) => ({
          id,
          label: name,
          hint: list(tags) || undefined,
          searched: searchable(name, tags),
        })),
    [data, from, language, list],
  );
}

/** Shows a message that pads stayed where they were, with the first reason. */
export function useFailureToast(): (failed: BulkResult['failed']) => void {
  const { t } = useTranslation();
  const errorText = useErrorText();
  return (failed) => {
    const [first] = failed;
    if (first === undefined) return;
    const text = t('padMove.failed', { count: failed.length });
    const { error } = first;
    toasts.error(isReported(error) ? text : t('text.detail', { text, detail: errorText(error) }));
  };
}

/**
 * Moves pads out of the folder `from`, and shows a message with a button that moves them back. Returns the failures.
 */
export function useMoving(from: string) {
  const { t } = useTranslation();
  const fail = useFailureToast();
  const { mutateAsync: move } = useMovePads();
  const moveBack = async (ids: readonly string[], target: string): Promise<void> => {
    const { failed } = await move({ ids, from: target, target: from });
    if (failed.length === 0) toasts.success(t('padMove.undone', { count: ids.length }));
    fail(failed);
  };
  return async (
    ids: readonly string[],
    target: Choice,
    report: (progress: Progress) => void,
  ): Promise<BulkResult['failed']> => {
    const { done, failed } = await move({ ids, from, target: target.id, report });
    if (done.length > 0) {
      toasts.success(t('padMove.done', { count: done.length, name: target.label }), {
        action: { label: t('action.undo'), run: () => void moveBack(done, target.id) },
      });
    }
    return failed;
  };
}
