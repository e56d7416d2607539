import { useEffect, useState } from 'react';
import type { Account } from '../../../../../api/answers';
import { limits } from '../../../../../model/limits';
import { LinkButton } from '../../../components/Button';
import { CatchTyping } from '../../../components/CatchTyping';
import { Checkbox, Switch } from '../../../components/Checkbox';
import { ColorInput } from '../../../components/ColorInput';
import { Field } from '../../../components/Field';
import { Form, FormActions, FormSection } from '../../../components/Form';
import { NothingFoundIcon } from '../../../components/icons';
import { Menu } from '../../../components/Menu';
import { NameFields } from '../../../components/NameFields';
import { Page } from '../../../components/Page';
import { PasswordInput } from '../../../components/PasswordInput';
import { RadioCards } from '../../../components/RadioCards';
import { TimeText } from '../../../components/RelativeTime';
import { Select } from '../../../components/Select';
import { EmptyState, Loading, SkeletonRows } from '../../../components/States';
import { PrivateIcon } from '../../../components/screenIcons';
import { TextInput } from '../../../components/TextInput';
import { toasts } from '../../../components/Toasts';
import { type FormState, useForm } from '../../../components/useForm';
import { useAccount, useAdminSettings, useSaveAccount } from '../../../data/administration';
import { isError } from '../../../data/client';
import { useSettings } from '../../../data/configuration';
import { changedFields } from '../../../forms/changedFields';
import { emailError } from '../../../forms/fieldRules';
import { useNavigate } from '../../../navigation/useNavigate';
import { languageOptions } from '../../../shell/preferenceItems';
import { useTranslation } from '../../../texts/i18n';
import { adminPaths } from '../adminPaths';
import { shownLast } from '../lists/shownLast';
import { AccountAccess } from './AccountAccess';
import { nameOfUser } from './asked';
import { UserMarks } from './UserRow';
import styles from './users.module.css';
import { useUserActions, useUserQuestions } from './useUserQuestions';

interface Values {
  login: string;
  email: string;
  password: string;
  firstname: string;
  lastname: string;
  organization: string;
  padNickname: string;
  color: string;
  lang: string;
  hideHelp: boolean;
  /** `undefined` while it is as it was: the menu changes it too. */
  active: boolean | undefined;
}

const profileFields = ['organization', 'padNickname'] as const;

/** A breadcrumb that leads back to the list. */
function useCrumbs() {
  const { t } = useTranslation();
  return [{ label: t('admin.users.title'), href: shownLast(adminPaths.users) }];
}

/** The checks that creating and editing share. */
function useChecks() {
  const { t } = useTranslation();
  const { passwordMin, passwordMax } = useSettings();
  return {
    email: (email: string) => emailError(email, t),
    password: (password: string) =>
      password.length >= passwordMin && password.length <= passwordMax
        ? undefined
        : t('form.password.size', { least: passwordMin, most: passwordMax }),
  };
}

/** Creates an account. The person chooses a password by mail, or the administrator types one. */
export function AddUser() {
  const { t } = useTranslation();
  const { storesPasswords } = useSettings();
  const query = useAdminSettings();
  const { data } = query;
  const title = t('admin.users.add');
  const crumbs = useCrumbs();
  if (!storesPasswords) {
    return (
      <Page title={title} breadcrumb={crumbs}>
        <EmptyState icon={<PrivateIcon />} title={t('admin.users.elsewhere')}>
          {t('admin.users.elsewhere.text')}
        </EmptyState>
      </Page>
    );
  }
  const hasMail = ['SMTPHost', 'SMTPEmailFrom', 'rootUrl'].every(
    (key) => data?.settings.find((one) => one.key === key)?.value,
  );
  return (
    <Page title={title} breadcrumb={crumbs} width="form">
      <Loading query={query} failed={t('admin.settings.failed')}>
        <CatchTyping />
        <SkeletonRows rows={4} />
      </Loading>
      {data !== undefined && <Creating hasMail={hasMail} />}
    </Page>
  );
}

