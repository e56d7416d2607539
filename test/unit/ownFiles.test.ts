/** Files that a process makes for itself. */
import { expect } from 'chai';
import { FilesOfProcess } from '../../host/ownFiles';
import { temporaryFolder } from '../support/app';

describe('files of a process', () => {
  it('can be written by everyone who asks at the same time', async () => {
    const folder = temporaryFolder();
    const files = new FilesOfProcess(folder.path);
    for (let round = 0; round < 20; round += 1) {
      const answers = await Promise.all(Array.from({ length: 10 }, () => files.usable()));
      expect(answers, `round ${round}`).to.not.include(false);
    }
    await files.close();
    folder.remove();
  });
});
