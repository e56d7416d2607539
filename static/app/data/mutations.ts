/** Changes on the server, and the cached answers that each of them updates. */
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Group, OwnUser, Pad } from '../../../api/answers';
import type { Credentials, LoginAnswer } from '../../../api/auth/schema';
import type { Mark } from '../../../api/bookmark/schema';
import type { ConfigurationAnswer } from '../../../api/configuration/schema';
import type {
  GroupAnswer,
  GroupChange,
  GroupCreation,
  GroupSavedAnswer,
  InviteAnswer,
  Roles,
} from '../../../api/group/schema';
import type { PadAnswer, PadChange, PadCreation, PadSavedAnswer } from '../../../api/pad/schema';
import type { RegisterAnswer, Registration } from '../../../api/user/schema';
import { call, isError, path } from './client';
import { keys } from './keys';
import { forgetAnswers, type Groups, type ListedFolder } from './queries';
import { forgetSession, keepGuestToken, readSession, startSession } from './session';

/* Session */

/** Stores the token of a sign-in and reads everything again as this person. */
export async function completeSignIn(client: QueryClient, { token, user }: LoginAnswer): Promise<void> {
  startSession(token);
  client.setQueryData<ConfigurationAnswer>(
    keys.configuration,
    (known) => known && { ...known, auth: true, user },
  );
  await forgetAnswers(client);
}

/** Signs in and returns the person. */
export function useSignIn() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (credentials: Credentials): Promise<OwnUser> => {
      const answer = await call<LoginAnswer>('auth/login', {
        method: 'POST',
        body: credentials,
        token: null,
      });
      await completeSignIn(client, answer);
      return answer.user;
    },
  });
}

/** Signs out. The page does not wait for the server. */
export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (): Promise<void> => {
      const { token } = readSession();
      try {
        if (token !== null) await call('auth/logout', { method: 'POST', token, timeout: 5_000 });
      } finally {
        clearSession(client);
      }
    },
  });
}

/** Clears the session and all cached answers. */
export function clearSession(client: QueryClient): void {
  forgetSession();
  client.setQueryData<ConfigurationAnswer>(
    keys.configuration,
    (known) => known && { value: known.value, auth: false },
  );
  void forgetAnswers(client);
}

/**
 * Registers. With `value.active` false, a mail was sent and the person must open its link; otherwise they are signed
 * in.
 */
export function useRegister() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (registration: Registration & Credentials): Promise<OwnUser> => {
      const { value } = await call<RegisterAnswer>('user', {
        method: 'POST',
        body: registration,
        token: null,
      });
      if (value.active) {
        const body: Credentials = { login: value.login, password: registration.password };
        await completeSignIn(
          client,
          await call<LoginAnswer>('auth/login', { method: 'POST', body, token: null }),
        );
      }
      return value;
    },
  });
}

/* Proving a password */

/** Proves the password of a private folder or pad, for this session. PERMISSION.UNAUTHORIZED when it is wrong. */
export function useProof(what: 'group' | 'pad', id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (password: string): Promise<void> => {
      const body = { password };
      const answer = await call<GroupAnswer | PadAnswer>(`${what}/${path(id)}/unlock`, {
        method: 'POST',
        body,
      });
      if (answer.token !== undefined) keepGuestToken(answer.token);
      await Promise.all([
        client.invalidateQueries({ queryKey: keys.everyGroup }),
        client.invalidateQueries({ queryKey: keys.everyPad }),
      ]);
    },
  });
}

/* Folders */

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
function removeFromCache(client: QueryClient, queryKey: readonly string[]): void {
  client.removeQueries({ queryKey, type: 'inactive' });
  void client.invalidateQueries({ queryKey, refetchType: 'none' });
}

function refetchGroups(client: QueryClient, ...ids: readonly string[]): void {
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
      (await call<GroupSavedAnswer>('group', { method: 'POST', body: input })).value,
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
      (await call<GroupSavedAnswer>(`group/${path(id)}`, { method: 'PUT', body: input })).value,
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
      (await call<GroupSavedAnswer>(`group/${path(id)}`, { method: 'PUT', body: { name } })).value,
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
      await call(`group/${path(id)}`, { method: 'DELETE' });
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
      await call('group/resign', { method: 'POST', body: { gid } });
    },
    onSuccess: (_nothing, gid) => {
      dropGroup(client, gid);
      refetchGroups(client);
    },
  });
}

/** Changes roles in a folder; everybody else keeps theirs. The answer says which entries have no account. */
export function useAssignRoles(group: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (roles: Roles): Promise<InviteAnswer> =>
      call<InviteAnswer>(`group/${path(group)}/members`, { method: 'PUT', body: roles }),
    onSuccess: ({ value, users }) => {
      client.setQueryData<GroupAnswer>(keys.group(group), (known) => known && { ...known, value, users });
      refetchGroups(client, group);
    },
  });
}

/* Pads */

function putPad(client: QueryClient, pad: Pad): void {
  client.setQueryData<Pad>(keys.pad(pad._id), pad);
  client.setQueryData<GroupAnswer>(
    keys.group(pad.group),
    (known) => known?.pads && { ...known, pads: { ...known.pads, [pad._id]: pad } },
  );
}

/** Reads folders and their pads again after pads were created, removed or changed. */
function refetchPads(client: QueryClient, ...groups: readonly string[]): void {
  refetchGroups(client, ...groups);
  void client.invalidateQueries({ queryKey: keys.everyPad });
}

