/** Size limits of a message, checked before the message is processed recursively, logged or sent to other editors. */

export interface Bounds {
  /** The total length of all strings and property names. */
  characters: number;
  values: number;
  depth: number;
}

const isBinary = (value: object): boolean => ArrayBuffer.isView(value) || value instanceof ArrayBuffer;

/** True if the value is within `most` and has no binary data, which no editor sends. */
export function isWithinBounds(value: unknown, most: Bounds): boolean {
  let { characters, values } = most;
  const waiting: { value: unknown; depth: number }[] = [{ value, depth: 0 }];
  for (let item = waiting.pop(); item; item = waiting.pop()) {
    const { value: found, depth } = item;
    values -= 1;
    if (typeof found === 'string') characters -= found.length;
    if (typeof found === 'object' && found !== null) {
      if (depth >= most.depth || isBinary(found)) return false;
      for (const [name, inner] of Object.entries(found)) {
        characters -= name.length;
        waiting.push({ value: inner, depth: depth + 1 });
      }
    }
    if (values < waiting.length || characters < 0) return false;
  }
  return true;
}
