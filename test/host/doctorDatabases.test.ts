/**
 * `ep-mypads load` and the doctor on every kind of database that this Etherpad has a driver for, opened by that
 * Etherpad's own modules. test/host/doctor.test.ts has the doctor in a file, `dirty`.
 */
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import {
  type EtherpadFolder,
  etherpadSettings,
  prepareBareEtherpad,
  prepareEtherpad,
  wantedMajor,
} from '../../bin/etherpad';
import { createTestPorts, temporaryFolder } from '../support/app';
import { damage, makeOrphans } from '../support/damage';
import { databases, describeDatabases, type FreshDatabase } from '../support/databases';
import {
  type DoctorRun,
  type KeepFiles,
  keepFilesIn,
  putIntoDatabase,
  runCommand,
  runDoctor,
} from '../support/doctor';
import { buildUnlessBuilt } from '../support/etherpad';
import { copyOfLegacyDatabase, legacyRecords, readDirty } from '../support/legacy';

/** The databases whose drivers each major version installs: 1.8.14 none for SQLite, 2.5 none for servers. */
const brought: Record<number, readonly string[]> = {
  1: ['PostgreSQL', 'MariaDB', 'Redis'],
  2: ['sqlite', 'rustydb'],
  3: ['sqlite', 'rustydb', 'PostgreSQL', 'MariaDB', 'Redis'],
};

