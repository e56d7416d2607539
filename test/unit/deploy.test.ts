/**
 * The files for containers in deploy/. Their format is described here as far as they use it: a misspelled name, or a
 * value of another kind, is an error. What they say must fit each other, the plugin and Etherpad's image.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import * as z from 'zod';
import { startApp } from '../support/app';

const root = join(__dirname, '..', '..');
const read = (name: string): string => readFileSync(join(root, name), 'utf8');

/** Throws an error that names each wrong place. */
function checked<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (!result.success) throw new Error(z.prettifyError(result.error));
  return result.data;
}

/** Throws when a POSIX shell cannot read this script. */
function expectShell(script: string): void {
  const { stderr } = spawnSync('sh', ['-n'], { input: script, encoding: 'utf8' });
  expect(stderr, script).to.equal('');
}

/** Variables that the settings file of Etherpad's image reads, of those that a server with this plugin may need. */
const readByImage = [
  ...['NODE_ENV', 'IP', 'PORT', 'TITLE', 'ADMIN_PASSWORD', 'TRUST_PROXY', 'AUTHENTICATION_METHOD'],
  ...['DB_TYPE', 'DB_HOST', 'DB_PORT', 'DB_NAME', 'DB_USER', 'DB_PASS'],
];

/** The image listens on 9001, unless PORT says otherwise. */
const port = 9001;
const check = '/mypads/api/cache/check';

const secret = /^\$\{[A-Z_]+:\?\}$/;
const duration = z.string().regex(/^\d+[smh]$/);
/** A tag with a version: `latest` would be another program tomorrow. */
const pinned = z.string().regex(/^[\w./-]+:\d[\w.-]*$/);
const restart = z.literal('unless-stopped');
const afterDatabase = z.strictObject({
  database: z.strictObject({ condition: z.literal('service_healthy') }),
});
const variables = z.record(z.string().regex(/^[A-Z_]+$/), z.string());

const composeFile = z.strictObject({
  services: z.strictObject({
    etherpad: z.strictObject({
      build: z.literal('.'),
      restart,
      depends_on: afterDatabase,
      ports: z.array(z.string().regex(/^127\.0\.0\.1:\d+:\d+$/)).length(1),
      environment: variables,
      volumes: z.array(z.string()).optional(),
    }),
    database: z.strictObject({
      image: pinned,
      restart,
      environment: variables,
      volumes: z.array(z.string()),
      healthcheck: z.strictObject({
        test: z.array(z.string()),
        interval: duration,
        timeout: duration,
        retries: z.int().positive(),
      }),
    }),
    backup: z.strictObject({
      image: pinned,
      restart,
      init: z.literal(true),
      depends_on: afterDatabase,
      environment: variables,
      volumes: z.array(z.string()),
      command: z.tuple([z.literal('sh'), z.literal('-c'), z.string()]),
    }),
  }),
  volumes: z.record(z.string(), z.null()),
});

const compose = () => checked(composeFile, parse(read('deploy/compose.yaml')));

