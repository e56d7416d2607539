import { type DragEvent, type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { isTaken } from '../lib/takenKey';
import { Link } from '../navigation/location';
import { useTranslation } from '../texts/i18n';
import { IconButton } from './Button';
import { Checkbox } from './Checkbox';
import { classNames } from './classNames';
import { CloseIcon } from './icons';
import { keepFocus } from './keepFocus';
import { useFocusAfterRename } from './RenameField';
import styles from './Rows.module.css';
import { AscendingIcon, DescendingIcon } from './screenIcons';

export interface RowCell {
  key: string;
  content: ReactNode;
  /**
   * Width of the column on a desktop as a CSS length, the same in every row. On a phone all cells share the second
   * line.
   */
  width: string;
  /** A smaller width, for lists that are narrower than 900 px. */
  narrow?: string;
  /** Left out on a phone. */
  wideOnly?: boolean;
  /** Left out where the cells share the second line, because it would repeat the first. */
  columnOnly?: boolean;
  /** The content is a Chip. Between texts there is a dot on a phone. */
  chip?: boolean;
}

export interface RowProps {
  /** The address that the row links to. The whole row is the link. */
  href: string;
  name: string;
  /** A RenameField that is shown instead of the name. */
  rename?: ReactNode;
  /** Chips after the name: tags, "Read only". */
  chips?: ReactNode;
  selected?: boolean;
  /** Adds a checkbox; `range`: for all rows since the last one. Shown on hover, and while `Rows` is `selecting`. */
  onSelect?: (range: boolean) => void;
  /** A Star, or an icon if the thing cannot be bookmarked. */
  star?: ReactNode;
  /** The values, each in its column. */
  cells?: readonly RowCell[];
  /** A Menu with all other actions. */
  menu?: ReactNode;
  /** `start`: dragging the row begins. `end`: it has ended. */
  onDrag?: { start: (event: DragEvent) => void; end: () => void };
  /** What the key `e` does while the focus is in the row. */
  onEdit?: () => void;
  /** Shown muted, as for archived folders. */
  muted?: boolean;
}

const edits = new WeakMap<Element, () => void>();

/** Does what the row's `onEdit` says. */
export function editRow(row: Element): void {
  edits.get(row)?.();
}

function useRowEdit(row: RefObject<HTMLLIElement | null>, onEdit: (() => void) | undefined): void {
  useEffect(() => {
    const element = row.current;
    if (element === null || onEdit === undefined) return undefined;
    edits.set(element, onEdit);
    return () => void edits.delete(element);
  }, [row, onEdit]);
}

/** The address of a row that had the focus and is being removed, and its control that had it. */
let removedWithFocus = '';
let removedControl = '';

/** A row that moves to another section is made anew there. The focus moves with it, on its star or else its link. */
function useFocusAfterMove(row: RefObject<HTMLLIElement | null>, href: string): void {
  useLayoutEffect(() => {
    const element = row.current;
    if (removedWithFocus === href) element?.querySelector<HTMLElement>(removedControl)?.focus();
    return () => {
      if (!element?.matches(':focus-within')) return;
      removedWithFocus = href;
      removedControl = element.querySelector('[data-key]:focus') ? '[data-key]' : 'a';
      setTimeout(() => {
        removedWithFocus = '';
      });
      keepFocus();
    };
  }, [row, href]);
}

/**
 * A row of a list: name, columns, and a menu at the end. The buttons are beside the link, not inside it, as HTML
 * requires.
 */
export function Row({
  href,
  name,
  rename,
  chips,
  selected = false,
  onSelect,
  star,
  cells = [],
  menu,
  onDrag,
  onEdit,
  muted = false,
}: RowProps) {
  const { t } = useTranslation();
  const row = useRef<HTMLLIElement>(null);
  useRowEdit(row, onEdit);
  useFocusAfterMove(row, href);
  const renaming = Boolean(rename);
  const link = useFocusAfterRename<HTMLAnchorElement>(renaming);
  return (
    <li
      ref={row}
      data-row
      className={classNames(styles.row, selected && styles.selected, muted && styles.muted)}
    >
      {onSelect !== undefined && (
        <div className={styles.select}>
          <Checkbox
            labelHidden
            label={t('folders.select', { name })}
            checked={selected}
            onChange={({ nativeEvent }) =>
              onSelect(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
            }
          />
        </div>
      )}
      {star && <div className={styles.star}>{star}</div>}
      <div className={styles.main}>
        {renaming ? (
          rename
        ) : (
          <Link
            ref={link}
            href={href}
            className={styles.name}
            onDragStart={onDrag?.start}
            onDragEnd={onDrag?.end}
          >
            <bdi>{name}</bdi>
          </Link>
        )}
        {!renaming && chips && <div className={styles.chips}>{chips}</div>}
      </div>
      {cells.length > 0 && (
        <div className={styles.cells}>
          {cells.map(({ key, content, width, narrow, wideOnly, columnOnly, chip }) => (
            <div
              key={key}
              className={classNames(
                styles.cell,
                columnOnly ? styles.columnOnly : !chip && styles.text,
                wideOnly && styles.wideOnly,
              )}
              style={{ '--width': width, '--narrow': narrow }}
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

export interface RowHeading<Field extends string> {
  key: string;
  label: string;
  /** As in `RowCell`. Missing for the column with the names. */
  width?: string;
  narrow?: string;
  wideOnly?: boolean;
  /** The list can be sorted by this field. Without it, the heading is only a word. */
  field?: Field;
  /** The first press puts the largest or latest first. */
  descendingFirst?: boolean;
}

export interface RowHeadingsProps<Field extends string> {
  /** The column of the names first, then the cells of the rows in their order. */
  headings: readonly RowHeading<Field>[];
  /** The field that the list is sorted by. */
  value: Field;
  ascending: boolean;
  /** A press on the current field reverses the order. */
  onSort: (field: Field, ascending: boolean) => void;
  /** The rows have no star, so the headings stand further left. */
  withoutStar?: boolean;
}

/** The headings above the columns of a list. Where rows have two lines, a menu is used for sorting. */
export function RowHeadings<Field extends string>(props: RowHeadingsProps<Field>) {
  const { headings, value, ascending, onSort, withoutStar } = props;
  const { t } = useTranslation();
  const Arrow = ascending ? AscendingIcon : DescendingIcon;
  const content = ({ label, field, descendingFirst = false }: RowHeading<Field>): ReactNode => {
    if (field === undefined) return label;
    const current = field === value;
    const direction = ascending ? t('sort.ascending') : t('sort.descending');
    return (
      <button
        type="button"
        aria-label={t('sort.by', { field: label })}
        aria-pressed={current}
        title={current ? direction : undefined}
        className={styles.sort}
        onClick={() => onSort(field, current ? !ascending : !descendingFirst)}
      >
        <span>{label}</span>
        {current && <Arrow />}
      </button>
    );
  };
  const [first, ...cells] = headings;
  return (
    <div className={styles.frame}>
      <div className={classNames(styles.headings, withoutStar && styles.withoutStar)}>
        <div className={styles.main}>{first && content(first)}</div>
        <div className={styles.cells}>
          {cells.map((cell) => (
            <div
              key={cell.key}
              className={classNames(styles.cell, cell.wideOnly && styles.wideOnly)}
              style={{ '--width': cell.width, '--narrow': cell.narrow }}
            >
              {content(cell)}
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}

export interface RowsProps {
  /** The label of the list, for screen readers. */
  label: string;
  /** Whether rows are being selected. All checkboxes are visible then. */
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
  /** Label of the button that clears the selection. */
  clearLabel: string;
  onClear: () => void;
  /** Why some actions are missing. */
  note?: string;
  /** Actions on all selected rows: small Buttons. */
  children: ReactNode;
}

/** Shown while rows are selected: their number and the actions on all of them. Escape clears the selection. */
export function SelectionBar({ text, clearLabel, onClear, note, children }: SelectionBarProps) {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !isTaken(event)) onClear();
    };
    // In the capture phase, before Escape has closed a menu.
    addEventListener('keydown', listen, true);
    return () => removeEventListener('keydown', listen, true);
  }, [onClear]);
  useEffect(() => keepFocus, []);
  return (
    // Gets the focus when a button of it goes that had it.
    <section aria-label={text} tabIndex={-1} data-selection className={styles.bar}>
      <IconButton small label={clearLabel} icon={<CloseIcon />} onClick={onClear} />
      <p role="status" className={styles.barText}>
        {text}
      </p>
      <div className={styles.barActions}>{children}</div>
      {note !== undefined && <p className={styles.barNote}>{note}</p>}
    </section>
  );
}
