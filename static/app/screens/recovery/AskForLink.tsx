import { useEffect, useState } from 'react';
import { limits } from '../../../../model/limits';
import { Button, LinkButton } from '../../components/Button';
import { Field } from '../../components/Field';
import { Form } from '../../components/Form';
import { keepFocus } from '../../components/keepFocus';
import { TextInput } from '../../components/TextInput';
import { useForm } from '../../components/useForm';
import { useSettings } from '../../data/configuration';
import { emailError } from '../../forms/fieldRules';
import { Link, useQueryParams } from '../../navigation/location';
import { useTranslation } from '../../texts/i18n';
import { Card } from '../login/Card';
import styles from '../login/Card.module.css';
import { useAskForLink } from './recoveryCalls';

/** Asks for the address to which a link for a new password is mailed. */
export function AskForLink() {
  const { t } = useTranslation();
  const { passwordRecovery } = useSettings();
  const [parameters] = useQueryParams();
  const needed = parameters.has('needed');
  const title = t(needed ? 'recovery.choose.title' : 'recovery.title');
  const [sentTo, setSentTo] = useState<string | null>(null);
  if (sentTo !== null) return <Sent email={sentTo} onAgain={() => setSentTo(null)} />;
  return passwordRecovery ? (
    <Asking title={title} needed={needed} onSent={setSentTo} />
  ) : (
    <Unavailable title={title} />
  );
}

/** Shown instead of a form that the server would refuse. */
function Unavailable({ title }: { title: string }) {
  const { t } = useTranslation();
  const { storesPasswords } = useSettings();
  return (
    <Card title={title}>
      <div className={styles.sent}>
        <p>{storesPasswords ? t('recovery.noMail') : t('BACKEND.ERROR.AUTHENTICATION.NO_RECOVER')}</p>
        <LinkButton href="/login">{t('action.toSignIn')}</LinkButton>
      </div>
    </Card>
  );
}

interface AskingProps {
  title: string;
  /** The account has no password here yet. */
  needed: boolean;
  onSent: (email: string) => void;
}

function Asking({ title, needed, onSent }: AskingProps) {
  const { t } = useTranslation();
  const ask = useAskForLink();
  const form = useForm({
    initial: { email: '' },
    mayBeLost: true,
    check: ({ email }) => ({ email: emailError(email, t) }),
    submit: async ({ email }) => {
      await ask.mutateAsync(email.trim());
      onSent(email.trim());
    },
  });
  return (
    <Card title={title} footer={<Link href="/login">{t('action.toSignIn')}</Link>}>
      <Form form={form}>
        {needed && <p role="alert">{t('BACKEND.ERROR.AUTHENTICATION.PLEASE_CHANGE_YOUR_PASSWORD')}</p>}
        <p>{t('recovery.text')}</p>
        <Field {...form.field('email')} label={t('account.email')}>
          <TextInput
            {...form.text('email')}
            type="email"
            maxLength={limits.email}
            autoComplete="email"
            autoFocus
          />
        </Field>
        <Button kind="primary" type="submit" wide busy={form.busy}>
          {t('recovery.submit')}
        </Button>
      </Form>
    </Card>
  );
}

/** Does not say whether the address has an account, as the server does not either. */
function Sent({ email, onAgain }: { email: string; onAgain: () => void }) {
  const { t } = useTranslation();
  useEffect(keepFocus, []);
  return (
    <Card title={t('email.check')}>
      <div className={styles.sent} role="status">
        <p>{t('recovery.sent.text', { email })}</p>
        <p>{t('recovery.sent.nothing')}</p>
        <Button onClick={onAgain}>{t('recovery.sent.again')}</Button>
        <LinkButton kind="quiet" href="/login">
          {t('action.toSignIn')}
        </LinkButton>
      </div>
    </Card>
  );
}