function Creating({ hasMail }: { hasMail: boolean }) {
  const { t } = useTranslation();
  const { defaultLanguage } = useSettings();
  const checks = useChecks();
  const save = useSaveAccount();
  const navigate = useNavigate();
  const [by, setBy] = useState<'mail' | 'password'>(hasMail ? 'mail' : 'password');
  const none = {
    login: '',
    email: '',
    password: '',
    firstname: '',
    lastname: '',
    organization: '',
    padNickname: '',
    color: '',
    hideHelp: false,
  };
  const form = useForm<Values>({
    initial: { ...none, lang: defaultLanguage, active: undefined },
    check: ({ login, email, password }) => ({
      login: login.trim() === '' ? t('subscribe.login.required') : undefined,
      email: checks.email(email),
      password: by === 'mail' ? undefined : checks.password(password),
    }),
    submit: async ({ password, active: _, ...values }) => {
      const access = by === 'mail' ? { invite: true } : { password };
      const body = { ...values, login: values.login.trim(), email: values.email.trim(), ...access };
      const made = await save.mutateAsync({ body });
      navigate(adminPaths.users, { replace: true });
      toasts.success(
        by === 'mail'
          ? t('admin.users.invited', { name: nameOfUser(made), email: made.email })
          : t('admin.users.created', { name: nameOfUser(made) }),
      );
    },
    texts: {
      'BACKEND.ERROR.TYPE.PARAM_STR': t('BACKEND.ERROR.TYPE.LOGIN_STR'),
      'BACKEND.ERROR.USER.EMAIL_ALREADY_EXISTS': t('admin.users.emailTaken'),
      'BACKEND.ERROR.CONFIGURATION.MAIL_NOT_CONFIGURED': t('admin.users.noMail'),
    },
  });
  return (
    <Form form={form}>
      <Field
        {...form.field('login')}
        label={t('account.login')}
        help={t('admin.users.login.help', { most: limits.login })}
      >
        <TextInput
          {...form.text('login')}
          maxLength={limits.login}
          autoComplete="off"
          autoFocus
          autoCapitalize="none"
          spellCheck={false}
        />
      </Field>
      <Field {...form.field('email')} label={t('account.email')}>
        <TextInput {...form.text('email')} type="email" maxLength={limits.email} autoComplete="off" />
      </Field>
      <RadioCards
        label={t('admin.users.access')}
        value={by}
        onChange={setBy}
        cards={[
          { value: 'mail', label: t('admin.users.access.mail'), help: t('admin.users.access.mail.help') },
          {
            value: 'password',
            label: t('admin.users.access.password'),
            help: t('admin.users.access.password.help'),
          },
        ]}
      />
      {by === 'password' && <Password form={form} label={t('account.password')} />}
      <Profile form={form} />
      <FormActions form={form} submit={t('admin.users.create')} cancel={shownLast(adminPaths.users)} />
    </Form>
  );
}

interface PasswordProps {
  form: FormState<Values>;
  label: string;
  keeps?: boolean;
}

function Password({ form, label, keeps = false }: PasswordProps) {
  const { t } = useTranslation();
  const { passwordMin: least, passwordMax: most } = useSettings();
  const rule = t('form.password.rule', { least, most });
  return (
    <Field
      {...form.field('password')}
      label={label}
      help={keeps ? `${rule} ${t('admin.users.password.keep')}` : rule}
      optional={keeps}
    >
      <PasswordInput {...form.text('password')} autoComplete="new-password" />
    </Field>
  );
}

function Profile({ form }: { form: FormState<Values> }) {
  const { t } = useTranslation();
  const { hideHelpBlocks } = useSettings();
  // With a template instead of whole keys, the first screen after sign-in would load all texts of the account.
  const labels = {
    organization: t('account.organization'),
    padNickname: t('account.padNickname'),
  };
  return (
    <FormSection title={t('admin.users.profile')}>
      <div className={styles.pair}>
        <NameFields form={form} autoComplete="off" />
        {profileFields.map((name) => (
          <Field key={name} {...form.field(name)} label={labels[name]} optional>
            <TextInput {...form.text(name)} maxLength={limits.text} autoComplete="off" />
          </Field>
        ))}
      </div>
      <Field {...form.field('lang')} label={t('language.label')}>
        <Select {...form.text('lang')} options={languageOptions} />
      </Field>
      <Field {...form.field('color')} label={t('admin.users.color')} optional>
        <ColorInput value={form.values.color} onChange={(color) => form.set('color', color)} />
      </Field>
      {!hideHelpBlocks && <Checkbox {...form.check('hideHelp')} label={t('admin.users.hideHelp')} />}
    </FormSection>
  );
}

