/** Information about the server for operators: numbers of each day, checks, damage. */
import { createDailyNumbers } from '../accounts/dailyNumbers';
import { createCheckup } from '../checkup/checkup';
import { createLiveDoctor } from '../doctor/liveDoctor';
import type { Ports } from '../ports';
import { TextIndex } from '../texts/textIndex';
import type { AccessParts } from './accessParts';
import type { FolderParts } from './folderParts';
import type { Foundation } from './foundation';
import type { PeopleParts } from './peopleParts';

export function createOperationParts(
  earlier: Foundation & AccessParts & FolderParts & PeopleParts,
  ports: Pick<Ports, 'hostFacts' | 'processes' | 'databaseTimeLimit' | 'openIndex' | 'pads'>,
) {
  const { configuration, database, recordIndex, sessions, tokens } = earlier;
  const { hostFacts, processes, databaseTimeLimit, openIndex } = ports;
  const liveDoctor = createLiveDoctor({
    ...earlier,
    ids: () => recordIndex.ids(),
  });
  return {
    liveDoctor,
    textIndex: new TextIndex({
      ...earlier,
      openIndex,
      pads: database.guardPads(ports.pads),
      databaseId: tokens.ofDevice(['the index']),
      isOn: () => configuration.get('searchTexts'),
    }),
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

export type OperationParts = ReturnType<typeof createOperationParts>;
