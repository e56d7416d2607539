import type { ReactNode } from 'react';
import { Link } from '../location';
import { IconButton } from './Button';
import { classNames } from './classNames';
import { CloseIcon } from './icons';
import styles from './Rows.module.css';

export interface RowCell {
  key: string;
  content: ReactNode;
  /** CSS length of its column on a desktop, the same in every row. On a phone the cells share the second line. */
  width: string;
  /** Left out on a phone. */
  wideOnly?: boolean;
}

export interface RowProps {
  /** The place that the row leads to; the whole row is its link. */
  href: string;
  name: string;
  /** Something small right after the name: tags, "Read only". */
  chips?: ReactNode;
  /** A Checkbox with a hidden label. Shows when the row is pointed at, or everywhere while `Rows` is selecting. */
  select?: ReactNode;
  selected?: boolean;
  /** A Star, or an icon where there is none. */
  star?: ReactNode;
  /** The facts, each in its column. */
  cells?: readonly RowCell[];
  /** A Menu with everything else. */
  menu?: ReactNode;
  /** Muted: archived and the like. */
  quiet?: boolean;
}

/** A thing in a list: name first, facts in columns, a menu at the end. Its controls are beside the link, not inside it. */
export function Row({
  href,
  name,
  chips,
  select,
  selected = false,
  star,
  cells = [],
  menu,
  quiet = false,
}: RowProps) {
  return (
    <li className={classNames(styles.row, selected && styles.selected, quiet && styles.quiet)}>
      {select !== undefined && <div className={styles.select}>{select}</div>}
      {star !== undefined && <div className={styles.star}>{star}</div>}
      <div className={styles.main}>
        <Link href={href} className={styles.name}>
          {name}
        </Link>
        {chips !== undefined && <div className={styles.chips}>{chips}</div>}
      </div>
      {cells.length > 0 && (
        <div className={styles.cells}>
          {cells.map(({ key, content, width, wideOnly }) => (
            <div
              key={key}
              className={classNames(styles.cell, wideOnly && styles.wideOnly)}
              style={{ '--width': width }}
            >
              {content}
            </div>
          ))}
        </div>
      )}
      {menu !== undefined && <div className={styles.menu}>{menu}</div>}
    </li>
  );
}

export interface RowsProps {
  /** What the list holds, for those who cannot see its heading. */
  label: string;
  /** Rows are being selected: every checkbox shows. */
  selecting?: boolean;
  children: ReactNode;
}

/** A list of Rows. */
export function Rows({ label, selecting = false, children }: RowsProps) {
  return (
    <ul aria-label={label} className={classNames(styles.rows, selecting && styles.selecting)}>
      {children}
    </ul>
  );
}

export interface SelectionBarProps {
  /** "3 selected"; announced when it changes. */
  text: string;
  /** Name of the cross that lets all go. */
  clearLabel: string;
  onClear: () => void;
  /** What may be done with all of them: small Buttons. */
  children: ReactNode;
}

/** Raised while rows are selected: how many, and what may be done with all of them. */
export function SelectionBar({ text, clearLabel, onClear, children }: SelectionBarProps) {
  return (
    <section aria-label={text} className={styles.bar}>
      <IconButton small label={clearLabel} icon={<CloseIcon />} onClick={onClear} />
      <p role="status" className={styles.barText}>
        {text}
      </p>
      {children}
    </section>
  );
}
