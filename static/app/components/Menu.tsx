import { type KeyboardEvent, type ReactNode, type ToggleEvent, useId, useRef, useState } from 'react';
import { ignoreSecondPress } from '../lib/secondPress';
import { Link } from '../navigation/location';
import { IconButton } from './Button';
import { classNames } from './classNames';
import { CheckIcon, MoreIcon } from './icons';
import styles from './Menu.module.css';

export interface MenuAction {
  label: string;
  icon?: ReactNode;
  /** Small text at the end of the line. */
  hint?: string;
  danger?: boolean;
  /** For one of several choices: whether it is the current one. */
  checked?: boolean;
  /** An address in the page to open, after `onSelect`. */
  href?: string;
  onSelect?: () => void;
}

/** An action, a heading, or a separator line. `false` is skipped: `mayEdit && {...}`. */
export type MenuItem = MenuAction | { heading: string } | 'line' | false;

/** Attributes that a custom trigger must spread onto its `<button>`. */
export interface MenuTriggerProps {
  id: string;
  popoverTarget: string;
  'aria-haspopup': 'menu';
  'aria-expanded': boolean;
}

export interface MenuProps {
  /** The name of the menu: "Actions for “Board”". Also the label of the default button "…". */
  label: string;
  /** A function is called when the menu opens, which keeps long lists fast. */
  items: readonly MenuItem[] | (() => readonly MenuItem[]);
  /** A button that replaces "…". */
  trigger?: (props: MenuTriggerProps) => ReactNode;
  /** The edge of the button that the menu is aligned with; `end` by default. */
  align?: 'start' | 'end';
}

const gap = 4;

/**
 * Positions the menu on the side of the button with more room. It does not depend on the menu's size, so the menu never
 * jumps.
 */
function position(menu: HTMLElement, button: DOMRect, align: 'start' | 'end'): void {
  const rightToLeft = document.documentElement.dir === 'rtl';
  const fromLeft = (align === 'start') !== rightToLeft;
  const below = innerHeight - button.bottom;
  const downwards = below > 320 || below > button.top;
  Object.assign(menu.style, {
    left: fromLeft ? `${Math.max(8, Math.min(button.left, innerWidth - 248))}px` : 'auto',
    right: fromLeft ? 'auto' : `${Math.max(8, Math.min(innerWidth - button.right, innerWidth - 248))}px`,
    top: downwards ? `${button.bottom + gap}px` : 'auto',
    bottom: downwards ? 'auto' : `${innerHeight - button.top + gap}px`,
    maxHeight: `${(downwards ? below : button.top) - gap - 8}px`,
  });
}

