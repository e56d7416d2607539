/** Tags of many groups in one call. */
import { type ErrorKey, MyPadsError } from '../../model/errors';
import { forEachInBatches } from '../../model/store/batches';
import type { Handlers } from '../calls';
import type { Services } from '../services';
import { logGroupEvent } from './changed';
import type { TagChange } from './schema';

/** Each group is changed on its own, so one that may not be changed does not stop the others. */
export const taggingHandlers = (services: Services) =>
  ({
    async 'POST /group/tags'({ body: { changes }, of }, request) {
      const changed: TagChange[] = [];
      const failed: { group: string; error: ErrorKey }[] = [];
      await forEachInBatches(changes, async ({ group, ...change }) => {
        try {
          const { check } = await of(group);
          const done = await services.model.groups.changeTags(group, change, check);
          if (done.add.length + done.remove.length === 0) return;
          logGroupEvent(services, 'group changed', request, group, { changed: ['tags'] });
          changed.push({ group, add: [...done.add], remove: [...done.remove] });
        } catch (error) {
          if (!(error instanceof MyPadsError)) throw error;
          failed.push({ group, error: error.key });
        }
      });
      return { success: true, changed, failed };
    },
  }) satisfies Partial<Handlers>;
