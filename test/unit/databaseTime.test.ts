import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Database, Log } from '../../model/ports';
import { createSchedule } from '../../model/schedule';
import { guardDatabase } from '../../model/store/databaseGuard';

/** Milliseconds. */
const timeLimit = 500;

/** Keeps the event loop busy, as Etherpad does at its start. */
function beBusy(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

describe('a database that is asked while the server is busy', () => {
  let reasons: unknown[];
  beforeEach(() => {
    reasons = [];
  });

  function guarded(get: Database['get']) {
    const none = async (): Promise<never> => {
      throw new Error('not expected');
    };
    const log: Log = {
      debug: () => {},
      info: () => {},
      warn: () => {},
      error: (_message, facts) => void reasons.push(facts?.reason),
    };
    const database: Database = { get, set: none, remove: none, findKeys: none };
    return guardDatabase(database, { log, schedule: createSchedule(), timeLimit });
  }

  it('is not called unavailable when its answer waited for the server', async () => {
    const database = guarded(() => readFile(__filename, 'utf8'));
    const answer = database.get('a key');
    beBusy(2 * timeLimit);
    expect(await answer).to.contain('a key');
    expect(reasons).to.deep.equal([]);
  });

  it('is called unavailable when it does not answer, with the time in which the server was busy itself', async () => {
    const database = guarded(() => new Promise(() => {}));
    const keepRunning = setInterval(() => {}, 1_000);
    const failed = async (busy: number): Promise<unknown> => {
      const answer = database.get('a key').then(
        () => undefined,
        (error: unknown) => error,
      );
      beBusy(busy);
      return answer;
    };
    expect(await failed(3 * timeLimit)).to.include({ key: 'BACKEND.ERROR.SERVER.DATABASE_UNAVAILABLE' });
    clearInterval(keepRunning);
    expect(reasons).to.have.length(1);
    expect(String(reasons[0])).to.match(/no answer in time.*the server was busy itself for \d+ s more/);
  });
});
