/**
 * A process that writes into an index until it is killed. Says `ready`, and `written` after its first transactions in
 * the folder that it gets then.
 */
import { createOpenIndex } from '../../host/index/openIndex';

export const schema =
  'CREATE TABLE numbers(number INTEGER PRIMARY KEY, text TEXT); CREATE INDEX texts ON numbers(text)';
export const rowsAtOnce = 200;

async function writeForever(folder: string): Promise<never> {
  const index = await createOpenIndex(folder)({ schema, afresh: false });
  for (let round = 0; ; round += 1) {
    const rows = Array.from({ length: rowsAtOnce }, (_, row) => ({
      sql: 'INSERT INTO numbers(text) VALUES (?)',
      values: [`${round} ${row} ${'x'.repeat(200)}`],
    }));
    await index.write(rows);
    if (round === 3) process.send?.('written');
  }
}

// Not in the process of the tests, which imports the constants.
if (require.main === module) {
  process.once('message', (folder: string) => void writeForever(folder));
  process.once('disconnect', () => process.exit());
  process.send?.('ready');
}
