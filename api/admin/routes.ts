/**
 * Lists of all settings, accounts, folders and pads for server administrators. The lists of accounts, folders and pads
 * have filters and pages, and do not scan the database.
 */
import { MyPadsError } from '../../model/errors';
import type { FolderQuery } from '../../model/index/folderQuestions';
import { limits } from '../../model/limits';
import type { Handlers } from '../calls';
import type { Services } from '../services';
import { groupRow, padRow, settingList } from './presenter';
import type { AdminGroupsAnswer, AdminPadsAnswer } from './schema';

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
    'GET /admin/settings': () => settingList(model.configuration),
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
