import { useState } from 'react';
import type { OwnSession } from '../../../../api/user/schema';
import { Button } from '../../components/Button';
import { Chip } from '../../components/Chip';
import { ConfirmDialog } from '../../components/ConfirmDialog';
import { TimeText } from '../../components/RelativeTime';
import { Loading, SkeletonRows } from '../../components/States';
import { ComputerIcon, PhoneIcon } from '../../components/screenIcons';
import { browserName } from '../../lib/browserName';
import { type Translate, useTranslation } from '../../texts/i18n';
import styles from './Account.module.css';
import { useEndSession, useOwnSessions } from './accountCalls';
import { Section } from './Section';

function nameOf({ browser: header }: OwnSession, t: Translate): string {
  const { browser, system } = browserName(header);
  if (browser !== '' && system !== '') return t('account.sessions.on', { browser, system });
  return browser || system || t('account.sessions.unknown');
}

/** Where the person is signed in. Each session but the current one can be ended, or all of them at once. */
export function SessionList({ login }: { login: string }) {
  const { t } = useTranslation();
  const query = useOwnSessions(login);
  const { data } = query;
  const [asked, setAsked] = useState<OwnSession | 'others' | null>(null);
  return (
    <Section part="sessions" title={t('account.sessions')} intro={t('account.sessions.intro')}>
      <Loading query={query} failed={t('account.sessions.failed')}>
        <SkeletonRows rows={2} height={60} />
      </Loading>
      {data !== undefined && (
        <ul className={styles.sessions}>
          {data.map((session) => (
            <SessionRow key={session._id} session={session} onEnd={() => setAsked(session)} />
          ))}
        </ul>
      )}
      {data !== undefined && data.length > 1 && (
        <Button onClick={() => setAsked('others')}>{t('account.sessions.endAll')}</Button>
      )}
      {asked !== null && <EndSession login={login} session={asked} onClose={() => setAsked(null)} />}
    </Section>
  );
}

function SessionRow({ session, onEnd }: { session: OwnSession; onEnd: () => void }) {
  const { t } = useTranslation();
  const name = nameOf(session, t);
  const Icon = browserName(session.browser).phone ? PhoneIcon : ComputerIcon;
  return (
    <li className={styles.session}>
      <Icon />
      <div className={styles.sessionText}>
        <p className={styles.sessionName}>
          {name}
          {session.current && <Chip tone="success">{t('account.sessions.current')}</Chip>}
        </p>
        <p className="muted">
          <TimeText text="account.sessions.seen" time={session.lastSeen} />
          {' · '}
          <TimeText text="account.sessions.since" time={session.created} />
        </p>
      </div>
      {!session.current && (
        <Button small onClick={onEnd} aria-label={t('account.sessions.endOne', { name })}>
          {t('account.sessions.end')}
        </Button>
      )}
    </li>
  );
}

interface EndSessionProps {
  login: string;
  session: OwnSession | 'others';
  onClose: () => void;
}

function EndSession({ login, session, onClose }: EndSessionProps) {
  const { t } = useTranslation();
  const end = useEndSession(login);
  const all = session === 'others';
  return (
    <ConfirmDialog
      title={
        all
          ? t('account.sessions.endAll.title')
          : t('account.sessions.end.title', { name: nameOf(session, t) })
      }
      action={all ? t('account.sessions.endAll') : t('account.sessions.end')}
      onClose={onClose}
      onConfirm={() => end.mutateAsync(all ? null : session)}
      done={all ? t('account.sessions.endAll.done') : t('account.sessions.end.done')}
    >
      <p>{t('account.sessions.end.text')}</p>
    </ConfirmDialog>
  );
}
