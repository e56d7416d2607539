/**
 * Loaded into the Etherpad that is measured (`node --require`): for how long did its main thread work without letting anybody else have
 * a turn? In processor time of that thread alone (Linux), so that a busy machine changes nothing. SIGUSR2 writes the longest stretches of the
 * time since the last signal to the file `STALL_FILE`, in milliseconds.
 */
const { readFileSync, renameSync, writeFileSync } = require('node:fs');

const file = process.env.STALL_FILE;
const main = `/proc/self/task/${process.pid}/schedstat`;

/** Nanoseconds of processor time. */
const worked = () => Number(readFileSync(main, 'utf8').split(' ')[0]);

let before = worked();
let stretches = [];

function look() {
  const now = worked();
  stretches.push((now - before) / 1e6);
  before = now;
  setTimeout(look, 1).unref();
}

if (file) {
  look();
  process.on('SIGUSR2', () => {
    const longest = stretches.sort((one, other) => other - one);
    writeFileSync(`${file}.new`, JSON.stringify({ count: longest.length, longest: longest.slice(0, 1000) }));
    renameSync(`${file}.new`, file);
    stretches = [];
    before = worked();
  });
}
