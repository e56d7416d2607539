/** Size limits of a message, checked before the message is processed recursively, logged or sent to other editors. */

export interface Bounds {
  /** The total length of all strings and property names. */
  characters: number;
  /** The number of values, with lists and objects. */
  values: number;
  /** How deep lists and objects are nested. */
  depth: number;
}

const isBinary = (value: object): boolean => ArrayBuffer.isView(value) || value instanceof ArrayBuffer;

/** True if the value is within the bounds and has no binary data, which no editor sends. */
export function isWithinBounds(value: unknown, bounds: Bounds): boolean {
  let { characters, values } = bounds;
  const stack: { value: unknown; depth: number }[] = [{ value, depth: 0 }];
  for (let item = stack.pop(); item; item = stack.pop()) {
    const { value: found, depth } = item;
    values -= 1;
    if (typeof found === 'string') characters -= found.length;
    if (typeof found === 'object' && found !== null) {
      if (depth >= bounds.depth || isBinary(found)) return false;
      for (const [name, inner] of Object.entries(found)) {
        characters -= name.length;
        stack.push({ value: inner, depth: depth + 1 });
      }
    }
    if (values < stack.length || characters < 0) return false;
  }
  return true;
}