describe('ep-mypads load and doctor', function () {
  this.timeout(300_000);
  let etherpad: EtherpadFolder;
  let records: Map<string, unknown>;
  const name = `doctor-${process.pid}`;

  before(async () => {
    await buildUnlessBuilt();
    etherpad = await (process.env.ETHERPAD ? prepareEtherpad(name) : prepareBareEtherpad(name));
    const folder = temporaryFolder();
    const file = copyOfLegacyDatabase(folder.path);
    const ports = await createTestPorts({ file });
    await damage(ports.database);
    await makeOrphans(ports.database);
    await ports.hasher.close();
    await ports.closeDatabase();
    records = readDirty(file);
    // Of another program: no key of ours or of Etherpad.
    for (const key of ['undefined', 'null', 'x:y']) records.set(key, { a: 1 });
    folder.remove();
  });
  after(() => console.log(`\n  ${describeDatabases()}`));

  it('loads nothing from a file that is missing, damaged or in use, and nothing into the same database', () => {
    const folder = temporaryFolder();
    const [file, settingsFile] = [path.join(folder.path, 'old.db'), path.join(folder.path, 'settings.json')];
    const admin = { name: 'admin', password: 'secret' };
    const settings = etherpadSettings({ ip: '127.0.0.1', port: 1, data: folder.path, admin });
    const load = (changes: object): string => {
      writeFileSync(settingsFile, JSON.stringify({ ...settings, ...changes }));
      const { code, stderr } = runCommand(etherpad, settingsFile, ['load', file]);
      expect(code).to.equal(2);
      return stderr;
    };
    // Nothing is opened.
    const server = { dbType: 'postgres', dbSettings: { host: '127.0.0.1', port: 1 } };
    expect(load(server)).to.equal(`There is no ${file}.\n`);
    writeFileSync(file, '{"key":"a","val":1}\n{"key":"b","va\n');
    expect(load({})).to.contain('Write the new database into it first.');
    expect(load(server)).to.contain('line 2: not readable, of b');
    const handle = openSync(file, 'r');
    expect(load(server)).to.contain(`Process ${process.pid} has ${file} open.`);
    closeSync(handle);
    folder.remove();
  });

  for (const kind of databases.filter(({ name: one }) => brought[wantedMajor()]?.includes(one))) {
    describe(`on ${kind.name}`, () => {
      let fresh: FreshDatabase;
      let data: string;
      let settingsFile: string;
      let source: string;
      let kept: KeepFiles;

      before(async () => {
        kept = keepFilesIn(etherpad.root);
        fresh = await kind.create();
        data = mkdtempSync(path.join(tmpdir(), 'mypads-doctor-'));
        settingsFile = path.join(data, 'settings.json');
        const admin = { name: 'admin', password: 'secret' };
        const settings = etherpadSettings({ ip: '127.0.0.1', port: 1, data, admin });
        writeFileSync(settingsFile, JSON.stringify({ ...settings, ...fresh.hostSettings() }));
        const line = (key: string, val?: unknown): string => JSON.stringify({ key, val });
        const lines = [...records].map(([key, value]) => line(key, value));
        // Of a record that was written twice the last value counts, and of a removed one nothing.
        source = path.join(data, 'dirty.db');
        const all = [line('x:y', 'old'), line('pad:gone', { a: 1 }), ...lines, line('pad:gone')];
        writeFileSync(source, `${all.join('\n')}\n`);
      });
      after(async () => {
        kept?.remove();
        if (data) rmSync(data, { recursive: true, force: true });
        await fresh?.drop();
      });

      const doctor = (...args: string[]): DoctorRun => runDoctor(etherpad, settingsFile, args);
      const everything = () => putIntoDatabase(etherpad, settingsFile);

      it('gets all records of an embedded database, and none once it is not empty', () => {
        const load = (): DoctorRun => runCommand(etherpad, settingsFile, ['load', source]);
        const first = load();
        expect([first.code, first.stderr]).to.deep.equal([0, '']);
        expect(first.stdout).to.contain(`Copied ${records.size} records.`);
        const present = everything();
        const expected = new Map(records);
        // Its driver would read these texts as numbers.
        for (const key of kind.name === 'rustydb' ? ['SMTPPort', 'tokenDuration'] : [])
          expected.set(`mypads:conf:${key}`, { asText: records.get(`mypads:conf:${key}`) });
        // The driver of MySQL keeps a note of its own.
        const found = [...present].filter(([key]) => key !== 'MYSQL_MIGRATION_LEVEL');
        expect(new Map(found)).to.deep.equal(expected);
        const again = load();
        expect(again.code).to.equal(2);
        expect(again.stderr).to.contain('the database is not empty');
        expect(everything()).to.deep.equal(present);
      });

      it('reports without changing anything, repairs what it is told to, and finds nothing afterwards', () => {
        const before = everything();
        expect([...before.keys()]).to.include.members([...records.keys()]);
        const dry = doctor();
        expect(dry.stderr).to.equal('');
        expect(dry.stdout).to.match(/users\s+10\n\s+groups\s+9\n\s+pads\s+19\n\s+orphans\s+2\n/);
        expect(dry.stdout).to.contain('invalid settings, whose defaults are used');
        expect(dry.code).to.equal(1);
        expect(everything()).to.deep.equal(before);
        const repair = doctor('--repair', '--orphans');
        expect([repair.code, repair.stderr]).to.deep.equal([0, '']);
        const after = everything();
        const again = doctor('--repair', '--orphans');
        expect(again.stdout).to.contain('Nothing is damaged.');
        expect(again.code).to.equal(0);
        expect(everything()).to.deep.equal(after);
        const [file = '', ...others] = kept.list();
        expect(others).to.deep.equal([]);
        const keptRecords = readDirty(path.join(etherpad.root, file));
        for (const [key, value] of before) {
          if (JSON.stringify(after.get(key)) === JSON.stringify(value)) continue;
          expect(keptRecords.get(key), `${key} was kept`).to.deep.equal(value);
        }
        // Records that were not damaged are unchanged.
        for (const key of ['undefined', 'null', 'x:y']) expect(after.get(key), key).to.deep.equal({ a: 1 });
        for (const key of ['pad:welcome-z414gdv4', 'mypads:group:-xmtgdkx', 'mypads:user:-vh5gdmk']) {
          expect(after.get(key), key).to.be.an('object').and.deep.equal(legacyRecords().get(key));
        }
      });
    });
  }
});