function dropPad(client: QueryClient, id: string): void {
  client.setQueriesData<GroupAnswer>(
    { queryKey: keys.everyGroup },
    (known) => known && withoutPad(known, id),
  );
  removeFromCache(client, keys.pad(id));
}

function withoutPad(answer: GroupAnswer, id: string): GroupAnswer {
  if (answer.pads?.[id] === undefined || !('_id' in answer.value)) return answer;
  const { [id]: _gone, ...pads } = answer.pads;
  return { ...answer, pads, value: { ...answer.value, pads: answer.value.pads.filter((pad) => pad !== id) } };
}

/** Creates a pad in the folder `group` and returns it. */
export function useCreatePad() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (input: PadCreation): Promise<Pad> =>
      (await call<PadSavedAnswer>('pad', { method: 'POST', body: input })).value,
    onSuccess: (pad) => {
      putPad(client, pad);
      refetchGroups(client, pad.group);
    },
  });
}

/** Makes a copy of the pad `id` in the same folder and returns it. */
export function useDuplicatePad() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, name }: { id: string; name: string }): Promise<Pad> =>
      (await call<PadSavedAnswer>(`pad/${path(id)}/duplicate`, { method: 'POST', body: { name } })).value,
    onSuccess: (pad) => {
      putPad(client, pad);
      refetchGroups(client, pad.group);
    },
  });
}

/** Changes a pad. Fields that are missing in `input` keep their values. */
export function useUpdatePad(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (input: PadChange): Promise<Pad> =>
      (await call<PadSavedAnswer>(`pad/${path(id)}`, { method: 'PUT', body: input })).value,
    onSuccess: (pad) => {
      putPad(client, pad);
      refetchPads(client, pad.group);
    },
  });
}

/** Removes a pad's chat messages. */
export function useRemoveChatHistory() {
  return useMutation({
    mutationFn: async (id: string): Promise<void> => {
      await call(`pad/chathistory/${path(id)}`, { method: 'DELETE' });
    },
  });
}

/** Progress of a sequence of calls. */
export interface Progress {
  done: number;
  total: number;
}

/** Result of a sequence of calls: the ids that succeeded, and those that failed with the error. */
export interface BulkResult {
  done: string[];
  failed: { id: string; error: Error }[];
}

/**
 * Makes calls one after another. A failure does not stop the rest, unless the others would fail too: when the session
 * has ended, or the server cannot be reached.
 */
async function inSequence(
  ids: readonly string[],
  action: (id: string) => Promise<unknown>,
  report: (progress: Progress) => void,
): Promise<BulkResult> {
  const result: BulkResult = { done: [], failed: [] };
  let hopeless: Error | undefined;
  for (const id of ids) {
    report({ done: result.done.length + result.failed.length, total: ids.length });
    const error = hopeless ?? (await action(id).then(() => undefined, asError));
    if (error === undefined) result.done.push(id);
    else result.failed.push({ id, error });
    if (isError(error, 'CLIENT.ERROR.NETWORK', 'BACKEND.ERROR.AUTHENTICATION.NOT_AUTH')) hopeless = error;
  }
  return result;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** The pads, and a callback for the progress. */
export interface Bulk {
  ids: readonly string[];
  report?: (progress: Progress) => void;
}

/** Removes pads one after another. Never rejects: the result contains the failures. */
export function useRemovePads(group: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ ids, report = ignore }: Bulk): Promise<BulkResult> =>
      inSequence(ids, (id) => call(`pad/${path(id)}`, { method: 'DELETE' }), report),
    onSuccess: ({ done }) => {
      for (const id of done) dropPad(client, id);
      refetchGroups(client, group);
    },
  });
}

/** The pads, their folder, and the target folder. */
export interface Moving extends Bulk {
  from: string;
  target: string;
}

/** Moves pads to another folder one after another. Never rejects: the result contains the failures. */
export function useMovePads() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ ids, target, report = ignore }: Moving): Promise<BulkResult> =>
      inSequence(ids, (id) => call(`pad/${path(id)}`, { method: 'PUT', body: { group: target } }), report),
    onSuccess: ({ done }, { from, target }) => {
      for (const id of done) dropPad(client, id);
      refetchPads(client, from, target);
    },
  });
}

function ignore(): void {}

/* Bookmarks */

function toggled(answer: ConfigurationAnswer, { type, key }: Mark): ConfigurationAnswer {
  if (answer.user === undefined) return answer;
  const marked = answer.user.bookmarks[type];
  const next = marked.includes(key) ? marked.filter((one) => one !== key) : [...marked, key];
  return { ...answer, user: { ...answer.user, bookmarks: { ...answer.user.bookmarks, [type]: next } } };
}

/**
 * Sets or removes a bookmark. Shown at once, and undone if the server refuses. Clicks are sent one after another,
 * because the call toggles.
 */
export function useToggleBookmark() {
  const client = useQueryClient();
  const toggle = (bookmark: Mark): void => {
    client.setQueryData<ConfigurationAnswer>(
      keys.configuration,
      (known) => known && toggled(known, bookmark),
    );
  };
  return useMutation({
    scope: { id: 'bookmarks' },
    mutationFn: async (body: Mark): Promise<void> => {
      await call('usermark', { method: 'POST', body });
    },
    onMutate: async (bookmark) => {
      await client.cancelQueries({ queryKey: keys.configuration });
      toggle(bookmark);
    },
    onError: (_error, bookmark) => toggle(bookmark),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: keys.groups });
    },
  });
}
