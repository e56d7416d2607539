/** User lists: lists of people that a person keeps for themselves. */
import { Router } from 'express';
import { MyPadsError } from '../../model/errors';
import { route } from '../middleware/route';
import type { Services } from '../services';
import { presentUserLists } from './presenter';
import {
  change,
  creation,
  removal,
  type UserListRemovedAnswer,
  type UserListSavedAnswer,
  type UserLists,
  type UserListsAnswer,
  userListRemovedAnswer,
  userListSavedAnswer,
  userListsAnswer,
} from './schema';

/** Throws TYPE.USERLIST_ID if the body names another list than the path. */
function requireSameList(key: string, ulistid: string | undefined): void {
  if (ulistid !== undefined && ulistid !== key) {
    throw new MyPadsError('BACKEND.ERROR.TYPE.USERLIST_ID', { field: 'ulistid' });
  }
}

type ListsOf = (owner: string) => Promise<UserLists>;

/** Adds `GET /` and `DELETE /:key`. */
function addOwnLists(router: Router, { model: { userLists } }: Services, listsOf: ListsOf): void {
  router.get(
    '/',
    route(
      {
        who: 'person',
        summary: 'Returns the caller’s user lists: lists of people that they keep for themselves.',
        answer: userListsAnswer,
      },
      async ({ caller }): Promise<UserListsAnswer> => {
        return { value: await listsOf(caller.actor.id), present: [], absent: [] };
      },
    ),
  );

  router.delete(
    '/:key',
    route(
      { who: 'person', summary: 'Removes a user list.', input: removal, answer: userListRemovedAnswer },
      async ({ caller, params: { key }, body }): Promise<UserListRemovedAnswer> => {
        const owner = caller.actor.id;
        requireSameList(key, body.ulistid);
        await userLists.remove(owner, key);
        return { success: true, key, value: await listsOf(owner) };
      },
    ),
  );
}

/** Adds `POST /` and `PUT /:key`. */
function addSaving(router: Router, { limits, model: { userLists } }: Services, listsOf: ListsOf): void {
  router.post(
    '/',
    route(
      {
        who: 'person',
        summary: 'Creates a user list.',
        input: creation,
        answer: userListSavedAnswer,
        errors: ['BACKEND.ERROR.TYPE.USERLIST_CRUD', 'BACKEND.ERROR.PERMISSION.TOO_MANY'],
        example: { body: { name: 'The board', loginsOrEmails: ['bob', 'carol@example.org'] } },
      },
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
      {
        who: 'person',
        summary: 'Changes the name or the people of a user list. `loginsOrEmails` replaces all people.',
        input: change,
        answer: userListSavedAnswer,
        errors: [
          'BACKEND.ERROR.TYPE.USERLIST_SET_PARAMS',
          'BACKEND.ERROR.TYPE.USERLIST_CRUD',
          'BACKEND.ERROR.PERMISSION.TOO_MANY',
        ],
        example: { body: { name: 'The new board' } },
      },
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
}

export function userListRoutes(services: Services): Router {
  const { userLists } = services.model;
  const router = Router();
  const listsOf: ListsOf = async (owner) => presentUserLists(await userLists.all(owner));
  addOwnLists(router, services, listsOf);
  addSaving(router, services, listsOf);
  return router;
}
