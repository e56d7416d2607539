import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { build } from 'esbuild';
import { editorTexts } from '../../bin/buildServer';

const root = join(__dirname, '..', '..');

type Texts = { readonly [key: string]: string | Texts };

const read = (file: string): Texts => JSON.parse(readFileSync(join(root, file), 'utf8'));

/** Nested texts get keys such as `invitation.pad.reason`. */
const flat = (texts: Texts, prefix = ''): [string, string][] =>
  Object.entries(texts).flatMap(([key, text]) =>
    typeof text === 'string' ? [[prefix + key, text]] : flat(text, `${prefix}${key}.`),
  );

/** The text of `_other` with that of `_one`: both have one sentence of documentation, under the key of `_other`. */
function documented(texts: readonly [string, string][]): [string, string][] {
  const all = new Map(texts);
  return texts
    .filter(([key]) => !(key.endsWith('_one') && all.has(key.replace(/one$/, 'other'))))
    .map(([key, text]) => [key, `${text} ${all.get(key.replace(/_other$/, '_one')) ?? ''}`]);
}

const placeholdersOf = (text: string): string[] => [
  ...new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name)),
];

for (const folder of ['locales', 'templates/mail']) {
  const texts = documented(flat(read(`${folder}/en.json`)));
  const documentation = flat(read(`${folder}/qqq.json`));
  const sentenceOf = new Map(documentation);

  describe(`what ${folder}/qqq.json says to translators`, () => {
    it('is there for every text, in the order of the English ones, and for nothing else', () => {
      expect(documentation.map(([key]) => key)).to.deep.equal(texts.map(([key]) => key));
    });

    it('names every placeholder, and none that the text does not have', () => {
      const wrong = texts.flatMap(([key, text]) => {
        const sentence = sentenceOf.get(key) ?? '';
        const wanted = placeholdersOf(text);
        // Placeholders stand in front of a colon, as in "name: the folder; count: its pads."
        const named = [...sentence.matchAll(/(?<=[.;] )([a-z]\w*): /g)].map(([, name = '']) => name);
        const missing = wanted.filter((name) => !named.includes(name)).map((name) => `${key} lacks ${name}`);
        // The number that chooses the plural form need not stand in the text.
        const possible = key.endsWith('_other') ? [...wanted, 'count'] : wanted;
        const surplus = named.filter((name) => !possible.includes(name));
        return [...missing, ...surplus.map((name) => `${key} does not have ${name}`)];
      });
      expect(wrong).to.deep.equal([]);
    });

    it('is a sentence that translatewiki.net shows as it is, without signs of its markup', () => {
      const wrong = documentation.filter(
        ([, sentence]) => !/^[A-Z].{12,}\.$/.test(sentence) || /\{\{|\[\[|''|~~~|<|^[*#:;]/.test(sentence),
      );
      expect(wrong).to.deep.equal([]);
    });
  });
}

describe('what is only for translators', () => {
  it('is not in the script of the editor, which has a text of each language', async () => {
    const { outputFiles } = await build({
      absWorkingDir: root,
      bundle: true,
      write: false,
      platform: 'browser',
      entryPoints: ['static/pad/hooks.ts'],
      plugins: [editorTexts],
    });
    const script = outputFiles.map(({ text }) => text).join('');
    const textOf = (language: string): string =>
      JSON.stringify(read(`locales/${language}.json`)['editor.moved']);
    expect(script).to.include(textOf('en'));
    expect(script).to.not.include(textOf('qqq'));
  });

  it('is not in the package for npm', () => {
    const { files: listed } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      files: string[];
    };
    const files = listed.flatMap((name) =>
      statSync(join(root, name), { throwIfNoEntry: false })?.isDirectory()
        ? readdirSync(join(root, name), { recursive: true, encoding: 'utf8' })
        : [name],
    );
    expect(files).to.include('templates/index.html');
    expect(files.filter((file) => /(?:^|\/)qqq\b/.test(file))).to.deep.equal([]);
  });
});
