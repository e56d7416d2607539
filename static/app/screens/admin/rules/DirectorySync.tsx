import { useId, useState } from 'react';
import type { SyncPreview, SyncState } from '../../../../../api/rules/schema';
import { displayName } from '../../../components/Avatar';
import { Button } from '../../../components/Button';
import { ConfirmDialog } from '../../../components/ConfirmDialog';
import { ErrorIcon, WarningIcon } from '../../../components/icons';
import { TimeText } from '../../../components/RelativeTime';
import { Loading, Skeleton, SkeletonGroup } from '../../../components/States';
import { toasts } from '../../../components/Toasts';
import {
  useAdminSettings,
  useDirectorySync,
  usePreviewDirectorySync,
  useRunDirectorySync,
} from '../../../data/administration';
import { isError } from '../../../data/client';
import { useErrorText } from '../../../texts/errorText';
import { useTranslation } from '../../../texts/i18n';
import work from '../checkup/BackgroundWork.module.css';
import { SettingRow } from '../settings/SettingRow';
import { ChangeList, ShortList } from './ChangeList';
import styles from './DirectorySync.module.css';

/** The run over everyone in the LDAP directory, if people sign in by it. */
export function DirectorySync() {
  const { data } = useAdminSettings();
  const used = data?.settings.filter(({ key }) => key === 'authMethod' || key === 'authMethods');
  const isOffered = used?.some(({ value }) => [value].flat().includes('ldap'));
  return isOffered ? <Section /> : null;
}

function Section() {
  const { t } = useTranslation();
  const id = useId();
  const query = useDirectorySync();
  const { settings = [] } = useAdminSettings().data ?? {};
  return (
    <section aria-labelledby={id} className={work.section}>
      <h2 id={id} className={work.heading}>
        {t('admin.sync.title')}
      </h2>
      <p className={work.intro}>{t('admin.sync.intro')}</p>
      <Loading query={query} failed={t('admin.sync.notLoaded')}>
        <SkeletonGroup>
          <Skeleton height="72px" />
        </SkeletonGroup>
      </Loading>
      {query.data && <Runs state={query.data} />}
      <ul className={styles.settings}>
        {settings
          .filter(({ key }) => key.startsWith('directorySync'))
          .map((setting) => (
            <SettingRow key={setting.key} setting={setting} />
          ))}
      </ul>
    </section>
  );
}

/** The last run, and the buttons for the next. */
function Runs({ state }: { state: SyncState }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const run = useRunDirectorySync();
  const preview = usePreviewDirectorySync();
  const [shown, setShown] = useState<SyncPreview | null>(null);
  const { running, waiting } = state;
  const begin = async (confirm?: string): Promise<void> => {
    await run.mutateAsync(confirm);
    toasts.success(t('admin.sync.begun'));
  };
  const fail = (error: unknown): void => {
    const reason = isError(error) && error.reason !== undefined ? ` (${error.reason})` : '';
    toasts.error(`${errorText(error)}${reason}`);
  };
  const look = (): void => {
    preview.mutateAsync().then((found) => setShown(found ?? null), fail);
  };
  return (
    <>
      <LastRun state={state} />
      <div className={work.actions}>
        <Button kind={waiting ? 'primary' : 'secondary'} busy={preview.isPending} onClick={look}>
          {t(waiting ? 'admin.sync.review' : 'admin.sync.preview')}
        </Button>
        <Button busy={running || run.isPending} onClick={() => void begin().catch(fail)}>
          {t('admin.sync.run')}
        </Button>
      </div>
      {shown && (
        <Preview
          preview={shown}
          onClose={() => setShown(null)}
          onConfirm={async () => {
            await begin(shown.needsConfirmation ? shown.id : undefined);
            setShown(null);
          }}
        />
      )}
    </>
  );
}

function LastRun({ state: { last, running, waiting } }: { state: SyncState }) {
  const { t } = useTranslation();
  if (last === null)
    return <p className="muted">{t(running ? 'admin.jobs.state.running' : 'admin.sync.never')}</p>;
  const counts = [
    t('admin.sync.read', { count: last.read }),
    t('admin.sync.accounts', { count: last.accounts }),
    last.changed > 0 && t('admin.sync.changed', { count: last.changed }),
    last.gained > 0 && t('admin.rules.gains', { count: last.gained }),
    last.lost > 0 && t('admin.rules.losses', { count: last.lost }),
    last.deactivated > 0 && t('admin.sync.deactivated', { count: last.deactivated }),
    last.activated > 0 && t('admin.sync.activated', { count: last.activated }),
    last.absent > 0 && t('admin.sync.absent', { count: last.absent }),
  ].filter((count) => count !== false);
  return (
    <div aria-live="polite">
      <p className={styles.time}>
        {running ? t('admin.jobs.state.running') : <TimeText text="admin.sync.last" time={last.ended} />}
      </p>
      {last.error === null && <p className="muted">{counts.join(' · ')}</p>}
      {last.error !== null && (
        <p className={styles.note} data-state="error">
          <ErrorIcon /> {t('admin.sync.failed', { reason: last.error })}
        </p>
      )}
      {waiting && (
        <p className={styles.note} data-state="warning">
          <WarningIcon /> {t('admin.sync.waiting', { count: waiting.people })}
        </p>
      )}
    </div>
  );
}

interface PreviewProps {
  preview: SyncPreview;
  onConfirm: () => Promise<void>;
  onClose: () => void;
}

/** What a run would do, and the question whether to begin it. */
function Preview({ preview, onConfirm, onClose }: PreviewProps) {
  const { t } = useTranslation();
  const { gains, losses, users, deactivated, activated, read, accounts, changed, absent } = preview;
  const facts = [
    t('admin.sync.read', { count: read }),
    t('admin.sync.accounts', { count: accounts }),
    t('admin.sync.changed', { count: changed }),
    t('admin.sync.absent', { count: absent }),
  ];
  const people = (title: string, { count, rows }: SyncPreview['deactivated']) => (
    <ShortList title={title} count={count} shown={rows.length}>
      {rows.map((user) => (
        <li key={user}>{users[user] && displayName(users[user])}</li>
      ))}
    </ShortList>
  );
  return (
    <ConfirmDialog
      title={t('admin.sync.question')}
      action={t(preview.needsConfirmation ? 'admin.sync.confirm' : 'admin.sync.run')}
      danger={preview.people > 0}
      onClose={onClose}
      onConfirm={onConfirm}
    >
      {people(t('admin.sync.deactivated', { count: deactivated.count }), deactivated)}
      <ChangeList title={t('admin.rules.losses', { count: losses.count })} changes={losses} users={users} />
      <ChangeList title={t('admin.rules.gains', { count: gains.count })} changes={gains} users={users} />
      {people(t('admin.sync.activated', { count: activated.count }), activated)}
      {gains.count + losses.count === 0 && <p>{t('admin.rules.noChange')}</p>}
      <p className="muted">{facts.join(' · ')}</p>
    </ConfirmDialog>
  );
}
