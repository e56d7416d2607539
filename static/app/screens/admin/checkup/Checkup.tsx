import { type Check, type CheckId, type CheckState, unchecked } from '../../../../../model/checkup/findings';
import { Button } from '../../../components/Button';
import { Chip, type ChipTone } from '../../../components/Chip';
import { ErrorIcon, InfoIcon, RetryIcon, SuccessIcon, WarningIcon } from '../../../components/icons';
import { Page } from '../../../components/Page';
import { RelativeTime } from '../../../components/RelativeTime';
import { Loading, SkeletonRows } from '../../../components/States';
import { toasts, useErrorToast } from '../../../components/Toasts';
import { useCheckup, useJobs, useRebuildIndex } from '../../../data/administration';
import { Link, withParameters } from '../../../navigation/location';
import { hasText, useTranslation } from '../../../texts/i18n';
import { adminPaths } from '../adminPaths';
import { DocsIntro, DocsLink } from '../DocsLink';
import { BackgroundWork } from './BackgroundWork';
import work from './BackgroundWork.module.css';
import { completeChecks } from './browserChecks';
import styles from './Checkup.module.css';

const looks: Readonly<Record<CheckState, { Icon: typeof ErrorIcon; tone: ChipTone }>> = {
  error: { Icon: ErrorIcon, tone: 'danger' },
  warning: { Icon: WarningIcon, tone: 'warning' },
  unknown: { Icon: InfoIcon, tone: 'neutral' },
  ok: { Icon: SuccessIcon, tone: 'success' },
};

/** For each check, the page of the documentation and the related settings. */
const more: Readonly<Record<CheckId, { page: string; settings?: string }>> = {
  address: { page: 'install#behind-a-proxy', settings: 'rootUrl' },
  proxy: { page: 'install#test-the-proxy', settings: 'trustProxy' },
  cookies: { page: 'install#which-headers-of-a-proxy-are-trusted' },
  websocket: { page: 'troubleshooting#the-editor-says-that-it-reconnects-again-and-again' },
  mail: { page: 'mail#test-it', settings: 'SMTP' },
  ldap: { page: 'troubleshooting#ldap', settings: 'authLdapSettings' },
  cas: { page: 'troubleshooting#cas', settings: 'authCasSettings' },
  oidc: { page: 'troubleshooting#openid-connect', settings: 'authOidcSettings' },
  header: { page: 'troubleshooting#a-proxy', settings: 'authHeaderSettings' },
  sync: { page: 'groups#every-night', settings: 'directorySync' },
  host: { page: 'install#which-etherpad' },
  database: { page: 'troubleshooting#the-database-does-not-answer' },
  plugins: { page: 'plugins#plugins-that-show-pads-to-everyone' },
  node: { page: 'install#which-etherpad' },
  processes: { page: 'scaling#the-proxy' },
  removals: { page: 'monitoring#jobs' },
  damage: { page: 'doctor' },
  index: { page: 'administrators#health-check' },
};

/** Whether settings, other servers, proxy and records are in order, and what to do if not. */
export function Checkup() {
  const { t } = useTranslation();
  const query = useCheckup(completeChecks);
  const { data, isFetching, refetch } = query;
  const jobs = useJobs();
  const runAgain = (): void => {
    void refetch();
    void jobs.refetch();
  };
  return (
    <Page
      title={t('admin.checkup.title')}
      intro={
        <DocsIntro
          text={t('admin.checkup.intro')}
          page="administrators#health-check"
          about={t('admin.checkup.title')}
        />
      }
      width="form"
      facts={data && <Summary checks={data.checks} time={data.time} />}
      action={
        data && (
          <Button icon={<RetryIcon />} busy={isFetching} onClick={runAgain}>
            {t('admin.checkup.again')}
          </Button>
        )
      }
    >
      {data !== undefined && (
        <ul className={styles.checks} aria-label={t('admin.checkup.title')}>
          {data.checks.map((check) => (
            <One key={check.id} check={check} />
          ))}
        </ul>
      )}
      <Loading query={query} failed={t('admin.checkup.failed')}>
        <SkeletonRows height={72} rows={8} />
      </Loading>
      <BackgroundWork jobs={jobs} />
    </Page>
  );
}

function Summary({ checks, time }: { checks: readonly Check[]; time: number }) {
  const { t, list } = useTranslation();
  const count = (state: CheckState): number => checks.filter((check) => check.state === state).length;
  const [errors, warnings] = [count('error'), count('warning')];
  const found = [
    errors > 0 && t('admin.checkup.errors', { count: errors }),
    warnings > 0 && t('admin.checkup.warnings', { count: warnings }),
  ].filter((text) => typeof text === 'string');
  return (
    <>
      <span role="status">{found.length === 0 ? t('admin.checkup.allGood') : list(found)}</span>
      <span aria-hidden="true">·</span>
      <RelativeTime time={time} />
    </>
  );
}

function One({ check: { id, state, finding, facts } }: { check: Check }) {
  const { t } = useTranslation();
  const { Icon, tone } = looks[state];
  const { page, settings } = more[id];
  // A reason may be the key of an error.
  const reason = String(facts.reason);
  const values = { ...facts, reason: hasText(reason) ? t(reason) : reason };
  const textOf = (key: string): string | undefined => (hasText(key) ? t(key, values) : undefined);
  const own = finding === unchecked ? 'admin.checkup.unchecked' : `admin.checkup.${id}.${finding}`;
  const fix = textOf(`${own}.fix`);
  return (
    <li className={styles.check} data-state={state}>
      <Icon className={styles.icon} />
      <div className={styles.body}>
        <h2 className={styles.title}>
          {t(`admin.checkup.${id}`)}
          <Chip tone={tone}>{t(`admin.checkup.state.${state}`)}</Chip>
        </h2>
        <p className={styles.text}>{textOf(own)}</p>
        {fix !== undefined && <p className={styles.text}>{fix}</p>}
        {id === 'index' && <RebuildIndex />}
        {state !== 'ok' && (
          <p className={styles.more}>
            {settings !== undefined && (
              <Link href={withParameters(adminPaths.settings, { q: settings })}>
                {t('admin.checkup.settings')}
              </Link>
            )}
            <DocsLink page={page} about={t(`admin.checkup.${id}`)} />
          </p>
        )}
      </div>
    </li>
  );
}

function RebuildIndex() {
  const { t } = useTranslation();
  const showError = useErrorToast();
  const rebuild = useRebuildIndex();
  const run = () =>
    rebuild.mutateAsync().then(() => toasts.success(t('admin.checkup.indexRebuilt')), showError);
  return (
    <div className={work.actions}>
      <Button small busy={rebuild.isPending} onClick={() => void run()}>
        {t('admin.checkup.rebuildIndex')}
      </Button>
    </div>
  );
}
