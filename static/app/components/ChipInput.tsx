import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { cutText } from '../../../model/cutText';
import { comparable, contains, scoreOf, searchable, wordsOf } from '../lib/matching';
import { useIgnoreSecondPress } from '../lib/secondPress';
import { guardLeaving } from '../navigation/location';
import { useTranslation } from '../texts/i18n';
import { Avatar, type AvatarPerson } from './Avatar';
import styles from './ChipInput.module.css';
import { classNames } from './classNames';
import { useFieldIds } from './Field';
import { CloseIcon, ErrorIcon } from './icons';

export interface Suggestion {
  /** The entry that is added. */
  value: string;
  /** The text of the suggestion; `value` by default. */
  label?: string;
  /** Shown beside the label, such as an e-mail address. It is searched too. */
  hint?: string;
  person?: AvatarPerson;
  /** Several entries that are added instead of `value`, such as the people of a list. */
  entries?: readonly string[];
  /** Shown before the label if there is no `person`. */
  icon?: ReactNode;
}

export interface ChipInputProps {
  value: readonly string[];
  onChange: (value: string[]) => void;
  suggestions?: readonly Suggestion[];
  /** Returns an error message for a wrong entry, which stays in the list and is marked. */
  check?: (entry: string) => string | undefined;
  /** Largest number of entries. */
  most?: number;
  /** Largest number of characters of an entry. */
  maxLength?: number;
  /** Splits typed or pasted text into entries. Default: at commas, semicolons, spaces and line breaks. */
  split?: (text: string) => string[];
  /** The first suggestion is marked, for Enter: entries must exist. Otherwise Enter adds the typed text. */
  takesFirst?: boolean;
  placeholder?: string;
  /** Focused when its dialog opens. */
  isFirst?: boolean;
  /** Called with whether there is typed text that is no entry yet. It becomes one when the input loses the focus. */
  onTyping?: (typing: boolean) => void;
}

const suggestionsShown = 8;

/** A separator after an entry adds the entry. */
const divider = /\S\s*[,;\n]\s*$/;

const splitEverywhere = (text: string): string[] => text.split(/[\s,;]+/);

function same(one: string, other: string): boolean {
  return comparable(one) === comparable(other);
}

function entriesOf({ value, entries = [value] }: Suggestion): readonly string[] {
  return entries;
}

/** How well a suggestion matches; 0 if it does not. What is typed out comes before what it is a part of. */
function scoreFor(text: string): (suggestion: Suggestion) => number {
  const typed = comparable(text.trim());
  const words = wordsOf(text);
  return ({ value, label = value, hint = '' }) => {
    const names = [value, label, ...hint.split(' · ')].map(comparable);
    if (names.includes(typed)) return Number.POSITIVE_INFINITY;
    // Enter takes the first suggestion: "ann@x.org" must not become "joann@x.org".
    if (typed.includes('@')) return names.some((name) => name.startsWith(typed)) ? 1 : 0;
    const searched = searchable(label, names);
    return contains(searched, words) ? scoreOf(words, searched) : 0;
  };
}

