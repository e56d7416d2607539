/** What `npm start` and `npm test` print, before anything is built, when `ETHERPAD` cannot be used. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { ownEtherpad, projectRoot } from '../../bin/etherpad';

describe('an Etherpad of your own', () => {
  const { ETHERPAD, ETHERPAD_NODE, PATH } = process.env;
  let folder: string;

  /** A program that ends with this code after it has printed a line. */
  function program(name: string, line: string, code = 0): string {
    const file = path.join(folder, name);
    writeFileSync(file, `#!/bin/sh\necho "${line}"\necho "${line}" >&2\nexit ${code}\n`, { mode: 0o755 });
    return file;
  }

  function etherpad(
    version: string,
    { installed = true, needs = '>=18.18.2', pnpm = '>=8.3.0' } = {},
  ): string {
    const root = path.join(folder, 'etherpad');
    mkdirSync(path.join(root, 'src', ...(installed ? ['node_modules'] : [])), { recursive: true });
    const manifest = { version, engines: { node: needs, pnpm } };
    writeFileSync(path.join(root, 'src', 'package.json'), JSON.stringify(manifest));
    return root;
  }

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'ep_mypads-'));
    process.env.ETHERPAD_NODE = program('node', 'v24.0.0');
  });
  afterEach(() => {
    process.env.PATH = PATH;
    for (const [name, value] of Object.entries({ ETHERPAD, ETHERPAD_NODE })) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    rmSync(folder, { recursive: true, force: true });
  });

  const cases: Record<string, [prepare: () => string, message: RegExp]> = {
    'is another folder': [() => folder, /is not an Etherpad folder/],
    'is not installed': [() => etherpad('2.7.3', { installed: false }), /own packages are not installed/],
    'needs a newer Node': [
      () => {
        program('node', 'v20.0.0');
        return etherpad('2.7.3', { needs: '>=22.13.0' });
      },
      /2\.7\.3 needs Node 22, this is Node 20: set ETHERPAD_NODE/,
    ],
    'needs pnpm': [
      () => {
        process.env.PATH = '/nowhere';
        return etherpad('2.5.3');
      },
      /2\.5\.3 needs pnpm on the PATH/,
    ],
    'needs a newer pnpm': [
      () => {
        program('pnpm', '9.15.9');
        return etherpad('3.3.1', { pnpm: '>=11.1.2' });
      },
      /3\.3\.1 needs pnpm 11\.1\.2 or newer, this is pnpm 9\.15\.9/,
    ],
    'has a pnpm for another Node': [
      () => {
        program('pnpm', 'This version of pnpm requires at least Node.js v22', 1);
        return etherpad('2.5.3');
      },
      /does not run with the Node of this Etherpad:\nThis version of pnpm/,
    ],
  };
  for (const [name, [prepare, message]] of Object.entries(cases)) {
    it(`that ${name} is refused with words`, () => {
      process.env.ETHERPAD = prepare();
      expect(ownEtherpad).to.throw(message);
    });
  }

  it('that can be used is found, with its Node', () => {
    program('pnpm', '11.28.0');
    process.env.ETHERPAD = etherpad('3.3.1', { pnpm: '>=11.1.2' });
    expect(ownEtherpad()).to.deep.equal({
      root: process.env.ETHERPAD,
      major: 3,
      node: path.join(folder, 'node'),
    });
  });

  // test/unit/dirtyFile.test.ts has the same for npm start.
  it('that is wrong ends npm run test host before the build', () => {
    const { stdout, stderr, status } = spawnSync(process.execPath, ['bin/bootstrap.mjs', 'test', 'host'], {
      cwd: projectRoot,
      env: { ...process.env, ETHERPAD: folder },
      encoding: 'utf8',
    });
    expect(stdout + stderr)
      .to.contain('is not an Etherpad folder')
      .and.not.contain('Building');
    expect(status).to.equal(1);
  });
});
