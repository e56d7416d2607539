/**
 * What several processes on one database share: chosen by `coordination` in the block `ep_mypads` of the settings file.
 * Without it, this process shares nothing.
 */
import { createDatabase } from '../host/database';
import { flushHostDatabase, openOwnDatabase, readAuthorsAgain } from './ownDatabase';
import { routingTimes } from './padRouting';
import { createRedisCoordination } from './redis/coordination';
import { leaseTimes } from './redis/lease';
import { readRedisSettings } from './redis/options';
import { createSharedPads, type PadSharing, padTimes } from './sharedPads';
import { disconnect, notifyRemoved } from '../host/sockets';
import { createInProcessCoordination } from '../model/inProcessCoordination';
import type { Ports } from '../model/ports';
import { endConnection } from '../hooks/editorAccess';
import { connectionsOf } from '../hooks/openEditors';
import { peopleTimes } from './peopleElsewhere';

/** Waiting times of processes. Tests in a real Etherpad make them shorter before they start the plugin. */
export const sharingTimes = { lease: leaseTimes, pads: padTimes, routing: routingTimes, people: peopleTimes };

type Given = Pick<Ports, 'pads' | 'settings' | 'log' | 'schedule' | 'now'>;

type Shared = 'coordination' | 'database' | 'pads' | 'processes' | 'sharesDatabase';

export interface Sharing extends Pick<Ports, Shared> {
  /** `undefined` without `coordination`: this process may open every pad. */
  padSharing?: PadSharing;
  /** Closes the connections, and releases locks and pads. Call it after the last change by this process. */
  close(): Promise<void>;
}

/** Disconnects the editors of a pad. They connect again, reload their page, or say that the pad was removed. */
function closeEditors(padId: string, how: 'reconnect' | 'reload' | 'end'): void {
  for (const connection of connectionsOf(padId)) {
    const { admitted, socket } = connection;
    if (how === 'reload') {
      if (admitted) endConnection(connection, admitted);
      continue;
    }
    if (how === 'end') notifyRemoved(socket);
    disconnect(socket);
  }
}

async function shareWithRedis(
  given: Given,
  settings: NonNullable<ReturnType<typeof readRedisSettings>>,
): Promise<Sharing> {
  const { log, schedule, now } = given;
  const database = await openOwnDatabase();
  try {
    const coordination = await createRedisCoordination(settings, { database, log, schedule, now });
    const shared = createSharedPads({ ...given, database, coordination, closeEditors });
    const endReading = readAuthorsAgain();
    return {
      coordination,
      database,
      sharesDatabase: true,
      processes: coordination.processes,
      pads: shared.pads,
      padSharing: shared.sharing,
      async close() {
        await flushHostDatabase();
        shared.close();
        endReading();
        await database.close();
        await coordination.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Rejects if the setting is invalid, or if Redis or the database cannot be reached. */
export async function openSharing(given: Given): Promise<Sharing> {
  const settings = readRedisSettings(given.settings.plugin().coordination);
  if (settings) return shareWithRedis(given, settings);
  return {
    coordination: createInProcessCoordination({ now: given.now }),
    database: createDatabase(),
    pads: given.pads,
    close: async () => {},
  };
}
