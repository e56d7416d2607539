/**
 * Parses Etherpad's changesets: `Z:<old length><sign><difference><operators>$<inserted text>`, numbers in base 36.
 * Etherpad trusts these numbers and loops that often, so one huge number blocks the server. This parser rejects such
 * changesets first; it reads the text once and never loops up to a number that the changeset names.
 */
import { core } from './core';

/** Keeps (`=`), inserts (`+`) or removes (`-`) `characters` characters; `lines` of them are line ends. */
export interface Operator {
  sign: string;
  characters: number;
  lines: number;
  /** Numbers in the attribute pool of the changeset. */
  attributes: number[];
}

export interface Changeset {
  oldLength: number;
  newLength: number;
  operators: Operator[];
}

/** At most seven digits, so that sums stay exact integers. Etherpad writes no leading zeros. */
const digits = '(?:0|[1-9a-z][0-9a-z]{0,6})';
const headerPattern = new RegExp(`^Z:(${digits})([<>])(${digits})`);
const operatorPattern = new RegExp(`((?:\\*${digits})*)(?:\\|(${digits}))?([-+=])(${digits})`, 'y');

const numberOf = (text = '0'): number => Number.parseInt(text, 36);

/** Counts line ends between two positions. Positions must not go backwards, so that the text is scanned only once. */
function lineCounter(text: string): (from: number, to: number) => number {
  let next = text.indexOf('\n');
  return (from, to) => {
    if (next !== -1 && next < from) next = text.indexOf('\n', from);
    let lines = 0;
    while (next !== -1 && next < to) {
      lines += 1;
      next = text.indexOf('\n', next + 1);
    }
    return lines;
  };
}

/** Does this part of the text have as many line ends as the operator says, with the last one at its end? */
function hasLines(
  { characters, lines }: Operator,
  text: string,
  from: number,
  countLines: ReturnType<typeof lineCounter>,
): boolean {
  const to = from + characters;
  return to <= text.length && countLines(from, to) === lines && (lines === 0 || text[to - 1] === '\n');
}

/** Parses the operators between two positions. `undefined` for a syntax error or more than `max` operators. */
function readOperators(text: string, from: number, to: number, max: number): Operator[] | undefined {
  const operators: Operator[] = [];
  operatorPattern.lastIndex = from;
  while (operatorPattern.lastIndex < to) {
    const match = operatorPattern.exec(text);
    if (!match || operatorPattern.lastIndex > to || operators.length >= max) return undefined;
    const [, attributes = '', lines, sign = '', characters] = match;
    const operator = {
      sign,
      characters: numberOf(characters),
      lines: numberOf(lines),
      attributes: attributes.split('*').slice(1).map(numberOf),
    };
    if (operator.characters === 0 || operator.lines > operator.characters) return undefined;
    operators.push(operator);
  }
  return operators;
}

/** Parses a changeset. `undefined` if the syntax is wrong or its lengths contradict each other. */
export function parseChangeset(text: string, maxOperators = Number.POSITIVE_INFINITY): Changeset | undefined {
  const [header, old, sign, difference] = headerPattern.exec(text) ?? [];
  const bankAt = header === undefined ? -1 : text.indexOf('$', header.length);
  if (header === undefined || bankAt === -1) return undefined;
  const operators = readOperators(text, header.length, bankAt, maxOperators);
  if (!operators) return undefined;
  const oldLength = numberOf(old);
  const newLength = oldLength + (sign === '>' ? 1 : -1) * numberOf(difference);
  const bank = text.slice(bankAt + 1);
  const countLines = lineCounter(bank);
  let [used, removed, inserted] = [0, 0, 0];
  for (const operator of operators) {
    if (operator.sign === '+') {
      if (!hasLines(operator, bank, inserted, countLines)) return undefined;
      inserted += operator.characters;
    } else {
      used += operator.characters;
      if (operator.sign === '-') removed += operator.characters;
    }
  }
  const addsUp =
    used <= oldLength && inserted === bank.length && newLength === oldLength - removed + inserted;
  return addsUp ? { oldLength, newLength, operators } : undefined;
}

/**
 * Does the changeset apply to exactly this text: same length, line ends where the operators expect them, and one at the
 * end afterwards? Etherpad would add a missing one before the last letter, and no editor could open the pad.
 */
export function fitsText({ oldLength, operators }: Changeset, text: string): boolean {
  if (oldLength !== text.length) return false;
  const countLines = lineCounter(text);
  let position = 0;
  const fits = operators.every((operator) => {
    if (operator.sign === '+') return true;
    const fitsHere = hasLines(operator, text, position, countLines);
    position += operator.characters;
    return fitsHere;
  });
  const last = operators.findLast(({ sign }) => sign !== '-');
  return fits && (position < text.length || (last !== undefined && last.lines > 0));
}

/** Does `attribs`, which Etherpad stores beside a pad's text, describe exactly this text? */
export function fitsAttributedText(text: string, attribs: string): boolean {
  const operators = readOperators(attribs, 0, attribs.length, Number.POSITIVE_INFINITY);
  const countLines = lineCounter(text);
  let position = 0;
  return (
    operators?.every((operator) => {
      const fits = operator.sign === '+' && hasLines(operator, text, position, countLines);
      position += operator.characters;
      return fits;
    }) === true && position === text.length
  );
}

interface ChangesetModule {
  follow(first: string, second: string, reversed: boolean, pool: { putAttrib(): number }): string;
}

/** Only the attributes of the second changeset count, so Etherpad looks for none in the pool. */
const emptyPool = { putAttrib: () => -1 };

/** The second of two changesets for the same text, for the text after the first one. `undefined` if it is invalid. */
export function follow(first: string, second: string): string | undefined {
  const [operators = '', ...bank] = first.split('$');
  const plain = [operators.replace(/\*[0-9a-z]+/g, ''), ...bank].join('$');
  try {
    return core<ChangesetModule>('static/js/Changeset').follow(plain, second, false, emptyPool);
  } catch {
    return undefined;
  }
}
