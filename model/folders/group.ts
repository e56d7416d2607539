/**
 * Groups ("folders" on the screens): their settings and their pads. model/folders/membership.ts has their people.
 * Permissions are checked by the routes, before the call and in `check`.
 */

import { unchangedAccess } from '../access/accessChange';
import type { Tokens } from '../access/token';
import type { Users } from '../accounts/user';
import { MyPadsError, recordNotFound } from '../errors';
import { namesOfSetFields } from '../events';
import { newId } from '../ids';
import { limits } from '../limits';
import type { Passwords } from '../passwords/password';
import type { Removals } from '../removal/removals';
import type { Basics } from '../store/basics';
import type { GroupRecord, StoredPassword, Visibility } from '../store/entities';
import { eachOnOneList } from '../store/records';
import { keys } from '../store/store';
import { updateGroup } from '../store/updateGroup';
import { createGroupLinks } from './groupLinks';
import { createGroupRecords, type GroupCheck, unique } from './groupRecords';
import { createGroupRequests } from './groupRequests';
import { createHandover, createMembership } from './membership';
import { hashedIfGiven, passwordToStore } from './privatePassword';

/** The fields of a group that can be set. `password` is plain text; `''` and `null` mean none. */
export interface GroupInput {
  name?: string;
  description?: string;
  visibility?: Visibility;
  password?: string | null;
  readonly?: boolean;
  archived?: boolean;
  allowUsersToCreatePads?: boolean;
  tags?: string[];
  /** User ids; each list replaces the stored one. */
  admins?: string[];
  users?: string[];
  readers?: string[];
}

/** Tags to add and to remove. A tag in both is added. */
export interface Retagging {
  add: readonly string[];
  remove: readonly string[];
}

export interface GroupContext extends Pick<Basics, 'store' | 'events' | 'now'> {
  users: Users;
  passwords: Passwords;
  removals: Removals;
  tokens: Pick<Tokens, 'ofLink'>;
}

const namedIn = ({ admins = [], users = [], readers = [] }: GroupInput): string[] => [
  ...admins,
  ...users,
  ...readers,
];

/** The record of a new group. Throws PASSWORD_INCORRECT for a private group without password. */
export function newGroup(
  owner: string,
  input: GroupInput & { name: string },
  { given, ctime }: { given: StoredPassword | null; ctime: number },
): GroupRecord {
  const visibility = input.visibility ?? 'restricted';
  const { users = [], readers = [] } = input;
  return {
    _id: newId(input.name),
    name: input.name,
    description: input.description ?? '',
    visibility,
    password: passwordToStore(visibility, given),
    readonly: input.readonly ?? false,
    archived: input.archived ?? false,
    allowUsersToCreatePads: input.allowUsersToCreatePads ?? false,
    tags: unique(input.tags ?? []),
    ...eachOnOneList({
      admins: unique([owner, ...(input.admins ?? [])]),
      users: unique(users),
      readers: unique(readers),
    }),
    pads: [],
    links: [],
    requests: [],
    invitations: [],
    ctime,
  };
}

/** The record after a change. Throws PASSWORD_INCORRECT if it would be private without a password. */
function changedGroup(current: GroupRecord, input: GroupInput, given: StoredPassword | null): GroupRecord {
  const visibility = input.visibility ?? current.visibility;
  const { admins = current.admins, users = current.users, readers = current.readers } = input;
  return {
    ...current,
    name: input.name ?? current.name,
    description: input.description ?? current.description,
    visibility,
    password: passwordToStore(visibility, given, current),
    readonly: input.readonly ?? current.readonly,
    archived: input.archived ?? current.archived,
    allowUsersToCreatePads: input.allowUsersToCreatePads ?? current.allowUsersToCreatePads,
    tags: input.tags === undefined ? current.tags : unique(input.tags),
    ...eachOnOneList({ admins: unique(admins), users: unique(users), readers: unique(readers) }),
  };
}

