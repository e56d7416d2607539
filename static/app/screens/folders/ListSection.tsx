import { Rows, type RowsProps } from '../../components/Rows';
import { useTranslation } from '../../texts/i18n';
import styles from './Folders.module.css';

interface ListSectionProps extends RowsProps {
  /** The number beside the heading. Without it there is no heading. */
  count: number | undefined;
  /** The sidebar has a section of this name already. */
  unnamed?: boolean;
}

/** A part of the list of folders. */
export function ListSection({ count, unnamed = false, ...rows }: ListSectionProps) {
  const { digits } = useTranslation();
  return (
    <section className={styles.section} aria-label={unnamed ? undefined : rows.label}>
      {count !== undefined && (
        <h2 className={styles.heading}>
          {rows.label}
          <span className={styles.number}>{digits(count)}</span>
        </h2>
      )}
      <Rows {...rows} />
    </section>
  );
}
