/**
 * Loaded into the Etherpad of the load test (`node --require`). On SIGUSR2 it collects garbage and writes memory, timer
 * delays and the longest tasks of the main thread to the file `SOAK_FILE`. Tasks are in processor time (Linux), without
 * the collection.
 */
const { readFileSync, renameSync, writeFileSync } = require('node:fs');
const { createHistogram, monitorEventLoopDelay } = require('node:perf_hooks');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

const file = process.env.SOAK_FILE;
const resolution = 5;
const thread = `/proc/self/task/${process.pid}/schedstat`;

/** Nanoseconds of processor time. */
const worked = () => Number(readFileSync(thread, 'utf8').split(' ')[0]);
const milliseconds = (histogram, less) => {
  const [p99, max] = [histogram.percentile(99), histogram.max].map((value) =>
    Math.max(0, value / 1e6 - less),
  );
  return { p99, max };
};

if (file) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  const delay = monitorEventLoopDelay({ resolution });
  const longTasks = createHistogram();
  delay.enable();
  let before = worked();
  const look = () => {
    const now = worked();
    longTasks.record(Math.max(1, now - before));
    before = now;
  };
  setInterval(look, 1).unref();
  process.on('SIGUSR2', () => {
    look();
    const [late, work] = [milliseconds(delay, resolution), milliseconds(longTasks, 0)];
    collect();
    const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
    writeFileSync(`${file}.new`, JSON.stringify({ rss, heapUsed, heapTotal, external, late, work }));
    renameSync(`${file}.new`, file);
    setImmediate(() => {
      delay.reset();
      longTasks.reset();
      before = worked();
    });
  });
}
