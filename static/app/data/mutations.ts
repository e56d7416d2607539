/** What the page changes on the server, and what that means for the answers it has kept. */
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import type {
  ConfigurationAnswer,
  Group,
  GroupAnswer,
  GroupSavedAnswer,
  InviteAnswer,
  LoginAnswer,
  OwnUser,
  Pad,
  PadAnswer,
  PadSavedAnswer,
  RegisterAnswer,
  Visibility,
} from '../../../api/wire';
import { call, isError, path } from './client';
import { keys } from './keys';
import { forgetAnswers, type Groups } from './queries';
import { forgetSession, keepGuestToken, readSession, startSession } from './session';

/* Session */

/** A login or an e-mail address, and its password. */
export interface Credentials {
  login: string;
  password: string;
}

/** What somebody says at registration. */
export interface Registration extends Credentials {
  email: string;
  passwordConfirm: string;
  lang: string;
  firstname?: string;
  lastname?: string;
  organization?: string;
  padNickname?: string;
  color?: string;
  hideHelp?: boolean;
}

/** Puts the answer of a sign-in to use: the token is kept, and everything is read anew as this person sees it. */
export async function enter(client: QueryClient, { token, user }: LoginAnswer): Promise<void> {
  startSession(token);
  client.setQueryData<ConfigurationAnswer>(
    keys.configuration,
    (known) => known && { ...known, auth: true, user },
  );
  await forgetAnswers(client);
}

/** Signs in; gives the person. */
export function useSignIn() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (credentials: Credentials): Promise<OwnUser> => {
      const answer = await call<LoginAnswer>('auth/login', {
        method: 'POST',
        body: credentials,
        token: null,
      });
      await enter(client, answer);
      return answer.user;
    },
  });
}

/** Signs out. Here it is over at once, whatever the server says. */
export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (): Promise<void> => {
      const { token } = readSession();
      try {
        if (token !== null) await call('auth/logout', { method: 'POST', token, timeout: 5_000 });
      } finally {
        leave(client);
      }
    },
  });
}

/** Forgets who was signed in and everything that person saw. */
export function leave(client: QueryClient): void {
  forgetSession();
  client.setQueryData<ConfigurationAnswer>(
    keys.configuration,
    (known) => known && { value: known.value, auth: false },
  );
  void forgetAnswers(client);
}

/** Registers. `value.active` false: a mail was sent and must be answered first; else the person is signed in at once. */
export function useRegister() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (registration: Registration): Promise<OwnUser> => {
      const { value } = await call<RegisterAnswer>('user', {
        method: 'POST',
        body: registration,
        token: null,
      });
      if (value.active) {
        const body: Credentials = { login: value.login, password: registration.password };
        await enter(client, await call<LoginAnswer>('auth/login', { method: 'POST', body, token: null }));
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

/** What the folder form sends. `password` only where one was typed. */
export interface GroupInput {
  name: string;
  description: string;
  tags: string[];
  visibility?: Visibility;
  password?: string;
  readonly?: boolean;
  archived?: boolean;
  allowUsersToCreatePads?: boolean;
}

function putGroup(client: QueryClient, group: Group): void {
  client.setQueryData<Groups>(
    keys.groups,
    (known) => known && { ...known, groups: { ...known.groups, [group._id]: group } },
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
  forget(client, keys.group(id));
}

/** What is gone is not asked for again by the screen that removed it, which is about to close. */
function forget(client: QueryClient, queryKey: readonly string[]): void {
  client.removeQueries({ queryKey, type: 'inactive' });
  void client.invalidateQueries({ queryKey, refetchType: 'none' });
}

function readGroupsAnew(client: QueryClient, ...ids: readonly string[]): void {
  void client.invalidateQueries({ queryKey: keys.groups });
  for (const id of ids) void client.invalidateQueries({ queryKey: keys.group(id) });
}

/** Makes a folder; gives it. */
export function useCreateGroup() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (input: GroupInput): Promise<Group> =>
      (await call<GroupSavedAnswer>('group', { method: 'POST', body: input })).value,
    onSuccess: (group) => {
      putGroup(client, group);
      readGroupsAnew(client, group._id);
    },
  });
}

/** Changes a folder; what `input` does not name stays. */
export function useUpdateGroup(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (input: Partial<GroupInput>): Promise<Group> =>
      (await call<GroupSavedAnswer>(`group/${path(id)}`, { method: 'PUT', body: input })).value,
    onSuccess: (group) => {
      putGroup(client, group);
      readGroupsAnew(client, id);
      void client.invalidateQueries({ queryKey: keys.everyPad });
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
      readGroupsAnew(client);
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
      readGroupsAnew(client);
    },
  });
}

/** The complete new list of one kind of people in a folder, as logins and e-mail addresses. */
export interface Invitation {
  as: 'users' | 'admins';
  loginsOrEmails: string[];
}

