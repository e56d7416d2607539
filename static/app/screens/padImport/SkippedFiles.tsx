import type { ImportProgress } from '../../../../api/padImport/schema';
import { useTranslation } from '../../texts/i18n';
import styles from './Import.module.css';

interface SkippedFilesProps {
  files: ImportProgress['failed'];
  /** How many there are, if only some are listed. */
  count?: number;
}

/** Files of which no pad is made, each with the reason and what to do. */
export function SkippedFiles({ files, count = files.length }: SkippedFilesProps) {
  const { t, digits } = useTranslation();
  if (count === 0) return null;
  return (
    <section className={styles.section}>
      <h2 className={styles.heading}>
        {t('import.skipped')} <span className="muted">{digits(count)}</span>
      </h2>
      <ul className={styles.list}>
        {files.map(({ path, fault }) => (
          <li key={path} className={styles.row}>
            <bdi className={styles.name}>{path}</bdi>
            <span className="muted">{t(`import.fault.${fault}`)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
