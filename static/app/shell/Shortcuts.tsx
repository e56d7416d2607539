import { useEffect, useState } from 'react';
import type { OwnUser } from '../../../api/answers';
import { editRow } from '../components/Rows';
import { useErrorToast } from '../components/Toasts';
import { useFrameEvents } from '../editorFrame/frameEvents';
import { pressedKey } from '../lib/pressedKey';
import { isTaken } from '../lib/takenKey';
import { useLatest } from '../lib/useLatest';
import { loadArea } from '../screens/areas';
import { useMarking } from '../screens/bookmarks/useMarking';
import { type NewPad, useNewPad } from '../screens/newPad/useNewPad';
import { useKeyPadTarget, usePadTarget } from '../screens/newPad/usePadTarget';
import { Palette } from '../screens/palette/Palette';
import { openOverlay, showOverlay, useOverlay } from './overlay';
import { isPaletteCommand, takeOver } from './typedAhead';

type Parts = typeof import('../screens/palette/later');

/** What the palette finds, and the list of shortcuts: loaded when one of them is wanted first. */
function useParts(wanted: boolean): Parts | undefined {
  const showError = useErrorToast();
  const [parts, setParts] = useState<Parts>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another language must not load them again
  useEffect(() => {
    if (!wanted || parts !== undefined) return;
    Promise.all([import('../screens/palette/later'), loadArea('palette')]).then(
      ([loaded]) => setParts(loaded),
      (error: unknown) => {
        showError(error);
        showOverlay(null);
      },
    );
  }, [wanted, parts]);
  return parts;
}

/** Whether a letter was pressed together with Shift, which is no shortcut. */
function isCapital({ key, shiftKey }: KeyboardEvent): boolean {
  return shiftKey && /^\p{L}$/u.test(key);
}

const rowOf = (element: Element | null): Element | null => element?.closest('main [data-row]') ?? null;

/** Moves the focus by `step` rows, or to the first row if no row has it. */
function walk(step: 1 | -1): boolean {
  const rows = [...document.querySelectorAll('main [data-row]')];
  if (rows.length === 0) return false;
  const at = rows.indexOf(rowOf(document.activeElement) ?? document.body);
  const next = at < 0 ? 0 : Math.max(0, Math.min(rows.length - 1, at + step));
  rows[next]?.querySelector<HTMLElement>('a')?.focus();
  return true;
}

/** The button for a key: in the focused row, or else in the header of the screen. */
function buttonFor(key: 'e' | 's'): HTMLButtonElement | null {
  const area = rowOf(document.activeElement) ?? document.querySelector('main header');
  return area?.querySelector<HTMLButtonElement>(`[data-key="${key}"]`) ?? null;
}

/** Opens the field for a new name. */
function rename(): void {
  const row = rowOf(document.activeElement);
  if (row === null) buttonFor('e')?.click();
  else editRow(row);
}

/** Arrow keys scroll the page, except when a row or nothing has the focus. */
function isFree(): boolean {
  const { activeElement: active } = document;
  return active === document.body || active?.tagName === 'H1' || rowOf(active) !== null;
}

/** Actions that change nothing. If an action returns `false`, the browser handles the key. */
const moves: Readonly<Record<string, () => unknown>> = {
  '/': () => showOverlay('palette'),
  '?': () => showOverlay('shortcuts'),
  j: () => walk(1),
  k: () => walk(-1),
  ArrowDown: () => isFree() && walk(1),
  ArrowUp: () => isFree() && walk(-1),
};

/**
 * Actions that change something, so each of them can be undone: a message has a button for it, or Escape leaves the
 * field that was opened.
 */
function useChanges(
  newPad: NewPad,
  target: ReturnType<typeof useKeyPadTarget>,
): Readonly<Record<string, () => void>> {
  const mark = useMarking();
  const star = (): void => {
    const button = buttonFor('s');
    if (button === null) return;
    const { name, value, ariaPressed } = button;
    mark({ type: name === 'pads' ? 'pads' : 'groups', ids: [value], marked: ariaPressed !== 'true' });
  };
  return { c: () => target !== undefined && newPad.create(target, { byKey: true }), e: rename, s: star };
}

/** Whether the screen has a form or is loading, or the editor in it: what is typed is meant for that. */
const takesTyping = (): boolean => document.querySelector('main :is([aria-busy="true"], form)') !== null;

/** The keyboard shortcuts of a signed-in person, the palette, and the list of the shortcuts. */
export function Shortcuts({ user }: { user: OwnUser }) {
  const overlay = useOverlay();
  const target = usePadTarget();
  const newPad = useNewPad();
  const changes = useChanges(newPad, useKeyPadTarget());
  const parts = useParts(overlay !== null);
  const { singleKeys } = user;
  const { isBusy } = newPad;
  const latest = useLatest({ changes, singleKeys, isBusy });
  useFrameEvents({ onPalette: () => showOverlay('palette') });
  useEffect(() => {
    const typed = takeOver();
    if (typed && (typed.byCommand || latest.current.singleKeys)) showOverlay('palette', typed);
    const listen = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing || event.altKey) return;
      const key = pressedKey(event);
      if (isPaletteCommand(event)) {
        event.preventDefault();
        if (openOverlay() === null && document.querySelector('dialog[open]') === null) showOverlay('palette');
        return;
      }
      if (event.ctrlKey || event.metaKey || isTaken(event) || isCapital(event)) return;
      if (openOverlay() !== null) {
        // It is still loading: what is typed is meant for it.
        if (key === 'Escape') showOverlay(null);
        return;
      }
      const { changes: changing, singleKeys: allowed, isBusy: isCreating } = latest.current;
      if (!allowed && key.length === 1) return;
      if (Object.hasOwn(moves, key) && moves[key]?.() !== false) event.preventDefault();
      if (!Object.hasOwn(changing, key)) return;
      event.preventDefault();
      if (!event.repeat && !takesTyping() && !isCreating()) changing[key]?.();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
  const close = (): void => showOverlay(null);
  return (
    <>
      {overlay === 'palette' && <Palette target={target} Results={parts?.Results} onClose={close} />}
      {overlay === 'shortcuts' && parts !== undefined && <parts.ShortcutList user={user} onClose={close} />}
    </>
  );
}