/** The suggestions for the typed text, the best first. One whose entries are all in the list is left out. */
function matching(suggestions: readonly Suggestion[], value: readonly string[], text: string): Suggestion[] {
  const others = suggestions.filter(
    (suggestion) => !entriesOf(suggestion).every((one) => value.some((entry) => same(entry, one))),
  );
  if (text.trim() === '') return others.slice(0, suggestionsShown);
  const scoreOfSuggestion = scoreFor(text);
  return others
    .map((suggestion) => ({ suggestion, score: scoreOfSuggestion(suggestion) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => (one.score === other.score ? 0 : other.score - one.score))
    .slice(0, suggestionsShown)
    .map(({ suggestion }) => suggestion);
}

/** Adds and removes entries, and announces it to screen readers (`said`). `add` returns those without room. */
function useEntries({ value, onChange, most = 1000, maxLength = Number.POSITIVE_INFINITY }: ChipInputProps) {
  const { t, list } = useTranslation();
  const [said, setSaid] = useState('');
  const add = (entries: readonly string[]): string[] => {
    const all = [...value];
    for (const raw of entries) {
      const entry = cutText(raw.trim(), maxLength);
      if (entry !== '' && !all.some((known) => same(known, entry))) all.push(entry);
    }
    const next = all.slice(0, Math.max(most, value.length));
    if (next.length > value.length) {
      onChange(next);
      setSaid(t('chips.added', { entries: list(next.slice(value.length)) }));
    }
    return all.slice(next.length);
  };
  const remove = (entry: string): void => {
    onChange(value.filter((other) => other !== entry));
    setSaid(t('chips.removed', { entry }));
  };
  return { said, add, remove };
}

interface Combobox {
  text: string;
  /** Whether suggestions are shown. */
  expanded: boolean;
  matches: readonly Suggestion[];
  /** Position of the marked suggestion, or -1. */
  active: number;
  add: (entries: readonly string[]) => void;
  onText: (text: string) => void;
  onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void;
  onFocus: () => void;
  onBlur: () => void;
}

/**
 * Runs an action at once, or at the end of the press that caused it. What the action changes may move the things below
 * the input, and a button that moves away during a press is not clicked.
 */
function useAfterPress(): (action: () => void) => void {
  const pressing = useRef(false);
  const waiting = useRef<(() => void) | undefined>(undefined);
  useEffect(() => {
    const start = (): void => {
      pressing.current = true;
    };
    const end = (): void => {
      pressing.current = false;
      waiting.current?.();
      waiting.current = undefined;
    };
    const ends = ['mouseup', 'dragend', 'keydown'] as const;
    addEventListener('mousedown', start, true);
    for (const type of ends) addEventListener(type, end, true);
    return () => {
      removeEventListener('mousedown', start, true);
      for (const type of ends) removeEventListener(type, end, true);
    };
  }, []);
  return (action) => {
    if (pressing.current) waiting.current = action;
    else action();
  };
}

/** The typed text and the suggestions for it. */
function useCombobox(
  { value, suggestions = [], split = splitEverywhere, takesFirst = false }: ChipInputProps,
  addEntries: (entries: readonly string[]) => string[],
  remove: (entry: string) => void,
): Combobox {
  const [text, setText] = useState('');
  const [open, setOpen] = useState(false);
  /** The value of the marked suggestion, which stays marked when others come. */
  const [marked, setMarked] = useState<string>();
  const matches = matching(suggestions, value, text);
  const active =
    marked === undefined && takesFirst && text !== '' ? 0 : matches.findIndex((one) => one.value === marked);
  const expanded = open && matches.length > 0;
  const afterPress = useAfterPress();

  const add = (entries: readonly string[]): void => {
    setText(addEntries(entries).join(', '));
    // It would cover the button of the form.
    setOpen(false);
    setMarked(undefined);
  };

  const move = (step: 1 | -1): void => {
    setOpen(true);
    const { length } = matches;
    setMarked(matches[(active + step + length + (active < 0 && step < 0 ? 1 : 0)) % length]?.value);
  };

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      move(event.key === 'ArrowDown' ? 1 : -1);
    } else if (event.key === 'Enter') {
      // Also in the empty field, where Enter would submit the form.
      event.preventDefault();
      const chosen = expanded ? matches[active] : undefined;
      add(chosen === undefined ? split(text) : entriesOf(chosen));
    } else if (event.key === 'Escape' && expanded) {
      event.preventDefault();
      event.stopPropagation();
      setOpen(false);
    } else if (event.key === 'Backspace' && text === '') {
      const last = value.at(-1);
      if (last !== undefined) remove(last);
    }
  };

  const onText = (next: string): void => {
    if (divider.test(next)) {
      add(split(next));
      return;
    }
    setText(next);
    setOpen(next.trim() !== '');
    setMarked(undefined);
  };

  const onBlur = (): void => afterPress(() => add(split(text)));

  const onFocus = (): void => setOpen(text.trim() !== '');
  return { text, expanded, matches, active, add, onText, onKeyDown, onFocus, onBlur };
}

/**
 * A list of short entries (people by login or e-mail, tags). Enter or a separator adds the typed text; pasted lists are
 * split. Backspace in the empty input removes the last entry. Upper and lower case are the same. ARIA pattern:
 * combobox.
 */
