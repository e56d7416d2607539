/** The product with three people, a server administrator and a guest, for tests of who may do what. */
import type { Group, Pad } from '../../api/answers';
import type { GroupRecord, UserRecord } from '../../model/store/entities';
import { keys } from '../../model/store/store';
import { type TestApp, useTestApp } from './app';
import { type Call, callerOf } from './caller';
import { buildGroup, buildPad, buildUser, signInAsAdmin, type TestUser } from './factories';

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
  /** The same with a pad. */
  buildSharedPad(fields?: Record<string, unknown>): Promise<{ group: Group; pad: Pad }>;
  /** The record of a group, as it is stored. */
  groupRecord(id: string): Promise<GroupRecord | undefined>;
  /** The ids of groups in the record of a person. */
  groupsOf(user: TestUser): Promise<string[]>;
}

/**
 * A person in the tests of a `describe`, and their calls. `each`: `before` for one person, or `beforeEach` for a new
 * one in each test, as with `useTestAppForEach`. The result can be destructured at once.
 */
export function usePerson(
  app: TestApp,
  each: Mocha.HookFunction,
  fields?: Record<string, unknown>,
): { user: TestUser; call: Call } {
  const user = {} as TestUser;
  each(async () => {
    Object.assign(user, await buildUser(app, fields));
  });
  return { user, call: (...call) => callerOf(app, user.token)(...call) };
}

/** Calls of a server administrator in the tests of a `describe`. `each`: `before` or `beforeEach`, as above. */
export function useAdmin(app: TestApp, each: Mocha.HookFunction): Call {
  let token = '';
  each(async () => {
    token = await signInAsAdmin(app);
  });
  return (...call) => callerOf(app, token)(...call);
}

/**
 * Starts the product with its people before the tests of a file, and closes it after them. The result can be
 * destructured at once: the people are set before the first test.
 */
export function usePeople(): People {
  const app = useTestApp();
  const { user: alice, call: asAlice } = usePerson(app, before);
  const { user: bob, call: asBob } = usePerson(app, before);
  const { user: carol, call: asCarol } = usePerson(app, before);
  const buildShared = (fields?: Record<string, unknown>) =>
    buildGroup(app, alice, { users: [bob.id], ...fields });
  return {
    app,
    alice,
    bob,
    carol,
    asAlice,
    asBob,
    asCarol,
    asRoot: useAdmin(app, before),
    asGuest: (...call) => callerOf(app)(...call),
    buildShared,
    async buildSharedPad(fields) {
      const group = await buildShared(fields);
      return { group, pad: await buildPad(app, alice, group) };
    },
    groupRecord: (id) => app.model.store.get<GroupRecord>(keys.group(id)),
    groupsOf: async (user) => (await app.model.store.get<UserRecord>(keys.user(user.id)))?.groups ?? [],
  };
}