/** Changes an account. `login`: login, address or id. */
export function EditUser({ login }: { login: string }) {
  const { t } = useTranslation();
  const query = useAccount(login);
  const { data, error } = query;
  const crumbs = useCrumbs();
  if (data !== undefined) return <Editing key={data.value._id} account={data.value} name={login} />;
  return (
    <Page title={t('admin.users.edit')} breadcrumb={crumbs} width="form">
      {isError(error, 'BACKEND.ERROR.USER.NOT_FOUND') ? (
        <EmptyState
          icon={<NothingFoundIcon />}
          title={t('BACKEND.ERROR.USER.NOT_FOUND')}
          action={<LinkButton href={adminPaths.users}>{t('admin.users.toList')}</LinkButton>}
        />
      ) : (
        <Loading query={query} failed={t('admin.users.failed')}>
          <SkeletonRows rows={4} />
        </Loading>
      )}
    </Page>
  );
}

function Editing({ account, name }: { account: Account; name: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [removed, setRemoved] = useState(false);
  // When the form is gone: it would ask whether its changes may be lost.
  useEffect(() => {
    if (removed) navigate(shownLast(adminPaths.users), { replace: true });
  }, [removed, navigate]);
  const { questions, dialog } = useUserQuestions(() => setRemoved(true));
  const actions = useUserActions(account, name, questions, true);
  const marks = { closed: account.closed === true, unconfirmed: account.unconfirmed === true };
  return (
    <Page
      title={nameOfUser(account)}
      documentTitle={t('admin.users.edit.of', { name: nameOfUser(account) })}
      breadcrumb={useCrumbs()}
      width="form"
      tools={<Menu label={t('admin.users.actions', { name: nameOfUser(account) })} items={actions} />}
      facts={
        <>
          <span>{account.login}</span>
          <UserMarks user={{ ...marks, addressTaken: account.addressTaken === true }} />
          {account.ctime !== 0 && (
            <>
              <span aria-hidden="true">·</span>
              <span>
                <TimeText text="admin.users.since" time={account.ctime} />
              </span>
            </>
          )}
        </>
      }
    >
      {!removed && <EditFields account={account} name={name} />}
      <AccountAccess login={name} name={nameOfUser(account)} />
      {dialog}
    </Page>
  );
}

function EditFields({ account, name }: { account: Account; name: string }) {
  const { t } = useTranslation();
  const checks = useChecks();
  const save = useSaveAccount();
  const navigate = useNavigate();
  const form = useForm<Values>({
    initial: { ...account, password: '', active: undefined },
    check: ({ email, password }) => ({
      email: checks.email(email),
      password: password === '' ? undefined : checks.password(password),
    }),
    submit: async (values, before) => {
      const saved = await save.mutateAsync({ login: name, body: changedFields(before, values) });
      navigate(shownLast(adminPaths.users), { replace: true });
      toasts.success(t('admin.users.saved', { name: nameOfUser(saved) }));
    },
    texts: { 'BACKEND.ERROR.USER.EMAIL_ALREADY_EXISTS': t('admin.users.emailTaken') },
  });
  return (
    <Form form={form}>
      <Field
        {...form.field('email')}
        label={t('account.email')}
        help={
          account.pendingEmail === undefined
            ? undefined
            : t('admin.users.pending', { email: account.pendingEmail })
        }
      >
        <TextInput {...form.text('email')} type="email" maxLength={limits.email} autoComplete="off" />
      </Field>
      {account.passwordAt === 'here' && <Password form={form} label={t('admin.users.password')} keeps />}
      <Switch
        label={t('admin.users.active')}
        help={t('admin.users.active.help')}
        checked={form.values.active ?? account.active}
        onChange={({ target }) =>
          form.set('active', target.checked === account.active ? undefined : target.checked)
        }
      />
      <Profile form={form} />
      <FormActions form={form} submit={t('admin.users.save')} cancel={shownLast(adminPaths.users)} />
    </Form>
  );
}
