/** What docs/ quotes: “…” is a text of the screen, so a changed label needs a changed page. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import locale from '../../locales/en.json';

const root = path.join(__dirname, '..', '..');
const read = (name: string): string => readFileSync(path.join(root, name), 'utf8');
const pages = readdirSync(path.join(root, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);

/** Texts of other programs: of providers, of Etherpad, of a spreadsheet. */
const ofOthers = [
  'web',
  'confidential',
  'Client authentication',
  'OIDC Identity Provider',
  'Restart Etherpad',
  'CSV UTF-8',
];

/** As pages quote a text: `…` for a placeholder, quotes inside of quotes as ‘…’. */
const quoted = (text: string): string =>
  text
    .replace(/\{\{\w+\}\}/g, '…')
    .replaceAll('“', '‘')
    .replaceAll('”', '’');

/** All texts, and the first sentence of each without its full stop, as pages quote messages. */
const shown = new Set(
  Object.values(locale)
    .map(quoted)
    .flatMap((text) => [text, text.replace(/\.(?: .*)?$/s, '')]),
);

/** What a page quotes and the app does not show, and straight quotes, which hide a label from this test. */
function wrongQuotes(markdown: string): string[] {
  const prose = markdown.replace(/^( *)```[\s\S]*?^\1```/gm, '').replace(/`[^`\n]*`/g, '`');
  const labels = [...prose.matchAll(/“([^”]*)”/g)].map(([, label = '']) => label.replace(/\s+/g, ' '));
  const straight = [...prose.matchAll(/"[^"\n]*"/g)].map(([found]) => found);
  return [...labels.filter((label) => !shown.has(label) && !ofOthers.includes(label)), ...straight];
}

describe('The labels in the documentation', () => {
  for (const page of [...pages, 'README.md'])
    it(`are texts of the app in ${page}`, () => {
      expect(wrongQuotes(read(page))).to.deep.equal([]);
    });

  it('are found to be wrong where they are', () => {
    const right =
      'Choose “Manage\nlinks”, “Continue as …” and “Keep in ‘Shared with me’”. “Too many attempts” `"x"`';
    expect(wrongQuotes(right)).to.deep.equal([]);
    expect(wrongQuotes('Choose “Manage link” or "Share".\n\n```\n"x"\n```\n')).to.deep.equal([
      'Manage link',
      '"Share"',
    ]);
  });
});
