import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { pages, readPage, regenerated } from '../../bin/docs';
import { startApp } from '../support/app';

const root = join(__dirname, '..', '..');
const documents = [
  ...readdirSync(join(root, 'docs')).map((name) => join('docs', name)),
  ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md'],
];
const read = (name: string): string => readFileSync(join(root, name), 'utf8');

/** What a link to a heading says, as GitHub and others make it. */
const anchors = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );

describe('the documentation', () => {
  for (const name of pages) {
    it(`says in ${name} what the code says; npm run docs writes it anew`, async () => {
      const page = readPage(name);
      expect(page).to.equal(await regenerated(page));
    });
  }

  it('tells every call of the API, and none that is not there', async () => {
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

  for (const name of documents) {
    it(`leads nowhere from ${name} that is not there`, () => {
      for (const [, target = '', heading] of read(name).matchAll(
        /\]\((?!https?:)([^)#\s]*)(?:#([^)]+))?\)/g,
      )) {
        const file = target === '' ? name : join(dirname(name), target);
        expect(existsSync(join(root, file)), file).to.equal(true);
        if (heading !== undefined) expect(anchors(read(file)), file).to.include(heading);
      }
    });
  }
});
