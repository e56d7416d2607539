/**
 * Keys that are pressed before the palette exists, right after a load. From “/” or Ctrl+K on, a field that nobody sees
 * takes what is typed, so that no letter is lost or becomes a shortcut, and input methods work.
 */
import { pressedKey } from '../lib/pressedKey';
import { isTaken } from '../lib/takenKey';

/** Ctrl+K or Cmd+K. */
export function isPaletteCommand(event: KeyboardEvent): boolean {
  return (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && pressedKey(event) === 'k';
}

let field: HTMLInputElement | undefined;
/** Enter was the last key. */
let entered = false;
let listen: ((event: KeyboardEvent) => void) | undefined;

function openField(byCommand: boolean): void {
  const input = document.createElement('input');
  input.className = 'visually-hidden';
  input.name = byCommand ? 'command' : '';
  input.onblur = () => input.remove();
  input.onkeydown = ({ key, isComposing }) => {
    if (isComposing) return;
    entered = key === 'Enter';
    if (key === 'Escape') input.blur();
  };
  field = input;
  document.body.append(input);
  input.focus();
}

/** Begins to catch keys, until `takeOver`. `expected`: whether there will be a palette. */
export function catchKeys(expected: () => boolean): void {
  listen = (event) => {
    const byCommand = isPaletteCommand(event);
    const isSlash = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey;
    if ((!byCommand && !isSlash) || isTaken(event) || !expected()) return;
    event.preventDefault();
    openField(byCommand);
  };
  addEventListener('keydown', listen);
}

/** What was typed for the palette. `entered`: with Enter after it. `byCommand`: after Ctrl+K. */
export interface TypedAhead {
  text: string;
  entered: boolean;
  byCommand: boolean;
}

/** Ends it. Returns what was typed for the palette; `undefined` if it was not asked for. */
export function takeOver(): TypedAhead | undefined {
  if (listen !== undefined) removeEventListener('keydown', listen);
  const typed = field;
  field = undefined;
  if (!typed?.isConnected) return undefined;
  // Ends the composition of an input method, so that the value has its letters.
  typed.blur();
  return { text: typed.value, entered: entered && typed.value !== '', byCommand: typed.name !== '' };
}
