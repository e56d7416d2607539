import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { isLongEnough } from '../lib/matching';
import { useTranslation } from '../texts/i18n';
import { Button } from './Button';
import { classNames } from './classNames';
import styles from './Filters.module.css';
import { CloseIcon } from './icons';
import { Menu } from './Menu';
import { AscendingIcon, DescendingIcon, FilterIcon, SearchIcon } from './screenIcons';
import { useFirstFocus } from './useFirstFocus';

export interface SearchFieldProps {
  /** The label: "Search folders". */
  label: string;
  /** The current search text, such as a parameter of the URL. */
  value: string;
  /** Called after a key press, with `''` if the text is empty or too short for `least`. */
  onChange: (value: string) => void;
  /** Fewest characters of a search, as for `isLongEnough`; 1 by default. A hint is shown while there are fewer. */
  least?: number;
  /** Gets the focus when it is first shown, except on a touch screen. */
  focused?: boolean;
}

/** Shortest time between two searches, in ms. Each changes the URL, and browsers limit how often that may happen. */
const pause = 40;

/** A search field that searches while the person types. Escape clears it. */
export function SearchField({ label, value, onChange, least = 1, focused = false }: SearchFieldProps) {
  const id = useId();
  useFirstFocus(id, focused);
  const { t } = useTranslation();
  const [text, setText] = useState(value);
  const [sent, setSent] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const searched = useRef(-pause);
  if (value !== sent) {
    setSent(value);
    setText(value);
  }
  useEffect(() => () => clearTimeout(timer.current), []);
  const trimmed = text.trim();
  const change = (next: string): void => {
    setText(next);
    clearTimeout(timer.current);
    const search = isLongEnough(next.trim(), least) ? next.trim() : '';
    timer.current = setTimeout(
      () => {
        searched.current = performance.now();
        setSent(search);
        onChange(search);
      },
      searched.current + pause - performance.now(),
    );
  };
  return (
    <search className={styles.search}>
      <SearchIcon className={styles.glass} />
      <input
        id={id}
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        autoComplete="off"
        className={styles.input}
        onChange={(event) => change(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && text !== '') change('');
          if (event.key === 'Enter') change(text);
        }}
      />
      {text !== '' && (
        <button
          type="button"
          className={styles.clear}
          aria-label={t('filter.clearSearch')}
          title={t('filter.clearSearch')}
          onClick={() => {
            change('');
            document.getElementById(id)?.focus();
          }}
        >
          <CloseIcon />
        </button>
      )}
      <p role="status" className={styles.least}>
        {trimmed !== '' && !isLongEnough(trimmed, least) && t('filter.least', { count: least })}
      </p>
    </search>
  );
}

export interface SortMenuProps<Field extends string> {
  options: readonly { value: Field; label: string }[];
  value: Field;
  ascending: boolean;
  /** Choosing the current field again reverses the order. */
  onChange: (value: Field, ascending: boolean) => void;
}

/** A menu for the field and the direction by which a list is sorted. */
export function SortMenu<Field extends string>(props: SortMenuProps<Field>) {
  const { options, value, ascending, onChange } = props;
  const { t } = useTranslation();
  const current = options.find((option) => option.value === value)?.label ?? '';
  const direction = ascending ? t('sort.ascending') : t('sort.descending');
  const Arrow = ascending ? AscendingIcon : DescendingIcon;
  return (
    <Menu
      label={t('sort.label')}
      trigger={(props) => (
        <Button
          {...props}
          className={styles.tool}
          icon={<Arrow />}
          title={direction}
          aria-label={t('sort.current', { field: current, direction })}
        >
          {current}
        </Button>
      )}
      items={[
        { heading: t('sort.label') },
        ...options.map((option) => ({
          label: option.label,
          checked: option.value === value,
          onSelect: () => onChange(option.value, option.value === value ? !ascending : ascending),
        })),
        'line',
        {
          label: t('sort.ascending'),
          icon: <AscendingIcon />,
          checked: ascending,
          onSelect: () => onChange(value, true),
        },
        {
          label: t('sort.descending'),
          icon: <DescendingIcon />,
          checked: !ascending,
          onSelect: () => onChange(value, false),
        },
      ]}
    />
  );
}

export interface FilterBarProps {
  /** SearchField. */
  search: ReactNode;
  /** SortMenu and other buttons on the right. */
  tools?: ReactNode;
  /** ChipButtons on a second line that a button shows. */
  children?: ReactNode;
  /** Whether a filter is active. The second line is shown then. */
  filtered?: boolean;
  /** The number of results: "12 of 200 folders". Announced when it changes. */
  count?: string;
  /** Clears all filters. The button is beside the count. */
  onClear?: () => void;
}

/** The bar above a list: search, sorting, filters and the number of results. */
export function FilterBar({ search, tools, children, filtered = false, count, onClear }: FilterBarProps) {
  const { t } = useTranslation();
  const id = useId();
  const [open, setOpen] = useState(filtered);
  const [wasFiltered, setWasFiltered] = useState(filtered);
  if (wasFiltered !== filtered) {
    setWasFiltered(filtered);
    if (filtered) setOpen(true);
  }
  return (
    <div className={styles.bar}>
      <div className={styles.line}>
        {search}
        {children !== undefined && (
          <Button
            icon={<FilterIcon />}
            title={t('filter.label')}
            className={styles.tool}
            aria-label={t('filter.label')}
            aria-expanded={open}
            aria-controls={id}
            onClick={() => setOpen(!open)}
          >
            {t('filter.label')}
          </Button>
        )}
        {tools}
        <div className={styles.count}>
          <p role="status">{count}</p>
          {onClear !== undefined && (
            <Button kind="quiet" small onClick={onClear}>
              {t('filter.clear')}
            </Button>
          )}
        </div>
      </div>
      {children !== undefined && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset would draw its own box around these buttons
        <div
          id={id}
          role="group"
          aria-label={t('filter.label')}
          className={classNames(styles.chips, open && styles.open)}
        >
          {children}
        </div>
      )}
    </div>
  );
}
