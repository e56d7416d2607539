import { useState } from 'react';
import { LinkButton } from '../../components/Button';
import { NothingFoundIcon } from '../../components/icons';
import { EmptyState, ErrorState } from '../../components/States';
import { ReadonlyIcon } from '../../components/screenIcons';
import { isError, isMissing } from '../../data/client';
import { useSettings, useUser } from '../../data/configuration';
import { signInPath } from '../../data/session';
import { isClosed } from '../../editorFrame/closedEditor';
import { paths } from '../../navigation/paths';
import { useTranslation } from '../../texts/i18n';
import { AskForAccess, useMayAsk } from './AskForAccess';

/** Why a folder or pad is not shown. `failed`: a fault and not a missing right, so it may work later. */
export type RefusalKind = 'missing' | 'denied' | 'failed';

export function refusalKind(error: unknown): RefusalKind {
  if (isMissing(error)) return 'missing';
  const denied = isError(
    error,
    'BACKEND.ERROR.AUTHENTICATION.DENIED_RECORD',
    'BACKEND.ERROR.AUTHENTICATION.DENIED',
    'BACKEND.ERROR.AUTHENTICATION.MUST_BE',
    'BACKEND.ERROR.AUTHENTICATION.NOT_AUTH',
    'BACKEND.ERROR.PERMISSION.UNEXPECTED',
  );
  return denied ? 'denied' : 'failed';
}

export interface RefusalProps {
  what: 'folder' | 'pad';
  id: string;
  error: unknown;
  onRetry: () => void;
  busy?: boolean;
  /** A pad that was shown until now. If it is missing, somebody has deleted it. */
  wasOpen?: boolean;
}

/** For Refusal: reads again what could not be shown. */
export const retrying = ({
  isFetching,
  refetch,
}: {
  isFetching: boolean;
  refetch: () => Promise<unknown>;
}) => ({ busy: isFetching, onRetry: () => void refetch() });

/** Shown instead of a folder or pad: why it cannot be shown and what to do. Guests can sign in, which may help. */
export function Refusal({ what, id, error, onRetry, busy, wasOpen = false }: RefusalProps) {
  const { t } = useTranslation();
  const user = useUser();
  const signedInOnly = useSettings().allPadsPublicsAuthentifiedOnly;
  const kind = refusalKind(error);
  const onwards = user !== undefined && (
    <LinkButton kind="primary" href={paths.folders}>
      {t('action.toFolders')}
    </LinkButton>
  );
  if (kind === 'failed') {
    return (
      <ErrorState
        title={t(`access.${what}.failed`)}
        error={error}
        onRetry={onRetry}
        busy={busy}
        action={user !== undefined && <LinkButton href={paths.folders}>{t('action.toFolders')}</LinkButton>}
      />
    );
  }
  const signIn = (
    <LinkButton kind="primary" href={signInPath()}>
      {t('action.signIn')}
    </LinkButton>
  );
  if (kind === 'missing') {
    return (
      <EmptyState
        icon={<NothingFoundIcon />}
        title={t(wasOpen ? 'access.pad.deleted' : `access.${what}.missing.title`)}
        action={onwards || signIn}
      >
        {!wasOpen && t(`access.${what}.missing.text`)}
      </EmptyState>
    );
  }
  return user === undefined ? (
    <EmptyState icon={<ReadonlyIcon />} title={t(`access.${what}.signIn.title`)} action={signIn}>
      {signedInOnly ? t('access.signIn.everybody') : t(`access.${what}.signIn.text`)}{' '}
      {what === 'pad' && isClosed() && t('access.pad.changed')}
    </EmptyState>
  ) : (
    <Denied key={id} what={what} id={id} login={user.login} onRetry={onRetry} />
  );
}

/** Somebody who is signed in has no access. They can ask for it, where the server allows it. */
function Denied(props: Pick<RefusalProps, 'what' | 'id' | 'onRetry'> & { login: string }) {
  const { what, id, login, onRetry } = props;
  const { t } = useTranslation();
  const mayAsk = useMayAsk();
  const [sent, setSent] = useState(false);
  const text = mayAsk ? t('requests.denied', { login }) : t(`access.${what}.denied.text`, { login });
  return (
    <EmptyState
      icon={<ReadonlyIcon />}
      title={t(`access.${what}.denied.title`)}
      action={
        <>
          {mayAsk && (
            <AskForAccess asked={{ what, id }} sent={sent} onSent={() => setSent(true)} onRetry={onRetry} />
          )}
          <LinkButton kind={mayAsk && !sent ? 'secondary' : 'primary'} href={paths.folders}>
            {t('action.toFolders')}
          </LinkButton>
        </>
      }
    >
      <span role="status">{sent ? t('requests.sent') : text}</span>{' '}
      {!sent && what === 'pad' && t('access.pad.changed')}
    </EmptyState>
  );
}
