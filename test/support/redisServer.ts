/** A Redis server of the test's own, which it may stop, freeze and start again empty. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import Redis, { type RedisOptions } from 'ioredis';
import { temporaryFolder } from './app';
import { freePort } from './freePort';
import { until } from './waiting';

export interface RedisServer {
  port: number;
  url: string;
  /** What it reads at its start, if there is such a file. */
  file: string;
  /** Ends it at once; its data is gone, except what is in `file`. */
  stop(): Promise<void>;
  /** Starts it again, empty, at the same port. */
  start(): Promise<void>;
  /** Suspends it: it keeps its connections and answers nothing. */
  freeze(): void;
  /** Resumes it. */
  thaw(): void;
  set(content: Record<string, string>): Promise<void>;
  removeKeys(pattern: string): Promise<void>;
  close(): Promise<void>;
}

async function answers(options: RedisOptions): Promise<boolean> {
  const client = new Redis({ ...options, lazyConnect: true, retryStrategy: () => null });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.ping()) === 'PONG';
  } catch {
    return false;
  } finally {
    client.disconnect();
  }
}

export interface RedisServerOptions {
  /** More of its command line, for example `['--requirepass', 'secret']`, or the name of a file with settings. */
  more?: string[];
  /** What a client needs then. */
  client?: RedisOptions;
  /** The port of TLS, instead of a port without. */
  tls?: true;
}

/** Needs the program `redis-server`. */
export async function startRedis({
  more = [],
  client = {},
  tls,
}: RedisServerOptions = {}): Promise<RedisServer> {
  const port = await freePort();
  const folder = temporaryFolder();
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    const own = ['--bind', '127.0.0.1', '--save', '', '--dir', folder.path];
    const ports = tls ? ['--port', '0', '--tls-port', String(port)] : ['--port', String(port)];
    child = spawn('redis-server', [...more, ...own, ...ports], { stdio: 'ignore' });
    child.on('error', () => {});
    await until('Redis answers', () => answers({ ...client, port }));
  }

  async function stop(): Promise<void> {
    const running = child;
    child = undefined;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    const ended = once(running, 'exit');
    running.kill('SIGKILL');
    await ended;
  }

  await start();
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    file: path.join(folder.path, 'dump.rdb'),
    start,
    stop,
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    async set(content) {
      const redis = new Redis({ ...client, port });
      await redis.mset(content);
      redis.disconnect();
    },
    async removeKeys(pattern) {
      const redis = new Redis({ ...client, port });
      const keys = await redis.keys(pattern);
      if (keys.length > 0) await redis.del(keys);
      redis.disconnect();
    },
    async close() {
      await stop();
      folder.remove();
    },
  };
}
