import { useEffect, useState } from 'react';
import type { Registration } from '../../../../api/user/schema';
import { languageCodes, languages, matchLanguage } from '../../../../model/languages';
import { limits } from '../../../../model/limits';
import { Button, LinkButton } from '../../components/Button';
import { Checkbox } from '../../components/Checkbox';
import { ColorInput } from '../../components/ColorInput';
import { Disclosure } from '../../components/Disclosure';
import { Field } from '../../components/Field';
import { Form } from '../../components/Form';
import { keepFocus } from '../../components/keepFocus';
import { NameFields } from '../../components/NameFields';
import { PasswordInput } from '../../components/PasswordInput';
import { Select } from '../../components/Select';
import { TextInput } from '../../components/TextInput';
import { toasts } from '../../components/Toasts';
import { type FormErrors, type FormState, useForm } from '../../components/useForm';
import { useServiceReady, useSettings, useUser } from '../../data/configuration';
import { isInvitationGone, keepInvitation, keptInvitation } from '../../data/ownInvitation';
import { useRegister } from '../../data/registration';
import { comeBack, returnPath } from '../../data/session';
import { emailError, newPasswordErrors } from '../../forms/fieldRules';
import { Link, navigate, useQueryParams, withParameters } from '../../navigation/location';
import { paths } from '../../navigation/paths';
import { languageOptions } from '../../shell/preferenceItems';
import { type Translate, translate, useTranslation } from '../../texts/i18n';
import { Redirect } from '../home/Home';
import { Card } from '../login/Card';
import cardStyles from '../login/Card.module.css';
import { Starting } from '../login/Starting';
import styles from './Subscribe.module.css';

type Values = Required<
  Omit<
    Registration,
    'useLoginAndColorInPads' | 'singleKeys' | 'mailWhenAdded' | 'invitation' | 'invite' | 'ifExists' | 'sync'
  >
>;

type PasswordRule = Parameters<typeof newPasswordErrors>[1];

function check(values: Values, rule: PasswordRule, t: Translate): FormErrors<Values> {
  return {
    login: values.login.trim() === '' ? t('subscribe.login.required') : undefined,
    email: emailError(values.email, t),
    ...newPasswordErrors(values, rule, t),
  };
}

/** Shown instead of the form if registration is closed, because the server would refuse it. */
function Closed() {
  const { t } = useTranslation();
  const { storesPasswords } = useSettings();
  return (
    <Card title={t('subscribe.closed.title')}>
      <div className={cardStyles.sent}>
        <p>{t(storesPasswords ? 'subscribe.closed.text' : 'subscribe.closed.elsewhere')}</p>
        <LinkButton href="/login">{t('action.toSignIn')}</LinkButton>
      </div>
    </Card>
  );
}

/** Shown after registration, while the person must confirm their address. */
function MailSent({ email }: { email: string }) {
  const { t } = useTranslation();
  useEffect(keepFocus, []);
  return (
    <Card title={t('email.check')}>
      <div className={cardStyles.sent} role="status">
        <p>{t('subscribe.sent.text', { email })}</p>
        <p>{t('subscribe.sent.nothing')}</p>
        <LinkButton href="/login">{t('action.toSignIn')}</LinkButton>
      </div>
    </Card>
  );
}

/** The invitation that is accepted after the registration. It confirms its address. */
function useInvitation() {
  const [parameters] = useQueryParams();
  const [kept] = useState(keptInvitation);
  return returnPath(parameters) === paths.invitation ? kept : undefined;
}

/** Registration. */
export function Subscribe() {
  const user = useUser();
  const { openRegistration, storesPasswords } = useSettings();
  const [sentTo, setSentTo] = useState<string | null>(null);
  const [registering, setRegistering] = useState(false);
  const [parameters] = useQueryParams();
  const invitation = useInvitation();
  if (sentTo !== null) return <MailSent email={sentTo} />;
  if (user !== undefined && !registering) return <Redirect to={returnPath(parameters)} />;
  const isClosed = !openRegistration && invitation === undefined;
  if (isClosed || !storesPasswords) return <Closed />;
  return <Registering onSent={setSentTo} onBusy={setRegistering} />;
}

interface RegisteringProps {
  onSent: (email: string) => void;
  onBusy: (busy: boolean) => void;
}

