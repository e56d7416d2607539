import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { browsers } from '../../bin/buildPage';
import { madeFiles, pages, readPage, regenerated } from '../../bin/docs';
import { errorStatus } from '../../model/errors';
import { configurationKeys } from '../../model/settings/definitions';
import { startApp } from '../support/app';
import { logMessages } from '../support/logMessages';

const root = join(__dirname, '..', '..');
const docPages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
const documents = [
  ...docPages.map((name) => join('docs', name)),
  ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'],
  ...['bench/README.md', 'cluster/README.md', 'test/fixtures/README.md'],
];
const read = (name: string): string => readFileSync(join(root, name), 'utf8');

/** The anchors of the headings of a page, as GitHub and others make them. */
const anchors = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );

describe('the documentation', () => {
  for (const name of pages) {
    it(`agrees with the code in ${name}; npm run docs updates it`, async () => {
      const page = readPage(name);
      expect(page).to.equal(await regenerated(page));
    });
  }

  for (const [name, make] of Object.entries(madeFiles)) {
    it(`has ${name} as npm run docs makes it`, () => expect(read(name)).to.equal(make()));
  }

  it('has the report on accessibility for programs, with each criterion of WCAG 2.2 A and AA', () => {
    const { chapters } = parse(readPage('openacr.yaml'));
    expect(chapters.success_criteria_level_a.criteria).to.have.length(32);
    expect(chapters.success_criteria_level_aa.criteria).to.have.length(24);
  });

  it('names the browsers for which the page is built', () => {
    const [line = ''] = /^The app needs a browser of .*$/m.exec(read('docs/install.md')) ?? [];
    const told = ['Chrome', 'Edge', 'Firefox', 'Safari'].map((name) => {
      const [, version] = new RegExp(`${name}\\D+([\\d.]+\\d)`).exec(line) ?? [];
      return name.toLowerCase() + version;
    });
    expect(told).to.deep.equal(browsers);
  });

  it('lists every call of the API, and no other', async () => {
    const app = await startApp();
    const { body } = await app.agent.get('/api/openapi.json');
    await app.close();
    const calls = Object.entries<object>(body.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const [, section = ''] = read('docs/api.md').split('## All calls');
    const [table = ''] = section.split('## Errors');
    const told = [...table.matchAll(/`((?:GET|POST|PUT|DELETE) [^`]+)`/g)].map(([, call = '']) => call);
    expect(told.sort()).to.deep.equal(calls.sort());
  });

  it('lists every log message with its level and its facts, and no other', () => {
    const rows = [
      ...read('docs/log-lines.md').matchAll(/^\| `([^`]+)` \| `(info|warn|error)` \| ([^|]*)\|/gm),
    ];
    const told = new Map(rows.map(([, message = '', level, facts]) => [message, { level, facts }]));
    const written = logMessages();
    expect(rows.map(([, message]) => message)).to.have.members([
      ...new Set(written.map(({ message }) => message)),
    ]);
    for (const { message, level, facts } of written) {
      expect(told.get(message)?.level, message).to.equal(level);
      for (const fact of facts) expect(told.get(message)?.facts, message).to.include(`\`${fact}\``);
    }
  });

  it('names only existing tests of attacks', () => {
    const [, section = ''] = read('docs/security.md').split('## Attacks and their tests');
    const named = [...section.matchAll(/`(test\/[\w/]+\.test\.ts)`: (.+?)(?=; `test| \|$)/gm)];
    expect(named).to.have.length.above(40);
    const missing = named.filter(([, file = '', title = '']) => !read(file).includes(title));
    expect(missing.map(([text]) => text)).to.deep.equal([]);
  });

  it('explains each file of the folders with many files', () => {
    const [, explained = ''] = read('docs/architecture.md').split('## Folders with many files');
    const models = readdirSync(join(root, 'model')).map((name) => `model/${name}`);
    const filesOf = (folder: string) =>
      readdirSync(join(root, folder)).filter((name) => name.endsWith('.ts'));
    const folders = ['cluster', 'hooks', 'host', 'web', ...models.filter((name) => !name.endsWith('.ts'))];
    for (const folder of folders.filter((name) => filesOf(name).length > 15)) {
      for (const name of filesOf(folder)) {
        expect(explained, `${folder}/${name}`).to.match(new RegExp(`\`${name.replace('.ts', '(\\.ts)?')}\``));
      }
    }
  });

  it('has every page in its list of pages', () => {
    for (const name of docPages) {
      if (name !== 'README.md') expect(read('docs/README.md')).to.include(`](${name})`);
    }
  });

  it('clones the repository that package.json names', () => {
    const { repository } = JSON.parse(read('package.json'));
    const cloned = documents.flatMap((name) =>
      [...read(name).matchAll(/git clone (\S*ep_mypads\S*)/g)].map(
        ([, address]) => `${name}: git+${address}`,
      ),
    );
    expect(cloned.length).to.be.above(2);
    expect(cloned.filter((one) => !one.endsWith(`: ${repository.url}`))).to.deep.equal([]);
  });

  for (const name of documents) {
    it(`has no placeholder in ${name}`, () => expect(read(name)).not.to.match(/@@/));

    it(`names each column of the tables in ${name}, for screen readers`, () => {
      const headings = [...read(name).matchAll(/^(\|.*\|)\n\|[-| :]+\|$/gm)].map(([, heading]) => heading);
      expect(headings.filter((heading) => heading?.match(/\|\s*\|/))).to.deep.equal([]);
    });

    it(`names only existing errors and settings in ${name}`, () => {
      for (const [, key = ''] of read(name).matchAll(
        /`(?:\d{3} )?(?:BACKEND\.ERROR\.)?([A-Z]{3,}\.[A-Z_]{3,})`/g,
      )) {
        expect(errorStatus).to.have.property(key.startsWith('USER.ERR') ? key : `BACKEND.ERROR.${key}`);
      }
      for (const [, key] of read(name).matchAll(/(?:^ *put |\/configuration\/)(\w+)[ '"]/gm)) {
        expect(configurationKeys).to.include(key);
      }
    });

    it(`names only existing npm scripts in ${name}`, () => {
      const { scripts } = JSON.parse(read('package.json'));
      for (const [, script] of read(name).matchAll(/\bnpm run ([\w:-]+)/g))
        expect(scripts).to.have.property(script ?? '');
    });

    it(`names only existing files in ${name}`, () => {
      const named =
        /`((?:api|bench|bin|cli|hooks|host|locales|model|static|templates|test|web)\/[\w./-]+\.\w+)`/g;
      for (const [, file = ''] of read(name).matchAll(named)) {
        if (!file.startsWith('static/dist')) expect(existsSync(join(root, file)), file).to.equal(true);
      }
    });

    it(`has only links to existing pages in ${name}`, () => {
      for (const [, target = '', heading] of read(name).matchAll(
        /\]\((?!https?:)([^)#\s]*)(?:#([^)]+))?\)/g,
      )) {
        const file = target === '' ? name : join(dirname(name), target);
        // A folder is no page of the site.
        expect(statSync(join(root, file), { throwIfNoEntry: false })?.isFile(), file).to.equal(true);
        if (heading !== undefined) expect(anchors(read(file)), file).to.include(heading);
      }
    });
  }
});
