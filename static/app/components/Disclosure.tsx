import type { DetailsHTMLAttributes, ReactNode } from 'react';
import styles from './Disclosure.module.css';
import { ExpandIcon } from './screenIcons';

export interface DisclosureProps extends DetailsHTMLAttributes<HTMLDetailsElement> {
  /** What is shown while the rest is hidden; a press on it shows or hides the rest. */
  summary: ReactNode;
}

/** A part of a screen that is hidden until somebody asks for it. */
export function Disclosure({ summary, children, ...props }: DisclosureProps) {
  return (
    <details {...props}>
      <summary className={styles.summary}>
        <ExpandIcon />
        {summary}
      </summary>
      {children}
    </details>
  );
}
