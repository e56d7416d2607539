import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Pad } from '../../../../api/answers';
import { toasts, useErrorToast } from '../../components/Toasts';
import { loadGroup } from '../../data/folders';
import { useDuplicatePad } from '../../data/padChanges';
import { navigate, pathOf } from '../../navigation/location';
import { folderOf, paths } from '../../navigation/paths';
import { useTranslation } from '../../texts/i18n';
import { freeName } from '../newPad/freeName';

/**
 * Makes a copy of a pad in the same folder.
 * @param open opens the copy at once; otherwise the message has a button for it.
 */
export function usePadCopy({ open = false } = {}): (pad: Pad) => void {
  const { t } = useTranslation();
  const showError = useErrorToast();
  const client = useQueryClient();
  const { mutateAsync: duplicate } = useDuplicatePad();
  const { mutate } = useMutation({
    // Several copies of a pad, chosen one after the other, get different names.
    scope: { id: 'padCopy' },
    mutationFn: async (pad: Pad) => {
      const { _id: id, name } = pad;
      const { pads = {} } = await loadGroup(client, folderOf(pad));
      const names = Object.values(pads).map((one) => one.name);
      return duplicate({ id, name: freeName(t('padActions.copyOf', { name }), names) });
    },
    onMutate: () => pathOf(location.search),
    onSuccess: (copy, _pad, from) => {
      const show = (): void => navigate(paths.pad(folderOf(copy), copy._id));
      // Not if the person has gone on meanwhile.
      const shows = open && from === pathOf(location.search);
      if (shows) show();
      toasts.success(
        t('padActions.copied', { name: copy.name }),
        shows ? {} : { action: { label: t('action.open'), run: show } },
      );
    },
    onError: showError,
  });
  return mutate;
}
