/** Changes of folders, and the cached answers that each of them updates. */
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Group } from '../../../api/answers';
import type { GroupAnswer, GroupChange, GroupCreation, InviteAnswer, Roles } from '../../../api/group/schema';
import { call } from './client';
import type { Groups, ListedFolder } from './folders';
import { keys } from './keys';
import { deletionOf } from './useCall';

/** Turns a saved folder into an entry of the list. `before`: its previous entry. */
function listed(group: Group, before: ListedFolder | undefined): ListedFolder {
  const { description, hasPassword, allowUsersToCreatePads, pads, ...shown } = group;
  return { ...shown, padCount: pads.length, lastUpdate: before?.lastUpdate ?? group.ctime };
}

function putGroup(client: QueryClient, group: Group): void {
  const { _id: id } = group;
  client.setQueryData<Groups>(
    keys.groups,
    (known) => known && { ...known, groups: { ...known.groups, [id]: listed(group, known.groups[id]) } },
  );
  client.setQueryData<GroupAnswer>(keys.group(group._id), (known) => ({
    key: group._id,
    ...known,
    value: group,
  }));
}

function dropGroup(client: QueryClient, id: string): void {
  client.setQueryData<Groups>(keys.groups, (known) => {
    if (known === undefined) return undefined;
    const { [id]: _gone, ...groups } = known.groups;
    return { ...known, groups };
  });
  removeFromCache(client, keys.group(id));
}

/** Removes a cached answer without reading it again: the screen that still shows it is about to close. */
export function removeFromCache(client: QueryClient, queryKey: readonly string[]): void {
  client.removeQueries({ queryKey, type: 'inactive' });
  void client.invalidateQueries({ queryKey, refetchType: 'none' });
}

export function refetchGroups(client: QueryClient, ...ids: readonly string[]): void {
  void client.invalidateQueries({ queryKey: keys.groups });
  void client.invalidateQueries({ queryKey: keys.recent });
  void client.invalidateQueries({ queryKey: keys.padNames });
  for (const id of ids) void client.invalidateQueries({ queryKey: keys.group(id) });
}

/** Shows who has which role in a folder, as the answer to a change says. */
export function putRoles(client: QueryClient, id: string, { value, users }: InviteAnswer): void {
  client.setQueryData<GroupAnswer>(keys.group(id), (known) => known && { ...known, value, users });
  refetchGroups(client, id);
}

/** A change that is answered with the folder. */
function useGroupChange<Input>(send: (input: Input) => Promise<{ value: Group }>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (input: Input) => (await send(input)).value,
    onSuccess: (group) => {
      putGroup(client, group);
      refetchGroups(client, group._id);
      void client.invalidateQueries({ queryKey: keys.everyPad });
    },
  });
}

/** Creates a folder and returns it. */
export const useCreateGroup = () => useGroupChange((body: GroupCreation) => call('POST /group', { body }));

/** Changes a folder. Fields that are missing keep their values. */
export const useUpdateGroup = () =>
  useGroupChange(({ id, ...body }: GroupChange & { id: string }) =>
    call('PUT /group/{id}', { params: { id }, body }),
  );

/** Makes somebody else the only manager of a folder, by username or email address. */
export const useHandOver = (id: string) =>
  useGroupChange((to: string) => call('POST /group/{id}/handover', { params: { id }, body: { to } }));

/** A call after which a folder is not the person's any more. */
function useEnding(send: (id: string) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: (_nothing, id) => {
      dropGroup(client, id);
      refetchGroups(client);
    },
  });
}

/** Removes a folder with all its pads. */
export const useRemoveGroup = () =>
  useEnding((id) => deletionOf(id, call('DELETE /group/{id}', { params: { id } })));

/** Leaves a folder. */
export const useResign = () => useEnding((gid) => call('POST /group/resign', { body: { gid } }));

/** Changes roles in a folder; everybody else keeps theirs. The answer says which entries have no account. */
export function useAssignRoles(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Roles): Promise<InviteAnswer> =>
      call('PUT /group/{id}/members', { params: { id }, body }),
    onSuccess: (answer) => putRoles(client, id, answer),
  });
}
