import { ProgressBar } from '../../components/ProgressBar';
import type { BulkResult, Progress } from '../../data/padChanges';
import { useErrorText } from '../../texts/errorText';
import { useTranslation } from '../../texts/i18n';
import styles from './removal.module.css';

export interface FailuresProps {
  title: string;
  failed: BulkResult['failed'];
  /** Returns the name for an id. */
  nameOf: (id: string) => string;
}

/** Lists the failures of several calls with their reasons. */
export function Failures({ title, failed, nameOf }: FailuresProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  return (
    <div role="alert" className={styles.failures}>
      <strong>{title}</strong>
      <ul className={styles.list}>
        {failed.map(({ id, error }) => (
          <li key={id}>{t('text.detail', { text: nameOf(id), detail: errorText(error) })}</li>
        ))}
      </ul>
    </div>
  );
}

/** Shows the progress of several calls. Screen readers announce the start, not each step: the bar has those. */
export function ProgressLine({ progress, text }: { progress: Progress; text: string }) {
  return (
    <div>
      <p className={styles.muted}>{text}</p>
      <ProgressBar label={text} done={progress.done} total={progress.total} />
      <p role="status" className="visually-hidden">
        {progress.done === 0 && text}
      </p>
    </div>
  );
}
