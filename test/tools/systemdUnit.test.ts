/** systemd reads the unit of deploy/ that starts Etherpad. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { findSystemdAnalyze } from '../../bin/programs';
import { temporaryFolder } from '../support/app';

describe('the systemd unit', () => {
  const folder = temporaryFolder();
  after(() => folder.remove());

  it('is accepted by systemd', () => {
    // These programs have other places on some machines.
    const unit = readFileSync(resolve(__dirname, '../../deploy/etherpad.service'), 'utf8')
      .replaceAll('/usr/bin/node', process.execPath)
      .replaceAll('/usr/bin/curl', '/bin/sh');
    const file = join(folder.path, 'etherpad.service');
    writeFileSync(file, unit);
    const program = findSystemdAnalyze() ?? 'systemd-analyze';
    const { error, stdout, stderr } = spawnSync(program, ['verify', '--man=no', file], { encoding: 'utf8' });
    expect(error).to.equal(undefined);
    const said = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('etherpad.service'));
    expect(said).to.deep.equal([]);
  });
});
