import { type ReactNode, useId, useState } from 'react';
import type { AdminJob } from '../../../../../api/admin/schema';
import { Button } from '../../../components/Button';
import { Chip, type ChipTone } from '../../../components/Chip';
import { ConfirmDialog } from '../../../components/ConfirmDialog';
import { ErrorIcon, InfoIcon, WarningIcon } from '../../../components/icons';
import { keepsFocus } from '../../../components/keepFocus';
import { TimeText } from '../../../components/RelativeTime';
import { Loading, Skeleton, SkeletonGroup } from '../../../components/States';
import { toasts, useErrorToast } from '../../../components/Toasts';
import { useCancelJob, type useJobs, useRunJob } from '../../../data/administration';
import { useIgnoreSecondPress } from '../../../lib/secondPress';
import { hasText, type TextKey, useTranslation } from '../../../texts/i18n';
import work from './BackgroundWork.module.css';
import styles from './Checkup.module.css';

/** Errors whose own texts tell people to ask an administrator. */
const reasons: Readonly<Record<string, TextKey>> = {
  'BACKEND.ERROR.SERVER.MAIL_UNAVAILABLE': 'admin.jobs.mailUnavailable',
  'BACKEND.ERROR.CONFIGURATION.MAIL_NOT_CONFIGURED': 'admin.checkup.mail.invalid',
  'BACKEND.ERROR.CONFIGURATION.ROOTURL_NOT_CONFIGURED': 'admin.checkup.address.notSet',
};

/** The looks of a job are those of a check in the same state. */
const looks = {
  failed: { state: 'error', Icon: ErrorIcon, tone: 'danger' },
  delayed: { state: 'warning', Icon: WarningIcon, tone: 'warning' },
  waiting: { state: 'unknown', Icon: InfoIcon, tone: 'neutral' },
  running: { state: 'unknown', Icon: InfoIcon, tone: 'accent' },
} as const satisfies Record<string, { state: string; Icon: typeof ErrorIcon; tone: ChipTone }>;

/** `delayed`: it has failed, and runs again later. */
function lookOf({ running, failed, attempts }: AdminJob): keyof typeof looks {
  if (running) return 'running';
  if (failed) return 'failed';
  return attempts > 0 ? 'delayed' : 'waiting';
}

/** Work in the background that has failed, waits or runs, and what can be done about it. */
export function BackgroundWork({ jobs }: { jobs: ReturnType<typeof useJobs> }) {
  const { t } = useTranslation();
  const id = useId();
  const { data } = jobs;
  return (
    <section aria-labelledby={id} className={work.section}>
      <h2 id={id} className={work.heading}>
        {t('admin.jobs.title')}
      </h2>
      <p className={work.intro}>{t('admin.jobs.intro')}</p>
      <Loading query={jobs} failed={t('admin.jobs.notLoaded')}>
        <SkeletonGroup>
          <Skeleton height="48px" />
        </SkeletonGroup>
      </Loading>
      {data?.count === 0 && <p className={styles.text}>{t('admin.jobs.none')}</p>}
      {data !== undefined && data.count > 0 && (
        <ul aria-labelledby={id}>
          {data.jobs.map((job) => (
            <OneJob key={job.id} job={job} />
          ))}
        </ul>
      )}
      {data !== undefined && data.count > data.jobs.length && (
        <p className={styles.text}>{t('remove.pads.more', { count: data.count - data.jobs.length })}</p>
      )}
    </section>
  );
}

/** What a job does, in words. A job of another version of the plugin has no text. */
function useJobName({ type }: AdminJob): string {
  const { t } = useTranslation();
  const key = `admin.jobs.type.${type}`;
  return hasText(key) ? t(key) : type;
}

function OneJob({ job }: { job: AdminJob }) {
  const { t } = useTranslation();
  useIgnoreSecondPress();
  const look = lookOf(job);
  const { state, Icon, tone } = looks[look];
  const reason = job.error && (reasons[job.error] ?? job.error);
  return (
    <li ref={keepsFocus} className={styles.check} data-state={state}>
      <Icon className={styles.icon} />
      <div className={styles.body}>
        <h3 className={styles.title}>
          {useJobName(job)}
          <Chip tone={tone}>{t(`admin.jobs.state.${look === 'delayed' ? 'waiting' : look}`)}</Chip>
        </h3>
        {reason !== null && <p className={styles.text}>{hasText(reason) ? t(reason) : reason}</p>}
        <Facts job={job} />
        <JobActions job={job} />
      </div>
    </li>
  );
}

function Facts({ job: { begun, next, attempts, progress, running, failed } }: { job: AdminJob }) {
  const { t, language } = useTranslation();
  const time = new Intl.DateTimeFormat(language, { timeStyle: 'short' }).format(next);
  const facts: readonly (ReactNode | false)[] = [
    <TimeText key="begun" text="admin.jobs.begun" time={begun} />,
    progress !== null && t('admin.jobs.progress', { done: progress.done, total: progress.total }),
    attempts > 0 && t('admin.jobs.attempts', { count: attempts }),
    failed && t('admin.jobs.final'),
    !failed && !running && t('admin.jobs.next', { time }),
  ];
  return (
    <p className={styles.more}>
      {facts.map(
        (fact, place) =>
          // biome-ignore lint/suspicious/noArrayIndexKey: each fact always has the same place
          fact !== false && <bdi key={place}>{fact}</bdi>,
      )}
    </p>
  );
}

function JobActions({ job }: { job: AdminJob }) {
  const { t } = useTranslation();
  const showError = useErrorToast();
  const run = useRunJob();
  const stop = useCancelJob();
  const [asks, setAsks] = useState(false);
  const name = useJobName(job);
  // All others that can be given up are emails.
  const isExport = job.type === 'makeExport';
  const cancel = t(isExport ? 'import.cancel' : 'admin.jobs.cancel');
  const labelled = (text: string, detail: string): string => t('text.detail', { text, detail });
  const runAgain = async (): Promise<void> => {
    try {
      const now = await run.mutateAsync(job.id);
      if (now === null) toasts.success(labelled(name, t('admin.jobs.ended')));
      else if (now.error !== null && !now.running) toasts.error(labelled(name, t('admin.jobs.failedAgain')));
    } catch (error) {
      showError(error);
    }
  };
  return (
    <div className={work.actions}>
      <Button
        small
        busy={run.isPending || job.running}
        aria-label={labelled(t('admin.jobs.again'), name)}
        onClick={() => void runAgain()}
      >
        {t('admin.jobs.again')}
      </Button>
      {job.canCancel && (
        <Button
          small
          busy={stop.isPending}
          aria-label={labelled(cancel, name)}
          onClick={() => (isExport ? stop.mutateAsync(job.id).catch(showError) : setAsks(true))}
        >
          {cancel}
        </Button>
      )}
      {asks && <CancelJob id={job.id} onClose={() => setAsks(false)} />}
    </div>
  );
}

function CancelJob({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation();
  const { mutateAsync } = useCancelJob();
  return (
    <ConfirmDialog
      danger
      title={t('admin.jobs.cancel.title')}
      action={t('admin.jobs.cancel')}
      onClose={onClose}
      onConfirm={() => mutateAsync(id)}
      done={t('admin.jobs.cancelled')}
    >
      <p>{t('admin.jobs.cancel.text')}</p>
      <p>{t('remove.final')}</p>
    </ConfirmDialog>
  );
}
