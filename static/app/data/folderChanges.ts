/** Changes of folders, and the cached answers that each of them updates. */
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Group } from '../../../api/answers';
import type { GroupAnswer, GroupChange, GroupCreation, InviteAnswer, Roles } from '../../../api/group/schema';
import { call } from './client';
import type { Groups, ListedFolder } from './folders';
import { keys } from './keys';

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

/** Creates a folder and returns it. */
export function useCreateGroup() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (input: GroupCreation): Promise<Group> =>
      (await call('POST /group', { body: input })).value,
    onSuccess: (group) => {
      putGroup(client, group);
      refetchGroups(client, group._id);
    },
  });
}

/** Changes a folder. Fields that are missing in `input` keep their values. */
export function useUpdateGroup(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (input: GroupChange): Promise<Group> =>
      (await call('PUT /group/{id}', { params: { id }, body: input })).value,
    onSuccess: (group) => {
      putGroup(client, group);
      refetchGroups(client, id);
      void client.invalidateQueries({ queryKey: keys.everyPad });
    },
  });
}

/** Gives a folder another name. */
export function useRenameGroup() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, name }: { id: string; name: string }): Promise<Group> =>
      (await call('PUT /group/{id}', { params: { id }, body: { name } })).value,
    onSuccess: (group) => {
      putGroup(client, group);
      refetchGroups(client, group._id);
    },
  });
}

/** Removes a folder with all its pads. */
export function useRemoveGroup() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (id: string): Promise<void> => {
      await call('DELETE /group/{id}', { params: { id } });
    },
    onSuccess: (_nothing, id) => {
      dropGroup(client, id);
      refetchGroups(client);
    },
  });
}

/** Leaves a folder. */
export function useResign() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (gid: string): Promise<void> => {
      await call('POST /group/resign', { body: { gid } });
    },
    onSuccess: (_nothing, gid) => {
      dropGroup(client, gid);
      refetchGroups(client);
    },
  });
}

/** Makes somebody else the only manager of a folder, by username or email address. */
export function useHandOver(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (to: string): Promise<Group> =>
      (await call('POST /group/{id}/handover', { params: { id }, body: { to } })).value,
    onSuccess: (group) => {
      putGroup(client, group);
      refetchGroups(client, id);
      void client.invalidateQueries({ queryKey: keys.everyPad });
    },
  });
}

/** Changes roles in a folder; everybody else keeps theirs. The answer says which entries have no account. */
export function useAssignRoles(group: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (roles: Roles): Promise<InviteAnswer> =>
      call('PUT /group/{id}/members', { params: { id: group }, body: roles }),
    onSuccess: ({ value, users }) => {
      client.setQueryData<GroupAnswer>(keys.group(group), (known) => known && { ...known, value, users });
      refetchGroups(client, group);
    },
  });
}
