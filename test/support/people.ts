/** The product with three people, a server administrator and a guest, for tests of who may do what. */
import type { Group } from '../../api/answers';
import type { GroupRecord, UserRecord } from '../../model/store/entities';
import { keys } from '../../model/store/store';
import { startApp, type TestApp } from './app';
import { type Call, callerOf } from './caller';
import { buildGroup, buildUser, signInAsAdmin, type TestUser } from './factories';

export interface People {
  readonly app: TestApp;
  alice: TestUser;
  bob: TestUser;
  carol: TestUser;
  asAlice: Call;
  asBob: Call;
  asCarol: Call;
  /** As a server administrator. */
  asRoot: Call;
  asGuest: Call;
  /** Makes a group that Alice administers, with Bob as a user. */
  buildShared(fields?: Record<string, unknown>): Promise<Group>;
  /** The record of a group, as it is stored. */
  groupRecord(id: string): Promise<GroupRecord | undefined>;
  /** The ids of groups in the record of a person. */
  groupsOf(user: TestUser): Promise<string[]>;
}

/**
 * Starts the product with its people before the tests of a file, and closes it after them. The result can be
 * destructured at once, except `app`: the people are set before the first test.
 */
export function usePeople(): People {
  let started: TestApp | undefined;
  const running = (): TestApp => {
    if (started === undefined) throw new Error('The product runs only during tests.');
    return started;
  };
  const [alice, bob, carol] = [{} as TestUser, {} as TestUser, {} as TestUser];
  let rootToken = '';
  before(async () => {
    started = await startApp();
    for (const person of [alice, bob, carol]) Object.assign(person, await buildUser(started));
    rootToken = await signInAsAdmin(started);
  });
  after(() => started?.close());
  const as =
    (token: () => string | undefined): Call =>
    (...call) =>
      callerOf(running(), token())(...call);
  return {
    get app() {
      return running();
    },
    alice,
    bob,
    carol,
    asAlice: as(() => alice.token),
    asBob: as(() => bob.token),
    asCarol: as(() => carol.token),
    asRoot: as(() => rootToken),
    asGuest: as(() => undefined),
    buildShared: (fields) => buildGroup(running(), alice, { users: [bob.id], ...fields }),
    groupRecord: (id) => running().model.store.get<GroupRecord>(keys.group(id)),
    groupsOf: async (user) => (await running().model.store.get<UserRecord>(keys.user(user.id)))?.groups ?? [],
  };
}
