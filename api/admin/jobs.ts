/** `admin/jobs`: work in the background that has not ended, running it again, and giving up mails. */
import { setTimeout as pause } from 'node:timers/promises';
import { MyPadsError } from '../../model/errors';
import type { Job } from '../../model/jobs/types';
import type { Handlers } from '../calls';
import { callerFacts } from '../middleware/caller';
import { idOfJob } from '../serverRecords';
import type { Services } from '../services';
import type { AdminJob } from './schema';

/** Jobs in an answer. There are more only while the mail server does not answer. */
const maxShown = 200;
/** Milliseconds that a call waits for a job. Removals of large folders take longer. */
const runWait = 5_000;
/** Characters of an error. */
const maxError = 500;

/** Errors of the product are stored with the name of their class. */
const errorOf = ({ error }: Job): string | null =>
  error?.replace(/^(?:MyPads)?Error: /, '').slice(0, maxError) ?? null;

/** Without the facts, which hold addresses and ids of people. */
const present = (job: Job): AdminJob => ({
  id: idOfJob(job),
  type: job.type,
  begun: job.begun,
  next: job.next,
  running: job.isRunning,
  attempts: job.attempts,
  error: errorOf(job),
  failed: job.failed ?? false,
  progress: job.progress ?? null,
  canCancel: job.canCancel,
});

export const jobHandlers = ({ model: { jobs, log, events } }: Services) =>
  ({
    async 'GET /admin/jobs'() {
      const all = await jobs.list();
      return { jobs: all.slice(0, maxShown).map(present), count: all.length };
    },

    async 'POST /admin/jobs/{id}/run'({ params: { id: key }, job: { id, type } }, request) {
      log.info('job run on request', { job: type, ...callerFacts(request) });
      events.emit({ about: 'job', what: 'run' });
      await Promise.race([jobs.runNow(id), pause(runWait, undefined, { ref: false })]);
      const job = (await jobs.list()).find((one) => one.id === id);
      return { success: true, key, job: job ? present(job) : null };
    },

    async 'DELETE /admin/jobs/{id}'({ params: { id: key }, job: { id, type } }, request) {
      if (!(await jobs.cancel(id))) throw new MyPadsError('BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND');
      log.info('job cancelled', { job: type, ...callerFacts(request) });
      events.emit({ about: 'job', what: 'cancelled' });
      return { success: true, key };
    },
  }) satisfies Partial<Handlers>;