/** Sets who uses or administers a folder; tells which entries are known and which nobody answers to. */
export function useInvite(gid: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ as, loginsOrEmails }: Invitation): Promise<InviteAnswer> =>
      call<InviteAnswer>('group/invite', {
        method: 'POST',
        body: { gid, invite: as === 'users', loginsOrEmails },
      }),
    onSuccess: ({ value, users }) => {
      client.setQueryData<GroupAnswer>(keys.group(gid), (known) => known && { ...known, value, users });
      readGroupsAnew(client, gid);
    },
  });
}

/* Pads */

/** What the pad form sends. `null`: as its folder. `password` only where one was typed. */
export interface PadInput {
  name: string;
  visibility: Visibility | null;
  readonly: boolean | null;
  password?: string | null;
}

function putPad(client: QueryClient, pad: Pad): void {
  client.setQueryData<Pad>(keys.pad(pad._id), pad);
}

/** After pads came, went or changed: their folders and they themselves are read anew. */
function readPadsAnew(client: QueryClient, ...groups: readonly string[]): void {
  readGroupsAnew(client, ...groups);
  void client.invalidateQueries({ queryKey: keys.everyPad });
}

function dropPad(client: QueryClient, id: string): void {
  client.setQueriesData<GroupAnswer>(
    { queryKey: keys.everyGroup },
    (known) => known && withoutPad(known, id),
  );
  forget(client, keys.pad(id));
}

function withoutPad(answer: GroupAnswer, id: string): GroupAnswer {
  if (answer.pads?.[id] === undefined || !('_id' in answer.value)) return answer;
  const { [id]: _gone, ...pads } = answer.pads;
  return { ...answer, pads, value: { ...answer.value, pads: answer.value.pads.filter((pad) => pad !== id) } };
}

/** Makes a pad in a folder; gives it. */
export function useCreatePad(group: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (input: PadInput): Promise<Pad> =>
      (await call<PadSavedAnswer>('pad', { method: 'POST', body: { ...input, group } })).value,
    onSuccess: (pad) => {
      putPad(client, pad);
      readGroupsAnew(client, group);
    },
  });
}

/** Changes a pad; what `input` does not name stays. */
export function useUpdatePad(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (input: Partial<PadInput>): Promise<Pad> =>
      (await call<PadSavedAnswer>(`pad/${path(id)}`, { method: 'PUT', body: input })).value,
    onSuccess: (pad) => {
      putPad(client, pad);
      readPadsAnew(client, pad.group);
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

/** How far a row of calls has come. */
export interface Progress {
  done: number;
  total: number;
}

/** What became of a row of calls: those that worked, and those that did not with the reason. */
export interface BulkResult {
  done: string[];
  failed: { id: string; error: Error }[];
}

/**
 * One call after the other. One that fails does not stop the rest, except when every further one would fail for the same reason:
 * the session is over, or the server cannot be reached.
 */
async function oneByOne(
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

/** Which pads, and whom to tell how far it has come. */
export interface Bulk {
  ids: readonly string[];
  report?: (progress: Progress) => void;
}

/** Removes pads, one after the other. Never rejects: the result says what failed. */
export function useRemovePads(group: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ ids, report = ignore }: Bulk): Promise<BulkResult> =>
      oneByOne(ids, (id) => call(`pad/${path(id)}`, { method: 'DELETE' }), report),
    onSuccess: ({ done }) => {
      for (const id of done) dropPad(client, id);
      readGroupsAnew(client, group);
    },
  });
}

/** Moves pads into another folder, one after the other. Never rejects: the result says what failed. */
export function useMovePads(from: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ ids, target, report = ignore }: Bulk & { target: string }): Promise<BulkResult> =>
      oneByOne(ids, (id) => call(`pad/${path(id)}`, { method: 'PUT', body: { group: target } }), report),
    onSuccess: ({ done }, { target }) => {
      for (const id of done) dropPad(client, id);
      readPadsAnew(client, from, target);
    },
  });
}

function ignore(): void {}

/* Bookmarks */

/** A star: of a folder (`groups`) or of a pad (`pads`). */
export interface Bookmark {
  type: 'groups' | 'pads';
  id: string;
}

function toggled(answer: ConfigurationAnswer, { type, id }: Bookmark): ConfigurationAnswer {
  if (answer.user === undefined) return answer;
  const marked = answer.user.bookmarks[type];
  const next = marked.includes(id) ? marked.filter((one) => one !== id) : [...marked, id];
  return { ...answer, user: { ...answer.user, bookmarks: { ...answer.user.bookmarks, [type]: next } } };
}

/**
 * Sets or takes away a star. It shows at once and goes back when the server refuses. Clicks are sent one after the other: the
 * call toggles.
 */
export function useToggleBookmark() {
  const client = useQueryClient();
  const toggle = (bookmark: Bookmark): void => {
    client.setQueryData<ConfigurationAnswer>(
      keys.configuration,
      (known) => known && toggled(known, bookmark),
    );
  };
  return useMutation({
    scope: { id: 'bookmarks' },
    mutationFn: async ({ type, id }: Bookmark): Promise<void> => {
      await call('usermark', { method: 'POST', body: { type, key: id } });
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
