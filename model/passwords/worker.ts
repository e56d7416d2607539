/** Runs bcrypt in a worker thread: receives `HashingJob`, answers `HashingResult`; see model/passwords/hasher.ts. */
import { getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import bcrypt from 'bcryptjs';
import type { HashingJob, HashingResult } from './hasher';

// Lower priority, so that editing comes first when cores are busy. Only on Linux, where priorities are per thread.
if (process.platform === 'linux') {
  try {
    setPriority(0, Math.min(19, getPriority(0) + 10));
  } catch {
    // Not permitted: hashing continues with the normal priority.
  }
}

parentPort?.on('message', (job: HashingJob) => {
  let result: HashingResult;
  try {
    result =
      job.kind === 'hash'
        ? { kind: 'hash', hash: bcrypt.hashSync(job.text, job.rounds) }
        : { kind: 'compare', equal: bcrypt.compareSync(job.text, job.hash) };
  } catch (error) {
    result = { kind: 'failed', reason: String(error) };
  }
  parentPort?.postMessage(result);
});
