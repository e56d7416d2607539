/** The setting `coordination` with a real Redis: password, users, TLS, Sentinels, and what is wrong with it. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import Redis from 'ioredis';
import { createRedisCoordination, type RedisCoordination } from '../../cluster/redis/coordination';
import { readRedisSettings } from '../../cluster/redis/options';
import type { MyPadsError } from '../../model/errors';
import type { Log } from '../../model/ports';
import { createSchedule } from '../../model/schedule';
import { temporaryFolder } from '../support/app';
import { createCertificate } from '../support/certificate';
import { createSignsDatabase } from '../support/redisNetwork';
import { type RedisServer, startRedis } from '../support/redisServer';
import { until } from '../support/waiting';

describe('the Redis that several processes share', () => {
  const folder = temporaryFolder();
  after(() => folder.remove());
  let ends: (() => Promise<void>)[] = [];
  let logged: string[];
  beforeEach(() => {
    logged = [];
  });
  afterEach(async () => {
    for (const end of ends.reverse()) await end();
    ends = [];
  });

  async function serve(...options: Parameters<typeof startRedis>): Promise<RedisServer> {
    const server = await startRedis(...options);
    ends.push(() => server.close());
    return server;
  }

  const write = (message: string, facts?: unknown): void =>
    void logged.push(`${message} ${JSON.stringify(facts)}`);
  const log: Log = { debug: write, info: write, warn: write, error: write };

  async function join(redis: unknown): Promise<RedisCoordination> {
    const settings = readRedisSettings({ redis });
    if (!settings) throw new Error('no settings');
    const coordination = await createRedisCoordination(settings, {
      database: createSignsDatabase(),
      log,
      schedule: createSchedule(),
      now: Date.now,
    });
    ends.push(() => coordination.close());
    return coordination;
  }

  /** Checks that `other` cannot get a lock that `one` holds, and that it receives messages of `one`. */
  async function workTogether(one: RedisCoordination, other: RedisCoordination): Promise<void> {
    const heard: string[] = [];
    other.subscribe({ message: (topic) => heard.push(topic), missed: () => {}, unavailable: () => {} });
    const release = await one.lock('a');
    expect(await other.tryLock('a')).to.equal(undefined);
    one.publish('held', {});
    await until('it is heard', () => heard.includes('held'));
    release();
  }

  it('may need a password, in the URL or beside it', async () => {
    const { port } = await serve({ more: ['--requirepass', 'p@ss word'], client: { password: 'p@ss word' } });
    const one = await join(`redis://:p%40ss%20word@127.0.0.1:${port}/3`);
    await workTogether(one, await join({ url: `redis://127.0.0.1:${port}/3`, password: 'p@ss word' }));
  });

  it('refuses a wrong password, which no error and no line of the log tells', async () => {
    const { port } = await serve({ more: ['--requirepass', 'right'], client: { password: 'right' } });
    const error = await join({ url: `redis://127.0.0.1:${port}`, password: 'wrong-secret' }).catch(
      (one: Error) => one,
    );
    expect(error).to.be.an('error');
    expect([String(error), ...logged].join('\n'))
      .to.match(/WRONGPASS|NOAUTH|invalid/i)
      .and.not.contain('wrong-secret');
  });

  it('may know users with few rights', async () => {
    const users = path.join(folder.path, 'users.acl');
    writeFileSync(
      users,
      'user default off\nuser pads on >secret ~ep_mypads:* &ep_mypads:* +@all -@admin +info\n',
    );
    const client = { username: 'pads', password: 'secret' };
    const { port } = await serve({ more: ['--aclfile', users], client });
    const settings = { url: `redis://127.0.0.1:${port}`, ...client };
    await workTogether(await join(settings), await join(settings));
  });

  it('may need TLS, whose certificate is checked', async () => {
    const { cert, key } = createCertificate();
    const [certFile, keyFile] = ['redis.crt', 'redis.key'].map((name) => path.join(folder.path, name)) as [
      string,
      string,
    ];
    writeFileSync(certFile, cert);
    writeFileSync(keyFile, key);
    const files = ['--tls-cert-file', certFile, '--tls-key-file', keyFile, '--tls-ca-cert-file', certFile];
    const { port } = await serve({
      more: [...files, '--tls-auth-clients', 'no'],
      client: { tls: { ca: cert } },
      tls: true,
    });
    const secured = { url: `redis://127.0.0.1:${port}`, tls: { ca: cert } };
    await workTogether(await join(secured), await join({ ...secured, url: `rediss://127.0.0.1:${port}` }));
    const error = await join(`rediss://127.0.0.1:${port}`).catch((one: Error) => one);
    expect(String(error)).to.match(/self.signed|certificate/i);
  });

  it('is said to have answered too late, and not to have closed the connection, when it hangs', async () => {
    const server = await serve();
    const one = await join(server.url);
    server.freeze();
    try {
      const refused = await one.tryLock('key').catch((error: Error) => error);
      expect(refused).to.be.an('error');
      await until('it is logged', () => logged.some((line) => line.startsWith('connection to Redis lost')));
    } finally {
      server.thaw();
    }
    expect(logged[0]).to.equal('connection to Redis lost {"reason":"Error: Command timed out"}');
  });

  it('may be found by a Sentinel, also after another server has taken over', async () => {
    const main = await serve();
    const replica = await serve({ more: ['--replicaof', `127.0.0.1 ${main.port}`] });
    const file = path.join(folder.path, 'sentinel.conf');
    writeFileSync(
      file,
      `sentinel monitor pads 127.0.0.1 ${main.port} 1
      sentinel down-after-milliseconds pads 500
      sentinel failover-timeout pads 3000\n`,
    );
    const sentinel = await serve({ more: [file, '--sentinel'] });
    const found = { sentinels: [{ host: '127.0.0.1', port: sentinel.port }], name: 'pads' };
    const [one, other] = [await join(found), await join(found)];
    await workTogether(one, other);
    // A Sentinel needs a moment to know the replica.
    await until('the Sentinel knows the replica', async () => (await replicasOf(sentinel.port)) === 1);
    const missed = new Promise<void>((resolve) => {
      other.subscribe({ message: () => {}, missed: resolve, unavailable: () => {} });
    });
    await one.pads.claim('pad');
    const release = await one.lock('key');
    await removeFrom(replica.port, ['ep_mypads:pad:pad', 'ep_mypads:lock:key']);
    await main.stop();
    await until('both use the replica', () => !one.isConnected() || !other.isConnected());
    await until('both can take locks again', async () => {
      const locks = await Promise.all(
        [one, other].map((member) => member.tryLock(member.process).catch(() => undefined)),
      );
      for (const unlock of locks) unlock?.();
      return locks.every((unlock) => unlock !== undefined);
    });
    await missed;
    expect(one.isConnected()).to.equal(false);
    release();
    expect(await other.pads.claim('pad')).to.equal(one.process);
    expect(await other.pads.claim('new pad').catch((error: MyPadsError) => error.key)).to.equal(
      'BACKEND.ERROR.SERVER.DATABASE_UNAVAILABLE',
    );
    await until('both work again', () => one.isConnected() && other.isConnected());
    await workTogether(one, other);
    expect(replica.port).to.not.equal(main.port);
  });

  it('must not remove keys when its memory is full', async () => {
    const { url } = await serve({ more: ['--maxmemory', '50mb', '--maxmemory-policy', 'allkeys-lru'] });
    const error = await join(url).catch((one: Error) => one);
    expect(String(error)).to.match(/allkeys-lru.*must be noeviction/);
    const admin = new Redis(url);
    await admin.config('SET', 'maxmemory-policy', 'noeviction');
    await join(url);
    // Without a limit, its policy does not matter.
    await admin.config('SET', 'maxmemory-policy', 'volatile-lru', 'maxmemory', '0');
    await join(url);
    admin.disconnect();
  });

  it('that is not described correctly stops the start with a reason, without values', async () => {
    const reason = (redis: unknown): string => {
      try {
        readRedisSettings({ redis });
        return 'accepted';
      } catch (error) {
        return String(error);
      }
    };
    expect(reason('http://user:secret@127.0.0.1'))
      .to.match(/coordination is invalid/)
      .and.not.contain('secret');
    expect(reason({ password: 'secret' }))
      .to.match(/either url or sentinels/)
      .and.not.contain('secret');
    expect(reason({ url: 'redis://127.0.0.1', pasword: 'secret' }))
      .to.match(/pasword/)
      .and.not.contain('"secret"');
    expect(reason({ sentinels: [{ host: 'a', port: '26379' }] })).to.match(/redis\.sentinels\.0\.port: /);
    expect(reason({ url: 'redis://127.0.0.1', password: 12345 }), 'of digits in the environment')
      .to.match(/redis\.password: /)
      .and.not.contain('12345');
    expect(reason(null), 'of the environment, where it is not set').to.match(/redis: .*expected object/);
    const gone = await join('redis://127.0.0.1:1').catch((one: Error) => one);
    expect(String(gone)).to.match(/ECONNREFUSED/);
  });
});

/** Removes keys from a replica when they have arrived there, as if they had not. */
async function removeFrom(port: number, keys: string[]): Promise<void> {
  const client = new Redis({ port });
  await client.config('SET', 'replica-read-only', 'no');
  for (const key of keys) await until('it has arrived', async () => (await client.del(key)) === 1);
  client.disconnect();
}

async function replicasOf(sentinelPort: number): Promise<number> {
  const client = new Redis({ port: sentinelPort });
  try {
    return ((await client.call('SENTINEL', 'replicas', 'pads')) as unknown[]).length;
  } finally {
    client.disconnect();
  }
}
