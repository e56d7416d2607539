/** Folders of many people: what others can do while people come and go. */
import { expect } from 'chai';
import { keys } from '../../model/store/store';
import { type TestApp, useTestAppForEach } from '../support/app';
import { callerOf } from '../support/caller';
import { buildGroup, buildUser } from '../support/factories';
import { heldWork, until } from '../support/waiting';

/** More than the people whose accounts are written while the folder is locked. */
const many = Array.from({ length: 130 }, (_, number) => `person${number}`);

/** Keeps the record of an account locked, as a slow database does. `release` ends that. */
async function holdAccount(app: TestApp, id: string): Promise<() => void> {
  const { held: released, release } = heldWork();
  await new Promise<void>((held) => {
    void app.model.store.locked([keys.user(id)], () => {
      held();
      return released;
    });
  });
  return release;
}

describe('a folder of many people', () => {
  const app = useTestAppForEach();

  async function setUp() {
    const manager = await buildUser(app, { login: 'manager' });
    const group = await buildGroup(app, manager);
    const accounts = new Map<string, string>();
    for (const login of many) {
      const profile = { login, email: `${login}@many.example.org`, firstname: '', lastname: '' };
      const { _id } = await app.model.users.register({ ...profile, password: null, active: true });
      accounts.set(login, _id);
    }
    const { model } = app;
    const asManager = callerOf(app, manager.token);
    const none = { admins: [], users: [], readers: [], removed: [] };
    return {
      slow: accounts.get('person7') ?? '',
      come: () => model.groups.assign(group._id, { ...none, users: many }),
      comeAlone: (login: string) => model.groups.assign(group._id, { ...none, users: [login] }),
      go: () => model.groups.assign(group._id, { ...none, removed: many }),
      remove: () => asManager('delete', `group/${group._id}`).expect(200),
      rename: (name: string) => asManager('put', `group/${group._id}`, { name }).expect(200),
      members: async () => (await model.groups.find(group._id))?.users ?? [],
      /** Usernames of those whose account lists the folder. */
      async listing(): Promise<string[]> {
        const users = await model.users.findMany([...accounts.values()]);
        return [...users.values()]
          .filter(({ groups }) => groups.includes(group._id))
          .map(({ login }) => login);
      },
    };
  }

  it('can be changed while many people join it', async () => {
    const { slow, come, rename, members, listing } = await setUp();
    const release = await holdAccount(app, slow);
    const joining = come();
    await until('the first account lists it', async () => (await listing()).length > 0);
    await rename('Renamed');
    release();
    await joining;
    expect(await members()).to.have.length(many.length);
    expect(await listing()).to.have.members(many);
  });

  it('that is deleted while many join it is in the account of none of them, only of its people', async () => {
    const { slow, come, comeAlone, remove, listing } = await setUp();
    const release = await holdAccount(app, slow);
    const joining = come().catch((error: Error) => error.message);
    await until('the first account lists it', async () => (await listing()).length > 0);
    await comeAlone('person120');
    await remove();
    release();
    expect(await joining).to.equal('BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND');
    expect(await listing()).to.deep.equal(['person120']);
  });

  it('has whoever comes back while many people leave it', async () => {
    const { slow, come, go, members, listing } = await setUp();
    await come();
    const release = await holdAccount(app, slow);
    const leaving = go();
    await until('they have left', async () => (await members()).length === 0);
    const back = come();
    release();
    await Promise.all([leaving, back]);
    expect(await members()).to.have.length(many.length);
    expect(await listing()).to.have.members(many);
  });
});
