/** User lists: lists of people that a person keeps for themselves. */
import { Router } from 'express';
import { MyPadsError } from '../../model/errors';
import { route } from '../middleware/validate';
import type { Services } from '../services';
import { presentUserLists } from './presenter';
import {
  change,
  creation,
  removal,
  type UserListRemovedAnswer,
  type UserListSavedAnswer,
  type UserListsAnswer,
  userListRemovedAnswer,
  userListSavedAnswer,
  userListsAnswer,
} from './schema';

/** The id in the body must be the one in the path. */
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
    route({ who: 'person', answer: userListsAnswer }, async ({ caller }): Promise<UserListsAnswer> => {
      return { value: await listsOf(caller.actor.id), present: [], absent: [] };
    }),
  );

  router.post(
    '/',
    route(
      { who: 'person', input: creation, answer: userListSavedAnswer },
      async ({ caller, body }): Promise<UserListSavedAnswer> => {
        const owner = caller.actor.id;
        const { name, loginsOrEmails } = body;
        await limits.consume('userLists', owner);
        const { id, present, absent } = await userLists.create(owner, { name, entries: loginsOrEmails });
        return { success: true, key: id, value: await listsOf(owner), present, absent };
      },
    ),
  );

  router.put(
    '/:key',
    route(
      { who: 'person', input: change, answer: userListSavedAnswer },
      async ({ caller, params: { key }, body }): Promise<UserListSavedAnswer> => {
        const owner = caller.actor.id;
        requireSameList(key, body.ulistid);
        const { name, loginsOrEmails } = body;
        await limits.consume('userLists', owner);
        const { present, absent } = await userLists.update(owner, key, { name, entries: loginsOrEmails });
        return { success: true, key, value: await listsOf(owner), present, absent };
      },
    ),
  );

  router.delete(
    '/:key',
    route(
      { who: 'person', input: removal, answer: userListRemovedAnswer },
      async ({ caller, params: { key }, body }): Promise<UserListRemovedAnswer> => {
        const owner = caller.actor.id;
        requireSameList(key, body.ulistid);
        await userLists.remove(owner, key);
        return { success: true, key, value: await listsOf(owner) };
      },
    ),
  );

  return router;
}
