/**
 * The two connections to Redis: one for commands, one that receives messages. Redis counts as available only while
 * both work and the lease of this process is renewed.
 */
import type { Duplex } from 'node:stream';
import type { Redis, RedisOptions } from 'ioredis';
import type { Log } from '../../model/ports';
import { withScripts } from './scripts';

/**
 * In milliseconds. A command that takes longer has failed. A call ends with an error within two seconds, of which it
 * may have waited half a second for messages of other processes before.
 */
const commandTimeout = 1_000;
const connectTimeout = 1_500;
const slowestReconnect = 2_000;
const logInterval = 30_000;

function connectionOptions(options: RedisOptions): RedisOptions {
  return {
    ...options,
    // A command fails at once while there is no connection. One that may have been executed is not sent again.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    commandTimeout,
    connectTimeout,
    // Not all processes connect at the same moments.
    retryStrategy: (attempt) =>
      Math.min(50 * 2 ** Math.min(attempt, 6), slowestReconnect) * (0.5 + Math.random() / 2),
    lazyConnect: true,
  };
}

/**
 * A broken TLS connection can emit a second error, which ioredis does not listen for. It would end the whole process.
 */
function ignoreSecondErrors(client: Redis): void {
  const { connector } = client as unknown as { connector: { connect(onError: unknown): Promise<Duplex> } };
  const connect = connector.connect.bind(connector);
  connector.connect = async (onError) => {
    const stream = await connect(onError);
    return stream.on('error', () => {});
  };
}

/** Loaded only here, so that a process without Redis does not load it. */
const client = (): typeof import('./redisClient') => require('./redisClient.js');

/**
 * Makes a new connection when a command has timed out. Commands fail at once meanwhile: a call with several of them
 * would otherwise wait for each.
 */
function reconnectAfterTimeout(client: Redis, onTimeout: (error: Error) => void): void {
  const send = client.sendCommand.bind(client);
  client.sendCommand = (...input) => {
    const answer = send(...input);
    if (answer instanceof Promise) {
      answer.catch((error: unknown) => {
        const isLate = error instanceof Error && error.message === 'Command timed out';
        if (!isLate || client.status !== 'ready') return;
        onTimeout(error);
        client.disconnect(true);
      });
    }
    return answer;
  };
}

/** Connects, and reconnects whenever the connection is lost. Rejects only if the first attempt fails. */
export async function openLink(options: RedisOptions, log: Log) {
  const all = connectionOptions(options);
  const { Redis } = client();
  const commands = withScripts(new Redis(all));
  // Subscriptions are made again by the code that reads what was missed, in that order.
  const subscriber = new Redis({ ...all, autoResubscribe: false });
  let epoch = 0;
  commands.on('connect', () => {
    epoch += 1;
  });
  let nextLogAt = 0;
  /** Why the connection failed. Later errors, also that of `connect`, say only that there is no connection. */
  let reason: Error | undefined;
  reconnectAfterTimeout(commands, (error) => {
    reason = error;
  });
  commands.on('ready', () => {
    reason = undefined;
  });
  const report = (error: Error): void => {
    reason = error;
    if (Date.now() < nextLogAt) return;
    nextLogAt = Date.now() + logInterval;
    log.error('Redis unavailable', { reason: error.message });
  };
  for (const client of [commands, subscriber]) {
    ignoreSecondErrors(client);
    client.on('error', report);
  }
  const close = (): void => {
    for (const client of [commands, subscriber]) client.disconnect();
  };
  try {
    await Promise.all([commands.connect(), subscriber.connect()]);
  } catch (error) {
    close();
    throw reason ?? error;
  }
  return {
    commands,
    subscriber,
    /**
     * The number of this connection for commands. Redis may receive commands of an earlier connection late, after they
     * have failed here. The scripts refuse those that would take something.
     */
    epoch: (): number => epoch,
    /** Why there is no connection for commands; `undefined` also when Redis has closed it. */
    reason: (): Error | undefined => reason,
    /** Closes both connections and opens new ones. Call it when one of them does not answer. */
    reconnect(): void {
      for (const client of [commands, subscriber]) client.disconnect(true);
    },
    close,
  };
}

export type Link = Awaited<ReturnType<typeof openLink>>;
