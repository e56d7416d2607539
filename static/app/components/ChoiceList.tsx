import {
  type KeyboardEvent,
  type ReactNode,
  startTransition,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { useLatest } from '../lib/useLatest';
import styles from './ChoiceList.module.css';
import { classNames } from './classNames';
import inputStyles from './Input.module.css';
import { SearchIcon } from './screenIcons';

export interface Choice {
  id: string;
  label: string;
  /** Small text at the end: the folder that it is in. */
  hint?: string;
  icon?: ReactNode;
}

export interface ChoiceSection<Item extends Choice> {
  heading?: string;
  choices: readonly Item[];
}

export interface ChoiceListProps<Item extends Choice> {
  /** Name of the field and of the list. */
  label: string;
  placeholder?: string;
  /** What the results are for. */
  text: string;
  /** Called in a transition, so that a letter is on the screen before its results. */
  onText: (text: string) => void;
  sections: readonly ChoiceSection<Item>[];
  /** `elsewhere`: chosen with Ctrl or Cmd, which opens links in a new tab. */
  onChoose: (choice: Item, elsewhere: boolean) => void;
  /** Shown when there is nothing to choose. */
  empty: ReactNode;
  /** Without borders, for use inside a container that has some. */
  flush?: boolean;
}

/**
 * The marked choice. The first one is marked after each key; arrow and page keys move the mark. It stays on its choice
 * when others come or go.
 */
function useMark<Item extends Choice>(
  all: readonly Item[],
  { text, onText, onChoose }: Pick<ChoiceListProps<Item>, 'text' | 'onText' | 'onChoose'>,
) {
  const [marked, setMarked] = useState<string>();
  const [markedFor, setMarkedFor] = useState(text);
  if (markedFor !== text) {
    setMarkedFor(text);
    setMarked(undefined);
  }
  const at = Math.max(
    0,
    all.findIndex(({ id }) => id === marked),
  );
  const latest = useLatest({ all, at, onChoose });

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.nativeEvent.isComposing) return;
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (steps === undefined && event.key !== 'Enter') return;
    const typed = event.currentTarget.value;
    if (typed !== text) flushSync(() => onText(typed));
    const shown = latest.current;
    if (steps === undefined) {
      event.preventDefault();
      const current = shown.all[shown.at];
      if (current !== undefined) shown.onChoose(current, event.ctrlKey || event.metaKey);
    } else if (shown.all.length > 0) {
      event.preventDefault();
      const { length } = shown.all;
      const next = shown.at + steps;
      const to = Math.abs(steps) === 1 ? (next + length) % length : Math.max(0, Math.min(length - 1, next));
      setMarked(shown.all[to]?.id);
    }
  };
  return { current: all[at], mark: ({ id }: Item) => setMarked(id), onKeyDown };
}

/**
 * A search field with the results below. The field keeps the focus: arrow keys move through the results, Enter chooses
 * the marked one. The first result is marked after each key.
 */
export function ChoiceList<Item extends Choice>(props: ChoiceListProps<Item>) {
  const { label, placeholder = label, text, onText, sections, onChoose, empty, flush = false } = props;
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const all = sections.flatMap(({ choices }) => choices);
  const { current, mark, onKeyDown } = useMark(all, props);
  const optionId = (choice: Item): string => `${id}-${choice.id}`;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a newly marked result must be visible
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [current?.id]);

  return (
    <div className={classNames(styles.frame, flush && styles.flush)}>
      <div className={styles.search}>
        <SearchIcon className={styles.glass} />
        <input
          type="text"
          role="combobox"
          data-first
          aria-label={label}
          aria-expanded={all.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={current === undefined ? undefined : optionId(current)}
          placeholder={placeholder}
          defaultValue={text}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="go"
          className={classNames(inputStyles.input, styles.input)}
          onChange={({ target: { value } }) => startTransition(() => onText(value))}
          onKeyDown={onKeyDown}
        />
      </div>
      <div ref={list} id={`${id}-list`} role="listbox" aria-label={label} className={styles.list}>
        {sections.map(({ heading, choices }, index) => {
          if (choices.length === 0) return null;
          const options = choices.map((choice) => (
            <Option
              key={choice.id}
              id={optionId(choice)}
              choice={choice}
              marked={choice === current}
              onMark={() => mark(choice)}
              onChoose={(elsewhere) => onChoose(choice, elsewhere)}
            />
          ));
          if (heading === undefined) return options;
          return (
            // biome-ignore lint/a11y/useSemanticElements: a fieldset is not allowed in a listbox
            <div key={heading} role="group" aria-labelledby={`${id}-heading-${index}`}>
              <div id={`${id}-heading-${index}`} role="presentation" className={styles.heading}>
                {heading}
              </div>
              {options}
            </div>
          );
        })}
      </div>
      <div role="status" className={styles.empty}>
        {all.length === 0 && empty}
      </div>
    </div>
  );
}

interface OptionProps {
  id: string;
  choice: Choice;
  marked: boolean;
  onMark: () => void;
  onChoose: (elsewhere: boolean) => void;
}

function Option({ id, choice: { label, hint, icon }, marked, onMark, onChoose }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the field keeps the focus and handles the keys
    <div
      id={id}
      role="option"
      aria-selected={marked}
      className={styles.option}
      onPointerMove={() => !marked && onMark()}
      onMouseDown={(event) => event.preventDefault()}
      onClick={(event) => onChoose(event.ctrlKey || event.metaKey)}
    >
      {icon}
      <span className={styles.label}>{label}</span>
      {hint !== undefined && <span className={styles.hint}>{hint}</span>}
    </div>
  );
}
