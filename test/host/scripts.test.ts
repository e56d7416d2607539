/**
 * Stored scripts: Etherpad builds HTML from the attributes of a text, so a writer could run scripts in the browsers of
 * all readers. The tests check what reaches a browser. Only 3.3.1 and later close one of these ways themselves.
 */
import { expect } from 'chai';
import { PadClient } from '../support/socketClient';
import { useEtherpad } from '../support/useEtherpad';

const script = 'img/src=x/onerror=alert(1)';

describe('scripts in attributes of a text', function () {
  this.timeout(300_000);
  const { etherpad, fixture, owner } = useEtherpad();

  const newPad = async () => fixture.pad(owner, await fixture.group(owner, { visibility: 'public' }));
  const enter = (pad: string): Promise<PadClient> => PadClient.writer(etherpad, '', pad);

  /** Puts a line with these attributes at the start of a pad that the client has just entered. */
  function writeLine(client: PadClient, text: string, attributes: unknown[]): void {
    const { data } = client.messages.find(({ type }) => type === 'CLIENT_VARS') ?? {};
    const { rev = 0, initialAttributedText } = data?.collab_client_vars ?? {};
    const length = (initialAttributedText?.text.length ?? 0).toString(36);
    const added = text.length.toString(36);
    const pool = [['author', data?.userId], ...attributes];
    const numbers = pool.map((_, number) => `*${number}`).join('');
    const changeset = `Z:${length}>${added}${numbers}+${added}$${text}`;
    const apool = { numToAttrib: { ...pool }, nextNum: pool.length };
    client.send({ type: 'COLLABROOM', data: { type: 'USER_CHANGES', baseRev: rev, changeset, apool } });
  }

  async function padWithList(): Promise<string> {
    const pad = await newPad();
    const writer = await enter(pad);
    const taken = writer.next('the list to be taken', ({ data }) => data?.type === 'ACCEPT_COMMIT');
    writeLine(writer, 'listed', [
      ['list', 'number1'],
      ['start', '7'],
    ]);
    await taken;
    writer.close();
    return pad;
  }

  /** Everything that a browser gets when it opens a pad and its history. */
  async function opened(pad: string): Promise<string> {
    const reader = await enter(pad);
    const history = reader.next('the history', ({ type }) => type === 'CHANGESET_REQ');
    reader.send({ type: 'CHANGESET_REQ', padId: pad, data: { start: 0, granularity: 1, requestID: 7 } });
    await history;
    reader.close();
    return JSON.stringify(reader.messages);
  }

  const scripts: Record<string, unknown[]> = {
    'the start of a list': [
      ['list', 'number1'],
      ['start', `1><${script}>`],
    ],
    'the start of a list, within its kind': [['list', `number1 start:1><${script}>`]],
    'a start without a list': [['start', `1 tag:${script}`]],
    'the kind of a list': [['list', ` tag:${script}`]],
    'an attribute of a plugin': [['color', `red tag:${script}`]],
    'an attribute that a plugin takes for a class': [['comment', `tag:${script}`]],
    'a link': [['color', 'red url:javascript://x%0aonerror=alert(1)']],
    'a name that is a list': [[['start'], `1><${script}>`]],
    'a value that is a list': [['start', [`1 tag:${script}`]]],
  };
  for (const [name, attributes] of Object.entries(scripts)) {
    it(`run for nobody: ${name}`, async () => {
      const pad = await newPad();
      const witness = await enter(pad);
      const writer = await enter(pad);
      writeLine(writer, 'INTRUDER', attributes);
      await writer.write('after it');
      await witness.sees('after it');
      witness.close();
      writer.close();
      const told = JSON.stringify(witness.messages) + (await opened(pad));
      expect(told).not.to.contain('onerror=');
      expect(told).not.to.contain('INTRUDER');
    });
  }

  it('are refused without refusing lists that start with any number', async () => {
    expect(await opened(await padWithList())).to.contain('["start","7"]');
  });

  it('run for nobody in an imported pad, now and after the next start', async () => {
    const file = await etherpad.get(`/p/${await padWithList()}/export/etherpad`);
    const bad = String(file.body).replaceAll('["start","7"]', JSON.stringify(['start', `7 tag:${script}`]));
    expect(bad).to.contain('onerror=');
    const form = new FormData();
    form.set('file', new Blob([bad]), 'export.etherpad');
    const pad = await newPad();
    const cookie = 'token=t.AAAAAAAAAAAAAAAAAAAA';
    await etherpad.get(`/p/${pad}/import`, { method: 'POST', form, cookie });
    for (const when of ['now', 'after the next start']) {
      const told = await opened(pad);
      expect(told, when).to.contain('listed');
      expect(told, when).not.to.contain('onerror=');
      if (when === 'now') await etherpad.restart();
    }
  });
});
