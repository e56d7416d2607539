/** Names of files in an archive work on every system, whatever the pads are called. */
import { expect } from 'chai';
import { FileNames, safeName } from '../../model/exports/fileNames';
import { checkEach } from '../support/cases';

const family = '\u{1F468}\u200d\u{1F469}\u200d\u{1F467}';

describe('names of exported files', () => {
  it('have nothing that a system refuses or that leads elsewhere', () =>
    checkEach(
      {
        'out of the folder': ['../../etc/passwd', 'etc passwd'],
        'only dots': ['..', 'pad'],
        'a hidden file': ['.htaccess', 'htaccess'],
        'a path of Windows': ['C:\\Windows\\x', 'C Windows x'],
        'characters of a shell': ['a<b>c:d"e|f?g*h', 'a b c d e f g h'],
        'an address': ['https://example.org/x', 'https example.org x'],
        'a line break and NUL': ['a\r\nb\0c', 'a b c'],
        'a reserved name': ['CON', '_CON'],
        'a reserved name with an ending': ['nul.txt', '_nul.txt'],
        'a reserved name with a blank before its ending': ['nul .txt', '_nul .txt'],
        'a reserved name with a superscript': ['com\u00b9', '_com\u00b9'],
        'a name that only begins like it': ['Concert', 'Concert'],
        'dots and blanks at the end': ['Minutes. . ', 'Minutes'],
        'a stream of NTFS': ['a.txt::$DATA', 'a.txt $DATA'],
        'the direction of the text': ['gnp\u202eexe.txt', 'gnp exe.txt'],
        'an accent of its own': ['Cafe\u0301', 'Caf\u00e9'],
        'a joiner inside of a word': ['\u0645\u06cc\u200c\u062e', '\u0645\u06cc\u200c\u062e'],
        'an emoji of several': [family, family],
        'half of a character': ['a\ud800b', 'a b'],
        'only an emoji': ['\u{1F600}', '\u{1F600}'],
        nothing: ['', 'pad'],
        'only blanks that are not seen': ['\u200b\u2060 ', 'pad'],
      },
      ([given, expected]) => expect(safeName(given ?? '', 'pad')).to.equal(expected),
    ));

  it('are never so long that a system cuts them, and end with a whole character', () => {
    for (const part of ['x', '\u6f22', '\u{1F600}', family.normalize('NFC')]) {
      const name = safeName(part.repeat(200), 'pad');
      expect(Buffer.byteLength(name)).to.be.within(1, 100);
      expect(name).to.not.include('\ufffd');
      expect(Buffer.from(name).toString()).to.equal(name);
    }
    expect(safeName(`${'x'.repeat(99)}. y`, 'pad')).to.equal('x'.repeat(99));
  });

  it('differ, also where the case of letters and the form of accents do not count', () => {
    const names = new FileNames(['index.json']);
    const endings = ['.txt', '.chat.txt'];
    const taken = [
      'Minutes',
      'minutes',
      'MINUTES',
      'Caf\u00e9',
      'cafe\u0301',
      'Stra\u00dfe',
      'STRASSE',
      'Minutes (2)',
      'Min\u200dutes',
    ].map((name) => names.take(name, 'pad', endings));
    expect(taken).to.deep.equal([
      'Minutes',
      'minutes (2)',
      'MINUTES (3)',
      'Caf\u00e9',
      'caf\u00e9 (2)',
      'Stra\u00dfe',
      'STRASSE (2)',
      'Minutes (2) (2)',
      'Min\u200dutes (4)',
    ]);
    expect(names.take('Minutes.chat', 'pad', ['.txt'])).to.equal('Minutes.chat (2)');
    expect(names.take('INDEX.JSON', 'folder')).to.equal('INDEX.JSON (2)');
  });

  it('are found at once, also if thousands of pads have the same', () => {
    const names = new FileNames();
    const endings = ['.txt', '.html', '.etherpad', '.chat.txt'];
    const taken = Array.from({ length: 20_000 }, () => names.take('Minutes', 'pad', endings));
    expect(new Set(taken).size).to.equal(20_000);
    expect(taken.at(-1)).to.equal('Minutes (20000)');
  });
});
