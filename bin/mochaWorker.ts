/** Loaded by each of mocha's workers, whose tests the reporter gets when they have run already. */

/**
 * Factor for time limits, because parallel test files are slower. A limit only has to end tests that would never end.
 */
export const timeLimitFactor = 3;

export const mochaHooks = {
  beforeEach(this: Mocha.Context) {
    const { currentTest } = this;
    currentTest?.timeout(currentTest.timeout() * timeLimitFactor);
  },
};