/** The form: registers, then signs in or says that a mail was sent. */
function useRegistrationForm({ onSent, onBusy }: RegisteringProps) {
  const { t, language } = useTranslation();
  const settings = useSettings();
  const [parameters] = useQueryParams();
  const register = useRegister();
  const invitation = useInvitation();
  const gone = t('text.detail', { text: t('invitations.gone.title'), detail: t('invitations.gone') });
  const initial: Values = {
    login: '',
    email: invitation?.address ?? '',
    password: '',
    passwordConfirm: '',
    lang: language,
    firstname: '',
    lastname: '',
    padNickname: '',
    organization: '',
    color: '',
    hideHelp: false,
  };
  return useForm<Values>({
    initial,
    check: (values) => check(values, settings, t),
    texts: {
      'BACKEND.ERROR.TYPE.PARAM_STR': t('BACKEND.ERROR.TYPE.LOGIN_STR'),
      'BACKEND.ERROR.TOKEN.EXPIRED': gone,
      'BACKEND.ERROR.TOKEN.INCORRECT': gone,
    },
    submit: async (values) => {
      onBusy(true);
      try {
        const made = await register.mutateAsync({
          ...values,
          login: values.login.trim(),
          email: values.email.trim(),
          ...(invitation && { invitation: invitation.token }),
        });
        if (!made.active) {
          onSent(made.email);
          return;
        }
        // It leads on at once if they are signed in.
        const signIn = withParameters('/login', { return: returnPath(parameters), login: made.login });
        navigate(signIn, { replace: true });
        toasts.success(translate('subscribe.welcome', { name: made.firstname || made.login }));
      } catch (error) {
        if (invitation && settings.openRegistration && isInvitationGone(error)) {
          // Without it they can go on here, also with another address.
          keepInvitation(undefined);
          comeBack(null);
          navigate('/subscribe', { replace: true });
        }
        throw error;
      } finally {
        onBusy(false);
      }
    },
  });
}

/** Fields that may stay empty, hidden at first. */
function MoreFields({ form }: { form: FormState<Values> }) {
  const { t } = useTranslation();
  const { hideHelpBlocks } = useSettings();
  return (
    <Disclosure className={styles.more} summary={t('subscribe.more')}>
      <div className={styles.fields}>
        <div className={styles.pair}>
          <NameFields form={form} />
        </div>
        <Field
          {...form.field('padNickname')}
          label={t('account.padNickname')}
          help={t('account.padNickname.help')}
          optional
        >
          <TextInput {...form.text('padNickname')} maxLength={limits.text} autoComplete="nickname" />
        </Field>
        <Field {...form.field('organization')} label={t('account.organization')} optional>
          <TextInput {...form.text('organization')} maxLength={limits.text} autoComplete="organization" />
        </Field>
        <Field {...form.field('color')} label={t('account.color')} help={t('account.color.help')} optional>
          <ColorInput value={form.values.color} onChange={(color) => form.set('color', color)} />
        </Field>
        {!hideHelpBlocks && (
          <Checkbox
            {...form.check('hideHelp')}
            label={t('account.hideHelp')}
            help={t('account.hideHelp.help')}
          />
        )}
      </div>
    </Disclosure>
  );
}

function Registering(props: RegisteringProps) {
  const { t } = useTranslation();
  const settings = useSettings();
  const [parameters] = useQueryParams();
  const ready = useServiceReady();
  const form = useRegistrationForm(props);
  const invitation = useInvitation();
  const chosen = matchLanguage([form.values.lang], languageCodes);
  return (
    <Card
      title={t('subscribe.title')}
      withMessage
      footer={
        <>
          {t('subscribe.haveAccount')}{' '}
          <Link href={withParameters('/login', { return: parameters.get('return') })}>
            {t('login.title')}
          </Link>
        </>
      }
    >
      <Form form={form}>
        <Starting ready={ready} />
        <Field
          {...form.field('login')}
          label={t('account.login')}
          help={t('subscribe.login.help', { most: limits.login })}
        >
          <TextInput
            {...form.text('login')}
            maxLength={limits.login}
            autoComplete="username"
            autoFocus
            autoCapitalize="none"
            spellCheck={false}
          />
        </Field>
        <Field {...form.field('email')} label={t('account.email')}>
          <TextInput
            {...form.text('email')}
            type="email"
            maxLength={limits.email}
            autoComplete="email"
            readOnly={invitation !== undefined}
          />
        </Field>
        <Field
          {...form.field('password')}
          label={t('account.password')}
          help={t('form.password.rule', { least: settings.passwordMin, most: settings.passwordMax })}
        >
          <PasswordInput {...form.text('password')} autoComplete="new-password" />
        </Field>
        <Field {...form.field('passwordConfirm')} label={t('subscribe.passwordConfirm')}>
          <PasswordInput {...form.text('passwordConfirm')} autoComplete="new-password" />
        </Field>
        <Field
          {...form.field('lang')}
          label={t('language.label')}
          help={
            chosen !== undefined && !languages[chosen].reviewed ? t('language.unreviewed.one') : undefined
          }
        >
          <Select {...form.text('lang')} options={languageOptions} />
        </Field>
        <MoreFields form={form} />
        <Button kind="primary" type="submit" wide busy={form.busy}>
          {t('subscribe.submit')}
        </Button>
      </Form>
    </Card>
  );
}
