import type { ReactNode } from 'react';
import styles from './Failure.module.css';
import { ErrorIcon } from './icons';

/** A red box that says what went wrong. What is around it announces it to screen readers. */
export function Failure({ children }: { children: ReactNode }) {
  return (
    <div className={styles.failure}>
      <ErrorIcon />
      <div>{children}</div>
    </div>
  );
}
