import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { limits } from '../../../../model/limits';
import { Button, LinkButton } from '../../components/Button';
import { Field } from '../../components/Field';
import { Form } from '../../components/Form';
import { PasswordInput } from '../../components/PasswordInput';
import { SkeletonRows } from '../../components/States';
import { TextInput } from '../../components/TextInput';
import { toasts } from '../../components/Toasts';
import { useForm } from '../../components/useForm';
import { isError, isMissing } from '../../data/client';
import { useUser } from '../../data/configuration';
import { keys } from '../../data/keys';
import { useOpenLink } from '../../data/links';
import { readItem, writeItem } from '../../lib/storage';
import { useOnce } from '../../lib/useOnce';
import { hideAddress } from '../../navigation/location';
import { paths } from '../../navigation/paths';
import { useNavigate } from '../../navigation/useNavigate';
import { useErrorText } from '../../texts/errorText';
import { translate, useTranslation } from '../../texts/i18n';
import { Card } from '../login/Card';
import styles from '../login/Card.module.css';

/** Of the link that is being opened, for a tab that the browser loads again while a question is on its screen. */
const secretItem = 'mypads_link';

/** What a link can ask for. */
interface Typed {
  name?: string;
  password?: string;
}

/** The link to a folder or a pad. Its secret leaves the address bar, and the folder or pad is opened. */
export function OpenLink({ secret: given }: { secret: string }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const user = useUser();
  // Of the first time: the address does not have it any more.
  const [secret] = useState(() => given || (readItem(secretItem, 'sessionStorage') ?? ''));
  const { mutateAsync, isPending } = useOpenLink();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [error, setError] = useState<unknown>(null);
  /** A link can ask for a name, then for a password. */
  const typedBefore = useRef<Typed>({});
  const open = async (typed: Typed = {}): Promise<void> => {
    typedBefore.current = { ...typedBefore.current, ...typed };
    const sent = { secret, ...typedBefore.current };
    const { group, pad, mayKeep } = await mutateAsync(sent);
    writeItem(secretItem, null, 'sessionStorage');
    // The editor's own page names an unknown folder in the same way.
    const path = group === null ? paths.pad('-', pad ?? '') : paths.folder(group);
    const offer = keys.keepOffer(group ?? pad ?? '');
    const keep = () =>
      mutateAsync({ ...sent, keep: true }).then(
        () => {
          client.setQueryData(offer, null);
          toasts.success(translate('openLink.kept'));
        },
        (failure) => toasts.error(isMissing(failure) ? translate('openLink.gone') : errorText(failure)),
      );
    const run = (): void => void keep();
    if (mayKeep) {
      // For the menu of the screen that is opened.
      client.setQueryData(offer, () => run);
      toasts.info(translate('openLink.opened'), { action: { label: translate('openLink.keep'), run } });
    }
    navigate(path, { replace: true });
  };
  const begin = (typed?: Typed) => open(typed).catch(setError);
  useOnce(() => {
    writeItem(secretItem, secret, 'sessionStorage');
    hideAddress(paths.links);
    void begin();
  });

  if (error === null) {
    return (
      <Card title={t('openLink.title')}>
        <SkeletonRows rows={1} />
      </Card>
    );
  }
  if (isError(error, 'BACKEND.ERROR.TYPE.GUEST_NAME_MISSING')) {
    return <Name onName={(name) => begin({ name })} />;
  }
  if (isError(error, 'BACKEND.ERROR.TYPE.PASSWORD_MISSING')) {
    const afterName = typedBefore.current.name !== undefined;
    return <Password afterName={afterName} onOpen={(password) => open({ password })} />;
  }
  const isGone = isMissing(error);
  return (
    <Card title={t('openLink.failed')}>
      <div className={styles.sent} role="alert">
        <p>{isGone ? t('openLink.gone') : errorText(error)}</p>
        {!isGone && (
          <Button kind="primary" busy={isPending} onClick={() => void begin()}>
            {t('action.retry')}
          </Button>
        )}
        <LinkButton href={user === undefined ? '/login' : paths.folders}>
          {user === undefined ? t('action.toSignIn') : t('action.toFolders')}
        </LinkButton>
      </div>
    </Card>
  );
}

function Name({ onName }: { onName: (name: string) => Promise<void> }) {
  const { t } = useTranslation();
  const form = useForm({
    initial: { name: '' },
    mayBeLost: true,
    check: ({ name }) => ({ name: name.trim() === '' ? translate('openLink.name.required') : undefined }),
    submit: ({ name }) => onName(name.trim()),
  });
  return (
    <Card title={t('openLink.name.title')}>
      <Form form={form} label={t('openLink.name.title')}>
        <p>{t('openLink.name.text')}</p>
        <Field {...form.field('name')} label={t('openLink.name')}>
          <TextInput {...form.text('name')} maxLength={limits.name} autoComplete="name" />
        </Field>
        <Button kind="primary" type="submit" wide busy={form.busy}>
          {t('action.open')}
        </Button>
      </Form>
    </Card>
  );
}

class WrongPassword extends Error {
  readonly key = 'openLink.password.wrong';
}

interface PasswordProps {
  /** The name was typed just before. */
  afterName: boolean;
  onOpen: (password: string) => Promise<void>;
}

function Password({ afterName, onOpen }: PasswordProps) {
  const { t } = useTranslation();
  const form = useForm({
    initial: { password: '' },
    mayBeLost: true,
    check: ({ password }) => ({
      password: password === '' ? translate('access.password.required') : undefined,
    }),
    submit: async ({ password }) => {
      try {
        await onOpen(password);
      } catch (error) {
        throw isError(error, 'BACKEND.ERROR.PERMISSION.UNAUTHORIZED') ? new WrongPassword() : error;
      }
    },
  });
  return (
    <Card title={t('openLink.password.title')}>
      <Form form={form} label={t('openLink.password.title')}>
        <p>{t('openLink.password.text')}</p>
        <Field {...form.field('password')} label={t('account.password')}>
          <PasswordInput {...form.text('password')} autoComplete="off" autoFocus={afterName} />
        </Field>
        <Button kind="primary" type="submit" wide busy={form.busy}>
          {t('action.open')}
        </Button>
      </Form>
    </Card>
  );
}
