/** `ep-mypads doctor` in the folder of a real Etherpad and on its database, with and without the running server. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { expect } from 'chai';
import { projectRoot } from '../../bin/etherpad';
import type { Database } from '../../model/ports';
import { createTestPorts, temporaryFolder } from '../support/app';
import { damage, makeOrphans } from '../support/damage';
import { type KeepFiles, keepFilesIn, runCommand, runDoctor } from '../support/doctor';
import { type RunningEtherpad, startEtherpad } from '../support/etherpad';
import { copyOfLegacyDatabase, legacyDatabase, legacyRecords, readDirty } from '../support/legacy';
import { createRedisNetwork } from '../support/redisNetwork';
import { startRedis } from '../support/redisServer';
import { until } from '../support/waiting';

describe('ep-mypads doctor', function () {
  this.timeout(300_000);
  const folder = temporaryFolder();
  let etherpad: RunningEtherpad;
  let kept: KeepFiles;

  before(async () => {
    const file = copyOfLegacyDatabase(folder.path);
    const ports = await createTestPorts({ file });
    const { database }: { database: Database } = ports;
    await damage(database);
    await makeOrphans(database);
    await ports.hasher.close();
    await ports.closeDatabase();
    etherpad = await startEtherpad({ database: file });
    kept = keepFilesIn(etherpad.folder.root);
  });
  after(async () => {
    kept?.remove();
    await etherpad?.stop();
    folder.remove();
  });

  const doctor = (...args: string[]) => runDoctor(etherpad.folder, etherpad.settingsFile, args);

  it('says what it waits for when the database accepts connections and does not answer', async () => {
    const silent = createServer(() => {});
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const file = path.join(folder.path, 'silent.json');
    const own = JSON.parse(readFileSync(etherpad.settingsFile, 'utf8'));
    const dbSettings = { host: '127.0.0.1', port, user: 'a', password: 'a', database: 'a' };
    writeFileSync(file, JSON.stringify({ ...own, dbType: 'postgres', dbSettings }));
    const { root, node } = etherpad.folder;
    const program = path.join(projectRoot, 'dist', 'doctor.js');
    const child = spawn(node, [program, 'doctor', '--settings', file], { cwd: root });
    const ended = once(child, 'exit');
    let said = '';
    child.stdout.on('data', (text) => {
      said += text;
    });
    try {
      await until('it says so', () => said.includes('Waiting for the database (postgres)'));
    } finally {
      child.kill('SIGKILL');
      await ended;
      silent.close();
    }
  });

  describe('with lines in the file that Etherpad cannot read', () => {
    const broken = path.join(folder.path, 'broken.db');
    const settings = path.join(folder.path, 'broken.json');
    const lines = [
      '{"val":{"a":"secret-text"}}',
      '{"key":null,"val":1}',
      '',
      '{"key":"mypads:user:x","val":{"login":"secret-lo',
    ];
    const content = `${lines.slice(0, 3).join('\n')}\n${readFileSync(legacyDatabase, 'utf8')}${lines[3]}`;
    const after = content.split('\n').length;

    before(() => {
      writeFileSync(broken, content);
      const own = JSON.parse(readFileSync(etherpad.settingsFile, 'utf8'));
      const port = { ip: '127.0.0.1', port: 1 };
      writeFileSync(
        settings,
        JSON.stringify({ ...own, ...port, dbType: 'dirty', dbSettings: { filename: broken } }),
      );
    });

    const copies = (): string[] => readdirSync(folder.path).filter((name) => name.includes('.damaged-'));

    it('says which they are, without their content, what the others contain, and changes nothing', () => {
      const { code, stdout } = runDoctor(etherpad.folder, settings, []);
      expect(code, stdout).to.equal(1);
      expect(stdout).to.contain(`does not start with ${broken}, because it cannot read 4 of its lines`);
      expect(stdout).to.match(/line 1: no key\n\s+line 2: no key\n\s+line 3: empty\n/);
      expect(stdout).to.contain(`line ${after}: not readable, of mypads:user:x\n`);
      expect(stdout).to.match(/users\s+9\n/);
      expect(stdout).to.not.contain('secret-');
      expect(readFileSync(broken, 'utf8')).to.equal(content);
      expect(copies()).to.deep.equal([]);
    });

    it('deletes its copy of the database when it is interrupted', async () => {
      const { root, node } = etherpad.folder;
      const temporary = path.join(folder.path, 'temporary');
      mkdirSync(temporary);
      // So large that it cannot be ready before the signal.
      const large = path.join(folder.path, 'large.json');
      const filename = path.join(folder.path, 'large.db');
      const more = Array.from(
        { length: 200_000 },
        (_, index) => `{"key":"mypads:user:many-${index}","val":{}}\n`,
      );
      writeFileSync(filename, `${more.join('')}${content}`);
      writeFileSync(
        large,
        JSON.stringify({ ...JSON.parse(readFileSync(settings, 'utf8')), dbSettings: { filename } }),
      );
      const program = path.join(projectRoot, 'dist', 'doctor.js');
      const options = { cwd: root, env: { ...process.env, TMPDIR: temporary } };
      const child = spawn(node, [program, 'doctor', '--settings', large], options);
      const ended = once(child, 'exit');
      const copy = (): string[] => readdirSync(temporary).filter((name) => name.startsWith('ep_mypads-'));
      await until('it has made a copy', async () => copy().length > 0);
      child.kill('SIGTERM');
      expect((await ended)[0]).to.equal(2);
      expect(copy()).to.deep.equal([]);
    });

    it('leaves them out with --repair, and keeps the file as it was', () => {
      const { code, stdout } = runDoctor(etherpad.folder, settings, ['--repair']);
      expect(code, stdout).to.equal(0);
      const [copy = '', ...others] = copies();
      expect([others, readFileSync(path.join(folder.path, copy), 'utf8')]).to.deep.equal([[], content]);
      expect(stdout).to.contain(copy).and.not.contain('secret-');
      expect(readFileSync(broken, 'utf8')).to.not.contain('secret-');
      expect(readDirty(broken).get('pad:welcome-z414gdv4')).to.deep.equal(
        legacyRecords().get('pad:welcome-z414gdv4'),
      );
      expect(runDoctor(etherpad.folder, settings, []).stdout).to.contain('Nothing is damaged.');
    });
  });

  it('deletes no pads with --orphans when the line of their folder may be among those that it leaves out', () => {
    const own = path.join(folder.path, 'cut');
    mkdirSync(own);
    const cut = path.join(own, 'cut.db');
    const settings = path.join(own, 'cut.json');
    const shared = JSON.parse(readFileSync(etherpad.settingsFile, 'utf8'));
    const port = { ip: '127.0.0.1', port: 1 };
    writeFileSync(
      settings,
      JSON.stringify({ ...shared, ...port, dbType: 'dirty', dbSettings: { filename: cut } }),
    );
    const [pad, text] = ['mypads:pad:welcome-z414gdv4', 'pad:welcome-z414gdv4'];
    const { group } = legacyRecords().get(pad) as { group: string };
    const start = `{"key":"mypads:group:${group}","val":`;
    const lines = readFileSync(legacyDatabase, 'utf8').split('\n');
    writeFileSync(cut, lines.map((line) => (line.startsWith(start) ? start : line)).join('\n'));
    const first = runDoctor(etherpad.folder, settings, ['--repair', '--orphans', '--keep', own]);
    expect(first.stdout).to.contain('--orphans has no effect in this run');
    expect([...readDirty(cut).keys()]).to.include.members([pad, text]);
    runDoctor(etherpad.folder, settings, ['--repair', '--orphans', '--keep', own]);
    expect([...readDirty(cut).keys()]).to.not.include.members([pad, text]);
  });

  it('refuses to change anything while Etherpad runs, and says which process uses the file', () => {
    const { code, stderr, stdout } = doctor('--repair');
    expect([code, stdout.includes('Repaired')]).to.deep.equal([2, false]);
    expect(stderr).to.match(new RegExp(`Process ${etherpad.pid()} has .* open|answers on port`));
    // The server writes to its file meanwhile; the doctor keeps what it changes in a file of its own.
    expect(kept.list()).to.deep.equal([]);
  });

  it('reports numbers and damage, and changes nothing', async () => {
    await etherpad.halt();
    const before = readFileSync(etherpad.databaseFile);
    const { code, stdout } = doctor('--all');
    expect(stdout).to.match(/users\s+10\n\s+groups\s+9\n\s+pads\s+19\n\s+orphans\s+2\n/);
    expect(stdout).to.contain('invalid account records');
    expect(stdout).to.contain('devoirs-y7ygd3p');
    expect(stdout).to.not.contain('left-over-plain');
    expect(stdout).to.not.match(/\[INFO\]/);
    expect(code).to.equal(1);
    expect(readFileSync(etherpad.databaseFile).equals(before)).to.equal(true);
  });

  it('repairs, makes a backup that only its owner can read, and finds nothing the second time', () => {
    const before = readDirty(etherpad.databaseFile);
    const first = doctor('--repair', '--orphans');
    expect(first.stdout).to.match(/Repaired: \d\d/);
    expect(first.code).to.equal(0);
    const [file = '', ...others] = kept.list();
    expect(others).to.deep.equal([]);
    const keptFile = path.join(etherpad.folder.root, file);
    expect(statSync(keptFile).mode & 0o077).to.equal(0);
    const after = readDirty(etherpad.databaseFile);
    for (const [key, value] of readDirty(keptFile)) expect(before.get(key), key).to.deep.equal(value);
    for (const key of before.keys())
      expect(after.has(key) || readDirty(keptFile).has(key), key).to.equal(true);
    const second = doctor('--repair', '--orphans');
    expect(second.stdout).to.contain('Nothing is damaged.');
    expect(second.code).to.equal(0);
    expect(readDirty(etherpad.databaseFile)).to.deep.equal(after);
    expect(kept.list()).to.deep.equal([file]);
  });

  it('leaves a database that Etherpad starts with', async () => {
    await etherpad.restart();
    const body = { login: 'carol', password: 'p+q/r=s é€ ñ&%20#' };
    expect((await etherpad.api('POST', 'auth/login', { body })).status).to.equal(200);
    expect((await etherpad.get('/p/welcome-z414gdv4/export/txt')).body).to.contain('Welcome, everybody!');
    await etherpad.halt();
    expect(doctor().stdout).to.contain('Nothing is damaged.');
  });

  it('ends with 2 when Etherpad cannot read its settings, because it has not looked for damage', () => {
    const settings = path.join(folder.path, 'unreadable.json');
    writeFileSync(settings, '{ "dbType": ');
    const { code, stdout, stderr } = runDoctor(etherpad.folder, settings, []);
    expect(code).to.equal(2);
    expect(stdout + stderr).to.contain('unreadable.json');
  });

  it('says that the database is missing, and makes no empty one', () => {
    const { node, root } = etherpad.folder;
    const program = path.join(projectRoot, 'dist', 'doctor.js');
    const run = (cwd: string, ...args: string[]) =>
      spawnSync(node, [program, ...args], { cwd, encoding: 'utf8', timeout: 60_000 });
    const nowhere = run(folder.path, 'doctor');
    expect([nowhere.status, nowhere.stderr]).to.match(/2,.*not in an Etherpad folder/);
    const settings = run(root, 'doctor', '--settings', path.join(folder.path, 'none.json'));
    expect([settings.status, settings.stderr]).to.match(/2,There is no .*none\.json/);
    expect(run(root).stderr).to.contain('Usage: ep-mypads doctor');
  });

  describe('on another database', () => {
    let file: string;
    let settingsFile: string;
    beforeEach(() => {
      file = copyOfLegacyDatabase(folder.path);
      settingsFile = path.join(folder.path, 'settings.json');
      writeSettings({});
    });

    function writeSettings(more: Record<string, unknown>): void {
      const settings = { ip: '127.0.0.1', port: 1, dbType: 'dirty', dbSettings: { filename: file }, ...more };
      writeFileSync(settingsFile, JSON.stringify(settings));
    }

    const run = (command: string, ...args: string[]) =>
      runCommand(etherpad.folder, settingsFile, [command, ...args]);

    it('refuses to change anything while a process on any machine uses the database, and when Redis is down', async () => {
      const redis = await startRedis();
      try {
        const network = createRedisNetwork(redis, Date.now);
        writeSettings({ ep_mypads: { coordination: { redis: redis.url, prefix: network.prefix } } });
        expect(run('doctor').stdout).to.not.contain('Redis');
        await network.join();
        const { code, stderr } = run('doctor', '--repair');
        expect([code, stderr]).to.match(/2,.*According to Redis, 1 Etherpad process uses this database/);
        await network.close();
        expect(run('doctor', '--repair').stdout).to.contain('Repaired');
        await redis.stop();
        expect(run('doctor', '--repair').stderr).to.contain('Redis cannot say whether');
        expect(run('doctor', '--repair', '--force').code).to.equal(0);
      } finally {
        await redis.close();
      }
    });

    it('writes the old values into the folder that --keep names, and changes nothing without such a folder', () => {
      const before = readFileSync(file, 'utf8');
      const missing = run('doctor', '--repair', '--keep', path.join(folder.path, 'missing'));
      expect([missing.code, missing.stderr]).to.match(/2,There is no folder/);
      expect(readFileSync(file, 'utf8')).to.equal(before);
      const earlier = kept.list();
      const place = path.join(folder.path, 'old values');
      mkdirSync(place);
      const { stdout } = run('doctor', '--repair', '--keep', place);
      expect(stdout.split('Repaired')[0], 'before the first change').to.contain(`written into ${place}/`);
      expect(readdirSync(place)).to.match(/^ep_mypads-doctor-\w+\.db$/);
      expect(kept.list()).to.deep.equal(earlier);
    });

    it('completes its work although its output is closed', () => {
      const { root, node } = etherpad.folder;
      const program = path.join(projectRoot, 'dist', 'doctor.js');
      const piped = `"${node}" "${program}" doctor --repair --settings "${settingsFile}" | true`;
      const { stderr } = spawnSync('sh', ['-c', piped], { cwd: root, encoding: 'utf8', timeout: 60_000 });
      expect(stderr).to.equal('');
      expect(run('doctor').stdout).to.contain('Nothing is damaged.');
    });

    it('removes everything but the texts of pads before the plugin is uninstalled by a command, where the settings file says so', () => {
      const before = readDirty(file);
      const refused = run('erase');
      expect([refused.code, refused.stderr]).to.match(/2,Nothing was deleted: .*removeDataOnUninstall/);
      expect(readDirty(file)).to.deep.equal(before);
      writeSettings({ ep_mypads: { removeDataOnUninstall: true } });
      // With the highest number, because other servers of the tests may use the same folder.
      const index = path.join(etherpad.folder.root, 'var', 'ep_mypads', 'index-16.db');
      mkdirSync(path.dirname(index), { recursive: true });
      writeFileSync(index, '');
      const erased = run('erase');
      expect([erased.code, erased.stdout]).to.match(/0,.*\n?.*Deleted \d\d+ records/);
      const others = [...before].filter(([key]) => !key.startsWith('mypads:'));
      expect([...readDirty(file)]).to.deep.equal(others);
      expect(existsSync(index)).to.equal(false);
      // Etherpad appends each change, so earlier values stay in the file.
      expect(readFileSync(file, 'utf8')).to.not.contain('"mypads:');
    });
  });
});
