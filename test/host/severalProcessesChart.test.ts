/** Two Etherpads with the settings file of the Helm chart, behind a real nginx with its configuration. */
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { fileOf, type Manifest, renderChart } from '../support/chart';
import { databaseServers, type FreshDatabase } from '../support/databases';
import { type RunningEtherpad, signInAtAdmin, startOneEtherpad } from '../support/etherpad';
import { type RunningProxy, startNginxWith } from '../support/nginx';
import { type RedisServer, startRedis } from '../support/redisServer';
import { until } from '../support/waiting';

const postgres = databaseServers.find(({ name }) => name === 'PostgreSQL');

(postgres === undefined ? describe.skip : describe)('the Helm chart with two processes', function () {
  this.timeout(300_000);
  /** Etherpad would take digits alone for a number. */
  const password = `secret-${randomBytes(12).toString('hex')}`;
  let redis: RedisServer;
  let database: FreshDatabase;
  let processes: RunningEtherpad[];
  let nginx: RunningProxy;

  /** What Helm makes for this database and this Redis. */
  function manifests(): Manifest[] {
    const { dbSettings } = database.hostSettings() as { dbSettings: Record<string, string | number> };
    const { host, port, database: name, user } = dbSettings;
    return renderChart({
      image: { repository: 'registry.example.org/etherpad-mypads', tag: '1' },
      host: '127.0.0.1',
      secret: 'etherpad',
      database: { host, port: Number(port), name, user },
      processes: 2,
      redis: { url: `redis://127.0.0.1:${redis.port}/0` },
      networkPolicy: { enabled: false },
      // Etherpad 3.x shows no addresses in the log otherwise.
      settings: { disableIPlogging: false },
    });
  }

  /** One process with the settings of the chart, except for its address. */
  function start(): Promise<RunningEtherpad> {
    const { ip, port, ...settings } = JSON.parse(fileOf(manifests(), 'pads-settings', 'settings.json'));
    expect([ip, port]).to.deep.equal(['0.0.0.0', 9001]);
    const { dbSettings } = database.hostSettings() as { dbSettings: { password?: string } };
    const env = { ADMIN_PASSWORD: password, DB_PASS: dbSettings.password ?? '', REDIS_PASSWORD: password };
    return startOneEtherpad({ settings, env });
  }

  before(async () => {
    redis = await startRedis({ more: ['--requirepass', password], client: { password } });
    database = await (postgres as NonNullable<typeof postgres>).create();
    processes = [await start(), await start()];
    nginx = await startNginxWith((port) =>
      processes
        .reduce(
          (text, { url }, number) => text.replaceAll(`pads-${number}:9001`, new URL(url).host),
          fileOf(manifests(), 'pads-proxy', 'etherpad.conf'),
        )
        .replaceAll('listen 8080', `listen 127.0.0.1:${port}`),
    );
  });
  after(async () => {
    await nginx?.stop();
    for (const one of processes ?? []) await one.stop();
    await database?.drop();
    await redis?.close();
  });

  /** The processes that nginx has asked for this path. */
  const askedFor = (path: string): string[] =>
    nginx
      .requests()
      .filter((line) => line.includes(` ${path} `))
      .map((line) => line.split(' ').at(-1) ?? '');

  it('sends all requests for a pad to one process, and uses both', async () => {
    const ids = Array.from({ length: 24 }, () => randomBytes(8).toString('hex'));
    for (const id of ids) {
      for (const path of [`/p/${id}`, `/p/${id}/export/txt`]) await fetch(`${nginx.url}${path}`);
      const asked = () => [`/p/${id}`, `/p/${id}/export/txt`].flatMap(askedFor);
      await until(`both requests for ${id}`, () => asked().length === 2);
      expect(new Set(asked()).size, id).to.equal(1);
    }
    expect(new Set(ids.flatMap((id) => askedFor(`/p/${id}`))).size).to.equal(2);
  });

  it('lets the administrator of the Secret sign in, and tells Etherpad the address that the Ingress names', async () => {
    const [{ major }] = processes as [RunningEtherpad];
    expect(await signInAtAdmin({ url: nginx.url, major }, 'admin', password)).to.not.equal('');
    const headers = {
      'content-type': 'application/json',
      'x-forwarded-for': '192.0.2.9',
      'x-forwarded-proto': 'https',
    };
    const body = JSON.stringify({ login: 'nobody at all', password });
    await fetch(`${nginx.url}/mypads/api/auth/login`, { method: 'POST', headers, body });
    await until('the refused sign-in in a log', () =>
      processes.some((one) => /sign-in refused.*192\.0\.2\.9/.test(one.log())),
    );
  });
});
