import { expect } from 'chai';
import { AccountOrder } from '../../model/accounts/accountOrder';
import { AccountTable } from '../../model/accounts/accountTable';
import { SavedDirectory } from '../../model/accounts/savedDirectory';
import { createSchedule } from '../../model/schedule';
import { readUser } from '../../model/store/records';
import { keys, type Store } from '../../model/store/store';

describe('the copy of the directory in the database', () => {
  const values = new Map<string, unknown>();
  let refused: string | undefined;
  const store = {
    get: async (key: string) => values.get(key),
    getMany: async (wanted: readonly string[]) => wanted.map((key) => values.get(key)),
    async set(key: string, value: unknown) {
      if (key === refused) throw new Error('the disk is full');
      values.set(key, value);
    },
  } as unknown as Store;
  const silent = (): void => {};
  const log = { debug: silent, info: silent, warn: silent, error: silent };

  it('has all changes after a save that has failed half-way and the next one', async () => {
    const table = new AccountTable();
    const content = { table, order: new AccountOrder(table) };
    const context = { store, schedule: createSchedule(), log, isLeader: () => true };
    const saved = new SavedDirectory(context, () => content);
    const put = (login: string): void => {
      const user = readUser('ada-1', { _id: 'ada-1', login, email: 'ada@example.org' });
      if (user) table.put(user);
      saved.noteChange();
    };
    put('ada');
    await saved.save();
    put('grace');
    refused = keys.directoryPart(0);
    expect(String(await saved.save().catch((error: unknown) => error))).to.contain('the disk is full');
    expect(saved.isOutdated).to.equal(true);
    refused = undefined;
    await saved.save();
    const read = await new SavedDirectory(context, () => content).read();
    expect(read?.table.loginOf(0)).to.equal('grace');
  });
});
