/** Files that a process makes for itself. */
import { existsSync } from 'node:fs';
import { mkdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { FilesOfProcess, removeFilesOfEnded } from '../../host/ownFiles';
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

  it('of a process that has ended are removed, also when another program has its number', async () => {
    const folder = temporaryFolder();
    // The number of a program that runs.
    const of = join(folder.path, String(process.ppid));
    await mkdir(of);
    await removeFilesOfEnded(folder.path);
    expect(existsSync(of), 'renewed lately').to.equal(true);
    const old = new Date(Date.now() - 8 * 24 * 3600_000);
    await utimes(of, old, old);
    await removeFilesOfEnded(folder.path);
    expect(existsSync(of)).to.equal(false);
    folder.remove();
  });
});
