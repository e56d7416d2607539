/** Accounts, and the numbers of accounts, folders and pads. */
import { createDirectory, type Directory } from '../accounts/directory';
import { createStatistics, type Statistics } from '../accounts/statistics';
import { createUsers, type Users } from '../accounts/user';
import type { AccessParts } from './accessParts';
import type { Foundation } from './foundation';

export interface AccountParts {
  directory: Directory;
  statistics: Statistics;
  users: Users;
}

/** Starts to load the directory and the index of names. */
export function createAccountParts(earlier: Foundation & AccessParts): AccountParts {
  const { coordination, onWritten } = earlier;
  const isLeader = () => coordination.isLeader();
  const directory = createDirectory({ ...earlier, isLeader });
  const statistics = createStatistics({
    ...earlier,
    directory,
    isLeader,
    publish: (change) => coordination.publish('counted', change),
  });
  onWritten(directory.recordWritten);
  onWritten(statistics.recordWritten);
  return { directory, statistics, users: createUsers({ ...earlier, directory }) };
}
