import type { OwnUser } from '../../../../api/answers';
import { Button } from '../../components/Button';
import { Dialog } from '../../components/Dialog';
import { Field } from '../../components/Field';
import { Form, FormActions } from '../../components/Form';
import { PasswordInput } from '../../components/PasswordInput';
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
    people: new Set(administered.flatMap(({ users }) => users)).size,
  };
}

/** Asks before the person's own account is removed, lists what is removed with it, and asks for the password. */
export function RemoveAccount({ user, onClose }: { user: OwnUser; onClose: () => void }) {
  const { t } = useTranslation();
  const settings = useSettings();
  const { authMethod } = settings;
  const remove = useRemoveAccount(user.login);
  const hasPassword = authMethod !== 'cas';
  const form = useForm({
    initial: { currentPassword: '' },
    check: ({ currentPassword }) => ({
      currentPassword: hasPassword && currentPassword === '' ? t('account.current.required') : undefined,
    }),
    texts: { 'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT': t('account.current.wrong') },
    submit: async ({ currentPassword }) => {
      await remove.mutateAsync(hasPassword ? currentPassword : undefined);
      showSignedOut(settings, t('account.remove.done', { login: user.login }));
    },
  });
  return (
    <Dialog title={t('account.remove.title', { login: user.login })} onClose={() => !form.busy && onClose()}>
      <Loss self={user._id} />
      <Form form={form} label={t('account.remove.open')}>
        {hasPassword && (
          <Field {...form.field('currentPassword')} label={t('account.current')}>
            <PasswordInput {...form.text('currentPassword')} autoComplete="current-password" />
          </Field>
        )}
        <FormActions>
          <Button kind="danger" type="submit" busy={form.busy}>
            {t('account.remove.submit')}
          </Button>
          <Button data-first onClick={onClose} disabled={form.busy}>
            {t('action.cancel')}
          </Button>
        </FormActions>
      </Form>
    </Dialog>
  );
}

function Loss({ self }: { self: string }) {
  const { t } = useTranslation();
  const { data } = useGroups();
  const { folders, pads, people } = lossOf(data?.groups ?? {}, self);
  return (
    <ul className={styles.list} aria-busy={data === undefined}>
      {data === undefined && <li>{t('account.remove.all')}</li>}
      {folders > 0 && <li>{t('account.remove.folders', { count: folders })}</li>}
      {pads > 0 && <li>{t('remove.folder.pads', { count: pads })}</li>}
      {people > 0 && <li>{t('remove.folder.people', { count: people })}</li>}
      <li>{t('account.remove.lists')}</li>
      <li>{t('account.remove.texts')}</li>
      <li>{t('remove.final')}</li>
    </ul>
  );
}
