/** One real Etherpad for the tests of a `describe`, or for all tests of a process. */
import { type EtherpadOptions, type RunningEtherpad, startEtherpad } from './etherpad';
import { createFixture, type Fixture, type Person } from './hostFixture';

/** Copies getters as getters: several Etherpads that look like one have a getter that throws. */
function fill<T extends object>(empty: T, content: T): void {
  Object.defineProperties(empty, Object.getOwnPropertyDescriptors(content));
}

/** The Etherpad without special options, for all tests of this process. */
let shared: Promise<RunningEtherpad> | undefined;

after(async () => (await shared)?.stop());

/**
 * Call it first in a `describe`: it starts Etherpad and registers a person before the tests, which may read all three.
 * Without `options`, all tests of the process share it, and `npm test` runs several files in a process: leave it as it
 * was. With `options`, also `{}`, it is stopped after the tests.
 */
export function useEtherpad(options?: EtherpadOptions): {
  etherpad: RunningEtherpad;
  fixture: Fixture;
  owner: Person;
} {
  const etherpad = {} as RunningEtherpad;
  const fixture = {} as Fixture;
  const owner = {} as Person;
  let started: RunningEtherpad | undefined;

  before(async () => {
    if (options === undefined) shared ??= startEtherpad();
    else started = await startEtherpad(options);
    fill(etherpad, started ?? (await (shared as Promise<RunningEtherpad>)));
    fill(fixture, createFixture(etherpad));
    fill(owner, await fixture.person('owner'));
  });
  after(() => started?.stop());
  return { etherpad, fixture, owner };
}
