/** One real Etherpad for all tests of a `describe`. */
import { type EtherpadOptions, type RunningEtherpad, startEtherpad } from './etherpad';
import { createFixture, type Fixture, type Person } from './hostFixture';

/** Copies getters as getters: several Etherpads that look like one have a getter that throws. */
function fill<T extends object>(empty: T, content: T): void {
  Object.defineProperties(empty, Object.getOwnPropertyDescriptors(content));
}

/**
 * Call it first in a `describe`: it starts Etherpad with a registered person before the tests and stops it after them.
 * The three are filled in a `before` hook: do not read them earlier.
 */
export function useEtherpad(options: EtherpadOptions = {}): {
  etherpad: RunningEtherpad;
  fixture: Fixture;
  owner: Person;
} {
  const etherpad = {} as RunningEtherpad;
  const fixture = {} as Fixture;
  const owner = {} as Person;
  let started: RunningEtherpad | undefined;

  before(async () => {
    started = await startEtherpad(options);
    fill(etherpad, started);
    fill(fixture, createFixture(etherpad));
    fill(owner, await fixture.person('owner'));
  });
  after(() => started?.stop());
  return { etherpad, fixture, owner };
}
