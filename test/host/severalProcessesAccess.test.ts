/** The access checks of some files once more, with two Etherpads behind nginx. */
import { missingForSeveral } from '../support/severalEtherpads';

(missingForSeveral ? describe.skip : describe)('with two processes behind nginx,', () => {
  before(() => {
    process.env.SEVERAL = '2';
  });
  after(() => {
    delete process.env.SEVERAL;
  });
  // Not imported, because that would happen before this `describe`.
  for (const file of ['readOnly', 'revocation']) require(`./${file}.test`);
});
