/**
 * What several processes on one database share: chosen by `coordination` in the block `ep_mypads` of the settings file.
 * Without it, this process shares nothing.
 */
import { createDatabase } from '../host/database';
import { createInProcessCoordination } from '../model/inProcessCoordination';
import type { Ports } from '../model/ports';
import { createCoordination } from './exchange';
import { flushHostDatabase, openOwnDatabase, readAuthorsAgain } from './ownDatabase';
import { routingTimes } from './padRouting';
import { peopleTimes } from './peopleElsewhere';
import { createRedisCoordination } from './redis/coordination';
import { leaseTimes } from './redis/lease';
import { readRedisSettings } from './redis/options';
import { type CloseEditors, padTimes, SharedPads } from './sharedPads';

/** Waiting times of processes. Tests in a real Etherpad make them shorter before they start the plugin. */
export const sharingTimes = { lease: leaseTimes, pads: padTimes, routing: routingTimes, people: peopleTimes };

interface Given extends Pick<Ports, 'pads' | 'settings' | 'log' | 'schedule' | 'now'> {
  closeEditors: CloseEditors;
}

type Shared = 'coordination' | 'database' | 'pads' | 'processes' | 'sharesDatabase';

export interface Sharing extends Pick<Ports, Shared> {
  /** `undefined` without `coordination`: this process may open every pad. */
  padSharing?: SharedPads;
  /** Closes the connections, and releases locks and pads. Call it after the last change by this process. */
  close(): Promise<void>;
}

async function shareWithRedis(
  given: Given,
  settings: NonNullable<ReturnType<typeof readRedisSettings>>,
): Promise<Sharing> {
  const { log, schedule, now } = given;
  const database = await openOwnDatabase();
  try {
    const redis = await createRedisCoordination(settings, { database, log, schedule, now });
    const shared = new SharedPads({ ...given, database, coordination: redis });
    const endReading = readAuthorsAgain();
    return {
      coordination: createCoordination(redis),
      database,
      sharesDatabase: true,
      processes: redis.processes,
      pads: shared.port(),
      padSharing: shared,
      async close() {
        try {
          await flushHostDatabase();
          shared.close();
          endReading();
          await database.close();
        } finally {
          // Otherwise this process would go on renewing its lease, and others would wait for it.
          await redis.close();
        }
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
