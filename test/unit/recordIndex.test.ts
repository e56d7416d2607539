/** The index of all records: what it finds, and that its file may be lost, damaged or of another server at any time. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createOpenIndex, removeUnusedIndexFiles } from '../../host/index/openIndex';
import type { AccountQuery } from '../../model/index/accountQuestions';
import { createModel, type Model } from '../../model/model';
import type { IndexFile, OpenIndex } from '../../model/ports';
import type { UserRecord } from '../../model/store/entities';
import { newUser } from '../../model/store/records';
import { keys } from '../../model/store/store';
import { createTestPorts, temporaryFolder } from '../support/app';
import { rowsAtOnce, schema } from '../support/indexWriter';
import { until } from '../support/waiting';

type Ports = Awaited<ReturnType<typeof createTestPorts>>;

const account = (id: string, fields: Partial<UserRecord> = {}): UserRecord => ({
  ...newUser({
    _id: id,
    login: id,
    email: `${id}@example.org`,
    password: null,
    active: true,
    ctime: 1_000,
  }),
  ...fields,
});

describe('the index', () => {
  let ports: Ports;
  let model: Model;
  const folder = temporaryFolder();
  const file = join(folder.path, 'index-1.db');

  async function start(users: readonly UserRecord[] = []): Promise<void> {
    for (const user of users) await ports.database.set(keys.user(user._id), user);
    model = await createModel(ports);
    await model.users.ready;
    await model.recordIndex.whenVerified(new AbortController().signal);
  }

  async function restart(meanwhile: () => unknown = () => {}): Promise<void> {
    await model.close();
    await meanwhile();
    await start();
  }

  async function open(openIndex = ports.openIndex): Promise<void> {
    ports = { ...(await createTestPorts()), openIndex };
  }

  const logins = async (query: AccountQuery): Promise<string[]> =>
    (await model.recordIndex.accounts(query)).entries.map(({ login }) => login);
  const warnings = (): string[] =>
    ports.lines.filter(({ level }) => level !== 'debug' && level !== 'info').map(({ message }) => message);

  beforeEach(async () => {
    ports = await createTestPorts();
  });
  afterEach(async () => {
    await model.close();
    await ports.closeDatabase();
  });
  after(() => folder.remove());

  describe('of accounts', () => {
    it('finds any part of any name, whatever the case and the accents', async () => {
      await start([
        account('ada', { firstname: 'Ada', lastname: 'Lovelace', email: 'countess@Château.example' }),
        account('jose', { firstname: 'José', lastname: 'Ñandú' }),
        account('李雷', { firstname: '雷', lastname: '李' }),
        account('quote"%_*', { firstname: "O'Hara", lastname: 'a"b' }),
      ]);
      const found: [text: string, logins: string[]][] = [
        ['ada love', ['ada']],
        ['A', ['ada', 'jose', 'quote"%_*', '李雷']],
        ['CHÂTEAU.ex', ['ada']],
        ['josé', ['jose']],
        ['nandu', ['jose']],
        ['李雷', ['李雷']],
        ['雷 李', ['李雷']],
        ['e"%_*', ['quote"%_*']],
        ['%', ['quote"%_*']],
        ['a"b', ['quote"%_*']],
        ["o'h", ['quote"%_*']],
        ['ada jose', []],
        ['lovelace ada', ['ada']],
        ['zzz', []],
        ['  ada  ', ['ada']],
      ];
      for (const [text, expected] of found) expect(await logins({ text }), text).to.have.members(expected);
      expect(await logins({})).to.have.length(4);
    });

    it('counts all matches of a page, in the order that is asked for', async () => {
      const users = Array.from({ length: 1_200 }, (_, number) =>
        account(`person${number}`, { ctime: 5_000 - number, active: number % 2 === 0 }),
      );
      await start(users);
      const inOrder = users.map(({ login }) => login);
      const page = await model.recordIndex.accounts({ text: 'person1', offset: 1, limit: 2 });
      expect(page.entries.map(({ login }) => login)).to.deep.equal(['person10', 'person11']);
      expect(page.count).to.equal(311);
      expect(await logins({}), 'all of them').to.deep.equal(inOrder);
      expect(await logins({ offset: 600, limit: 600 })).to.deep.equal(inOrder.slice(600));
      expect(await logins({ descending: true, limit: 1 })).to.deep.equal(['person1199']);
      expect(await logins({ sort: 'created', limit: 2 })).to.deep.equal(['person1199', 'person1198']);
      expect(await logins({ sort: 'created', descending: true, limit: 1 })).to.deep.equal(['person0']);
      const active = await model.recordIndex.accounts({ filter: { active: true }, limit: 1 });
      expect(active.count).to.equal(600);
      expect((await model.recordIndex.counts()).users).to.equal(1_200);
    });

    it('filters by state, and follows every change', async () => {
      await start([account('open'), account('closed', { active: false, closed: true })]);
      expect(await logins({ filter: { closed: true } })).to.deep.equal(['closed']);
      expect(await logins({ filter: { active: true, closed: false } })).to.deep.equal(['open']);
      await model.users.update('closed', (user) => ({ ...user, active: true, closed: false }));
      expect(await logins({ filter: { closed: true } })).to.deep.equal([]);
      await model.store.remove(keys.user('open'));
      expect(await logins({})).to.deep.equal(['closed']);
      await model.store.set(keys.user('closed'), 'damaged');
      expect(await logins({})).to.deep.equal([]);
    });

    it('answers although other programs have stored times that are none', async () => {
      await start([account('ada'), account('late', { ctime: 1.7e18 }), account('later', { ctime: 1e300 })]);
      for (const [id, ctime] of Object.entries({ board: 1_000, late: 1.7e18 })) {
        await model.store.set(keys.group(id), { _id: id, name: id, ctime });
        await model.store.set(keys.pad(id), { _id: id, name: id, group: id, ctime: 0, lastUpdate: ctime });
      }
      expect(await logins({})).to.deep.equal(['ada', 'late', 'later']);
      expect((await model.recordIndex.groups({ offset: 0, limit: 9 })).count).to.equal(2);
      const changed = await model.recordIndex.changedPads({ id: '', changed: -1 }, Date.now(), 9);
      expect(changed.map(({ id }) => id)).to.have.members(['board', 'late']);
      expect(warnings()).to.deep.equal([]);
    });

    it('knows who has a second factor, also of ids that are too long for a key', async () => {
      const long = 'l'.repeat(70);
      await start([account('ada'), account(long)]);
      const record = { passkeys: [{}], recovery: [], version: 'v' };
      for (const id of ['ada', long]) {
        await model.store.set(keys.factors(id), record);
        expect(await logins({ filter: { secondFactor: true } }), id).to.deep.equal([id]);
        await model.store.set(keys.factors(id), { ...record, passkeys: [] });
        expect(await model.recordIndex.countAccounts({ secondFactor: false }), id).to.equal(2);
      }
    });

    it('knows who refers to a folder, a pad or a person, and who no longer does', async () => {
      const referring = async (...ids: string[]): Promise<string[]> =>
        (await model.recordIndex.referring(ids, new AbortController().signal)).sort();
      await start([
        account('member', { groups: ['g'] }),
        account('reader', { bookmarks: { groups: ['g'], pads: ['p'] } }),
        account('friend', { userlists: { friends: { name: 'Friends', uids: ['member'] } as never } }),
        account('nobody'),
      ]);
      expect(await referring('g')).to.deep.equal(['member', 'reader']);
      expect(await referring('p', 'member')).to.deep.equal(['friend', 'reader']);
      expect(await referring('unknown')).to.deep.equal([]);
      await model.users.update('member', (user) => ({ ...user, groups: [] }));
      expect(await referring('g')).to.deep.equal(['reader']);
    });
  });

  describe('in a file', () => {
    /** The file that was opened last. */
    let opened: IndexFile;
    const openIndex: OpenIndex = async (terms) => {
      opened = await createOpenIndex(folder.path)(terms);
      return opened;
    };

    beforeEach(async () => {
      rmSync(folder.path, { recursive: true, force: true });
      await open(openIndex);
      await start([account('ada'), account('bob')]);
    });

    it('is used by the next start, which finds what was written meanwhile', async () => {
      await restart(async () => {
        await ports.database.set(keys.user('ada'), account('ada', { lastname: 'Changed' }));
        await ports.database.set(keys.user('carol'), account('carol'));
        await ports.database.remove(keys.user('bob'));
        await ports.database.set(keys.factors('carol'), { totp: { _id: 'app' }, passkeys: [] });
      });
      expect(await logins({})).to.deep.equal(['ada', 'carol']);
      expect(await logins({ text: 'changed' })).to.deep.equal(['ada']);
      expect(await logins({ filter: { secondFactor: true } })).to.deep.equal(['carol']);
      expect(readdirSync(folder.path)).to.not.include('index-2.db');
    });

    it('leaves nothing of a removed account in it', async () => {
      await model.users.register({
        login: 'secretive',
        password: null,
        email: 'secretive@example.org',
        active: true,
      });
      expect(await logins({ text: 'secretive' })).to.deep.equal(['secretive']);
      const { _id } = (await model.users.findByLogin('secretive')) as UserRecord;
      await model.users.remove(_id, async () => {});
      await model.close();
      const text = readFileSync(file, 'latin1');
      expect(text).to.contain('ada@example.org');
      expect(text).to.not.contain('secretive');
      await start();
    });

    it('leaves none of the earlier names of many accounts that change at once in it', async () => {
      const ids = Array.from({ length: 120 }, (_, number) => `many${number}`);
      for (const id of ids) await model.store.set(keys.user(id), account(id, { lastname: 'Secretive' }));
      expect(await logins({ text: 'secretive' })).to.have.length(120);
      const rename = (lastname: string) =>
        Promise.all(ids.map((id) => model.store.set(keys.user(id), account(id, { lastname }))));
      await rename('Renamed');
      expect(await logins({ text: 'secretive' })).to.have.length(0);
      expect(await logins({ text: 'renamed' })).to.have.length(120);
      await model.close();
      expect(readFileSync(file, 'latin1').toLowerCase()).to.not.contain('secretive');
      await start();
    });

    const losses: [what: string, () => void][] = [
      ['was deleted', () => rmSync(file)],
      ['is no database', () => writeFileSync(file, 'nothing of the kind'.repeat(1_000))],
      ['was cut off', () => truncateSync(file, 5_000)],
      ['is empty', () => truncateSync(file, 0)],
    ];
    for (const [what, lose] of losses) {
      it(`is built again if it ${what}`, async () => {
        await restart(lose);
        expect(await logins({})).to.deep.equal(['ada', 'bob']);
        expect(warnings()).to.deep.equal([]);
      });
    }

    it('is built again if it belongs to another database', async () => {
      await model.close();
      await ports.closeDatabase();
      await open(openIndex);
      await start([account('stranger')]);
      expect(await logins({})).to.deep.equal(['stranger']);
    });

    it('is built again while it is used, and answers as soon as it is', async () => {
      await restart(() => {
        let failing = true;
        ports.openIndex = async (terms) => {
          const opened = await openIndex(terms);
          return {
            ...opened,
            async read(sql, values) {
              if (!failing || terms.afresh || !sql.includes('ORDER BY')) return opened.read(sql, values);
              failing = false;
              throw new Error('database disk image is malformed');
            },
          };
        };
      });
      const refusal = await model.recordIndex.accounts({ limit: 5 }).catch(({ message }) => message);
      expect(refusal).to.equal('BACKEND.ERROR.SERVER.BUSY');
      await until('it is there again', async () => (await logins({}).catch(() => [])).length === 2);
      expect(warnings()).to.deep.equal(['index cannot be used, building it again']);
    });

    it('ends nothing but the question for all ids if it fails meanwhile', async () => {
      await restart(() => {
        let failing = false;
        ports.openIndex = async (terms) => {
          const opened = await openIndex(terms);
          return {
            ...opened,
            async read(sql, values) {
              if (sql.startsWith('SELECT id FROM accounts WHERE id >')) failing = true;
              else if (failing && sql.startsWith('SELECT id FROM folders')) throw new Error('malformed');
              return opened.read(sql, values);
            },
          };
        };
      });
      // A rejection that nobody awaits would fail the test, and end Etherpad.
      const refusal = await model.recordIndex.ids().catch(({ message }) => message);
      expect(refusal).to.equal('BACKEND.ERROR.SERVER.BUSY');
    });

    it('is built again if the disk is full, with what could not be written', async () => {
      // Fails as on a full disk: SQLITE_FULL.
      await opened.read('PRAGMA max_page_count = 1');
      await model.users.update('ada', (user) => ({
        ...user,
        organization: 'x',
        lastname: 'L'.repeat(200_000),
      }));
      await until(
        'it is there again',
        async () => (await logins({ text: 'LLL' }).catch(() => [])).length === 1,
      );
      expect(await logins({})).to.deep.equal(['ada', 'bob']);
      expect(warnings()).to.deep.equal(['index cannot be used, building it again']);
      expect(String(ports.lines.find(({ level }) => level === 'warn')?.facts.error)).to.contain('full');
    });

    const compared = () => model.recordIndex.compare(60_000);
    async function whenBuilt(): ReturnType<typeof compared> {
      await until('it is built', async () => (await compared()).kind !== 'building');
      return compared();
    }
    const agrees = { kind: 'compared', records: 2, corrected: 0, inMemory: false };

    it('is in memory while the disk has room for a part of it only, until somebody builds it again', async () => {
      let isFull = true;
      await restart(() => {
        ports.openIndex = async (terms) => {
          const opened = await openIndex(terms);
          if (isFull && !opened.inMemory && terms.name === undefined)
            await opened.read('PRAGMA max_page_count = 1');
          return opened;
        };
      });
      await model.users.update('ada', (user) => ({ ...user, lastname: 'L'.repeat(200_000) }));
      await until(
        'it is there again',
        async () => (await logins({ text: 'LLL' }).catch(() => [])).length === 1,
      );
      expect(await whenBuilt()).to.deep.equal({ ...agrees, inMemory: true });
      expect(existsSync(file), 'its space is given back').to.equal(false);
      isFull = false;
      await model.recordIndex.rebuild();
      expect(await whenBuilt()).to.deep.equal(agrees);
    });

    it('says how many records another program wrote, and how many rows were wrong', async () => {
      expect(await compared()).to.deep.equal(agrees);
      await ports.database.set(keys.user('ada'), account('ada', { lastname: 'Changed' }));
      await ports.database.set(keys.user('carol'), account('carol'));
      await ports.database.remove(keys.user('bob'));
      expect(await compared()).to.deep.equal({ ...agrees, records: 3, corrected: 3 });
      expect(await logins({})).to.deep.equal(['ada', 'carol']);
      expect(await logins({ text: 'changed' })).to.deep.equal(['ada']);
      await opened.write([
        { sql: 'DELETE FROM accounts WHERE id = ?', values: ['ada'] },
        { sql: "UPDATE accounts SET login = 'wrong', mark = '' WHERE id = ?", values: ['carol'] },
        { sql: "INSERT INTO removals(id, mark) VALUES ('never', '')", values: [] },
      ]);
      expect(await compared()).to.deep.equal({ ...agrees, records: 3, corrected: 3 });
      expect(await logins({})).to.deep.equal(['ada', 'carol']);
      expect(await compared()).to.deep.equal(agrees);
    });

    it('does not count what is written during the comparison, also by other processes', async () => {
      await model.users.update('bob', (user) => ({ ...user, lastname: 'Collected' }));
      expect(await compared()).to.deep.equal(agrees);
      const elsewhere = account('ada', { lastname: 'Elsewhere' });
      await ports.database.set(keys.user('ada'), elsewhere);
      const comparison = compared();
      await until('it was read', async () => (await logins({ text: 'elsewhere' })).length === 1);
      model.recordIndex.recordWritten(keys.user('ada'), elsewhere);
      expect(await comparison).to.deep.equal(agrees);
      const later = compared();
      for (let number = 0; number < 20; number += 1) {
        await model.users.update('bob', (user) => ({ ...user, lastname: `${number}` }));
        await model.store.set(keys.user(`new${number}`), account(`new${number}`));
        await model.store.remove(keys.user(`new${number}`));
      }
      expect(await later).to.include({ corrected: 0 });
    });

    it('is compared in the background if that takes longer', async () => {
      for (let number = 0; number < 500; number += 1) {
        await model.store.set(keys.user(`${number}`), account(`${number}`));
      }
      expect(await model.recordIndex.compare(0)).to.include({ kind: 'comparing' });
      expect(await compared()).to.deep.equal({ ...agrees, records: 502 });
    });

    it('is built again on request, because no comparison finds what was damaged in a row itself', async () => {
      await opened.write([{ sql: "UPDATE accounts SET login = 'wrong' WHERE id = ?", values: ['ada'] }]);
      expect(await compared()).to.deep.equal(agrees);
      expect(await logins({})).to.have.members(['bob', 'wrong']);
      await model.recordIndex.rebuild();
      expect(await compared()).to.deep.equal({ kind: 'building' });
      expect(await logins({}), 'waits for it').to.deep.equal(['ada', 'bob']);
      expect(await whenBuilt()).to.deep.equal(agrees);
      expect(warnings()).to.deep.equal([]);
      expect(readdirSync(folder.path)).to.not.include('index-2.db');
    });

    it('never answers with a part of the records while it is built again', async () => {
      for (let number = 0; number < 700; number += 1) {
        await model.store.set(keys.user(`${number}`), account(`${number}`));
      }
      const { recordIndex } = model;
      const counted = () => recordIndex.countAccounts().catch(({ message }) => message);
      const answers: unknown[] = [];
      for (let round = 0; round < 10; round += 1) {
        if (round % 3 === 0) void recordIndex.refresh();
        const first = counted();
        await recordIndex.rebuild();
        answers.push(await first, await counted());
      }
      expect(answers).to.include(702);
      expect(
        answers.filter((answer) => answer !== 702 && answer !== 'BACKEND.ERROR.SERVER.BUSY'),
      ).to.deep.equal([]);
      expect(await whenBuilt()).to.deep.equal({ ...agrees, records: 702 });
      expect(warnings()).to.deep.equal([]);
    });

    it('is taken again if the note beside it is empty, as a full disk leaves it', async () => {
      await restart(() => writeFileSync(`${file}.pid`, ''));
      expect(readdirSync(folder.path)).to.include('index-1.db').and.not.include('index-2.db');
      expect(readFileSync(`${file}.pid`, 'utf8')).to.equal(String(process.pid));
    });

    it('is taken again if another program has the number in an old note beside it', async () => {
      const old = new Date(Date.now() - 8 * 24 * 3600_000);
      await restart(() => {
        writeFileSync(`${file}.pid`, String(process.ppid));
        utimesSync(`${file}.pid`, old, old);
      });
      expect(readdirSync(folder.path)).to.include('index-1.db').and.not.include('index-2.db');
    });

    it('of a running process is not taken by another one', async () => {
      const others = await createTestPorts();
      const other = await createModel({ ...others, openIndex: createOpenIndex(folder.path) });
      await other.recordIndex.whenVerified(new AbortController().signal);
      expect(readdirSync(folder.path)).to.include.members(['index-1.db', 'index-2.db']);
      await other.close();
      await others.closeDatabase();
      expect(await logins({})).to.deep.equal(['ada', 'bob']);
    });
  });

  /** Processes that write at the same time, each into the next free file. Resolves to a function that kills them. */
  async function startWriters(count: number, into = folder.path): Promise<() => Promise<void>> {
    const program = join(__dirname, '..', 'support', 'indexWriter.ts');
    const writers = Array.from({ length: count }, () =>
      fork(program, { execArgv: ['--require', 'tsx/cjs'] }),
    );
    const endOf = async (writer: ChildProcess): Promise<never> => {
      throw new Error(`ended with ${await once(writer, 'exit')}`);
    };
    await Promise.all(writers.map((writer) => once(writer, 'message')));
    const written = writers.map((writer) => Promise.race([once(writer, 'message'), endOf(writer)]));
    for (const writer of writers) writer.send(into);
    await Promise.all(written);
    return async () => {
      const ended = writers.map((writer) => once(writer, 'exit'));
      for (const writer of writers) writer.kill('SIGKILL');
      await Promise.all(ended);
    };
  }

  it('is taken by one process only, also of several that start at the same time after a crash', async () => {
    await start();
    const own = temporaryFolder();
    await (await startWriters(8, own.path))();
    const kill = await startWriters(8, own.path);
    try {
      const notes = readdirSync(own.path).filter((name) => name.endsWith('.pid'));
      const owners = notes.map((name) => Number(readFileSync(join(own.path, name), 'utf8')));
      expect(new Set(owners).size).to.equal(8);
      for (const owner of owners) expect(process.kill(owner, 0)).to.equal(true);
    } finally {
      await kill();
      own.remove();
    }
  });

  it('of a process that is not started again is removed after a day, and of a running one never', async () => {
    const hour = 3600_000;
    const isThere = (name: string): boolean => readdirSync(folder.path).some((one) => one.startsWith(name));
    /** As it is done every hour. */
    const clean = (time: number): void => removeUnusedIndexFiles(folder.path, time);
    rmSync(folder.path, { recursive: true, force: true });
    await open(createOpenIndex(folder.path));
    await start([account('ada')]);
    const kill = await startWriters(1);
    try {
      const third = await createOpenIndex(folder.path)({ schema, afresh: false });
      await third.close();
      clean(Date.now() + 48 * hour);
      expect(isThere('index-1.db'), 'of this process').to.equal(true);
      expect(isThere('index-2.db'), 'of a running one').to.equal(true);
      expect(isThere('index-3.db'), 'of none').to.equal(false);
    } finally {
      await kill();
    }
    clean(Date.now() + 23 * hour);
    expect(isThere('index-2.db'), 'it may be started again').to.equal(true);
    clean(Date.now() + 25 * hour);
    expect(isThere('index-2.db')).to.equal(false);
    expect(isThere('index-1.db')).to.equal(true);
    expect(await logins({})).to.deep.equal(['ada']);
  });

  it('of a process that was killed while it wrote has whole changes only', async () => {
    await start();
    const own = temporaryFolder();
    await (await startWriters(1, own.path))();
    const opened = await createOpenIndex(own.path)({ schema, afresh: false });
    const [counted] = await opened.read<{ count: number }>('SELECT count(*) AS count FROM numbers');
    const [checked] = await opened.read('PRAGMA integrity_check');
    await opened.close();
    own.remove();
    expect(counted?.count).to.be.at.least(4 * rowsAtOnce);
    expect((counted?.count ?? 1) % rowsAtOnce).to.equal(0);
    expect(checked).to.deep.equal({ integrity_check: 'ok' });
  });

  it('is in memory where no file can be written', async () => {
    const blocked = join(folder.path, 'a file');
    rmSync(folder.path, { recursive: true, force: true });
    mkdirSync(folder.path);
    writeFileSync(blocked, '');
    await open(createOpenIndex(join(blocked, 'below')));
    await start([account('ada')]);
    expect(await logins({})).to.deep.equal(['ada']);
    expect(await model.recordIndex.compare(60_000)).to.include({ inMemory: true });
    expect(warnings()).to.deep.equal([]);
  });
});