/** Moves the focus between the entries; Space chooses; Tab and Escape close. */
function handleKey(event: KeyboardEvent, all: readonly HTMLElement[], close: () => void): void {
  const at = all.indexOf(document.activeElement as HTMLElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
  if (to !== undefined) {
    event.preventDefault();
    all.at(to % all.length)?.focus();
  } else if (event.key === 'Tab') close();
  else if (event.key === 'Escape') {
    // If the browser closed the menu, the focus would be lost: the focused entry is removed with the menu.
    event.preventDefault();
    close();
  } else if (event.key === ' ') {
    // Buttons do it by themselves.
    if (all[at] instanceof HTMLAnchorElement) {
      event.preventDefault();
      all[at].click();
    }
  } else if (event.key.length === 1) {
    const letter = event.key.toLocaleLowerCase();
    const found = [...all.slice(at + 1), ...all].find((entry) =>
      entry.textContent.trim().toLocaleLowerCase().startsWith(letter),
    );
    found?.focus();
  }
}

/**
 * A button with a menu. Arrow keys, Home, End and first letters move; Enter and Space choose; Escape or a press outside
 * closes and returns the focus to the button. It is a popover of the browser, so that no container can cut it off.
 */
export function Menu({ label, items, trigger, align = 'end' }: MenuProps) {
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const places = useRef(new Map<string, number>());
  const button = (): HTMLElement | null => document.getElementById(`${id}-button`);
  const entries = (): HTMLElement[] => [
    ...(menu.current?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? []),
  ];

  const onBeforeToggle = (event: ToggleEvent<HTMLDivElement>): void => {
    const opens = event.newState === 'open';
    const rectangle = button()?.getBoundingClientRect();
    if (opens && menu.current && rectangle) position(menu.current, rectangle, align);
    ignoreSecondPress();
    places.current.clear();
    setOpen(opens);
  };

  const onToggle = (event: ToggleEvent<HTMLDivElement>): void => {
    if (event.newState !== 'open') return;
    (menu.current?.querySelector<HTMLElement>('[aria-checked="true"]') ?? entries()[0])?.focus();
    addEventListener('scroll', (scroll) => scroll.target === document && menu.current?.hidePopover(), {
      once: true,
    });
  };

  const close = (): void => {
    menu.current?.hidePopover();
    button()?.focus();
  };

  const triggerProps: MenuTriggerProps = {
    id: `${id}-button`,
    popoverTarget: id,
    'aria-haspopup': 'menu',
    'aria-expanded': open,
  };

  return (
    <>
      {trigger?.(triggerProps) ?? <IconButton {...triggerProps} label={label} icon={<MoreIcon />} />}
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        className={styles.menu}
        onBeforeToggle={onBeforeToggle}
        onToggle={onToggle}
        onKeyDown={(event) => handleKey(event, entries(), close)}
      >
        {open && inGroups(inPlace(typeof items === 'function' ? items() : items, places.current), close)}
      </div>
    </>
  );
}

function keyOf(item: MenuItem, index: number): string {
  if (item === false || item === 'line') return `${index}`;
  return 'heading' in item ? `heading ${item.heading}` : item.label;
}

/** Entries from a heading or a line on are a group. Screen readers say its heading. */
function inGroups(items: readonly [string, MenuItem][], close: () => void): ReactNode {
  const groups: { key: string; heading: string | undefined; entries: ReactNode[] }[] = [];
  for (const [key, item] of items) {
    const { heading } = item as { heading?: string };
    if (groups.length === 0) groups.push({ key: 'first', heading, entries: [] });
    else if (heading || item === 'line') groups.push({ key, heading, entries: [] });
    groups.at(-1)?.entries.push(<Entry key={key} item={item} close={close} />);
  }
  return groups.map(({ key, heading, entries }) => (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is not allowed in a menu
    <div key={key} role="group" aria-label={heading}>
      {entries}
    </div>
  ));
}

/**
 * The items with their keys. While the menu is open, each keeps its place, and what is loaded later comes at the end: a
 * press must not meet another item than the one that was seen there. `places`: by key; new ones are added.
 */
function inPlace(items: readonly MenuItem[], places: Map<string, number>): [string, MenuItem][] {
  const named = items.map((item, index): [string, MenuItem] => [keyOf(item, index), item]);
  for (const [key] of named) if (!places.has(key)) places.set(key, places.size);
  const placeOf = ([key]: [string, MenuItem]): number => places.get(key) ?? places.size;
  return named.sort((one, other) => placeOf(one) - placeOf(other));
}

function Entry({ item, close }: { item: MenuItem; close: () => void }) {
  if (item === false) return null;
  if (item === 'line') return <hr className={styles.line} />;
  if ('heading' in item) {
    return (
      <div role="presentation" className={styles.heading}>
        {item.heading}
      </div>
    );
  }
  const { label, icon, hint, danger, checked, href, onSelect } = item;
  const shared = {
    role: checked === undefined ? 'menuitem' : 'menuitemradio',
    tabIndex: -1,
    'aria-checked': checked,
    className: classNames(styles.item, danger && styles.danger),
    onPointerMove: (event: { currentTarget: HTMLElement }) =>
      event.currentTarget.focus({ preventScroll: true }),
  };
  const select = (): void => {
    close();
    onSelect?.();
  };
  const inside = (
    <>
      <span className={styles.icon}>{icon}</span>
      <span className={styles.label}>{label}</span>
      {hint !== undefined && <span className="muted">{hint}</span>}
      {checked && <CheckIcon className={styles.check} />}
    </>
  );
  if (href !== undefined) {
    return (
      <Link {...shared} href={href} onClick={select}>
        {inside}
      </Link>
    );
  }
  return (
    <button {...shared} type="button" onClick={select}>
      {inside}
    </button>
  );
}
