import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { Button } from '../../components/Button';
import { ErrorIcon } from '../../components/icons';
import { call } from '../../data/client';
import { useServiceReady, useSettings, useUser } from '../../data/configuration';
import { returnPath, signInPath } from '../../data/session';
import { completeSignIn } from '../../data/signIn';
import { hasDrafts } from '../../forms/drafts';
import { navigate, useQueryParams } from '../../navigation/location';
import { useErrorText } from '../../texts/errorText';
import { useTranslation } from '../../texts/i18n';
import { Redirect } from '../home/Home';
import { Card } from './Card';
import styles from './CasSignIn.module.css';
import { useLoginMessage } from './LoginMessage';
import { endLeaving, hasLeft } from './leave';
import { Starting } from './Starting';

const returnItem = 'mypads_return';

/**
 * CAS always sends people back to the same address, because tickets are valid only for it. So the path to open
 * afterwards is stored in this tab.
 */
function keepReturn(path: string): void {
  try {
    sessionStorage.setItem(returnItem, path);
  } catch {
    // Without storage, signing in leads to the folders.
  }
}

function keptReturn(): string {
  try {
    return sessionStorage.getItem(returnItem) ?? '/';
  } catch {
    return '/';
  }
}

function useTicket() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (ticket: string): Promise<void> => {
      const answer = await call('POST /auth/login/cas', { body: { ticket }, token: null });
      endLeaving();
      await completeSignIn(client, answer);
    },
  });
}

/**
 * Sign-in through a CAS server. Redirects there, and signs the person in with the ticket that they bring back. After a
 * failure or a sign-out, or with a message to read, the person must press the button first. If there are half-filled
 * forms, it opens another tab, and this one shows them again when the person has signed in there.
 */
export function CasSignIn() {
  const { t } = useTranslation();
  const user = useUser();
  const { authCasSettings } = useSettings();
  const message = useLoginMessage();
  const [parameters] = useQueryParams();
  const [ticket] = useState(() => parameters.get('ticket'));
  const [wasSignedIn] = useState(user !== undefined);
  const [leaving, setLeaving] = useState(false);
  const ready = useServiceReady();
  const { mutateAsync, error, isPending } = useTicket();
  const started = useRef(false);
  const { loginUrl } = authCasSettings;
  // The address to which CAS sends people back names no path.
  const path = parameters.has('ticket') ? keptReturn() : returnPath(parameters);

  const leave = useCallback((): void => {
    if (hasDrafts()) {
      open(loginUrl, '_blank', 'noopener');
      return;
    }
    keepReturn(path);
    setLeaving(true);
    location.replace(loginUrl);
  }, [path, loginUrl]);

  const needsButton = hasLeft() || hasDrafts() || message !== '';
  useEffect(() => {
    if (started.current || user !== undefined || !ready) return;
    started.current = true;
    if (ticket !== null) {
      // A ticket works once. It must not stay in the history. The path must, because this screen is rendered anew for
      // the person, or for one whom another tab has signed in meanwhile.
      navigate(signInPath(path), { replace: true });
      mutateAsync(ticket).then(
        () => navigate(path, { replace: true }),
        () => undefined,
      );
    } else if (loginUrl !== '' && !needsButton) leave();
  }, [ready, ticket, user, loginUrl, path, needsButton, leave, mutateAsync]);

  if (user !== undefined && (wasSignedIn || ticket === null)) return <Redirect to={path} />;
  const busy = leaving || isPending || (ticket !== null && error === null);
  return (
    <Card title={t('login.title')} withMessage>
      <div className={styles.column}>
        <Starting ready={ready} />
        <Failure error={error} unknown={loginUrl === ''} />
        {loginUrl !== '' && (
          <>
            {!busy && hasLeft() && <p>{t('logout.done')}</p>}
            <p>{busy ? t('cas.busy') : hasDrafts() ? t('sessionEnded.elsewhere') : t('cas.text')}</p>
            <Button kind="primary" wide busy={busy} onClick={leave}>
              {error === null ? t('cas.submit', { server: new URL(loginUrl).hostname }) : t('action.retry')}
            </Button>
          </>
        )}
      </div>
    </Card>
  );
}

function Failure({ error, unknown }: { error: unknown; unknown: boolean }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const text = unknown ? t('cas.unknown') : error === null ? null : errorText(error);
  return (
    <div role="alert">
      {text !== null && (
        <p className={styles.failure}>
          <ErrorIcon />
          {text}
        </p>
      )}
    </div>
  );
}
