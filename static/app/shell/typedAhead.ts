/**
 * Keys that are pressed right after a load, before there is something for them. A field that nobody sees takes what is
 * typed, so that no letter is lost or becomes a shortcut, and input methods work. Its text is for the palette from “/”
 * or Ctrl+K on, and otherwise for the first field of the screen.
 */
import { handOver } from '../lib/handOver';
import { pressedKey } from '../lib/pressedKey';
import { isTaken } from '../lib/takenKey';

/** Ctrl+K or Cmd+K. */
export function isPaletteCommand(event: KeyboardEvent): boolean {
  return (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && pressedKey(event) === 'k';
}

/** The field for the palette. */
let field: HTMLInputElement | undefined;
/** Enter was the last key. */
let entered = false;
let listen: ((event: KeyboardEvent) => void) | undefined;

function openField(): HTMLInputElement {
  const input = document.createElement('input');
  input.className = 'visually-hidden';
  input.onblur = () => input.remove();
  document.body.append(input);
  input.focus();
  return input;
}

function openPaletteField(byCommand: boolean): void {
  const input = openField();
  input.name = byCommand ? 'command' : '';
  input.onkeydown = ({ key, isComposing }) => {
    if (isComposing) return;
    entered = key === 'Enter';
    if (key === 'Escape') input.blur();
  };
  field = input;
}

/** Whether the first screen is not there yet. */
const isLoading = (): boolean =>
  document.querySelector('#app:empty, #app [aria-busy="true"]:not(button)') !== null;

/** Milliseconds between two looks whether the screen is there, which may have no field after all. */
const pause = 100;

/** Its text goes to the field that gets the focus after it, unless Escape or Ctrl+K ends it. */
function openScreenField(): void {
  const input = openField();
  const timer = setInterval(() => isLoading() || input.blur(), pause);
  input.onblur = () => {
    clearInterval(timer);
    input.remove();
    handOver(input.value);
  };
  input.onkeydown = (event) => {
    if (event.key !== 'Escape' && !isPaletteCommand(event)) return;
    input.value = '';
    input.blur();
  };
}

/**
 * Begins to catch keys: for the palette until `takeOver`, for the first screen until it is there. `palette`, `screen`:
 * whether there will be a palette, or a screen whose field has the focus.
 */
export function catchKeys(palette: () => boolean, screen: () => boolean): void {
  listen = (event) => {
    const byCommand = isPaletteCommand(event);
    const isSlash = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey;
    if ((!byCommand && !isSlash) || isTaken(event) || !palette()) return;
    event.preventDefault();
    openPaletteField(byCommand);
  };
  addEventListener('keydown', listen);
  if (!matchMedia('(pointer: fine)').matches) return;
  addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey } = event;
    // A letter may begin with a key without one.
    const writes = (/^[^ ]$/u.test(key) || key === 'Dead') && !ctrlKey && !metaKey && !altKey;
    if (event.defaultPrevented || !writes || !isLoading() || isTaken(event) || !screen()) return;
    // No shortcut either.
    event.stopImmediatePropagation();
    openScreenField();
  });
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
