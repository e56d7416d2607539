import type { ReactNode } from 'react';
import { keepsFocus } from '../../components/keepFocus';
import { useHeadingFocus, usePageTitle } from '../../components/pageTitle';
import styles from './Card.module.css';
import { LoginMessage } from './LoginMessage';

export interface CardProps {
  title: string;
  /** Links below the card. */
  footer?: ReactNode;
  /** Whether to show the administrators' message (the setting loginMsg). */
  withMessage?: boolean;
  children: ReactNode;
}

/** The card of a screen for guests. */
export function Card({ title, footer, withMessage = false, children }: CardProps) {
  usePageTitle(title);
  const heading = useHeadingFocus();
  return (
    <div ref={keepsFocus} className={styles.column}>
      {withMessage && <LoginMessage />}
      <div className={styles.card}>
        <h1 ref={heading} tabIndex={-1} className={styles.title}>
          {title}
        </h1>
        {children}
      </div>
      {footer !== undefined && <div className={styles.footer}>{footer}</div>}
    </div>
  );
}
