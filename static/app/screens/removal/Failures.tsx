import { isReported } from '../../components/Toasts';
import type { BulkResult } from '../../data/padChanges';
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
          <li key={id}>
            {isReported(error)
              ? nameOf(id)
              : t('text.detail', { text: nameOf(id), detail: errorText(error) })}
          </li>
        ))}
      </ul>
    </div>
  );
}
