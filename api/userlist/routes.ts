/** A person's own lists of people. */
import { Router } from 'express';
import { MyPadsError } from '../../model/errors';
import { requirePerson } from '../middleware/authorise';
import { route } from '../middleware/validate';
import type { Services } from '../services';
import type { UserListRemovedAnswer, UserListSavedAnswer, UserListsAnswer } from '../wire';
import { presentUserLists } from './presenter';
import {
  change,
  creation,
  removal,
  userListRemovedAnswer,
  userListSavedAnswer,
  userListsAnswer,
} from './schema';

/** The list comes from the path; a body may only repeat it. */
function requireSameList(key: string, ulistid: string | undefined): void {
  if (ulistid !== undefined && ulistid !== key) {
    throw new MyPadsError('BACKEND.ERROR.TYPE.USERLIST_ID', { field: 'ulistid' });
  }
}

export function userListRoutes({ limits, model: { userLists } }: Services): Router {
  const router = Router();
  const listsOf = async (owner: string) => presentUserLists(await userLists.all(owner));

  router.get(
    '/',
    route({}, userListsAnswer, async (_input, request): Promise<UserListsAnswer> => {
      return { value: await listsOf(requirePerson(request).id), present: [], absent: [] };
    }),
  );

  router.post(
    '/',
    route(creation, userListSavedAnswer, async ({ body }, request): Promise<UserListSavedAnswer> => {
      const owner = requirePerson(request).id;
      const { name, loginsOrEmails } = body;
      await limits.spend('userLists', owner);
      const { id, present, absent } = await userLists.create(owner, { name, entries: loginsOrEmails });
      return { success: true, key: id, value: await listsOf(owner), present, absent };
    }),
  );

  router.put(
    '/:key',
    route(
      change,
      userListSavedAnswer,
      async ({ params: { key }, body }, request): Promise<UserListSavedAnswer> => {
        const owner = requirePerson(request).id;
        requireSameList(key, body.ulistid);
        const { name, loginsOrEmails } = body;
        await limits.spend('userLists', owner);
        const { present, absent } = await userLists.update(owner, key, { name, entries: loginsOrEmails });
        return { success: true, key, value: await listsOf(owner), present, absent };
      },
    ),
  );

  router.delete(
    '/:key',
    route(
      removal,
      userListRemovedAnswer,
      async ({ params: { key }, body }, request): Promise<UserListRemovedAnswer> => {
        const owner = requirePerson(request).id;
        requireSameList(key, body.ulistid);
        await userLists.remove(owner, key);
        return { success: true, key, value: await listsOf(owner) };
      },
    ),
  );

  return router;
}