export function ChipInput(props: ChipInputProps) {
  const { value, suggestions = [], check, split = splitEverywhere, placeholder, isFirst, onTyping } = props;
  const ids = useFieldIds();
  const listId = useId();
  const input = useRef<HTMLInputElement>(null);
  const { said, add, remove } = useEntries(props);
  const removeAndStay = (entry: string): void => {
    remove(entry);
    input.current?.focus();
  };
  const combobox = useCombobox(props, add, removeAndStay);
  const typing = combobox.text.trim() !== '';
  useEffect(() => onTyping?.(typing), [typing, onTyping]);
  useEffect(() => (typing ? guardLeaving(() => true) : undefined), [typing]);
  return (
    <div className={styles.frame}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: pressing the free space focuses the input, which the keyboard reaches by itself */}
      <div
        className={classNames(styles.box, ids['aria-invalid'] && styles.invalid)}
        onClick={(event) => event.target === event.currentTarget && input.current?.focus()}
      >
        {value.length > 0 && (
          <ul className={styles.chips}>
            {value.map((entry) => (
              <EntryChip
                key={entry}
                entry={entry}
                known={suggestions.find((suggestion) => same(suggestion.value, entry))}
                problem={check?.(entry)}
                onRemove={() => removeAndStay(entry)}
              />
            ))}
          </ul>
        )}
        <ComboboxInput
          combobox={combobox}
          listId={listId}
          input={input}
          split={split}
          placeholder={value.length === 0 ? placeholder : undefined}
          isFirst={isFirst}
        />
      </div>
      <Suggestions combobox={combobox} id={listId} />
      <span role="status" className="visually-hidden">
        {said}
      </span>
    </div>
  );
}

interface EntryChipProps {
  entry: string;
  /** The suggestion that the entry comes from. */
  known: Suggestion | undefined;
  /** Why the entry is wrong. */
  problem: string | undefined;
  onRemove: () => void;
}

function EntryChip({ entry, known, problem, onRemove }: EntryChipProps) {
  const { t } = useTranslation();
  useIgnoreSecondPress();
  return (
    <li className={classNames(styles.chip, problem !== undefined && styles.wrong)} title={problem}>
      {problem !== undefined && <ErrorIcon />}
      {problem === undefined && known?.person && <Avatar person={known.person} />}
      <span className="cut">{known?.label ?? entry}</span>
      {problem !== undefined && <span className="visually-hidden">{problem}</span>}
      <button
        type="button"
        className={styles.remove}
        aria-label={t('chips.remove', { entry })}
        title={t('chips.remove', { entry })}
        onClick={onRemove}
      >
        <CloseIcon />
      </button>
    </li>
  );
}

interface ComboboxInputProps {
  combobox: Combobox;
  listId: string;
  input: RefObject<HTMLInputElement | null>;
  split: (text: string) => string[];
  placeholder: string | undefined;
  isFirst: boolean | undefined;
}

function ComboboxInput({ combobox, listId, input, split, placeholder, isFirst }: ComboboxInputProps) {
  const ids = useFieldIds();
  const { text, expanded, active, add, onText, onKeyDown, onFocus, onBlur } = combobox;
  return (
    <input
      {...ids}
      ref={input}
      data-first={isFirst}
      data-unsaved={text.trim() !== '' || undefined}
      className={styles.input}
      value={text}
      placeholder={placeholder}
      role="combobox"
      aria-autocomplete="list"
      aria-expanded={expanded}
      aria-controls={listId}
      aria-activedescendant={expanded && active >= 0 ? `${listId}-${active}` : undefined}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      onChange={(event) => onText(event.target.value)}
      onPaste={(event) => {
        const parts = split(text + event.clipboardData.getData('text')).filter(Boolean);
        if (parts.length < 2) return;
        event.preventDefault();
        add(parts);
      }}
      onFocus={onFocus}
      // The input keeps the focus of its page while the person is in another window.
      onBlur={({ target }) => target !== document.activeElement && onBlur()}
      onKeyDown={onKeyDown}
    />
  );
}

function Suggestions({ combobox, id }: { combobox: Combobox; id: string }) {
  const { t } = useTranslation();
  const { expanded, matches, active, add } = combobox;
  return (
    <div
      id={id}
      role="listbox"
      aria-label={t('chips.suggestions')}
      className={styles.list}
      hidden={!expanded}
    >
      {matches.map((suggestion, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the focus and handles the keys
        <div
          key={suggestion.value}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          className={styles.option}
          // The input keeps the focus. On a touch screen the list can be scrolled without adding anything.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => add(entriesOf(suggestion))}
        >
          <span className={styles.picture}>
            {suggestion.person ? <Avatar person={suggestion.person} /> : suggestion.icon}
          </span>
          <span>{suggestion.label ?? suggestion.value}</span>
          {suggestion.hint !== undefined && <span className={styles.hint}>{suggestion.hint}</span>}
        </div>
      ))}
    </div>
  );
}
