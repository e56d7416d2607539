import type { OwnUser } from '../../../../api/answers';
import { peopleOf } from '../../../../model/store/records';
import { Dialog } from '../../components/Dialog';
import { Field } from '../../components/Field';
import { Form, FormActions } from '../../components/Form';
import { PasswordInput } from '../../components/PasswordInput';
import { TextInput } from '../../components/TextInput';
import { useForm } from '../../components/useForm';
import { useSettings } from '../../data/configuration';
import { type Groups, useGroups } from '../../data/folders';
import { useTranslation } from '../../texts/i18n';
import { showSignedOut } from '../login/leave';
import styles from './Account.module.css';
import { useRemoveAccount } from './accountCalls';

/**
 * What is removed with an account: folders without another administrator, their pads, and the access of their members.
 */
function lossOf(groups: Groups['groups'], self: string): Record<'folders' | 'pads' | 'people', number> {
  const own = Object.values(groups).filter(({ admins }) => admins.every((admin) => admin === self));
  const administered = own.filter(({ admins }) => admins.length > 0);
  return {
    folders: administered.length,
    pads: administered.reduce((sum, { padCount }) => sum + padCount, 0),
    people: new Set(administered.flatMap(peopleOf).filter((person) => person !== self)).size,
  };
}

/** Asks before the person's own account is removed, lists what is removed with it, and asks for the password. */
export function RemoveAccount({ user, onClose }: { user: OwnUser; onClose: () => void }) {
  const { t } = useTranslation();
  const settings = useSettings();
  const remove = useRemoveAccount(user.login);
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
    },
    submit: async ({ currentPassword, to }) => {
      await remove.mutateAsync({
        password: hasPassword ? currentPassword : undefined,
        to: to.trim() === '' ? undefined : to.trim(),
      });
      showSignedOut(
        hasPassword ? undefined : settings.authCasSettings.logoutUrl,
        t('account.remove.done', { login: user.login }),
      );
    },
  });
  const { data } = useGroups();
  const loss = data && lossOf(data.groups, user._id);
  return (
    <Dialog title={t('account.remove.title', { login: user.login })} onClose={() => !form.busy && onClose()}>
      <Loss loss={loss} handsOver={form.values.to.trim() !== ''} />
      <Form form={form} label={t('account.remove.open')}>
        {loss !== undefined && loss.folders > 0 && (
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

interface LossProps {
  /** `undefined` while the folders are loading. */
  loss: ReturnType<typeof lossOf> | undefined;
  /** The folders go to somebody else. */
  handsOver: boolean;
}

function Loss({ loss, handsOver }: LossProps) {
  const { t } = useTranslation();
  const nothing = { folders: 0, pads: 0, people: 0 };
  const { folders, pads, people } = handsOver || loss === undefined ? nothing : loss;
  return (
    <ul className={styles.list} aria-busy={loss === undefined}>
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
