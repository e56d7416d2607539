/** Information about the server for operators: numbers of each day, checks, damage. */
import { createDailyNumbers, type DailyNumbers } from '../accounts/dailyNumbers';
import { type Checkup, createCheckup } from '../checkup/checkup';
import { createLiveDoctor, type LiveDoctor } from '../doctor/liveDoctor';
import type { Ports } from '../ports';
import type { AccessParts } from './accessParts';
import type { AccountParts } from './accountParts';
import type { FolderParts } from './folderParts';
import type { Foundation } from './foundation';
import type { PeopleParts } from './peopleParts';

export interface OperationParts {
  dailyNumbers: DailyNumbers;
  liveDoctor: LiveDoctor;
  checkup: Checkup;
}

type Earlier = Foundation & AccessParts & AccountParts & FolderParts & PeopleParts;

export function createOperationParts(
  earlier: Earlier,
  { hostFacts, processes, databaseTimeLimit }: Pick<Ports, 'hostFacts' | 'processes' | 'databaseTimeLimit'>,
): OperationParts {
  const { recordIndex, sessions } = earlier;
  const liveDoctor = createLiveDoctor({
    ...earlier,
    ids: () => recordIndex.ids(),
  });
  return {
    liveDoctor,
    dailyNumbers: createDailyNumbers({ ...earlier, signedIn: () => sessions.signedIn() }),
    checkup: createCheckup({
      ...earlier,
      liveDoctor,
      host: hostFacts,
      processes,
      timeLimit: databaseTimeLimit,
      records: async () => {
        const { users, groups, pad } = await recordIndex.counts();
        return users + groups + pad;
      },
    }),
  };
}
