import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from '../i18n';
import { Button, IconButton } from './Button';
import { classNames } from './classNames';
import styles from './Filters.module.css';
import { AscendingIcon, CloseIcon, DescendingIcon, FilterIcon, SearchIcon } from './icons';
import { Menu } from './Menu';

export interface SearchFieldProps {
  /** What is searched: "Search folders". */
  label: string;
  /** What is searched for now, such as a parameter of the URL. */
  value: string;
  /** Called a moment after the last key; `''` when it is cleared or shorter than `least`. */
  onChange: (value: string) => void;
  /** Fewest characters; a line below says so while there are fewer. 1 unless told. */
  least?: number;
}

/** Milliseconds after the last key: the URL changes with each search, and browsers limit how often it may. */
const pause = 40;

/** Searches while it is typed; Escape clears. */
export function SearchField({ label, value, onChange, least = 1 }: SearchFieldProps) {
  const { t } = useTranslation();
  const [text, setText] = useState(value);
  const [sent, setSent] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  if (value !== sent) {
    setSent(value);
    setText(value);
  }
  useEffect(() => () => clearTimeout(timer.current), []);
  const trimmed = text.trim();
  const change = (next: string, wait: number): void => {
    setText(next);
    clearTimeout(timer.current);
    const search = next.trim().length < least ? '' : next.trim();
    timer.current = setTimeout(() => {
      setSent(search);
      onChange(search);
    }, wait);
  };
  return (
    <search className={styles.search}>
      <SearchIcon className={styles.glass} />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        autoComplete="off"
        className={styles.input}
        onChange={(event) => change(event.target.value, pause)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && text !== '') change('', 0);
          if (event.key === 'Enter') change(text, 0);
        }}
      />
      {text !== '' && (
        <button
          type="button"
          className={styles.clear}
          aria-label={t('filter.clearSearch')}
          title={t('filter.clearSearch')}
          onClick={() => change('', 0)}
        >
          <CloseIcon />
        </button>
      )}
      <p role="status" className={styles.least}>
        {trimmed !== '' && trimmed.length < least && t('filter.least', { count: least })}
      </p>
    </search>
  );
}

export interface SortMenuProps<Field extends string> {
  options: readonly { value: Field; label: string }[];
  value: Field;
  ascending: boolean;
  /** Choosing the current one again turns the direction around. */
  onChange: (value: Field, ascending: boolean) => void;
}

/** By what a list is sorted, and in which direction. */
export function SortMenu<Field extends string>({
  options,
  value,
  ascending,
  onChange,
}: SortMenuProps<Field>) {
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
          className={styles.sort}
          icon={<Arrow />}
          title={direction}
          aria-label={t('sort.current', { field: current, direction })}
        >
          <span className={styles.current}>{current}</span>
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
  /** SortMenu and other buttons at its right. */
  tools?: ReactNode;
  /** ChipButtons, on their own line; on a phone behind a button. */
  children?: ReactNode;
  /** How many of how many: "12 of 200 folders". Announced when it changes. */
  count?: string;
  /** Takes all filters away; shown at the count when given. */
  onClear?: () => void;
}

/** What stands above a list: search, sort, filters and the count. */
export function FilterBar({ search, tools, children, count, onClear }: FilterBarProps) {
  const { t } = useTranslation();
  const id = useId();
  const [open, setOpen] = useState(onClear !== undefined);
  return (
    <div className={styles.bar}>
      <div className={styles.line}>
        {search}
        {children !== undefined && (
          <IconButton
            kind="secondary"
            label={t('filter.label')}
            icon={<FilterIcon />}
            className={styles.toggle}
            aria-expanded={open}
            aria-controls={id}
            onClick={() => setOpen(!open)}
          />
        )}
        {tools}
      </div>
      {children !== undefined && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset would draw its own box around buttons that are no fields
        <div
          id={id}
          role="group"
          aria-label={t('filter.label')}
          className={classNames(styles.chips, open && styles.open)}
        >
          {children}
        </div>
      )}
      <div className={styles.count}>
        <p role="status">{count}</p>
        {onClear !== undefined && (
          <Button kind="quiet" small onClick={onClear}>
            {t('filter.clear')}
          </Button>
        )}
      </div>
    </div>
  );
}
