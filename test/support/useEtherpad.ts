/** One real Etherpad for the tests of a `describe`, or for all tests of a process. */
import { type EtherpadOptions, type RunningEtherpad, startEtherpad } from './etherpad';
import { createFixture, type Fixture, type Person } from './hostFixture';

/** Copies getters as getters: several Etherpads that look like one have a getter that throws. */
function fill<T extends object>(empty: T, content: T): void {
  Object.defineProperties(empty, Object.getOwnPropertyDescriptors(content));
}

/** The Etherpads that tests of this process share, by their options. */
const shared = new Map<EtherpadOptions | undefined, Promise<RunningEtherpad>>();

after(async () => {
  for (const one of shared.values()) await (await one).stop();
});

function share(options: EtherpadOptions | undefined): Promise<RunningEtherpad> {
  const started = shared.get(options) ?? startEtherpad(options);
  shared.set(options, started);
  return started;
}

/**
 * Call it first in a `describe`: it starts Etherpad and registers a person before the tests, which may read all three.
 * Without `options`, all tests of the process share it, and `npm test` runs several files in a process: leave it as it
 * was. With `options`, also `{}`, it is stopped after the tests, unless `isShared`.
 */
export function useEtherpad(
  options?: EtherpadOptions,
  isShared = options === undefined,
): {
  etherpad: RunningEtherpad;
  fixture: Fixture;
  owner: Person;
} {
  const etherpad = {} as RunningEtherpad;
  const fixture = {} as Fixture;
  const owner = {} as Person;
  let started: RunningEtherpad | undefined;

  before(async () => {
    if (!isShared) started = await startEtherpad(options);
    fill(etherpad, started ?? (await share(options)));
    fill(fixture, createFixture(etherpad));
    fill(owner, await fixture.person('owner'));
  });
  after(() => started?.stop());
  return { etherpad, fixture, owner };
}
