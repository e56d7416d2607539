/**
 * Splits JSON into the values of its outermost object or list, so that a large file can be parsed in slices. All at
 * once, `JSON.parse` takes seconds and a gigabyte for 20 MB of nothing but brackets.
 */

/** A value as JSON, with its name if it is in an object. */
export interface JsonPiece {
  name: string | undefined;
  json: string;
}

/** The largest value, without those that are within it. Text between quotes is of any length. */
export interface PieceBounds {
  /** Brackets and commas. */
  marks: number;
  depth: number;
}

const unbounded: PieceBounds = { marks: Number.POSITIVE_INFINITY, depth: Number.POSITIVE_INFINITY };

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

const invalid = (): SyntaxError => new SyntaxError('not JSON, or too much in one value');

function afterSpace(text: string, from: number): number {
  let at = from;
  for (
    let code = text.charCodeAt(at);
    code === 0x20 || (code >= 0x09 && code <= 0x0d);
    code = text.charCodeAt(at)
  )
    at += 1;
  return at;
}

/** The place after the closing quote of a string whose first character, or opening quote, is at `from`. */
function afterString(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let first = at;
    while (text.charCodeAt(first - 1) === backslash) first -= 1;
    if ((at - first) % 2 === 0) return at + 1;
  }
  throw invalid();
}

/** The place after a value: at the comma or bracket that follows it. */
function afterValue(text: string, from: number, { marks, depth }: PieceBounds): number {
  let [at, deep, count] = [from, 0, 0];
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = afterString(text, at) - 1;
    else if (code === openList || code === openObject) {
      deep += 1;
      count += 1;
      if (deep > depth) throw invalid();
    } else if (code === closeList || code === closeObject) {
      if (deep === 0) return at;
      deep -= 1;
    } else if (code === comma) {
      if (deep === 0) return at;
      count += 1;
    }
    if (count > marks) throw invalid();
  }
  throw invalid();
}

/**
 * The values of an object or a list. Throws a SyntaxError for anything else, and for values beyond the bounds. A piece
 * may still be invalid itself: `JSON.parse` says so.
 */
export function* jsonPieces(text: string, bounds: PieceBounds = unbounded): Generator<JsonPiece> {
  let at = afterSpace(text, 0);
  const isObject = text.charCodeAt(at) === openObject;
  if (!isObject && text.charCodeAt(at) !== openList) throw invalid();
  const close = isObject ? closeObject : closeList;
  at = afterSpace(text, at + 1);
  let isEnd = text.charCodeAt(at) === close;
  while (!isEnd) {
    let name: string | undefined;
    if (isObject) {
      if (text.charCodeAt(at) !== quote) throw invalid();
      const end = afterString(text, at);
      name = JSON.parse(text.slice(at, end)) as string;
      at = afterSpace(text, end);
      if (text.charCodeAt(at) !== colon) throw invalid();
      at += 1;
    }
    const end = afterValue(text, at, bounds);
    yield { name, json: text.slice(at, end) };
    isEnd = text.charCodeAt(end) === close;
    if (!isEnd && text.charCodeAt(end) !== comma) throw invalid();
    at = isEnd ? end : afterSpace(text, end + 1);
  }
  if (afterSpace(text, at + 1) !== text.length) throw invalid();
}
