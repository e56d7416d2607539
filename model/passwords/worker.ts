/** Runs bcrypt in a worker thread: receives `HashingJob`, answers `HashingResult`; see model/passwords/hasher.ts. */
import { parentPort } from 'node:worker_threads';
import bcrypt from 'bcryptjs';
import { lowerPriority } from '../workerThread';
import type { HashingJob, HashingResult } from './hasher';

lowerPriority(10);

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
