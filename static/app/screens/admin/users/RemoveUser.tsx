import { useState } from 'react';
import type { RemovalAnswer } from '../../../../../api/user/schema';
import { ConfirmDialog } from '../../../components/ConfirmDialog';
import { Field } from '../../../components/Field';
import { Skeleton, SkeletonGroup } from '../../../components/States';
import { TextInput } from '../../../components/TextInput';
import { toasts } from '../../../components/Toasts';
import { useAccount, useRemovalPreview, useRemoveAccount } from '../../../data/administration';
import { isError } from '../../../data/client';
import { useErrorText } from '../../../texts/errorText';
import { useTranslation } from '../../../texts/i18n';
import { shownGroups } from '../../removal/shownGroups';
import { useMissing } from '../../removal/useMissing';
import { type AskedUser, nameOfUser } from './asked';
import { ShortList } from './ShortList';

export interface RemoveUserProps {
  user: AskedUser;
  /** The account in a path. */
  name: string;
  onDone?: () => void;
  onClose: () => void;
}

/** Asks before an account is removed. Lists the folders and pads that are removed, and how many people lose access. */
export function RemoveUser({ user, name, onDone, onClose }: RemoveUserProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const remove = useRemoveAccount();
  const { data, error, isFetching, refetch } = useRemovalPreview(name);
  const [to, setTo] = useState('');
  const handsOver = to.trim() !== '';
  const alone = data?.groups;
  const shown = nameOfUser(user);
  const isGone = isError(error, 'BACKEND.ERROR.USER.NOT_FOUND');
  // After the removal here, the preview finds nothing either.
  useMissing(
    isGone && !remove.isPending && !remove.isSuccess,
    t('admin.users.removed', { name: shown }),
    () => {
      onClose();
      onDone?.();
    },
  );
  const confirm = async (): Promise<void> => {
    // Without the list of folders, the press tries to load it again.
    if (alone === undefined) return void (await refetch());
    try {
      const groups = shownGroups(data);
      await remove.mutateAsync({ login: name, to: handsOver ? to.trim() : undefined, groups });
    } catch (failure) {
      if (isError(failure, 'BACKEND.ERROR.CONFIGURATION.CHANGED')) await refetch();
      throw failure;
    }
    toasts.success(t('admin.users.removed', { name: shown }));
    onClose();
    onDone?.();
  };
  return (
    <ConfirmDialog
      danger
      title={t('admin.users.remove.title', { name: shown })}
      action={t('admin.users.remove.submit')}
      loading={alone === undefined && isFetching}
      onConfirm={confirm}
      texts={{
        'BACKEND.ERROR.CONFIGURATION.CHANGED': t('account.remove.changed'),
        'BACKEND.ERROR.TYPE.PARAM_INVALID': t('handover.unknown'),
      }}
      onClose={onClose}
    >
      <p>{t('admin.users.remove.text', { login: user.login })}</p>
      {alone === undefined && error === null && (
        <SkeletonGroup>
          <Skeleton />
        </SkeletonGroup>
      )}
      {alone === undefined && error !== null && <p>{errorText(error)}</p>}
      {data !== undefined && <Loss loss={data} handsOver={handsOver} />}
      {alone !== undefined && alone.length > 0 && (
        <Field label={t('handover.removal')} help={t('handover.removal.help')} optional>
          <TextInput
            name="to"
            value={to}
            autoComplete="off"
            autoCapitalize="none"
            onChange={({ target }) => setTo(target.value)}
          />
        </Field>
      )}
      <p>{t('remove.final')}</p>
    </ConfirmDialog>
  );
}

/** The folders that go with the account. `handsOver`: those that are not in the trash stay. */
function Loss({ loss, handsOver }: { loss: RemovalAnswer['removed']; handsOver: boolean }) {
  const { t } = useTranslation();
  const trashed = loss.trashed?.map((group) => ({ ...group, people: 0 })) ?? [];
  const all = [...loss.groups, ...trashed];
  const gone = handsOver ? trashed : all;
  const pads = gone.reduce((sum, group) => sum + group.pads, 0);
  const people = handsOver ? 0 : loss.people;
  if (all.length === 0) return <p>{t('admin.users.remove.noFolders')}</p>;
  return (
    <>
      {gone.length > 0 && (
        <p>
          {t('admin.users.remove.folders', { count: gone.length })}{' '}
          {pads > 0 && t('remove.folder.pads', { count: pads })}{' '}
          {gone.length > 1 && people > 0 && t('remove.folder.people', { count: people })}
        </p>
      )}
      <ShortList
        folders={all.map((group) => ({
          _id: group._id,
          text:
            group.people > 0 && !handsOver
              ? `${group.name} – ${t('remove.folder.people', { count: group.people })}`
              : group.name,
        }))}
      />
    </>
  );
}

/** The same question for an old link, which has only the login. If there is no such account, it says so. */
export function RemoveUserAt({ login, onClose }: { login: string; onClose: () => void }) {
  const errorText = useErrorText();
  const { data, error } = useAccount(login);
  useMissing(data === undefined && error !== null, error === null ? '' : errorText(error), onClose);
  return data === undefined ? null : <RemoveUser user={data.value} name={login} onClose={onClose} />;
}
