import { type ReactNode, useId } from 'react';
import { partHeading } from '../../components/PageParts';
import { HelpLink } from '../guide/HelpLink';
import styles from './Account.module.css';

export interface SectionProps {
  /** Its name in the address. */
  part: string;
  title: string;
  /** A sentence below the heading. */
  intro?: string;
  /** A page of the guide about it. */
  help?: string;
  children: ReactNode;
}

/** A part of the account screen with its heading. */
export function Section({ part, title, intro, help, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={styles.section}>
      <h2 {...partHeading(part)} id={id} className={styles.heading}>
        {title}
      </h2>
      {intro !== undefined && (
        <p className={styles.intro}>
          {intro} {help !== undefined && <HelpLink page={help} about={title} />}
        </p>
      )}
      {children}
    </section>
  );
}

export interface FactProps {
  name: string;
  /** A button that changes the value. */
  action?: ReactNode;
  children: ReactNode;
}

/** A value that this screen shows as text, without an input. Use it in a `dl`. */
export function Fact({ name, action, children }: FactProps) {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
      {action !== undefined && <dd>{action}</dd>}
    </div>
  );
}