describe('deploy/compose.yaml', () => {
  it('gives Etherpad only variables that its image reads, and the address of the database', () => {
    const { etherpad } = compose().services;
    expect(Object.keys(etherpad.environment).filter((name) => !readByImage.includes(name))).to.deep.equal([]);
    const { DB_TYPE, DB_HOST = '', DB_PORT } = etherpad.environment;
    expect([DB_TYPE, DB_PORT]).to.deep.equal(['postgres', '5432']);
    expect(Object.keys(compose().services)).to.include(DB_HOST);
    expect(etherpad.environment.TRUST_PROXY).to.equal('true');
    expect(etherpad.environment.AUTHENTICATION_METHOD).to.equal('apikey');
  });

  it('has one database, one name and one password for all three containers', () => {
    const { etherpad, database, backup } = compose().services;
    const { DB_HOST, DB_NAME, DB_USER, DB_PASS } = etherpad.environment;
    expect(database.environment).to.deep.equal({
      POSTGRES_DB: DB_NAME,
      POSTGRES_USER: DB_USER,
      POSTGRES_PASSWORD: DB_PASS,
    });
    expect(backup.environment).to.deep.equal({ PGHOST: DB_HOST, PGUSER: DB_USER, PGPASSWORD: DB_PASS });
    expect(database.healthcheck.test).to.deep.equal(['CMD', 'pg_isready', '-U', DB_USER, '-d', DB_NAME]);
    expect(backup.image, 'pg_dump of the same version as the server').to.equal(database.image);
  });

  it('contains no secret, and names those that .env must have', () => {
    const { etherpad, database, backup } = compose().services;
    const all = [etherpad, database, backup].flatMap(({ environment }) => Object.entries(environment));
    const secrets = all.filter(([name]) => /PASS/.test(name)).map(([, value]) => value);
    for (const value of secrets) expect(value).to.match(secret);
    const named = [...read('deploy/compose.yaml').matchAll(/^# {3}([A-Z_]+)=…$/gm)].map(
      ([, name]) => `\${${name}:?}`,
    );
    expect([...new Set(secrets)].sort()).to.deep.equal(named.sort());
  });

  it('publishes the port of the image, and hides nothing of it with a volume', () => {
    const { etherpad } = compose().services;
    expect(etherpad.ports).to.deep.equal([`127.0.0.1:${port}:${port}`]);
    expect(etherpad.volumes ?? []).to.deep.equal([]);
  });

  it('declares each named volume, and mounts each one', () => {
    const { database, backup } = compose().services;
    const mounted = [...database.volumes, ...backup.volumes].map((volume) => volume.split(':')[0] ?? '');
    const names = mounted.filter((source) => !source.startsWith('.'));
    expect(names).to.deep.equal(Object.keys(compose().volumes));
    expect(database.volumes).to.deep.equal(['database:/var/lib/postgresql/data']);
  });

  it('makes backups with the command of docs/backup.md, into the folder that is mounted', () => {
    const { etherpad, backup } = compose().services;
    const script = backup.command[2].replaceAll('$$', '$');
    expectShell(script);
    const { DB_NAME } = etherpad.environment;
    const documented = /`(pg_dump -Fc [^`]*) > etherpad\.dump`/.exec(read('docs/backup.md'))?.[1];
    expect(script).to.include(`${documented} > `).and.to.include(`-t store ${DB_NAME} `);
    expect(backup.volumes).to.deep.equal(['./backup:/backup']);
    expect(script.match(/(?<=[= ])\/\w+/g)).to.deep.equal(['/backup', '/backup']);
    // Compose replaces a single dollar sign before the shell sees it.
    expect(backup.command[2].replaceAll('$$', '')).to.not.include('$');
  });
});

describe('deploy/Dockerfile', () => {
  /** Each instruction with its text on one line. */
  const instructions = read('deploy/Dockerfile')
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, word = '', rest = ''] = /^([A-Z]+) +(.*)$/.exec(line) ?? [];
      return { word, rest };
    });
  const only = (word: string): string => {
    const [first, ...more] = instructions.filter((one) => one.word === word);
    expect(more, word).to.deep.equal([]);
    return first?.rest ?? '';
  };

  it('begins with the newest image that was tested', () => {
    const [, version] = /^ETHERPAD=etherpad\/etherpad:(\d+\.\d+\.\d+)$/.exec(only('ARG')) ?? [];
    const tested = [...read('docs/hosts.md').matchAll(/^\| (\d+\.\d+\.\d+) \|/gm)].map(([, one]) => one);
    expect(version).to.equal(tested.at(-1));
    expect(only('FROM')).to.match(/^\$\{ETHERPAD\}$/);
  });

  it('has these instructions in this order, and stays the user of the image, who is not root', () => {
    expect(instructions.map(({ word }) => word).join(' ')).to.equal('ARG FROM COPY RUN HEALTHCHECK CMD');
  });

  it('copies the package that npm pack makes', () => {
    const [, from = '', to] = /^--chown=etherpad:etherpad (\S+) (\S+)$/.exec(only('COPY')) ?? [];
    const { name: plugin, version, files } = JSON.parse(read('package.json'));
    expect(`${plugin}-${version}.tgz`).to.match(
      new RegExp(`^${from.replaceAll('.', '\\.').replace('*', '.*')}$`),
    );
    expect(only('RUN')).to.include(`tar -xzf ${to} -C /tmp/${plugin} --strip-components=1`);
    const [, shipped = ''] = /cp \/tmp\/ep_mypads\/(\S+) /.exec(only('RUN')) ?? [];
    expect(existsSync(join(root, shipped)), shipped).to.equal(true);
    expect(files).to.include(shipped.split('/')[0]);
  });

  it('checks the plugin in the image and before each start', () => {
    const command = 'node check-plugin.cjs /opt/etherpad-lite';
    expectShell(only('RUN'));
    expect(only('RUN').split(' && ').at(-1)).to.equal(command);
    const [shell, option, script = ''] = JSON.parse(only('CMD'));
    expect([shell, option]).to.deep.equal(['sh', '-c']);
    expectShell(script);
    // `exec`: Etherpad gets the signal to stop, and not a shell that does not pass it on.
    expect(script).to.match(new RegExp(`^${command} && cd src && exec node .*node/server\\.ts$`));
  });

  it('is healthy only when the plugin answers', async () => {
    const [, script = ''] = / CMD (.*)$/.exec(only('HEALTHCHECK')) ?? [];
    expectShell(script);
    expect(script).to.equal(`wget -qO- http://127.0.0.1:${port}${check} || exit 1`);
    const app = await startApp();
    const { status } = await app.agent.get(check.replace('/mypads', ''));
    await app.close();
    expect(status).to.equal(200);
  });
});

