import type { BulkResult, Progress } from '../../data/mutations';
import { useErrorText } from '../../errorText';
import styles from './removal.module.css';

export interface FailuresProps {
  title: string;
  failed: BulkResult['failed'];
  /** The name of a thing by its id. */
  nameOf: (id: string) => string;
}

/** What of a row of calls did not work, and why. */
export function Failures({ title, failed, nameOf }: FailuresProps) {
  const errorText = useErrorText();
  return (
    <div role="alert" className={styles.failures}>
      <strong>{title}</strong>
      <ul className={styles.list}>
        {failed.map(({ id, error }) => (
          <li key={id}>
            {nameOf(id)}: {errorText(error)}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** How far a row of calls has come, for the eye and read aloud. */
export function ProgressLine({ progress, text }: { progress: Progress; text: string }) {
  return (
    <div role="status">
      <p className={styles.muted}>{text}</p>
      <progress className={styles.progress} value={progress.done} max={progress.total} aria-label={text} />
    </div>
  );
}
