/** Files that would block Etherpad for seconds or minutes are refused; ordinary documents are not. */
import { expect } from 'chai';
import { PadClient } from '../support/socketClient';
import { useEtherpad } from '../support/useEtherpad';

const guest = 'token=t.AAAAAAAAAAAAAAAAAAAA';

const attributes = Array.from({ length: 300 }, (_, index) => `a${index}="1"`).join(' ');
/** `format`: the format of all letters. */
function etherpadFile(letters: string, format = `+${letters.length.toString(36)}`): string {
  return JSON.stringify({
    'pad:x': {
      atext: { text: `${letters}\n`, attribs: `${format}|1+1` },
      pool: { numToAttrib: { 0: ['bold', 'true'] }, nextNum: 1 },
      head: 0,
      chatHead: -1,
    },
    'pad:x:revs:0': {
      changeset: `Z:1>${letters.length.toString(36)}${format}$${letters}`,
      meta: { author: '', timestamp: 1, atext: { text: `${letters}\n`, attribs: `${format}|1+1` } },
    },
  });
}

const refused: readonly (readonly [name: string, file: string, content: string, error: string])[] = [
  ['a text of over 2,000,000 characters', 'a.txt', 'x'.repeat(2_000_001), 'maxFileSize'],
  ['a text of over 50,000 lines', 'a.txt', '\n'.repeat(50_001), 'maxFileSize'],
  ['an HTML file of over 50,000 lines', 'a.html', `<pre>${'\n'.repeat(50_001)}</pre>`, 'maxFileSize'],
  ['an HTML file of over 1 MB', 'a.html', `<p>${'x'.repeat(1_000_000)}</p>`, 'maxFileSize'],
  ['HTML with over 10,000 elements', 'a.html', '<p>x</p>'.repeat(10_001), 'maxFileSize'],
  ['HTML with deep lists', 'a.htm', '<ul><li>'.repeat(1_000), 'maxFileSize'],
  [
    'HTML with open elements, which Etherpad repeats in each paragraph',
    'a.html',
    `${'<b>'.repeat(100)}${'<p>x'.repeat(5_000)}`,
    'maxFileSize',
  ],
  ['HTML with over 1,000 comments', 'a.html', '<!---->'.repeat(10_000), 'maxFileSize'],
  ...['<![CDATA[>', '<math><annotation-xml><style>'].map(
    (start) =>
      [
        `HTML with elements that only Etherpad reads, after ${start}`,
        'a.html',
        `${start}${'<b>'.repeat(100)}${'<p>x'.repeat(5_000)}`,
        'maxFileSize',
      ] as const,
  ),
  ['an element with over 200 attributes', 'a.html', `<p ${attributes}>x</p>`, 'maxFileSize'],
  ['a pad of over 2,000,000 characters', 'a.etherpad', etherpadFile('x'.repeat(2_000_001)), 'uploadFailed'],
  [
    'a pad of two hundred thousand differently formatted letters',
    'a.etherpad',
    etherpadFile('x'.repeat(200_000), '*0+1+1'.repeat(100_000)),
    'uploadFailed',
  ],
];

describe('imports of large files', function () {
  this.timeout(300_000);
  const { etherpad, fixture, owner } = useEtherpad();

  /** A public pad with one word, in which the guest is an author. */
  async function newPad(): Promise<string> {
    const pad = await fixture.pad(owner, await fixture.group(owner, { visibility: 'public' }));
    const writer = await PadClient.writer(etherpad, guest, pad);
    await writer.write('before');
    writer.close();
    return pad;
  }

  function importInto(pad: string, name: string, content: string) {
    const form = new FormData();
    form.set('file', new Blob([content]), name);
    return etherpad.get(`/p/${pad}/import`, { method: 'POST', form, cookie: guest });
  }

  const textOf = async (pad: string): Promise<string> =>
    String((await etherpad.get(`/p/${pad}/export/txt`)).body);

  for (const [what, name, content, error] of refused) {
    it(`refuse ${what}, and change nothing`, async () => {
      const pad = await newPad();
      const { status, body } = await importInto(pad, name, content);
      expect([status, body]).to.deep.equal([400, { code: 1, message: error, data: {} }]);
      expect(await textOf(pad)).to.match(/^before/);
    });
  }

  it('accept a pad of thirty thousand differently formatted letters', async () => {
    const pad = await newPad();
    const file = etherpadFile('x'.repeat(30_000), '+1*0+1'.repeat(15_000));
    expect((await importInto(pad, 'a.etherpad', file)).body).to.include({ code: 0 });
    expect(await textOf(pad)).to.have.length(30_001);
  });

  it('accept a document of a hundred pages', async () => {
    const pad = await newPad();
    const paragraph = `<p class="text" style="margin: 0 0 1em 0">One <b>bold</b> word in ${'some text '.repeat(10)}</p>`;
    const list = `<ul>${'<li>point</li>'.repeat(20)}</ul>`;
    const { body } = await importInto(pad, 'a.html', `${paragraph.repeat(30)}${list}`.repeat(100));
    expect(body).to.include({ code: 0 });
    const text = await textOf(pad);
    expect(text.match(/One bold word/g)).to.have.length(3_000);
    expect(text.match(/point/g)).to.have.length(2_000);
  });
});
