/**
 * Lists of all settings, accounts, folders and pads for server administrators. The lists of accounts, folders and pads
 * have filters and pages, and do not scan the database.
 */

import { effectiveSettings } from '../../model/access/permissions';
import { MyPadsError } from '../../model/errors';
import type { FolderQuery } from '../../model/index/folderQuestions';
import { limits } from '../../model/limits';
import type { Configuration } from '../../model/settings/configuration';
import { settings as definitions } from '../../model/settings/definitions';
import type { GroupRecord, PadRecord, UserRecord } from '../../model/store/entities';
import type { Handlers } from '../calls';
import { changeableSettings } from '../configuration/settings';
import { outlineOf, presentPerson } from '../group/presenter';
import { ownerOf } from '../middleware/caller';
import type { Services } from '../services';
import type { AdminGroup, AdminGroupsAnswer, AdminPad, AdminPadsAnswer, AdminSettingsAnswer } from './schema';

/** As in `FolderQuery`, but people may be named by login, address or id. */
type Filters = Partial<FolderQuery>;

function createLists({ users, groups, pads, recordIndex, editTimes }: Services['model']) {
  /** Throws USER.NOT_FOUND if no account has this login, address or id. */
  async function idOf(name: string | undefined): Promise<string | undefined> {
    if (name === undefined) return undefined;
    const user = await users.named(name);
    if (!user) throw new MyPadsError('BACKEND.ERROR.USER.NOT_FOUND', { key: name });
    return user._id;
  }

  async function queryOf({ offset = 0, limit = limits.page, ...filters }: Filters): Promise<FolderQuery> {
    const [admin, member] = await Promise.all([idOf(filters.admin), idOf(filters.member)]);
    return { ...filters, admin, member, offset, limit };
  }

  async function listGroups(filters: Filters): Promise<AdminGroupsAnswer> {
    const { folders, count } = await recordIndex.groups(await queryOf(filters));
    const records = await groups.findMany(folders.map(({ id }) => id));
    const people = await users.findMany([...new Set([...records.values()].flatMap(({ admins }) => admins))]);
    const rows = folders.flatMap(({ id, ...facts }) => {
      const group = records.get(id);
      return group ? [groupRow(group, people, facts)] : [];
    });
    return { groups: rows, count };
  }

  async function listPads(filters: Filters): Promise<AdminPadsAnswer> {
    const { ids, count } = await recordIndex.pads(await queryOf(filters));
    const found = [...(await pads.findMany(ids)).values()];
    const folders = await groups.findMany(found.map((pad) => pad.group));
    const times = await editTimes.lastUpdates(found);
    const people = await users.findMany([...new Set(found.flatMap(({ lastEditor }) => lastEditor ?? []))]);
    const rows = found.flatMap((pad) => {
      const folder = folders.get(pad.group);
      return folder ? [padRow(pad, folder, times.get(pad._id) ?? null, people)] : [];
    });
    return { pads: rows, count };
  }

  return { listGroups, listPads };
}

export const adminListHandlers = ({ model }: Services) => {
  const lists = createLists(model);
  return {
    'GET /admin/settings': (_input, request) => ({
      ...settingList(model.configuration),
      administrator: ownerOf(request.mypads)?.owner ?? '',
    }),
    'GET /admin/groups': ({ query }) => lists.listGroups(query),
    'GET /admin/pads': ({ query }) => lists.listPads(query),
    'GET /admin/numbers': async () => ({ days: await model.dailyNumbers.list() }),

    async 'GET /admin/users'({ query }) {
      const { text, sort, descending, offset, limit = limits.page, ...filter } = query;
      const order = { sort, descending };
      const { entries, count } = await model.recordIndex.accounts({ text, filter, ...order, offset, limit });
      return { users: entries.map(({ second: _, ...entry }) => entry), count };
    },
  } satisfies Partial<Handlers>;
};

/** `people`: the accounts that still exist. */
function groupRow(
  group: GroupRecord,
  people: Map<string, UserRecord>,
  facts: { padCount: number; lastUpdate: number },
): AdminGroup {
  const admins = group.admins.map((id) => people.get(id)).filter((user) => user !== undefined);
  return {
    ...outlineOf(group),
    ctime: group.ctime,
    lastUpdate: facts.lastUpdate,
    admins: admins.map((admin) => presentPerson(admin, 'full')),
    memberCount: group.users.length + group.readers.length,
    padCount: facts.padCount,
  };
}

/** `lastUpdate`: `null` if nobody has written in the pad yet. `people`: the accounts that still exist. */
function padRow(
  pad: PadRecord,
  group: GroupRecord,
  lastUpdate: number | null,
  people: ReadonlyMap<string, UserRecord>,
): AdminPad {
  const { visibility, readonly } = effectiveSettings(pad, group);
  const editor = typeof pad.lastEditor === 'string' ? people.get(pad.lastEditor) : pad.lastEditor;
  return {
    _id: pad._id,
    name: pad.name,
    group: group._id,
    groupName: group.name,
    visibility,
    readonly,
    archived: group.archived,
    ctime: pad.ctime,
    lastUpdate,
    ...(editor !== undefined && { lastEditor: editor && presentPerson(editor, 'full') }),
  };
}

/** The settings that a form can change, without the built-in ones. */
function settingList({
  shown,
  initial,
  locked,
  secrets,
}: Configuration): Omit<AdminSettingsAnswer, 'administrator'> {
  const fixedByFile = locked();
  const settings = changeableSettings.map(({ key, section, schema }) => ({
    key,
    section,
    kind: definitions[key].kind,
    value: shown(key),
    default: initial(key),
    schema,
    locked: fixedByFile.includes(key),
  }));
  return { settings, secrets: secrets() };
}