describe('deploy/nginx.conf', () => {
  const text = read('deploy/nginx.conf');

  it('tells browsers to use https only, for a year, in each answer', () => {
    const [, value = ''] = /^ {2}add_header Strict-Transport-Security "([^"]+)" always;$/m.exec(text) ?? [];
    expect(Number(/^max-age=(\d+); includeSubDomains$/.exec(value)?.[1])).to.be.at.least(365 * 24 * 3600);
    // A location with a header of its own would not send those of the server.
    expect(text.match(/^\s*add_header/gm)).to.have.length(1);
  });
});

describe('deploy/etherpad.service', () => {
  const lines = read('deploy/etherpad.service').split('\n');

  it('lets no other account read what Etherpad writes', () => {
    expect(lines).to.include('UMask=0077');
  });

  it('starts Etherpad after the check of its files, and has started it when the plugin answers', () => {
    const value = (key: string) => lines.find((line) => line.startsWith(`${key}=`))?.slice(key.length + 1);
    const copied = /^# systemd:.* check-plugin\.cjs to (\S+)\/\.$/m.exec(lines.join('\n'))?.[1];
    expect(read('docs/install.md')).to.include(`\`${copied}/\``);
    const folder = value('WorkingDirectory')?.replace(/\/src$/, '');
    expect(value('ExecStartPre')).to.equal(`/usr/bin/node ${copied}/check-plugin.cjs ${folder}`);
    expect(value('ExecStartPost')).to.include(
      `until curl -sf -o /dev/null http://127.0.0.1:${port}${check};`,
    );
    // Otherwise an Etherpad that ends at its start is started again only when the check gives up.
    expect(value('ExecStartPost')).to.include('kill -0 $MAINPID');
  });
});

describe('docs/prometheus/alerts.yml', () => {
  it('has critical alerts and warnings, for the job of docs/monitoring.md', () => {
    const [{ rules }] = parse(read('docs/prometheus/alerts.yml')).groups as [
      { rules: { expr: string; labels: { severity: string } }[] },
    ];
    const [, job] = /job_name: (\w+)/.exec(read('docs/monitoring.md')) ?? [];
    for (const { expr, labels } of rules) {
      expect(labels.severity, expr).to.be.oneOf(['critical', 'warning']);
      for (const [, used] of expr.matchAll(/job="([^"]*)"/g)) expect(used, expr).to.equal(job);
    }
  });
});

describe('docs/prometheus/grafana-dashboard.json', () => {
  interface Panel {
    id: number;
    type: string;
    gridPos: { x: number; y: number; w: number; h: number };
    targets?: { refId: string; expr: string }[];
  }
  const { panels, templating } = JSON.parse(read('docs/prometheus/grafana-dashboard.json')) as {
    panels: Panel[];
    templating: { list: { name: string }[] };
  };

  it('has panels beside each other, with numbers and queries of their own', () => {
    expect(new Set(panels.map(({ id }) => id)).size).to.equal(panels.length);
    const used = new Set<string>();
    for (const { id, type, gridPos, targets = [] } of panels) {
      const { x, y, w, h } = gridPos;
      expect(x + w, `panel ${id}`).to.be.at.most(24);
      for (let column = x; column < x + w; column++) {
        for (let line = y; line < y + h; line++) {
          expect(used.has(`${column} ${line}`), `panel ${id} lies on another one`).to.equal(false);
          used.add(`${column} ${line}`);
        }
      }
      expect(new Set(targets.map(({ refId }) => refId)).size).to.equal(targets.length);
      expect(targets.length > 0, `panel ${id} shows something`).to.equal(type !== 'row');
    }
  });

  it('uses only variables that it declares', () => {
    const declared = templating.list.map((one) => one.name);
    const text = read('docs/prometheus/grafana-dashboard.json');
    for (const [, used = ''] of text.matchAll(/\$\{?([a-z]\w*)/g)) expect(declared).to.include(used);
  });
});
