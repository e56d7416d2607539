/**
 * Loaded into the Etherpad of the load test (`node --require`). On SIGUSR2 it collects garbage and writes memory, timer
 * delays and the longest tasks of the main thread to the file `SOAK_FILE`. The length of a task is its processor time
 * (Linux only), without the garbage collection.
 */
const { readFileSync, renameSync, writeFileSync } = require('node:fs');
const { createHistogram, monitorEventLoopDelay } = require('node:perf_hooks');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

const file = process.env.SOAK_FILE;
const resolution = 5;
const thread = `/proc/self/task/${process.pid}/schedstat`;

/** Nanoseconds of processor time. */
const processorTime = () => Number(readFileSync(thread, 'utf8').split(' ')[0]);
const milliseconds = (histogram, offset) => {
  const [p99, max] = [histogram.percentile(99), histogram.max].map((value) =>
    Math.max(0, value / 1e6 - offset),
  );
  return { p99, max };
};

if (file) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  const delay = monitorEventLoopDelay({ resolution });
  const taskTimes = createHistogram();
  delay.enable();
  let before = processorTime();
  const measureTask = () => {
    const now = processorTime();
    taskTimes.record(Math.max(1, now - before));
    before = now;
  };
  setInterval(measureTask, 1).unref();
  process.on('SIGUSR2', () => {
    measureTask();
    const [late, work] = [milliseconds(delay, resolution), milliseconds(taskTimes, 0)];
    collect();
    const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
    writeFileSync(`${file}.new`, JSON.stringify({ rss, heapUsed, heapTotal, external, late, work }));
    renameSync(`${file}.new`, file);
    setImmediate(() => {
      delay.reset();
      taskTimes.reset();
      before = processorTime();
    });
  });
}
