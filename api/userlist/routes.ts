/** User lists: lists of people that a person keeps for themselves. */

import type { ListedUser, UserList } from '../../model/people/userlist';
import type { Handlers } from '../calls';
import type { Services } from '../services';
import type { ListedPerson, UserLists } from './schema';

export const userListHandlers = ({ limits, model: { userLists } }: Services) => {
  const listsOf = async (owner: string): Promise<UserLists> => presentUserLists(await userLists.all(owner));
  return {
    async 'GET /userlist'({ caller }) {
      return { value: await listsOf(caller.actor.id), present: [], absent: [] };
    },

    async 'DELETE /userlist/{key}'({ caller, params: { key } }) {
      const owner = caller.actor.id;
      await userLists.remove(owner, key);
      return { success: true, key, value: await listsOf(owner) };
    },

    async 'POST /userlist'({ caller, body: { name, loginsOrEmails } }) {
      const owner = caller.actor.id;
      await limits.consume('userLists', owner);
      const { id, present, absent } = await userLists.create(owner, { name, entries: loginsOrEmails });
      return { success: true, key: id, value: await listsOf(owner), present, absent };
    },

    async 'PUT /userlist/{key}'({ caller, params: { key }, body: { name, loginsOrEmails, was } }) {
      const owner = caller.actor.id;
      await limits.consume('userLists', owner);
      const input = { name, entries: loginsOrEmails, was };
      const { present, absent } = await userLists.update(owner, key, input);
      return { success: true, key, value: await listsOf(owner), present, absent };
    },
  } satisfies Partial<Handlers>;
};

function presentListed({ user, full, typedEmail }: ListedUser): ListedPerson {
  const { _id, login, firstname, lastname, email } = user;
  if (full) return { _id, login, firstname, lastname, email };
  return typedEmail === undefined ? { _id, login } : { _id, login, email: typedEmail };
}

function presentUserLists(lists: readonly UserList[]): UserLists {
  return Object.fromEntries(
    lists.map(({ id, name, people }) => [
      id,
      { name, uids: people.map(({ user }) => user._id), users: people.map(presentListed) },
    ]),
  );
}
