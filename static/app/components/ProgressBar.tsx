import styles from './ProgressBar.module.css';

interface ProgressBarProps {
  /** For screen readers. */
  label: string;
  done: number;
  total: number;
}

/** How much of some work is done. */
export function ProgressBar({ label, done, total }: ProgressBarProps) {
  return <progress className={styles.bar} value={done} max={total} aria-label={label} />;
}