function createTagging({ store, events }: Pick<GroupContext, 'store' | 'events'>) {
  return async (id: string, { add, remove }: Retagging, check?: GroupCheck): Promise<Retagging> => {
    let done: Retagging = { add: [], remove: [] };
    const after = await updateGroup(store, id, (group) => {
      if (group === undefined) {
        throw recordNotFound(id);
      }
      check?.(group);
      const removed = group.tags.filter((tag) => remove.includes(tag) && !add.includes(tag));
      const added = unique(add).filter((tag) => !group.tags.includes(tag));
      const tags = [...group.tags.filter((tag) => !removed.includes(tag)), ...added];
      if (added.length > 0 && tags.length > limits.tags) {
        throw new MyPadsError('BACKEND.ERROR.TYPE.PARAM_INVALID', { field: 'add' });
      }
      done = { add: added, remove: removed };
      return added.length + removed.length === 0 ? undefined : { ...group, tags };
    });
    if (after) {
      const record = { about: 'group', id, before: after, after } as const;
      events.emit({ ...record, what: 'changed', changed: ['tags'], access: unchangedAccess });
    }
    return done;
  };
}

export function createGroups(context: GroupContext) {
  const { store, users, passwords, removals, events, tokens, now } = context;
  const records = createGroupRecords({ store, users, events });
  const { find, findMany } = records;
  const membership = createMembership({ records, users, removals });

  /**
   * Creates a group with `owner` (user id) as its first admin. Throws GROUP.ITEMS_NOT_FOUND for an unknown user id,
   * PASSWORD_INCORRECT for a private group without password. `id`: of the new group, instead of a random one.
   */
  async function create(
    owner: string,
    input: GroupInput & { name: string },
    id?: string,
  ): Promise<GroupRecord> {
    await records.requirePeople(unique([owner, ...namedIn(input)]));
    const given = input.visibility === 'private' ? await hashedIfGiven(passwords, input.password) : null;
    const group = newGroup(owner, input, { given, ctime: now() });
    return records.add(id === undefined ? group : { ...group, _id: id });
  }

  return {
    find,
    findMany,
    create,
    /**
     * Returns the group of that name that `owner` administers, else creates it. Parallel calls create one group. Throws
     * as `create`.
     */
    createOnce: (
      owner: string,
      input: GroupInput & { name: string },
    ): Promise<{ group: GroupRecord; made: boolean }> =>
      store.locked([keys.creationFor(owner)], async () => {
        const own = await findMany((await users.get(owner))?.groups ?? []);
        const there = [...own.values()].find(
          ({ name, admins }) => name === input.name && admins.includes(owner),
        );
        return there ? { group: there, made: false } : { group: await create(owner, input), made: true };
      }),
    /**
     * Changes the fields in `input`. A group that becomes private needs a password (PASSWORD_INCORRECT), one that stays
     * private keeps its own, any other has none. At least one existing admin must remain (GROUP.RESIGN_UNIQUE_ADMIN).
     * Throws KEY_NOT_FOUND, and as `create`.
     */
    async update(id: string, input: GroupInput, check?: GroupCheck): Promise<GroupRecord> {
      await records.requirePeople(unique(namedIn(input)));
      const given = await hashedIfGiven(passwords, input.password);
      return records.change(id, (current) => {
        check?.(current);
        return { after: changedGroup(current, input, given), changed: namesOfSetFields(input) };
      });
    },
    /**
     * Adds and removes tags. Tags that another call adds at the same time are kept. Returns the tags that were really
     * added and removed. Throws KEY_NOT_FOUND, TYPE.PARAM_INVALID when the group would have too many.
     */
    changeTags: createTagging({ store, events }),
    /** Removes the group and all its pads. Throws KEY_NOT_FOUND. */
    remove: removals.removeGroup,
    ...membership,
    ...createHandover(records, membership),
    ...createGroupLinks({ store, records, passwords, tokens, now }),
    ...createGroupRequests({ records, now }),
    /** Adds a pad to the group's list. Returns false when the group no longer exists. */
    async linkPad(id: string, pad: string, check?: GroupCheck): Promise<boolean> {
      const linked = await updateGroup(store, id, (group) => {
        if (group === undefined) return undefined;
        check?.(group);
        return { ...group, pads: unique([...group.pads, pad]) };
      });
      return linked !== undefined;
    },
  };
}

export type Groups = ReturnType<typeof createGroups>;
