/**
 * Loaded into the measured Etherpad (`node --require`). On SIGUSR2 it writes memory in bytes, and how late timers were
 * and how long the main thread worked in one go since the last signal, to the file `PROBE_FILE`. On SIGWINCH it
 * collects garbage before. Work is measured in processor time (Linux), which other load does not change.
 */
const { readFileSync, renameSync, writeFileSync } = require('node:fs');
const { monitorEventLoopDelay } = require('node:perf_hooks');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

const file = process.env.PROBE_FILE;
const resolution = 5;
const main = `/proc/self/task/${process.pid}/schedstat`;

/** Nanoseconds of processor time. */
const processorTime = () => Number(readFileSync(main, 'utf8').split(' ')[0]);

let before = processorTime();
let tasks = [];

function endTask() {
  const now = processorTime();
  tasks.push((now - before) / 1e6);
  before = now;
}

function measureTasks() {
  endTask();
  setTimeout(measureTasks, 1).unref();
}

if (file) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  const delay = monitorEventLoopDelay({ resolution });
  delay.enable();
  measureTasks();
  const write = () => {
    const sorted = tasks.sort((one, other) => one - other);
    const work = { p99: sorted[Math.floor(sorted.length * 0.99)], max: sorted.at(-1) };
    const [p99, max] = [delay.percentile(99), delay.max].map((late) => Math.max(0, late / 1e6 - resolution));
    const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
    const values = { rss, heapUsed, heapTotal, external, late: { p99, max }, work };
    writeFileSync(`${file}.new`, JSON.stringify(values));
    renameSync(`${file}.new`, file);
    setImmediate(() => {
      delay.reset();
      tasks = [];
      before = processorTime();
    });
  };
  process.on('SIGUSR2', () => {
    endTask();
    write();
  });
  process.on('SIGWINCH', () => {
    endTask();
    collect();
    collect();
    write();
  });
}
