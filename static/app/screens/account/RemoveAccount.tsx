import type { OwnUser } from '../../../../api/answers';
import type { RemovalAnswer } from '../../../../api/user/schema';
import { Dialog } from '../../components/Dialog';
import { Field } from '../../components/Field';
import { Form, FormActions } from '../../components/Form';
import { PasswordInput } from '../../components/PasswordInput';
import { TextInput } from '../../components/TextInput';
import { useForm } from '../../components/useForm';
import { isError } from '../../data/client';
import { useSettings } from '../../data/configuration';
import { useTranslation } from '../../texts/i18n';
import { showSignedOut } from '../login/leave';
import { shownGroups } from '../removal/shownGroups';
import styles from './Account.module.css';
import { useRemovalLoss, useRemoveAccount } from './accountCalls';

/**
 * What is removed with an account: folders without another manager, also those in the trash, their pads, and the access
 * of their members. `handsOver`: those that are not in the trash go to somebody else.
 */
function lossOf(
  { groups, people, trashed = [] }: RemovalAnswer['removed'],
  handsOver: boolean,
): Record<'folders' | 'pads' | 'people', number> {
  const gone = [...(handsOver ? [] : groups), ...trashed];
  return {
    folders: gone.length,
    pads: gone.reduce((sum, { pads }) => sum + pads, 0),
    people: handsOver ? 0 : people,
  };
}

/** Asks before the person's own account is removed, lists what is removed with it, and asks for the password. */
export function RemoveAccount({ user, onClose }: { user: OwnUser; onClose: () => void }) {
  const { t } = useTranslation();
  const settings = useSettings();
  const remove = useRemoveAccount(user.login);
  const { data, isPending, refetch } = useRemovalLoss(user.login);
  const hasPassword = user.passwordAt !== 'none';
  const form = useForm({
    initial: { currentPassword: '', to: '' },
    check: ({ currentPassword }) => ({
      currentPassword: hasPassword && currentPassword === '' ? t('account.current.required') : undefined,
    }),
    texts: {
      'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT': t('account.current.wrong'),
      'BACKEND.ERROR.USER.NOT_FOUND': t('handover.unknown'),
      'BACKEND.ERROR.TYPE.PARAM_INVALID': t('handover.unknown'),
      'BACKEND.ERROR.CONFIGURATION.CHANGED': t('account.remove.changed'),
    },
    submit: async ({ currentPassword, to }) => {
      try {
        await remove.mutateAsync({
          password: hasPassword ? currentPassword : undefined,
          to: to.trim() === '' ? undefined : to.trim(),
          groups: shownGroups(data),
        });
      } catch (error) {
        if (isError(error, 'BACKEND.ERROR.CONFIGURATION.CHANGED')) await refetch();
        throw error;
      }
      showSignedOut(
        hasPassword ? undefined : settings.authCasSettings.logoutUrl,
        t('account.remove.done', { login: user.login }),
      );
    },
  });
  return (
    <Dialog title={t('account.remove.title', { login: user.login })} onClose={() => !form.busy && onClose()}>
      <Loss loss={data && lossOf(data, form.values.to.trim() !== '')} loading={isPending} />
      <Form form={form} label={t('account.remove.open')}>
        {data !== undefined && data.groups.length > 0 && (
          <Field
            {...form.field('to')}
            label={t('handover.removal')}
            help={t('handover.removal.help')}
            optional
          >
            <TextInput {...form.text('to')} autoComplete="off" autoCapitalize="none" />
          </Field>
        )}
        {hasPassword && (
          <Field {...form.field('currentPassword')} label={t('account.current')}>
            <PasswordInput {...form.text('currentPassword')} autoComplete="current-password" />
          </Field>
        )}
        <FormActions form={form} submit={t('account.remove.submit')} danger cancel={onClose} />
      </Form>
    </Dialog>
  );
}

/** `loss`: `undefined` while it is loaded, and when it cannot be. */
function Loss({ loss, loading }: { loss: ReturnType<typeof lossOf> | undefined; loading: boolean }) {
  const { t } = useTranslation();
  const { folders, pads, people } = loss ?? { folders: 0, pads: 0, people: 0 };
  return (
    <ul className={styles.list} aria-busy={loading}>
      {loss === undefined && <li>{t('account.remove.all')}</li>}
      {folders > 0 && <li>{t('account.remove.folders', { count: folders })}</li>}
      {pads > 0 && <li>{t('remove.folder.pads', { count: pads })}</li>}
      {people > 0 && <li>{t('remove.folder.people', { count: people })}</li>}
      <li>{t('account.remove.lists')}</li>
      <li>{t('account.remove.texts')}</li>
      <li>{t('remove.final')}</li>
    </ul>
  );
}
