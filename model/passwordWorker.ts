/** Runs bcrypt in a thread of its own. Speaks `HashingJob` in, `HashingResult` out; see model/passwordHasher.ts. */
import { parentPort } from 'node:worker_threads';
import bcrypt from 'bcryptjs';
import type { HashingJob, HashingResult } from './passwordHasher';

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
