import { useEffect, useState } from 'react';
import styles from './ProgressBar.module.css';

interface ProgressBarProps {
  /** “3 of 50”; shown above the bar. */
  text: string;
  done: number;
  total: number;
  className?: string | undefined;
}

/** How much of some work is done. Only how it begins is announced: fifty messages would go on after the end. */
export function ProgressBar({ text, done, total, className }: ProgressBarProps) {
  const [first, setFirst] = useState('');
  // A moment after the element is there, or it is not announced.
  // biome-ignore lint/correctness/useExhaustiveDependencies: later texts are only shown
  useEffect(() => setFirst(text), []);
  return (
    <>
      <p role="status" className="visually-hidden">
        {first}
      </p>
      <p aria-hidden="true" className={className ?? styles.text}>
        {text}
      </p>
      <progress className={styles.bar} value={done} max={total} aria-label={text} />
    </>
  );
}
