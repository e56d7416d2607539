/** Size limits of a message, checked before the message is processed recursively, logged or sent to other editors. */

import { editorLimits } from '../model/limits';

/** Could Etherpad export a pad with this text without blocking the server? */
export const isWithinPadLimits = (text: string): boolean =>
  text.length <= editorLimits.padText && text.split('\n').length - 1 <= editorLimits.padLines;

export interface Bounds {
  /** The total length of all strings and property names. */
  characters: number;
  /** The number of values, with lists and objects. */
  values: number;
  /** How deep lists and objects are nested. */
  depth: number;
}

const isBinary = (value: object): boolean => ArrayBuffer.isView(value) || value instanceof ArrayBuffer;

/** Takes a value from what is left of the bounds. False if it is more than that. `depth`: how deep it may still go. */
function take(value: unknown, depth: number, left: { characters: number; values: number }): boolean {
  left.values -= 1;
  if (typeof value === 'string') left.characters -= value.length;
  else if (typeof value === 'object' && value !== null) {
    if (depth === 0 || isBinary(value)) return false;
    for (const name of Object.keys(value)) {
      left.characters -= name.length;
      if (!take((value as Record<string, unknown>)[name], depth - 1, left)) return false;
    }
  }
  return left.values >= 0 && left.characters >= 0;
}

/** True if the value is within the bounds and has no binary data, which no editor sends. */
export const isWithinBounds = (value: unknown, { characters, values, depth }: Bounds): boolean =>
  take(value, depth, { characters, values });
