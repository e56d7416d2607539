import { useEffect, useState } from 'react';
import type { ShownInvitation } from '../../../../api/invitation/schema';
import { dateFormatter } from '../../../../model/dateFormat';
import { Button, LinkButton } from '../../components/Button';
import { SkeletonRows } from '../../components/States';
import { toasts, useErrorToast } from '../../components/Toasts';
import { isError } from '../../data/client';
import { useSettings, useUser } from '../../data/configuration';
import {
  isInvitationGone,
  keepInvitation,
  keptInvitation,
  useAcceptInvitation,
  useShownInvitation,
} from '../../data/ownInvitation';
import { comeBack } from '../../data/session';
import { useSignOut } from '../../data/signIn';
import { useOnce } from '../../lib/useOnce';
import { hideAddress, withParameters } from '../../navigation/location';
import { paths } from '../../navigation/paths';
import { useNavigate } from '../../navigation/useNavigate';
import { useErrorText } from '../../texts/errorText';
import { translate, useTranslation } from '../../texts/i18n';
import { Card } from '../login/Card';
import cardStyles from '../login/Card.module.css';
import { startLeaving } from '../login/leave';
import styles from './Invitation.module.css';

/**
 * The link of an invitation: says what it is, and accepts it for whoever is signed in with its address. The token
 * leaves the address bar and stays in this tab, for the way through signing in or registering.
 */
export function OpenInvitation({ token: given }: { token: string }) {
  const { t } = useTranslation();
  // Of the first time: the address does not have it any more.
  const [token] = useState(() => given || (keptInvitation()?.token ?? ''));
  const { data, error, isFetching, refetch } = useShownInvitation(token);
  const errorText = useErrorText();
  const [refused, setRefused] = useState<unknown>(null);
  useEffect(() => hideAddress(paths.invitation), []);
  useEffect(() => {
    if (data !== undefined) keepInvitation({ token, address: data.address });
  }, [data, token]);
  if (isInvitationGone(refused ?? error)) return <Gone />;
  if (data !== undefined) return <Shown token={token} invitation={data} onGone={setRefused} />;
  return (
    <Card title={t('invitations.title.any')}>
      {error === null ? (
        <SkeletonRows rows={2} />
      ) : (
        <div className={cardStyles.sent} role="alert">
          <p>{errorText(error)}</p>
          <Button kind="primary" busy={isFetching} onClick={() => void refetch()}>
            {t('action.retry')}
          </Button>
        </div>
      )}
    </Card>
  );
}

function Gone() {
  const { t } = useTranslation();
  const user = useUser();
  useOnce(() => {
    keepInvitation(undefined);
    comeBack(null);
  });
  return (
    <Card title={t('invitations.gone.title')}>
      <div className={cardStyles.sent} role="alert">
        <p>{t('invitations.gone')}</p>
        <LinkButton href={user === undefined ? '/login' : paths.folders}>
          {user === undefined ? t('action.toSignIn') : t('action.toFolders')}
        </LinkButton>
      </div>
    </Card>
  );
}

interface ShownProps {
  token: string;
  invitation: ShownInvitation;
  onGone: (error: unknown) => void;
}

function Shown({ token, invitation, onGone }: ShownProps) {
  const { t, language } = useTranslation();
  const user = useUser();
  const { address, by, group, pad, role, sentence, expires } = invitation;
  const { name } = group ?? pad ?? { name: '' };
  const what = pad === null ? 'folder' : 'pad';
  const time = dateFormatter(language, { dateStyle: 'long' })(expires);
  return (
    <Card title={t('invitations.title', { name })}>
      <div className={cardStyles.sent}>
        <p>
          {by === null ? t(`invitations.unknown.${what}`) : t(`invitations.by.${what}`, { name: by })}{' '}
          {t(pad !== null && role !== 'manager' ? `invitations.padRole.${role}` : `invitations.role.${role}`)}
        </p>
        {sentence !== '' && (
          <blockquote dir="auto" className={styles.sentence}>
            {sentence}
          </blockquote>
        )}
        <p className={styles.note}>{t('invitations.address', { email: address, time })}</p>
        {user === undefined ? (
          <ForGuests invitation={invitation} />
        ) : (
          <Accepting token={token} name={name} onGone={onGone} />
        )}
      </div>
    </Card>
  );
}

/** Signing in or registering, and then back here. */
function ForGuests({ invitation: { address, mayRegister } }: { invitation: ShownInvitation }) {
  const { t } = useTranslation();
  const { storesPasswords } = useSettings();
  const back = { return: paths.invitation };
  const known = storesPasswords ? { login: address } : {};
  return (
    <>
      {mayRegister && (
        <LinkButton kind="primary" href={withParameters('/subscribe', back)}>
          {t('subscribe.title')}
        </LinkButton>
      )}
      <LinkButton
        kind={mayRegister ? undefined : 'primary'}
        href={withParameters('/login', { ...back, ...known })}
      >
        {t('action.signIn')}
      </LinkButton>
    </>
  );
}

function Accepting({ token, name, onGone }: { token: string; name: string; onGone: ShownProps['onGone'] }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const accept = useAcceptInvitation();
  const navigate = useNavigate();
  const signOut = useSignOut();
  const showError = useErrorToast();
  useOnce(() => comeBack(null));
  const isOther = isError(accept.error, 'BACKEND.ERROR.INVITATION.OTHER_ADDRESS');
  /** At the service by which they signed in too, which would send the same account back. Then back here. */
  async function changeAccount(): Promise<void> {
    startLeaving();
    const url = await signOut.mutateAsync().catch(showError);
    if (!url) return;
    comeBack(paths.invitation);
    location.assign(url);
  }
  async function begin(): Promise<void> {
    try {
      navigate(await accept.mutateAsync(token), { replace: true });
      toasts.success(translate('invitations.accepted', { name }));
    } catch (error) {
      // Others are shown through `accept.error`.
      if (isInvitationGone(error)) onGone(error);
    }
  }
  return (
    <>
      {accept.error !== null && <p role="alert">{errorText(accept.error)}</p>}
      {isOther ? (
        <Button kind="primary" busy={signOut.isPending} onClick={() => void changeAccount()}>
          {t('invitations.signOut')}
        </Button>
      ) : (
        <Button kind="primary" busy={accept.isPending} onClick={() => void begin()}>
          {t('invitations.accept')}
        </Button>
      )}
    </>
  );
}
