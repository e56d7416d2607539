import { useEffect, useState } from 'react';
import { limits } from '../../../../model/limits';
import { Button, LinkButton } from '../../components/Button';
import { Field } from '../../components/Field';
import { Form } from '../../components/Form';
import { keepFocus } from '../../components/keepFocus';
import { TextInput } from '../../components/TextInput';
import { useForm } from '../../components/useForm';
import { useSettings } from '../../data/configuration';
import { looksLikeEmail } from '../../fieldRules';
import { useTranslation } from '../../i18n';
import { Link } from '../../location';
import { Card } from '../login/Card';
import styles from '../login/Card.module.css';
import { useAskForLink } from './recoveryCalls';

/** Asks for the address to which a link for a new password is mailed. */
export function AskForLink() {
  const { passwordRecovery } = useSettings();
  const [sentTo, setSentTo] = useState<string | null>(null);
  if (sentTo !== null) return <Sent email={sentTo} onAgain={() => setSentTo(null)} />;
  return passwordRecovery ? <Asking onSent={setSentTo} /> : <Unavailable />;
}

/** Shown instead of a form that the server would refuse. */
function Unavailable() {
  const { t } = useTranslation();
  const { authMethod } = useSettings();
  return (
    <Card title={t('recovery.title')}>
      <div className={styles.sent}>
        <p>
          {authMethod === 'internal' ? t('recovery.noMail') : t('BACKEND.ERROR.AUTHENTICATION.NO_RECOVER')}
        </p>
        <LinkButton href="/login">{t('recovery.toLogin')}</LinkButton>
      </div>
    </Card>
  );
}

function Asking({ onSent }: { onSent: (email: string) => void }) {
  const { t } = useTranslation();
  const ask = useAskForLink();
  const form = useForm({
    initial: { email: '' },
    mayBeLost: true,
    check: ({ email }) => ({
      email: looksLikeEmail(email) ? undefined : t('BACKEND.ERROR.TYPE.MAIL'),
    }),
    submit: async ({ email }) => {
      await ask.mutateAsync(email.trim());
      onSent(email.trim());
    },
  });
  return (
    <Card title={t('recovery.title')} footer={<Link href="/login">{t('recovery.toLogin')}</Link>}>
      <Form form={form}>
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
    <Card title={t('recovery.sent.title')}>
      <div className={styles.sent} role="status">
        <p>{t('recovery.sent.text', { email })}</p>
        <p>{t('recovery.sent.nothing')}</p>
        <Button onClick={onAgain}>{t('recovery.sent.again')}</Button>
        <LinkButton kind="quiet" href="/login">
          {t('recovery.toLogin')}
        </LinkButton>
      </div>
    </Card>
  );
}
