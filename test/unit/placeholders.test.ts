/** Placeholders in the text of a template, as a change in Etherpad's format. */
import { expect } from 'chai';
import { parseChangeset } from '../../host/changeset';
import { fillPlaceholders } from '../../host/placeholders';

const texts = { date: '5 March 2026', title: 'Meeting', name: 'Aylin' };

/** The text after the change, and the attributes of what it inserts. */
function apply(text: string, attribs: string): { text: string; inserted: [string, number[]][] } | undefined {
  const changeset = fillPlaceholders({ text, attribs }, texts);
  if (changeset === undefined) return undefined;
  const parsed = parseChangeset(changeset);
  if (parsed === undefined) throw new Error(`not a changeset: ${changeset}`);
  const bank = changeset.slice(changeset.indexOf('$') + 1);
  let [result, at, used] = ['', 0, 0];
  const inserted: [string, number[]][] = [];
  for (const { sign, characters, lines, attributes } of parsed.operators) {
    const kept = text.slice(at, at + characters);
    if (sign === '=') {
      expect(kept.split('\n').length - 1, changeset).to.equal(lines);
      if (lines > 0) expect(kept.endsWith('\n'), changeset).to.equal(true);
      result += kept;
    }
    if (sign !== '+') at += characters;
    else {
      const added = bank.slice(used, used + characters);
      used += characters;
      result += added;
      inserted.push([added, attributes]);
    }
  }
  result += text.slice(at);
  expect([parsed.oldLength, parsed.newLength], changeset).to.deep.equal([text.length, result.length]);
  return { text: result, inserted };
}

describe('placeholders of a template', () => {
  it('are replaced, and what replaces them looks like them', () => {
    const text = 'Minutes: {{title}}\n\nOn {{date}}\nby {{name}}\n';
    // "Minutes: " is plain, the title bold (0 and 1), the rest of author 0.
    const filled = apply(text, '*0+9*0*1+9*0|4+q');
    expect(filled?.text).to.equal('Minutes: Meeting\n\nOn 5 March 2026\nby Aylin\n');
    expect(filled?.inserted).to.deep.equal([
      ['Meeting', [0, 1]],
      ['5 March 2026', [0]],
      ['Aylin', [0]],
    ]);
  });

  it('may stand at the beginning, beside each other, and often', () => {
    expect(apply('{{name}}{{date}}{{name}}\n', '|1+p')?.text).to.equal('Aylin5 March 2026Aylin\n');
    expect(apply(`${'{{name}}\n'.repeat(40)}`, '|14+a0')?.text).to.equal('Aylin\n'.repeat(40));
  });

  it('are only those that are known, and a text without any is not changed', () => {
    expect(apply('{{other}} {{ date }} {date} {{toString}}\n', '|1+15')).to.equal(undefined);
    expect(apply('{{other}} {{date}}\n', '|1+j')?.text).to.equal('{{other}} 5 March 2026\n');
    expect(apply('\n', '|1+1')).to.equal(undefined);
  });

  it('become one line, also if the title has line ends, and nothing if it is empty', () => {
    const attributed = { text: '{{title}}!\n', attribs: '|1+b' };
    expect(fillPlaceholders(attributed, { title: 'a\n\tb' })).to.equal('Z:b<6-9+3$a b');
    expect(fillPlaceholders(attributed, { title: '' })).to.equal('Z:b<9-9$');
  });
});
