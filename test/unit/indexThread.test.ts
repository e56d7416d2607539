/** The thread of the index: what is asked after its end, and what is said of a full disk. */
import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { createOpenIndex } from '../../host/index/openIndex';
import { temporaryFolder } from '../support/app';

/** Where a file is that the process has open; the list of them may be older. */
function realpathOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return '';
  }
}

/** With a thread of its own, which other tests of this process do not have. */
function loadAgain(): typeof import('../../host/index/openIndex') {
  for (const name of ['indexThread', 'openIndex'])
    delete require.cache[require.resolve(`../../host/index/${name}`)];
  return require('../../host/index/openIndex');
}

describe('the thread of the index', () => {
  it('is followed by another one when it ends, which answers what is asked from then on', async () => {
    const openIndex = loadAgain().createOpenIndex(undefined);
    const open = () => openIndex({ schema: 'CREATE TABLE numbers(number INTEGER)', afresh: false });
    let thread: Worker | undefined;
    process.once('worker', (started: Worker) => {
      thread = started;
    });
    await open();
    const ended = new Promise((resolve) => thread?.once('exit', resolve));
    // Nothing that it can read.
    thread?.postMessage(null);
    await (thread && once(thread, 'error'));
    const next = open();
    await ended;
    expect(await (await next).read('SELECT 1 AS one')).to.deep.equal([{ one: 1 }]);
  });

  it('says that the disk is full, and gives the space of its file back', async () => {
    const folder = temporaryFolder();
    const file = await createOpenIndex(folder.path)({
      schema: 'CREATE VIRTUAL TABLE words USING fts5(text)',
      afresh: false,
    });
    // Fails as on a full disk: SQLITE_FULL.
    await file.read('PRAGMA max_page_count = 20');
    const row = (number: number) => `${number} `.repeat(20_000);
    const statements = Array.from({ length: 20 }, (_, number) => ({
      sql: 'INSERT INTO words(text) VALUES (?)',
      values: [row(number)],
    }));
    const failure = await file.write(statements).catch(({ message }) => message);
    expect(failure).to.contain('full');
    // Nothing can be written any more.
    await file.close();
    const opened = readdirSync('/proc/self/fd').map((fd) => realpathOf(`/proc/self/fd/${fd}`));
    expect(opened.filter((name) => name.startsWith(folder.path))).to.deep.equal([]);
    folder.remove();
  });
});
