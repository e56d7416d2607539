/** Output of the commands. The log of Etherpad's modules is captured, and shown only after a failure. */

const print = process.stdout.write.bind(process.stdout);
let captured = '';
let finished = false;

// If the reader of the output stops early (`| head`), the command continues.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

/** Captures the output from now on. Only `say` still prints. */
export function captureOutput(): void {
  process.stdout.write = ((text: string | Uint8Array): boolean => {
    captured += typeof text === 'string' ? text : Buffer.from(text).toString('utf8');
    return true;
  }) as typeof process.stdout.write;
  // Etherpad ends the process with code 1 if it cannot read its settings or open its database. The log says why.
  process.once('exit', () => {
    if (finished) return;
    print(captured);
    process.exitCode = 2;
  });
}

export function say(line = ''): void {
  print(`${line}\n`);
}

/** Ends the process, without the captured log. */
export function end(code: number): void {
  finished = true;
  process.exit(code);
}

/** Prints an error, with its stack and the captured log if it was not expected. Ends the process with code 2. */
export function fail(error: unknown, expected: boolean): void {
  // Not console.error: Etherpad may have replaced it with its own log.
  if (!expected) print(captured);
  const text = error instanceof Error ? (expected ? error.message : error.stack) : error;
  process.stderr.write(`${text}\n`);
  end(2);
}

/** Shows progress: in a terminal in one line, which each `show` replaces; otherwise in a new line every ten seconds. */
export function progressLine() {
  const { isTTY } = process.stderr;
  let last = Date.now();
  let used = false;
  return {
    show(what: string, done: number, total: number): void {
      if (Date.now() - last < (isTTY ? 100 : 10_000)) return;
      last = Date.now();
      used = true;
      process.stderr.write(`${isTTY ? '\r\x1b[K' : ''}${what} ${done} of ${total}${isTTY ? '' : '\n'}`);
    },
    end(): void {
      if (used && isTTY) process.stderr.write('\r\x1b[K');
    },
  };
}
