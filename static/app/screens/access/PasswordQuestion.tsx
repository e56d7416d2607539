import { Button } from '../../components/Button';
import { Field } from '../../components/Field';
import { Form } from '../../components/Form';
import { PasswordInput } from '../../components/PasswordInput';
import { PrivateIcon } from '../../components/screenIcons';
import { useForm } from '../../components/useForm';
import { useUser } from '../../data/configuration';
import { signInPath } from '../../data/session';
import { useUnlock } from '../../data/unlock';
import { isClosed } from '../../editorFrame/closedEditor';
import { Link } from '../../navigation/location';
import { useTranslation } from '../../texts/i18n';
import styles from './access.module.css';

export interface PasswordQuestionProps {
  what: 'group' | 'pad';
  id: string;
}

/**
 * Asks for the password of a private folder or pad. Once it is proved, the content is shown by the screen around it.
 */
export function PasswordQuestion({ what, id }: PasswordQuestionProps) {
  const { t } = useTranslation();
  const user = useUser();
  const proof = useUnlock(what, id);
  const name = what === 'group' ? 'folder' : 'pad';
  const form = useForm({
    initial: { password: '' },
    mayBeLost: true,
    check: ({ password }) => ({ password: password === '' ? t('access.password.required') : undefined }),
    submit: async ({ password }) => {
      await proof.mutateAsync(password);
    },
  });
  return (
    <section className={styles.card}>
      <div className={styles.icon}>
        <PrivateIcon />
      </div>
      <h2 className={styles.title}>{t(`access.${name}.locked.title`)}</h2>
      {what === 'pad' && isClosed() && <p className={styles.text}>{t('access.pad.changed')}</p>}
      <p className={styles.text}>{t(`access.${name}.locked.text`)}</p>
      <Form form={form} label={t(`access.${name}.locked.title`)}>
        <Field {...form.field('password')} label={t(`access.${name}.password`)}>
          <PasswordInput {...form.text('password')} autoComplete="off" />
        </Field>
        <Button kind="primary" type="submit" wide busy={form.busy}>
          {t('action.open')}
        </Button>
      </Form>
      {user === undefined && (
        <p className={styles.aside}>
          {t('access.member.signIn')} <Link href={signInPath()}>{t('action.signIn')}</Link>
        </p>
      )}
    </section>
  );
}
