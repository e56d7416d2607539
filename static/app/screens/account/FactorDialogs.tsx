import { type ReactNode, useState } from 'react';
import type { Factor } from '../../../../api/factor/schema';
import { limits } from '../../../../model/limits';
import { Dialog } from '../../components/Dialog';
import { Field } from '../../components/Field';
import { Form, FormActions } from '../../components/Form';
import { PasswordInput } from '../../components/PasswordInput';
import { TextInput } from '../../components/TextInput';
import { toasts } from '../../components/Toasts';
import { type FormState, useForm } from '../../components/useForm';
import { type Translate, useTranslation } from '../../texts/i18n';
import { SetUpApp } from '../factors/SetUpApp';
import { beginApp, useAddApp, useAddPasskey, useNewRecoveryCodes, useRemoveFactor } from './factorCalls';

interface FactorProps {
  login: string;
  onClose: () => void;
}

interface AddProps extends FactorProps {
  /** Called with recovery codes to show, if there are some. */
  onAdded: (codes: readonly string[] | undefined) => void;
}

interface WithPassword {
  currentPassword: string;
}

/** The rule and the texts of a form that asks for the current password. */
const passwordRules = (t: Translate) => ({
  required: ({ currentPassword }: WithPassword) =>
    currentPassword === '' ? t('account.current.required') : undefined,
  texts: { 'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT': t('account.current.wrong') },
});

function CurrentPassword({
  form,
  first,
}: {
  form: Pick<FormState<WithPassword>, 'field' | 'text'>;
  first?: true;
}) {
  const { t } = useTranslation();
  return (
    <Field {...form.field('currentPassword')} label={t('account.current')} help={t('factors.password.help')}>
      <PasswordInput {...form.text('currentPassword')} autoComplete="current-password" data-first={first} />
    </Field>
  );
}

interface AskPasswordProps {
  title: string;
  submit: string;
  danger?: boolean;
  onSubmit: (currentPassword: string) => Promise<void>;
  onClose: () => void;
  children?: ReactNode;
}

/** A dialog that asks for nothing but the password. */
function AskPassword({ title, submit, danger = false, onSubmit, onClose, children }: AskPasswordProps) {
  const { t } = useTranslation();
  const { required, texts } = passwordRules(t);
  const form = useForm({
    initial: { currentPassword: '' },
    mayBeLost: true,
    check: (values) => ({ currentPassword: required(values) }),
    texts,
    submit: ({ currentPassword }) => onSubmit(currentPassword),
  });
  return (
    <Dialog title={title} onClose={() => !form.busy && onClose()}>
      {children}
      <Form form={form} label={title}>
        <CurrentPassword form={form} first />
        <FormActions form={form} submit={submit} danger={danger} cancel={onClose} />
      </Form>
    </Dialog>
  );
}

/** Asks for the password, then shows what the app needs, and asks for its first code. */
export function AddApp({ login, onAdded, onClose }: AddProps) {
  const { t } = useTranslation();
  const [begun, setBegun] = useState<{ pending: string; secret: string; uri: string }>();
  if (begun) return <FirstCode {...{ login, onAdded, onClose, begun }} />;
  return (
    <AskPassword
      title={t('factors.app')}
      submit={t('factors.continue')}
      onSubmit={async (currentPassword) => {
        const { pending, secret, uri } = await beginApp(login, currentPassword);
        setBegun({ pending, secret, uri });
      }}
      onClose={onClose}
    />
  );
}

type FirstCodeProps = AddProps & { begun: { pending: string; secret: string; uri: string } };

function FirstCode({ login, onAdded, onClose, begun: { pending, ...app } }: FirstCodeProps) {
  const { t } = useTranslation();
  const add = useAddApp(login);
  const form = useForm({
    initial: { code: '' },
    mayBeLost: true,
    check: ({ code }) => ({ code: code.trim() === '' ? t('factors.code.required') : undefined }),
    submit: async ({ code }) => {
      const { recoveryCodes } = await add({ pending, code: code.trim() });
      toasts.success(t('factors.added', { name: t('factors.app') }));
      onAdded(recoveryCodes);
    },
  });
  return (
    <Dialog title={t('factors.app')} onClose={() => !form.busy && onClose()}>
      <Form form={form} label={t('factors.app')}>
        <SetUpApp {...app} />
        <Field {...form.field('code')} label={t('factors.code')}>
          <TextInput
            {...form.text('code')}
            dir="ltr"
            autoComplete="one-time-code"
            inputMode="numeric"
            data-first
          />
        </Field>
        <FormActions form={form} submit={t('factors.app.add')} cancel={onClose} />
      </Form>
    </Dialog>
  );
}

export function AddPasskey({ login, onAdded, onClose }: AddProps) {
  const { t } = useTranslation();
  const { required, texts } = passwordRules(t);
  const add = useAddPasskey(login);
  const form = useForm({
    initial: { name: '', currentPassword: '' },
    mayBeLost: true,
    check: (values) => ({
      name: values.name.trim() === '' ? t('factors.passkey.name.required') : undefined,
      currentPassword: required(values),
    }),
    texts,
    submit: async ({ name, currentPassword }) => {
      const { recoveryCodes, value } = await add({ name: name.trim(), currentPassword });
      toasts.success(t('factors.added', { name: value.name }));
      onAdded(recoveryCodes);
    },
  });
  return (
    <Dialog title={t('factors.passkey.add')} onClose={() => !form.busy && onClose()}>
      <Form form={form} label={t('factors.passkey.add')}>
        <Field
          {...form.field('name')}
          label={t('factors.passkey.name')}
          help={t('factors.passkey.name.help')}
        >
          <TextInput {...form.text('name')} maxLength={limits.text} autoComplete="off" data-first />
        </Field>
        <CurrentPassword form={form} />
        <FormActions form={form} submit={t('factors.passkey.add')} cancel={onClose} />
      </Form>
    </Dialog>
  );
}

export function NewRecoveryCodes({ login, onAdded, onClose }: AddProps) {
  const { t } = useTranslation();
  const make = useNewRecoveryCodes(login);
  return (
    <AskPassword
      title={t('factors.recovery.new')}
      submit={t('factors.recovery.new')}
      onSubmit={async (currentPassword) => onAdded(await make(currentPassword))}
      onClose={onClose}
    />
  );
}

export function RemoveFactor({ login, factor, onClose }: FactorProps & { factor: Factor }) {
  const { t } = useTranslation();
  const remove = useRemoveFactor(login);
  const name = factor.kind === 'totp' ? t('factors.app') : factor.name;
  return (
    <AskPassword
      danger
      title={t('factors.remove.title', { name })}
      submit={t('factors.remove')}
      onSubmit={async (currentPassword) => {
        await remove({ factor, currentPassword });
        onClose();
        toasts.success(t('factors.removed', { name }));
      }}
      onClose={onClose}
    >
      <p>{t('factors.remove.text')}</p>
    </AskPassword>
  );
}
