/** Tags of many groups in one call. */
import type { Router } from 'express';
import { type ErrorKey, MyPadsError } from '../../model/errors';
import { forEachInBatches } from '../../model/store/batches';
import { groupAdministrators } from '../middleware/authorise';
import { route } from '../middleware/route';
import type { Services } from '../services';
import type { GroupLookup } from './lookup';
import { type TagChange, type TagsAnswer, tagging, tagsAnswer } from './schema';

/** Adds `POST /tags`. Each group is changed on its own, so one that may not be changed does not stop the others. */
export function addTagging(router: Router, { model: { groups } }: Services, lookup: GroupLookup): void {
  router.post(
    '/tags',
    route(
      {
        who: 'signedIn',
        openTo: groupAdministrators,
        summary:
          'Adds tags to groups and removes tags from them, each group on its own. Tags that are not named stay.',
        input: tagging,
        answer: tagsAnswer,
        example: {
          body: { changes: [{ group: 'minutes-of-the-board-x2k3v9', add: ['board'], remove: ['draft'] }] },
          answer: {
            success: true,
            changed: [{ group: 'minutes-of-the-board-x2k3v9', add: ['board'], remove: [] }],
            failed: [],
          },
        },
      },
      async ({ body: { changes } }, request): Promise<TagsAnswer> => {
        const changed: TagChange[] = [];
        const failed: { group: string; error: ErrorKey }[] = [];
        await forEachInBatches(changes, async ({ group, ...change }) => {
          try {
            const { check } = await lookup.requireAbility(request, group, 'edit');
            const done = await groups.changeTags(group, change, check);
            if (done.add.length + done.remove.length === 0) return;
            lookup.logEvent('group changed', request, group, { changed: ['tags'] });
            changed.push({ group, add: [...done.add], remove: [...done.remove] });
          } catch (error) {
            if (!(error instanceof MyPadsError)) throw error;
            failed.push({ group, error: error.key });
          }
        });
        return { success: true, changed, failed };
      },
    ),
  );
}
