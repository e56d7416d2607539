/** Lists and searches of accounts for server administrators, in the form of ep_mypads 1.x. */
import { nextSlice, sliceUsed } from '../../model/store/timeSlice';
import type { Handlers } from '../calls';
import { AnswerBuilder, member, ObjectMembers, type SerialisedAnswer } from '../serialisedAnswer';
import type { Services } from '../services';
import type { UsersAnswer } from './schema';

interface Page {
  offset?: number;
  limit?: number;
}

/** Written in slices, because all accounts of a large server in one go would block editing. */
async function find({ model }: Services, text: string, page: Page): Promise<SerialisedAnswer<UsersAnswer>> {
  const { entries, count } = await model.recordIndex.accounts({ text, ...page });
  const builder = new AnswerBuilder().text('{"users":{');
  const users = new ObjectMembers(builder);
  for (const { login, second, _id, email, firstname, lastname, active } of entries) {
    // In an old database, two accounts can share a login. The second one gets its id as key.
    users.text(member(second ? _id : login, { _id, email, firstname, lastname, active }));
    if (sliceUsed()) await nextSlice();
  }
  return builder.text(`},${member('usersCount', count)}}`).done({ kept: 'here' });
}

export const directoryHandlers = (services: Services) =>
  ({
    'GET /all-users': ({ query }) => find(services, '', query),
    'GET /search-users/{text}': ({ params, query }) => find(services, params.text, query),
  }) satisfies Partial<Handlers>;
