/** The layout "json" for the log of Etherpad, which operators load before it. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '../support/app';

const layout = path.join(__dirname, '../../deploy/json-log.cjs');

describe('deploy/json-log.cjs', () => {
  const root = temporaryFolder();
  after(() => root.remove());

  before(() => {
    // A log4js that tells of itself when it gets a layout. Etherpad 3.x has one in src and another in bin.
    for (const place of ['src', 'bin']) {
      const folder = path.join(root.path, place, 'node_modules', 'log4js');
      mkdirSync(folder, { recursive: true });
      writeFileSync(
        path.join(folder, 'index.js'),
        `exports.addLayout = (name) => console.log(${JSON.stringify(place)}, name);`,
      );
    }
  });

  for (const { cwd, found } of [
    { cwd: '.', found: ['src json'] },
    { cwd: 'src', found: ['src json'] },
    { cwd: 'bin', found: ['bin json', 'src json'] },
  ]) {
    it(`gives the layout to each log4js of an Etherpad that runs in ${cwd}`, () => {
      const folder = path.join(root.path, cwd);
      const { stdout, stderr } = spawnSync(process.execPath, ['--require', layout, '-e', ''], {
        cwd: folder,
        encoding: 'utf8',
      });
      expect(stderr).to.equal('');
      expect(stdout.trim().split('\n')).to.deep.equal(found);
    });
  }
});
