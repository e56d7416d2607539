/** Lists and searches of accounts for server administrators, in the form of ep_mypads 1.x. */
import { Router } from 'express';
import { nextSlice, sliceUsed } from '../../model/store/timeSlice';
import { route } from '../middleware/route';
import { AnswerBuilder, member, ObjectMembers, type SerialisedAnswer } from '../serialisedAnswer';
import type { Services } from '../services';
import { allUsers, search, type UsersAnswer, usersAnswer } from './schema';

interface Page {
  offset?: number;
  limit?: number;
}

/** Written in slices, because all accounts of a large server in one go would block editing. */
async function find({ model }: Services, text: string, page: Page): Promise<SerialisedAnswer<UsersAnswer>> {
  const { entries, count } = await model.directory.search({ text, ...page });
  const builder = new AnswerBuilder().text('{"users":{');
  const users = new ObjectMembers(builder);
  for (const { login, second, _id, email, firstname, lastname, active } of entries) {
    // In an old database, two accounts can share a login. The second one gets its id as key.
    users.text(member(second ? _id : login, { _id, email, firstname, lastname, active }));
    if (sliceUsed()) await nextSlice();
  }
  return builder.text(`},${member('usersCount', count)}}`).done({ kept: 'here' });
}

export function allUsersRoutes(services: Services): Router {
  const router = Router();
  router.get(
    '/',
    route(
      {
        who: 'administrator',
        summary: 'Returns all accounts, or one page of them with `limit` and `offset`.',
        input: allUsers,
        answer: usersAnswer,
      },
      ({ query }) => find(services, '', query),
    ),
  );
  return router;
}

export function searchUsersRoutes(services: Services): Router {
  const router = Router();
  router.get(
    '/:text',
    route(
      {
        who: 'administrator',
        summary:
          'Returns the accounts with the text in login, e-mail address or name. Letter case and accents do not count.',
        input: search,
        answer: usersAnswer,
      },
      ({ params, query }) => find(services, params.text, query),
    ),
  );
  return router;
}
