/** The person's own lists of people, for adding them to folders together. */
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  UserListRemovedAnswer,
  UserListSavedAnswer,
  UserLists,
  UserListsAnswer,
} from '../../../api/wire';
import { call, path } from './client';
import { keys } from './keys';
import { useUser } from './queries';

/** All lists by id. Reads nothing for a guest. */
export function useUserLists() {
  const user = useUser();
  return useQuery({
    queryKey: keys.userLists,
    queryFn: async ({ signal }): Promise<UserLists> =>
      (await call<UserListsAnswer>('userlist', { signal })).value,
    enabled: user !== undefined,
  });
}

/** A list to save. `key`: of an existing list. `loginsOrEmails`: everybody who is on it. */
export interface UserListInput {
  key?: string;
  name: string;
  loginsOrEmails: string[];
}

function keep(client: QueryClient, { value }: { value: UserLists }): void {
  client.setQueryData<UserLists>(keys.userLists, value);
}

/** Creates or changes a list. The answer says which entries have no account; the others are saved. */
export function useSaveUserList() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ key, ...body }: UserListInput): Promise<UserListSavedAnswer> =>
      key === undefined
        ? call('userlist', { method: 'POST', body })
        : call(`userlist/${path(key)}`, { method: 'PUT', body }),
    onSuccess: (answer) => keep(client, answer),
  });
}

/** Removes a list. The people on it keep their folders. */
export function useRemoveUserList() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (key: string): Promise<UserListRemovedAnswer> =>
      call(`userlist/${path(key)}`, { method: 'DELETE' }),
    onSuccess: (answer) => keep(client, answer),
  });
}
