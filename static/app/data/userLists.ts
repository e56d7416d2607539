/** The person's own lists of people, for adding several people to folders at once. */
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  UserListCreation,
  UserListRemovedAnswer,
  UserListSavedAnswer,
  UserLists,
} from '../../../api/userlist/schema';
import { call } from './client';
import { useUser } from './configuration';
import { keys } from './keys';

/** All lists by id. Reads nothing for a guest. */
export function useUserLists() {
  const user = useUser();
  return useQuery({
    queryKey: keys.userLists,
    queryFn: async ({ signal }): Promise<UserLists> => (await call('GET /userlist', { signal })).value,
    enabled: user !== undefined,
  });
}

function keep(client: QueryClient, { value }: { value: UserLists }): void {
  client.setQueryData<UserLists>(keys.userLists, value);
}

/** Creates a list, or changes the list `key`. The answer says which entries have no account; the others are saved. */
export function useSaveUserList() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ key, ...body }: UserListCreation & { key?: string }): Promise<UserListSavedAnswer> =>
      key === undefined
        ? call('POST /userlist', { body })
        : call('PUT /userlist/{key}', { params: { key }, body }),
    onSuccess: (answer) => keep(client, answer),
  });
}

/** Removes a list. The people on it keep their folders. */
export function useRemoveUserList() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (key: string): Promise<UserListRemovedAnswer> =>
      call('DELETE /userlist/{key}', { params: { key }, body: {} }),
    onSuccess: (answer) => keep(client, answer),
  });
}
