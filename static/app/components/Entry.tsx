import type { ReactNode } from 'react';
import { useIgnoreSecondPress } from '../lib/secondPress';
import styles from './Entry.module.css';
import { keepsFocus } from './keepFocus';

export interface EntryProps {
  icon: ReactNode;
  name: string;
  /** Facts below the name. */
  children: ReactNode;
  /** At the end; on a phone below the facts. */
  buttons: ReactNode;
}

/** An entry of a list whose entries are no links: what it is about, and what can be done with it. */
export function Entry({ icon, name, children, buttons }: EntryProps) {
  useIgnoreSecondPress();
  return (
    <li ref={keepsFocus} className={styles.entry}>
      <span className={styles.icon}>{icon}</span>
      <div className={styles.text}>
        <p className={styles.name}>
          <bdi>{name}</bdi>
        </p>
        {children}
      </div>
      <div className={styles.buttons}>{buttons}</div>
    </li>
  );
}
