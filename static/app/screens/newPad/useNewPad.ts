import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Named, Pad } from '../../../../api/answers';
import { toasts, useErrorToast } from '../../components/Toasts';
import { useCreateGroup, useRemoveGroup } from '../../data/folderChanges';
import { countPads, type ListedFolder, loadGroup } from '../../data/folders';
import { keys } from '../../data/keys';
import { useCreatePad, useRemovePads } from '../../data/padChanges';
import { isWritten } from '../../data/pads';
import { createStore } from '../../lib/store';
import { navigate, pathOf, withParameters } from '../../navigation/location';
import { folderOf, paths } from '../../navigation/paths';
import { useTranslation } from '../../texts/i18n';
import { freeName } from './freeName';

/** The fields of a folder that are needed to create a pad in it. */
export type Target = Pick<ListedFolder, '_id' | 'abilities'>;

export interface NewPad {
  /**
   * Creates an untitled pad and opens it. Does nothing while another one is being created. `null`: the person has no
   * folder for it, so one is created first. `byKey`: offers to undo it, because a single key is easily hit by mistake.
   * `template`: begins with its text and is named after it.
   */
  create: (folder: Target | null, options?: { byKey?: boolean; template?: Named | undefined }) => void;
  busy: boolean;
  /** As `busy`, which follows a moment later. */
  isBusy: () => boolean;
}

/** Whether a pad is being created, also by another menu or a key. */
const creating = createStore(false);

interface Creation {
  folder: string | null;
  byKey: boolean;
  template: Named | undefined;
}

/** Removes a new pad again unless somebody has written in it. `made`: its folder was created with it, and goes too. */
function useUndo(): (pad: Pad, made: boolean) => void {
  const { t } = useTranslation();
  const showError = useErrorToast();
  const { mutateAsync: removePads } = useRemovePads();
  const { mutateAsync: removeGroup } = useRemoveGroup();
  const undo = async (pad: Pad, made: boolean): Promise<void> => {
    const { _id: id, name } = pad;
    const group = folderOf(pad);
    if (await isWritten(id)) return toasts.info(t('newPad.kept', { name }));
    const folderGoes = made && (await countPads(group)) === 1;
    // Before the removal: an open editor would say that the pad is gone.
    if (pathOf(location.search) === paths.pad(group, id))
      navigate(folderGoes ? paths.folders : paths.folder(group));
    if (folderGoes) return void (await removeGroup(group));
    const { failed } = await removePads({ group, ids: [id] });
    if (failed[0] !== undefined) throw failed[0].error;
  };
  return (pad, made) => void undo(pad, made).catch(showError);
}

/**
 * Creates pads without asking for a name. People who may not rename pads choose a name in the form first, because they
 * could not name the pad later.
 */
export function useNewPad(): NewPad {
  const { t } = useTranslation();
  const showError = useErrorToast();
  const client = useQueryClient();
  const undo = useUndo();
  const { mutateAsync: createPad } = useCreatePad();
  const { mutateAsync: createGroup } = useCreateGroup();
  const { mutate } = useMutation({
    mutationFn: async ({ folder, template }: Creation) => {
      const first = { name: t('newPad.firstFolder'), visibility: 'restricted' } as const;
      const group = folder ?? (await createGroup(first))._id;
      const { pads = {} } = await loadGroup(client, group);
      const names = Object.values(pads).map((pad) => pad.name);
      const name = freeName(template?.name ?? t('newPad.untitled'), names);
      return createPad({ group, name, visibility: null, readonly: null, template: template?._id });
    },
    onMutate: () => pathOf(location.search),
    onSuccess: (pad, { folder, byKey }, from) => {
      const open = (): void => navigate(paths.pad(folderOf(pad), pad._id));
      const done = t('newPad.done', { name: pad.name });
      // The person has gone on meanwhile: what they type there must not get into the new pad.
      if (from !== pathOf(location.search))
        return void toasts.success(done, { action: { label: t('action.open'), run: open } });
      open();
      if (!byKey) return;
      toasts.success(done, { action: { label: t('action.undo'), run: () => undo(pad, folder === null) } });
    },
    onError: (error, { folder }) => {
      showError(error);
      // It may have been removed, or the person may have lost the right to create pads.
      if (folder === null) return;
      for (const queryKey of [keys.groups, keys.group(folder)]) void client.invalidateQueries({ queryKey });
    },
    onSettled: () => creating.set(false),
  });
  const create: NewPad['create'] = (folder, { byKey = false, template } = {}) => {
    const parameters = { template: template?._id };
    if (folder?.abilities.edit === false) navigate(withParameters(paths.addPad(folder._id), parameters));
    // Not `busy`, so that the second press of a double click, or of another button, does nothing.
    else if (!creating.get()) {
      creating.set(true);
      mutate({ folder: folder?._id ?? null, byKey, template });
    }
  };
  return { create, busy: creating.use(), isBusy: creating.get };
}
