/** Limits, jobs, settings and mailed links that calls name. See records.ts. */
import { MyPadsError } from '../model/errors';
import type { Job } from '../model/jobs/types';
import { sha256 } from '../model/sha256';
import { deniedKey, idIn, notFoundKey, type RecordRule } from './records';
import type { Services } from './services';

export type Locked = Awaited<ReturnType<Services['limits']['locked']>>[number];

const hashed = (text: string): string => sha256(text).slice(0, 32);

/** The name of a lock in answers. The key itself stays on the server: what was typed as a login may be a password. */
export const idOfLock = ({ limit, key }: Locked): string => hashed(`${limit} ${key}`);

/** A limit that locks somebody out now. */
export const limitLock: RecordRule<{ lock: Locked }> = {
  names: ['id'],
  errors: [notFoundKey],
  async find(asked) {
    const id = idIn(asked, 'id');
    const lock = (await asked.services.limits.locked()).find((one) => idOfLock(one) === id);
    if (!lock) throw new MyPadsError(notFoundKey);
    return { lock };
  },
};

/** The name of a job in answers. The id itself may contain that of a removed person. */
export const idOfJob = ({ id }: Pick<Job, 'id'>): string => hashed(id);

/** A job that has not ended. */
export const openJob: RecordRule<{ job: Job }> = {
  names: ['id'],
  errors: [notFoundKey],
  async find(asked) {
    const id = idIn(asked, 'id');
    const job = (await asked.services.model.jobs.list()).find((one) => idOfJob(one) === id);
    if (!job) throw new MyPadsError(notFoundKey);
    return { job };
  },
};

/** A job that can be given up without harm. */
export const cancellableJob: RecordRule<{ job: Job }> = {
  ...openJob,
  errors: [...openJob.errors, deniedKey],
  async find(asked) {
    const found = await openJob.find(asked);
    if (!found.job.canCancel) throw new MyPadsError(deniedKey);
    return found;
  },
};

/** The setting in `key`. */
export const setting: RecordRule = {
  names: ['key'],
  errors: [notFoundKey],
  find(asked) {
    asked.services.model.configuration.shown(idIn(asked, 'key'));
    return {};
  },
};

/** The link is the right. model/people/mailToken.ts checks its token when it uses it up. */
export const mailedLink: RecordRule = {
  names: ['token'],
  openTo: 'who has the link',
  errors: ['BACKEND.ERROR.TOKEN.EXPIRED', 'BACKEND.ERROR.TOKEN.INCORRECT'],
  find: () => ({}),
};
