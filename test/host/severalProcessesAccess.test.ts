/** Runs the access tests of two files again, with two Etherpads behind nginx: what opens and closes pads elsewhere. */
import { missingForSeveral, shareSeveralAsOne } from '../support/severalEtherpads';

(missingForSeveral ? describe.skip : describe)('with two processes behind nginx,', () => {
  let stop: (() => Promise<void>) | undefined;
  before(() => {
    process.env.SEVERAL = '2';
    stop = shareSeveralAsOne();
  });
  after(async () => {
    delete process.env.SEVERAL;
    await stop?.();
  });
  // `require`, because an import would run before this `describe`.
  for (const file of ['revocation', 'randomRights']) require(`./${file}.test`);
});
