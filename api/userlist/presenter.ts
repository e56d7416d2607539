import type { ListedUser, UserList } from '../../model/people/userlist';
import type { ListedPerson, UserLists } from './schema';

function presentListed({ user, full, typedEmail }: ListedUser): ListedPerson {
  const { _id, login, firstname, lastname, email } = user;
  if (full) return { _id, login, firstname, lastname, email };
  return typedEmail === undefined ? { _id, login } : { _id, login, email: typedEmail };
}

export function presentUserLists(lists: readonly UserList[]): UserLists {
  return Object.fromEntries(
    lists.map(({ id, name, people }) => [
      id,
      { name, uids: people.map(({ user }) => user._id), users: people.map(presentListed) },
    ]),
  );
}
