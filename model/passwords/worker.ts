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
        ? { value: bcrypt.hashSync(job.text, job.rounds) }
        : { value: bcrypt.compareSync(job.text, job.hash) };
  } catch (error) {
    result = { failed: String(error) };
  }
  parentPort?.postMessage(result);
});
