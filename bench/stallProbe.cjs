/**
 * Loaded into the measured Etherpad (`node --require`). On SIGUSR2 it writes the longest tasks of the main thread since
 * the last signal to the file `STALL_FILE`, in milliseconds of processor time (Linux), which other load does not
 * change.
 */
const { readFileSync, renameSync, writeFileSync } = require('node:fs');

const file = process.env.STALL_FILE;
const main = `/proc/self/task/${process.pid}/schedstat`;

/** Nanoseconds of processor time. */
const processorTime = () => Number(readFileSync(main, 'utf8').split(' ')[0]);

let before = processorTime();
let taskTimes = [];

function measureTask() {
  const now = processorTime();
  taskTimes.push((now - before) / 1e6);
  before = now;
  setTimeout(measureTask, 1).unref();
}

if (file) {
  measureTask();
  process.on('SIGUSR2', () => {
    const longest = taskTimes.sort((one, other) => other - one);
    writeFileSync(`${file}.new`, JSON.stringify({ count: longest.length, longest: longest.slice(0, 1000) }));
    renameSync(`${file}.new`, file);
    taskTimes = [];
    before = processorTime();
  });
}
