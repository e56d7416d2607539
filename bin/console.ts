/**
 * What a command of ours says. Etherpad's modules print their own log to the same place: that is held back, and shown only when something
 * fails.
 */

const print = process.stdout.write.bind(process.stdout);
let heldBack = '';
let told = false;

// Whoever reads along may have seen enough (`| head`): the work goes on.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

/** From here on only `say` prints. */
export function holdBack(): void {
  process.stdout.write = ((text: string | Uint8Array): boolean => {
    heldBack += typeof text === 'string' ? text : Buffer.from(text).toString('utf8');
    return true;
  }) as typeof process.stdout.write;
  // Etherpad ends the process itself when its database cannot be opened, and says why where it is held back.
  process.once('exit', () => {
    if (!told) print(heldBack);
  });
}

export function say(line = ''): void {
  print(`${line}\n`);
}

/** Ends the process. */
export function end(code: number): void {
  told = true;
  process.exit(code);
}

/** Says what went wrong, with what was held back where that may explain it. Ends the process. */
export function fail(error: unknown, expected: boolean): void {
  // Not by the console: Etherpad may have put its own log in its place.
  if (!expected) print(heldBack);
  const text = error instanceof Error ? (expected ? error.message : error.stack) : error;
  process.stderr.write(`${text}\n`);
  end(2);
}

/** Says how far something is: `show` replaces what it said before. */
export interface ProgressLine {
  show(what: string, done: number, total: number): void;
  end(): void;
}

/** One line that changes, where somebody looks; elsewhere a line every ten seconds. */
export function progressLine(): ProgressLine {
  const { isTTY } = process.stderr;
  let last = Date.now();
  let used = false;
  return {
    show(what, done, total) {
      if (Date.now() - last < (isTTY ? 100 : 10_000)) return;
      last = Date.now();
      used = true;
      process.stderr.write(`${isTTY ? '\r\x1b[K' : ''}${what} ${done} of ${total}${isTTY ? '' : '\n'}`);
    },
    end() {
      if (used && isTTY) process.stderr.write('\r\x1b[K');
    },
  };
}
