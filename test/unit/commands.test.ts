/** The commands in docs/: that a test or a person runs them, and that what they name exists. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { calls } from '../../api/calls';
import { examples } from '../support/docExamples';

const root = path.join(__dirname, '..', '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const pages = readdirSync(path.join(root, 'docs')).filter((name) => name.endsWith('.md'));
const withCommands = pages.filter((page) => examples(page, 'sh').length > 0);
const [, section = ''] = read('docs/tested.md').split('## Commands in these pages');
const [table = ''] = section.split('\n## ');

/** `/group/{id}` fits `/group/abc`, `/group/$ID` and `/group/<id>`. */
const patterns = Object.keys(calls).map((name) => {
  const [, address = ''] = name.split(' ');
  return new RegExp(`^${address.replace(/\{\w+\}/g, '[^/?]+')}$`);
});

describe('the commands of the documentation', () => {
  it('are all on the list that says what runs them', () => {
    const listed = [...table.matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, page = '']) => page);
    expect(listed.sort()).to.deep.equal(withCommands.sort());
  });

  it('are run by tests that exist', () => {
    const tests = [...table.matchAll(/`(test\/[\w/.]+)`/g)].map(([, file = '']) => file);
    expect(tests.length).to.be.above(10);
    expect(tests.filter((file) => !existsSync(path.join(root, file)))).to.deep.equal([]);
  });

  it('make calls that exist', () => {
    const wrong: string[] = [];
    let count = 0;
    for (const page of withCommands)
      for (const [, address = ''] of examples(page, 'sh')
        .join('\n')
        .matchAll(/(?:\$BASE|\$\{BASE\}|\/mypads\/api)(\/[\w/$<>{}.-]+)/g)) {
        count += 1;
        if (!patterns.some((pattern) => pattern.test(address))) wrong.push(`${page}: ${address}`);
      }
    expect(count).to.be.above(30);
    expect(wrong).to.deep.equal([]);
  });

  it('are not behind one that opens a shell: pasted together, they would run after it, as root', () => {
    const blocks = withCommands.flatMap((page) => examples(page, 'sh'));
    const opening = blocks.filter((block) => /^\s*(su|ssh) /m.test(block));
    expect(opening.length).to.be.above(1);
    expect(opening.filter((block) => block.trim().includes('\n'))).to.deep.equal([]);
  });

  it('name only commands and options of ep-mypads that exist', () => {
    const usage = `${read('cli/doctor.ts')}\n${read('cli/importPeople.ts')}`;
    const wrong: string[] = [];
    let count = 0;
    for (const page of withCommands)
      for (const [, command = '', options = ''] of examples(page, 'sh')
        .join('\n')
        .matchAll(/(?:^|[ /])ep-mypads (doctor|[a-z-]+)((?: +[^\s#|]+)*)/gm)) {
        count += 1;
        const named = [command, ...(options.match(/--[a-z-]+/g) ?? [])];
        wrong.push(...named.filter((one) => !usage.includes(one)).map((one) => `${page}: ${one}`));
      }
    expect(count).to.be.above(10);
    expect(wrong).to.deep.equal([]);
  });
});
