/** The file of the embedded database, when Etherpad cannot read it: what is left out, and what `npm start` prints. */
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { projectRoot } from '../../bin/etherpad';
import {
  describeFaultyLine,
  dropEarlierValues,
  faultyLines,
  leaveOutFaultyLines,
} from '../../host/dirtyFile';
import { temporaryFolder } from '../support/app';
import { freePort } from '../support/freePort';

describe('the file of the embedded database', () => {
  const folder = temporaryFolder();
  const file = path.join(folder.path, 'etherpad.db');
  after(() => folder.remove());

  const row = (key: string, val: unknown): string => JSON.stringify({ key, val });
  // Longer than what is read at once, with a character that is no line end in a database.
  const long = row('pad:a', 'é\u2028\r'.repeat(50_000));
  const good = [row('a', 1), long, '{"key":"a"}', row('b', 2)];
  const faults = async (content: string): Promise<string[]> => {
    writeFileSync(file, content);
    return (await faultyLines(file)).map(describeFaultyLine);
  };

  it('has no faulty lines if Etherpad can read it', async () => {
    expect(await faults('')).to.deep.equal([]);
    expect(await faults(`${good.join('\n')}\n`)).to.deep.equal([]);
  });

  it('keeps its mode when it is repaired, and its owner if root does it', async () => {
    writeFileSync(file, `${row('a', 1)}\n{"key":"b`);
    chmodSync(file, 0o664);
    if (process.getuid?.() === 0) chownSync(file, 65_534, 65_534);
    const before = statSync(file);
    await leaveOutFaultyLines(file);
    const { uid, gid, mode } = statSync(file);
    expect([uid, gid, mode]).to.deep.equal([before.uid, before.gid, before.mode]);
    for (const name of readdirSync(folder.path)) rmSync(path.join(folder.path, name));
  });

  it('loses the lines that Etherpad cannot read and no others; a copy is kept', async () => {
    const [first = '', second = '', ...rest] = good;
    const bad = ['{"val":{"secret":1}}', '', 'null', '[1]', '{"key":5,"val":1}', '{"key":"b","val":{"secr'];
    const content = [bad[0], first, bad[1], second, ...bad.slice(2), ...rest].join('\n');
    expect(await faults(content)).to.deep.equal([
      'line 1: no key',
      'line 3: empty',
      'line 5: no key',
      'line 6: no key',
      'line 7: no key',
      'line 8: not readable, of b',
      'line 10: no line end, of b',
    ]);
    const { mode } = statSync(file);
    const copy = await leaveOutFaultyLines(file);
    expect(readFileSync(copy, 'utf8')).to.equal(content);
    expect(readFileSync(file, 'utf8')).to.equal(`${good.join('\n')}\n`);
    expect(statSync(file).mode).to.equal(mode);
  });

  it('can lose earlier values and deleted records', async () => {
    writeFileSync(file, `${[row('c', null), row('b', 1), ...good, row('c', false)].join('\n')}\n`);
    const { mode } = statSync(file);
    await dropEarlierValues(file);
    expect(readFileSync(file, 'utf8')).to.equal(`${[long, row('b', 2), row('c', false)].join('\n')}\n`);
    expect(statSync(file).mode).to.equal(mode);
  });

  it('is repaired by npm start, which says what it has left out', async () => {
    const data = temporaryFolder();
    const database = path.join(data.path, 'etherpad.db');
    writeFileSync(database, `${row('a', 1)}\n{"val":{"secret":1}}\n`);
    const { stdout, stderr, status } = spawnSync(process.execPath, ['bin/bootstrap.mjs', 'start'], {
      cwd: projectRoot,
      encoding: 'utf8',
      // The folder is no Etherpad, so nothing is built or started.
      env: { ...process.env, DATA: data.path, PORT: String(await freePort()), ETHERPAD: data.path },
    });
    expect(stderr).to.contain('is not an Etherpad folder');
    expect(status).to.equal(1);
    expect(stdout).to.not.contain('Building');
    expect(stdout).to.contain('line 2: no key').and.not.contain('secret');
    expect(readFileSync(database, 'utf8')).to.equal(`${row('a', 1)}\n`);
    expect(readdirSync(data.path).filter((name) => name.includes('.damaged-'))).to.have.length(1);
    data.remove();
  });
});
