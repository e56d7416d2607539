/** What `ep-mypads import --sync` asks for. */
import { MyPadsError, recordNotFound } from '../../model/errors';
import { type FileRole, isClosedBySync } from '../../model/people/fileSync';
import { roleOfList, type UserRecord } from '../../model/store/entities';
import type { Handlers } from '../calls';
import { callerFacts } from '../middleware/caller';
import type { Services } from '../services';
import type { ImportState } from './schema';

const presentAccount = (user: UserRecord): ImportState['accounts'][number] => ({
  login: user.login,
  email: user.email,
  firstname: user.firstname,
  lastname: user.lastname,
  organization: user.organization,
  active: user.active,
  closedBySync: isClosedBySync(user),
});

const presentRole = ({
  user,
  role,
  otherwise,
}: FileRole): ImportState['folders'][number]['people'][number] => ({
  login: user.login,
  role: role === 'admins' ? 'manager' : 'writer',
  otherwise: otherwise === undefined ? null : roleOfList[otherwise],
});

export const importHandlers = (services: Services) => {
  const { fileSync, users, groups, log } = services.model;

  /** Throws GROUP.ITEMS_NOT_FOUND with the first username that no account has, SERVER.BUSY. */
  async function idsOf(...lists: string[][]): Promise<string[][]> {
    const found = await users.findByEntries([...new Set(lists.flat())]);
    return lists.map((logins) =>
      logins.map((login) => {
        const id = found.get(login);
        if (id === undefined) throw new MyPadsError('BACKEND.ERROR.GROUP.ITEMS_NOT_FOUND', { key: login });
        return id;
      }),
    );
  }

  return {
    async 'GET /admin/import'() {
      const { accounts, groups: folders, trashed } = await fileSync.state();
      return {
        accounts: accounts.map(presentAccount),
        folders: folders.map(({ people, ...folder }) => ({ ...folder, people: people.map(presentRole) })),
        trashed,
      };
    },

    async 'POST /admin/import/roles'({ body }, request) {
      const { folder, name, managers, writers } = body;
      if ((folder === undefined) === (name === undefined))
        throw new MyPadsError('BACKEND.ERROR.TYPE.PARAM_INVALID', { field: 'folder' });
      const [admins = [], writing = [], removed = []] = await idsOf(managers, writers, body.removed);
      const { group, made } =
        name === undefined
          ? { group: String(folder), made: false }
          : await fileSync.make(name, { admins, users: writing });
      if (made) {
        log.info('group created', { group, ...callerFacts(request) });
        return { success: true as const, folder: group };
      }
      if (!(await groups.find(group))) throw recordNotFound(group);
      await fileSync.change(group, { admins, users: writing, removed });
      const numbers = { given: admins.length + writing.length, taken: removed.length };
      log.info('roles changed by a file', { group, ...numbers, ...callerFacts(request) });
      return { success: true as const, folder: group };
    },

    async 'POST /admin/import/accounts'({ body: { activate, deactivate } }, request) {
      const [opening = [], closing = []] = await idsOf(activate, deactivate);
      const activated = await fileSync.setActive(opening, true);
      const deactivated = await fileSync.setActive(closing, false);
      for (const user of activated)
        log.info('account activated by a file', { user, ...callerFacts(request) });
      for (const user of deactivated)
        log.info('account deactivated by a file', { user, ...callerFacts(request) });
      return { success: true as const, activated: activated.length, deactivated: deactivated.length };
    },
  } satisfies Partial<Handlers>;
};
