/** The product with three people, a server administrator and a guest, for tests of who may do what. */
import type { Group } from '../../api/answers';
import { startApp, type TestApp } from './app';
import { type Call, callerOf } from './caller';
import { buildGroup, buildUser, signInAsAdmin, type TestUser } from './factories';

export interface People {
  app: TestApp;
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
}

export async function startWithPeople(): Promise<People> {
  const app = await startApp();
  const [alice, bob, carol] = [await buildUser(app), await buildUser(app), await buildUser(app)];
  return {
    app,
    alice,
    bob,
    carol,
    asAlice: callerOf(app, alice.token),
    asBob: callerOf(app, bob.token),
    asCarol: callerOf(app, carol.token),
    asRoot: callerOf(app, await signInAsAdmin(app)),
    asGuest: callerOf(app),
    buildShared: (fields) => buildGroup(app, alice, { users: [bob.id], ...fields }),
  };
}
