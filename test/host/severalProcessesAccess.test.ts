/** Runs the access tests of some files again, with two Etherpads behind nginx. */
import { missingForSeveral, shareSeveralAsOne } from '../support/severalEtherpads';

(missingForSeveral ? describe.skip : describe)('with two processes behind nginx,', () => {
  let stop: (() => Promise<void>) | undefined;
  before(() => {
    process.env.SEVERAL = '2';
    // One of the files needs it. Other settings would need other Etherpads.
    stop = shareSeveralAsOne({ allowPadDeletionByAllUsers: true });
  });
  after(async () => {
    delete process.env.SEVERAL;
    await stop?.();
  });
  // `require`, because an import would run before this `describe`.
  for (const file of ['identity', 'readOnly', 'revocation', 'randomRights']) require(`./${file}.test`);
});
