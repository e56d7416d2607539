/** Accounts, and the index of all records. */
import { createUsers } from '../accounts/user';
import { createRecordIndex } from '../index/recordIndex';
import type { Ports } from '../ports';
import type { AccessParts } from './accessParts';
import type { Foundation } from './foundation';

/** Starts to complete the index of names, and then to read all records. */
export function createAccountParts(
  earlier: Foundation & AccessParts,
  { openIndex, indexTimeLimit }: Pick<Ports, 'openIndex' | 'indexTimeLimit'>,
) {
  const recordIndex = createRecordIndex({
    ...earlier,
    openIndex,
    indexTimeLimit,
    offered: earlier.methods.names,
    databaseId: earlier.tokens.ofDevice(['the index']),
  });
  earlier.events.on('index', () => void recordIndex.rebuild());
  earlier.onWritten((key, _before, after) => recordIndex.recordWritten(key, after));
  return { recordIndex, users: createUsers({ ...earlier, recordIndex }) };
}

export type AccountParts = ReturnType<typeof createAccountParts>;
