/** Runs the tests of random changes of rights again, with two Etherpads behind nginx (`sharedPair()`). */
import { lookAsOne, missingForSeveral } from '../support/severalEtherpads';

(missingForSeveral ? describe.skip : describe)('with two processes behind nginx,', () => {
  let end: (() => void) | undefined;
  before(async function () {
    this.timeout(300_000);
    process.env.SEVERAL = '2';
    end = await lookAsOne();
  });
  after(() => {
    delete process.env.SEVERAL;
    end?.();
  });
  // `require`, because an import would run before this `describe`.
  require('./randomRights.test');
});
