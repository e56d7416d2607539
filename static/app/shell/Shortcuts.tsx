import { lazy, Suspense, useEffect, useRef } from 'react';
import { loadArea } from '../areas';
import { useFrameEvents } from '../frame';
import { pressedKey } from '../pressedKey';
import { useNewPad } from '../screens/newPad/useNewPad';
import { usePadTarget } from '../screens/newPad/usePadTarget';
import { isTaken } from '../takenKey';
import { showOverlay, useOverlay } from './overlay';

async function withTexts<Module>(script: Promise<Module>): Promise<Module> {
  const [screen] = await Promise.all([script, loadArea('palette')]);
  return screen;
}

const Palette = lazy(async () => ({
  default: (await withTexts(import('../screens/palette/Palette'))).Palette,
}));
const ShortcutList = lazy(async () => ({
  default: (await withTexts(import('../screens/palette/ShortcutList'))).ShortcutList,
}));

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

/** Presses the button for a key: in the focused row, or else in the header of the screen. */
function press(key: 'e' | 's'): boolean {
  const row = rowOf(document.activeElement);
  if (row !== null && key === 'e') return !row.dispatchEvent(new Event('edit', { cancelable: true }));
  const area = row ?? document.querySelector('main header');
  const button = area?.querySelector<HTMLElement>(`[data-key="${key}"]`);
  button?.click();
  return button !== null && button !== undefined;
}

/** Actions by their key, which is a single letter. If an action returns `false`, the browser handles the key. */
function keysFor(create: () => void): Record<string, () => boolean> {
  const show = (overlay: 'palette' | 'shortcuts') => (): boolean => {
    showOverlay(overlay);
    return true;
  };
  return {
    '/': show('palette'),
    '?': show('shortcuts'),
    c: () => {
      create();
      return true;
    },
    e: () => press('e'),
    s: () => press('s'),
    j: () => walk(1),
    k: () => walk(-1),
    ArrowDown: () => isFree() && walk(1),
    ArrowUp: () => isFree() && walk(-1),
  };
}

/** Arrow keys scroll the page, except when a row or nothing has the focus. */
function isFree(): boolean {
  const { activeElement: active } = document;
  return active === document.body || active?.tagName === 'H1' || rowOf(active) !== null;
}

/** The keyboard shortcuts of a signed-in person, the palette, and the list of the shortcuts. */
export function Shortcuts() {
  const overlay = useOverlay();
  const target = usePadTarget();
  const newPad = useNewPad();
  const create = (): void => {
    if (target !== undefined) newPad.create(target);
  };
  const latest = useRef(create);
  useEffect(() => {
    latest.current = create;
  });
  useFrameEvents({ onPalette: () => showOverlay('palette') });
  useEffect(() => {
    const keys = keysFor(() => latest.current());
    const listen = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing || event.altKey) return;
      const key = pressedKey(event);
      const command = event.ctrlKey || event.metaKey;
      if (command) {
        if (key !== 'k' || event.shiftKey) return;
        if (document.querySelector('dialog[open]') === null) showOverlay('palette');
        event.preventDefault();
      } else if (!isTaken(event) && !isCapital(event) && Object.hasOwn(keys, key) && keys[key]?.()) {
        event.preventDefault();
      }
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
  const close = (): void => showOverlay(null);
  return (
    <Suspense fallback={null}>
      {overlay === 'palette' && <Palette target={target} onClose={close} />}
      {overlay === 'shortcuts' && <ShortcutList onClose={close} />}
    </Suspense>
  );
}
