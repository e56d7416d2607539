import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { groupMessages } from '../../api/group/changed';
import { padMessages } from '../../api/pad/changed';

const root = path.resolve(__dirname, '..', '..');
const folders = ['api', 'cluster', 'hooks', 'host', 'model', 'web'];

/** Messages of calls that get them in the variable `what`, by file. */
const inVariables: Readonly<Record<string, readonly string[]>> = {
  'api/group/changed.ts': groupMessages,
  'api/pad/changed.ts': padMessages,
};

/** A message for the log, and the names of its facts, as far as the call itself writes them. */
export interface LogMessage {
  message: string;
  level: string;
  facts: readonly string[];
}

/** The text between the first bracket at or after `start` and its counterpart. */
function inBrackets(source: string, start: number): string {
  let depth = 0;
  for (let at = start; at < source.length; at += 1) {
    if ('({['.includes(source.charAt(at))) depth += 1;
    if (!')}]'.includes(source.charAt(at))) continue;
    depth -= 1;
    if (depth === 0) return source.slice(start + 1, at);
  }
  throw new Error(`No closing bracket after ${source.slice(start, start + 60)}`);
}

/** Splits at the commas that are outside of brackets and strings. */
function parts(list: string): string[] {
  const outside = list.replace(/'(?:[^'\\]|\\.)*'/g, (text) => '_'.repeat(text.length));
  const ends = [...outside].flatMap((letter, at) => {
    const before = outside.slice(0, at);
    const depth = (before.match(/[({[]/g) ?? []).length - (before.match(/[)}\]]/g) ?? []).length;
    return letter === ',' && depth === 0 ? [at] : [];
  });
  return [-1, ...ends]
    .map((end, index) => list.slice(end + 1, ends[index]).trim())
    .filter((part) => part !== '');
}

function factsIn(argument = ''): string[] {
  if (!argument.startsWith('{')) return [];
  return parts(inBrackets(argument, 0)).flatMap((part) => /^\w+/.exec(part)?.[0] ?? []);
}

function messagesIn(file: string): LogMessage[] {
  const source = readFileSync(path.join(root, file), 'utf8');
  return [...source.matchAll(/\blog\??\.(info|warn|error)(?=\()/g)].flatMap(
    ({ index, 0: { length }, 1: level = '' }) => {
      const [first = '', second] = parts(inBrackets(source, index + length));
      const text = /^'(.*)'$/s.exec(first)?.[1];
      const messages = text === undefined ? inVariables[file] : [text];
      if (messages === undefined) throw new Error(`${file}: which message is ${first}?`);
      return messages.map((message) => ({ message, level, facts: factsIn(second) }));
    },
  );
}

/** Every message that the plugin writes to the log. Throws for one that is not written in its call. */
export function logMessages(): LogMessage[] {
  const files = folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
  );
  // index.ts writes to the console, because it must work without anything else.
  const entry = readFileSync(path.join(root, 'index.ts'), 'utf8');
  const loading = [...entry.matchAll(/console\.error\(`\[ep_mypads\] ([^$]*): \$/g)];
  return [
    ...loading.map(([, message = '']) => ({ message, level: 'error', facts: [] })),
    ...files.flatMap(messagesIn),
  ];
}
