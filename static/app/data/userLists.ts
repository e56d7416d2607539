/** The person's own lists of people, for adding several people to folders at once. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { UserListChange, UserListCreation, UserLists } from '../../../api/userlist/schema';
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

/** A change that is answered with all lists. */
function useListChange<Input, Answer extends { value: UserLists }>(send: (input: Input) => Promise<Answer>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: ({ value }) => client.setQueryData<UserLists>(keys.userLists, value),
  });
}

/** Creates a list, or changes the list `key`. The answer says which entries have no account; the others are saved. */
export const useSaveUserList = () =>
  useListChange((input: UserListCreation | (UserListChange & { key: string })) => {
    if (!('key' in input)) return call('POST /userlist', { body: input });
    const { key, ...body } = input;
    return call('PUT /userlist/{key}', { params: { key }, body });
  });

/** Removes a list. The people on it keep their folders. */
export const useRemoveUserList = () =>
  useListChange((key: string) => call('DELETE /userlist/{key}', { params: { key }, body: {} }));
