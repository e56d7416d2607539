import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toasts } from '../../components/Toasts';
import { useCreateGroup } from '../../data/folderChanges';
import { type ListedFolder, loadGroup } from '../../data/folders';
import { keys } from '../../data/keys';
import { useCreatePad } from '../../data/padChanges';
import { useErrorText } from '../../errorText';
import { useTranslation } from '../../i18n';
import { navigate } from '../../location';
import { paths } from '../../paths';
import { freeName } from './freeName';

/** The fields of a folder that are needed to create a pad in it. */
export type Target = Pick<ListedFolder, '_id' | 'abilities'>;

export interface NewPad {
  /**
   * Creates an untitled pad and opens it. Does nothing while another one is being created. `null`: the person has no
   * folder for it, so one is created first.
   */
  create: (folder: Target | null) => void;
  busy: boolean;
}

const mutationKey = ['newPad'];

/**
 * Creates pads without asking for a name. People who may not rename pads choose a name in the form first, because they
 * could not name the pad later.
 */
export function useNewPad(): NewPad {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const client = useQueryClient();
  const { mutateAsync: createPad } = useCreatePad();
  const { mutateAsync: createGroup } = useCreateGroup();
  const { mutate, isPending } = useMutation({
    mutationKey,
    mutationFn: async (folder: string | null) => {
      const first = { name: t('newPad.firstFolder'), visibility: 'restricted' } as const;
      const group = folder ?? (await createGroup(first))._id;
      const { pads = {} } = await loadGroup(client, group);
      const names = Object.values(pads).map((pad) => pad.name);
      const name = freeName(t('newPad.untitled'), names);
      return createPad({ group, name, visibility: null, readonly: null });
    },
    onSuccess: (pad) => navigate(paths.pad(pad.group, pad._id)),
    onError: (error, group) => {
      toasts.error(errorText(error));
      // It may have been removed, or the person may have lost the right to create pads.
      if (group !== null) void client.invalidateQueries({ queryKey: keys.group(group) });
    },
  });
  const create = (folder: Target | null): void => {
    if (folder?.abilities.edit === false) navigate(paths.addPad(folder._id));
    // `isPending` follows a moment later: after the second press of a double click, or of another button.
    else if (client.isMutating({ mutationKey }) === 0) mutate(folder?._id ?? null);
  };
  return { create, busy: isPending };
}
