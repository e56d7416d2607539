/** The English of pages and texts: `npm run check` has a spell checker (cspell.json), this test has the style. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';

const root = path.join(__dirname, '..', '..');
const folders = ['docs', 'static/guide/en'];
const files = [
  ...folders.flatMap((folder) =>
    readdirSync(path.join(root, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  ),
  ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'],
  // The texts of the screen and of emails.
  ...['locales/en.json', 'templates/mail/en.json'],
];

/** What is not written, and what is written instead. */
const rules: readonly [RegExp, instead: string][] = [
  [/\b(some|every|any)body\b/gi, 'someone, everyone, anyone'],
  [/\be-mails?\b/gi, 'email'],
  [/\blogin names?\b/gi, 'username'],
  [/\b(he|she|him|his|her|hers)\b/gi, 'they'],
  [/\b(simply|easily|obviously|just(?! now)|of course|please note|in order to)\b/gi, 'nothing'],
  [/\b(utili[sz]e|leverage)\b/gi, 'use'],
  [/\bclick here\b/gi, 'what the link leads to'],
  [/\b(whitelist|blacklist|master|slave)\b/gi, 'allow, refuse, main, copy'],
  [/\b(?:e\.g\.|i\.e\.|etc\.)/gi, 'for example, that is'],
  [/\b(\p{L}{3,}|the|a|is|to|of|and) \1\b/giu, 'the word once'],
  [/!(?=\s|$)/gm, 'a full stop'],
  [/@@\w+/g, 'what is missing there'],
];

/** The text without code, addresses and generated tables, whose texts are in the code. */
const proseOf = (markdown: string): string =>
  markdown
    // The keys of texts.
    .replace(/^ *"[\w.-]+": /gm, '')
    .replace(/^( *)```[\s\S]*?^\1```/gm, '')
    .replace(/<!-- spelling off -->[\s\S]*?<!-- spelling on -->/g, '')
    .replace(/`[^`\n]*`/g, '`')
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/https?:\S+/g, '');

function faultsOf(name: string, markdown: string): string[] {
  const prose = proseOf(markdown);
  return rules.flatMap(([rule, instead]) =>
    [...prose.matchAll(rule)].map(({ 0: found, index }) => {
      const around = prose.slice(Math.max(0, index - 25), index + 25).replace(/\s+/g, ' ');
      return `${name}: “${found}” in “${around}”; write ${instead}`;
    }),
  );
}

describe('the English of the pages', () => {
  it('has the words that the page about translating lists, and no filler', () => {
    expect(files.length).to.be.above(50);
    // Its table lists the words that are not written.
    const own = (name: string, text: string): string =>
      name === 'docs/translating.md' ? text.replace(/^\|.*\|$/gm, '') : text;
    const faults = files.flatMap((name) =>
      faultsOf(name, own(name, readFileSync(path.join(root, name), 'utf8'))),
    );
    expect(faults).to.deep.equal([]);
  });

  it('is found to be wrong where it is', () => {
    const wrong = 'Somebody will just will use his e-mail, etc.!\n\n```sh\necho "just code"\n```\n';
    expect(faultsOf('a page', wrong)).to.have.lengthOf(6);
    expect(faultsOf('a page', 'Someone uses `just` this address.')).to.deep.equal([]);
  });
});
