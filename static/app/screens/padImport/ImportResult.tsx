import type { ImportProgress } from '../../../../api/padImport/schema';
import { Button } from '../../components/Button';
import { ProgressBar } from '../../components/ProgressBar';
import { ErrorState, Loading, SkeletonRows } from '../../components/States';
import { FolderIcon, PadIcon } from '../../components/screenIcons';
import { useErrorToast } from '../../components/Toasts';
import { isMissing } from '../../data/client';
import { useCancelImport, useImportProgress } from '../../data/padImports';
import { Link } from '../../navigation/location';
import { paths } from '../../navigation/paths';
import { useTranslation } from '../../texts/i18n';
import styles from './Import.module.css';
import { SkippedFiles } from './SkippedFiles';

/** How far an import is, and what it has made. */
export function ImportResult({ id, onAgain }: { id: string; onAgain: () => void }) {
  const { t } = useTranslation();
  const query = useImportProgress(id);
  const { data, error } = query;
  // What it has made stays on the screen after its end.
  if (isMissing(error) && (data === undefined || data.state === 'running')) {
    const again = <Button onClick={onAgain}>{t('import.again')}</Button>;
    return <ErrorState title={t('import.failed')} error={error} action={again} />;
  }
  return (
    <>
      <Loading query={query} failed={t('import.failed')}>
        <SkeletonRows rows={3} />
      </Loading>
      {data?.state === 'running' && <Running progress={data} />}
      <p role="status" className={styles.lead}>
        {data !== undefined && data.state !== 'running' && t(`import.state.${data.state}`)}
      </p>
      {data !== undefined && data.state !== 'running' && (
        <>
          <p className="muted">{t('folders.pads', { count: data.pads.length })}</p>
          <Made progress={data} />
          <SkippedFiles files={data.failed} />
          <div className={styles.actions}>
            <Button onClick={onAgain}>{t('import.again')}</Button>
          </div>
        </>
      )}
    </>
  );
}

function Running({ progress: { key, done, total } }: { progress: ImportProgress }) {
  const { t } = useTranslation();
  const showError = useErrorToast();
  const cancel = useCancelImport(key);
  return (
    <>
      <ProgressBar
        className={styles.lead}
        text={t('import.running', { done, total })}
        done={done}
        total={total}
      />
      <p className="muted">{t('import.running.text')}</p>
      <div className={styles.actions}>
        <Button busy={cancel.isPending} onClick={() => cancel.mutateAsync().catch(showError)}>
          {t('import.cancel')}
        </Button>
      </div>
    </>
  );
}

/** Links to the new folders; or to the pads, if they are in a folder that was there before. */
function Made({ progress: { groups, pads } }: { progress: ImportProgress }) {
  const links =
    groups.length > 0
      ? groups.map(({ _id, name }) => ({ _id, name, href: paths.folder(_id), Icon: FolderIcon }))
      : pads.map(({ _id, name, group }) => ({ _id, name, href: paths.pad(group, _id), Icon: PadIcon }));
  if (links.length === 0) return null;
  return (
    <ul className={styles.list}>
      {links.map(({ _id, name, href, Icon }) => (
        <li key={_id} className={styles.row}>
          <Link href={href} className={styles.link}>
            <Icon className={styles.small} aria-hidden="true" />
            <bdi className={styles.name}>{name}</bdi>
          </Link>
        </li>
      ))}
    </ul>
  );
}
