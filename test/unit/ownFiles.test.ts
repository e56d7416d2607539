/** Files that a process makes for itself. */
import { existsSync } from 'node:fs';
import { mkdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { cleanRegularly, FilesOfProcess, removeFilesOfEnded } from '../../host/ownFiles';
import { createSchedule } from '../../model/schedule';
import { temporaryFolder } from '../support/app';
import { createTestSchedule } from '../support/schedule';
import { until } from '../support/waiting';

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

  it('that have ended are removed although no note about the file of an index can be written', async () => {
    const folder = temporaryFolder();
    const [index, exports] = [join(folder.path, 'index'), join(folder.path, 'exports')];
    // A folder in its place instead of a full disk.
    await mkdir(join(index, 'index-1.db.pid'), { recursive: true });
    await mkdir(join(exports, '0'), { recursive: true });
    let sweeps = 0;
    const lines: string[] = [];
    const say = (line: string): void => void lines.push(line);
    const schedule = createTestSchedule(createSchedule());
    const end = cleanRegularly(
      { index, exports },
      {
        schedule,
        now: () => Date.now() + 25 * 3600_000,
        log: { debug: say, info: say, warn: say, error: say },
        async sweepUploads() {
          sweeps += 1;
        },
      },
    );
    schedule.run('remove files of ended processes');
    await until('it says that a file is left', () => lines.length > 0);
    expect([existsSync(join(exports, '0')), sweeps]).to.deep.equal([false, 1]);
    end();
    folder.remove();
  });
});
