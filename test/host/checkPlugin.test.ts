/** deploy/check-plugin.cjs keeps Etherpad from starting without the plugin. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '../support/app';
import { checkEach } from '../support/cases';
import { useEtherpad } from '../support/useEtherpad';

const program = path.join(__dirname, '../../deploy/check-plugin.cjs');

const files = [
  'package.json',
  'ep.json',
  ...['index', 'server', 'passwordWorker', 'indexWorker'].map((name) => `dist/${name}.js`),
  'static/dist/pad/hooks.js',
];

function check(root: string): { code: number | null; said: string } {
  const { status, stderr } = spawnSync(process.execPath, [program, root], { encoding: 'utf8' });
  return { code: status, said: stderr };
}

describe('the check before a start', function () {
  this.timeout(300_000);
  const { etherpad } = useEtherpad();
  const copy = temporaryFolder();
  after(() => copy.remove());

  it('accepts an Etherpad that runs with the plugin', () =>
    expect(check(etherpad.folder.root)).to.deep.equal({ code: 0, said: '' }));

  it('refuses a folder that is no Etherpad', () => {
    expect(check(copy.path)).to.include({ code: 1 });
    expect(check(copy.path).said).to.contain('is not the folder of an Etherpad');
  });

  const layouts = {
    '1.8.14': { place: 'node_modules/ep_mypads', list: undefined },
    '3.3.1': {
      place: 'src/plugin_packages/.versions/ep_mypads@2.1.0',
      list: { plugins: [{ name: 'ep_mypads', version: '2.1.0' }] },
    },
  };
  for (const [version, { place, list }] of Object.entries(layouts)) {
    describe(`with the folders of Etherpad ${version}`, () => {
      const root = path.join(copy.path, version);
      const plugin = path.join(root, place);

      before(() => {
        mkdirSync(path.join(root, 'src'), { recursive: true });
        mkdirSync(path.join(root, 'var'));
        writeFileSync(path.join(root, 'src/package.json'), JSON.stringify({ version }));
        if (list) writeFileSync(path.join(root, 'var/installed_plugins.json'), JSON.stringify(list));
      });

      beforeEach(() => {
        for (const name of files) {
          mkdirSync(path.dirname(path.join(plugin, name)), { recursive: true });
          writeFileSync(path.join(plugin, name), '{}');
        }
      });

      it('accepts them', () => expect(check(root)).to.deep.equal({ code: 0, said: '' }));

      for (const lost of ['', ...files]) {
        it(`refuses them without ${lost || 'the folder of the plugin'}`, () => {
          rmSync(path.join(plugin, lost), { recursive: true });
          const { code, said } = check(root);
          expect(code).to.equal(1);
          expect(said).to.contain(path.join(plugin, lost)).and.to.contain('Every pad would be open');
        });
      }

      it('refuses files that are empty or end too early, as a full disk leaves them', () =>
        checkEach(
          files.flatMap((name) =>
            ['', '{"a": ', '\0\0'].map((left, at) => [`${name} ${at}`, { name, left }] as const),
          ),
          ({ name, left }) => {
            writeFileSync(path.join(plugin, name), left);
            const { code, said } = check(root);
            writeFileSync(path.join(plugin, name), '{}');
            expect(code).to.equal(1);
            expect(said).to.contain(`${path.join(plugin, name)} is damaged`);
          },
        ));

      if (list === undefined) return;
      it('refuses them when Etherpad has another version of the plugin on its list, or none', () => {
        const file = path.join(root, 'var/installed_plugins.json');
        for (const plugins of [[{ name: 'ep_mypads', version: '2.0.0' }], [{ name: 'ep_other' }]]) {
          writeFileSync(file, JSON.stringify({ plugins }));
          expect(check(root).code).to.equal(1);
        }
        rmSync(file);
        expect(check(root).said).to.contain('installed_plugins.json is missing');
      });
    });
  }
});
