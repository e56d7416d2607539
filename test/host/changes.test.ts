/**
 * Invalid changesets. Etherpad 1.8.14 inserts missing characters one by one and blocks its process meanwhile. None of
 * them reaches it, and the changesets of real editors still do.
 */
import { expect } from 'chai';
import { useAttackedEtherpad } from '../support/attackedEtherpad';
import { memoryOf } from '../support/processState';
import { PadClient } from '../support/socketClient';

const base36 = (number: number): string => number.toString(36);

describe('changes of a pad', function () {
  this.timeout(300_000);
  const { etherpad, fixture, owner } = useAttackedEtherpad();

  const newPad = async () => fixture.pad(owner, await fixture.group(owner, { visibility: 'public' }));
  const enter = (pad: string): Promise<PadClient> => PadClient.writer(etherpad, '', pad);

  const refusal = (client: PadClient) =>
    client.next('the refusal', ({ disconnect }) => disconnect === 'badChangeset', 30_000);
  const acceptance = (client: PadClient) =>
    client.next('the change to be taken', ({ data }) => data?.type === 'ACCEPT_COMMIT', 30_000);
  const textOf = async (pad: string) => (await etherpad.get(`/p/${pad}/export/txt`)).body;

  /** `length`: the length of the pad's text in base 36. */
  type Attack = (
    length: string,
    client: PadClient,
  ) => { changeset: unknown; pool?: unknown; baseRev?: unknown };
  const own = (client: PadClient, ...more: unknown[]) => ({
    numToAttrib: { ...[['author', client.authorId], ...more] },
    nextNum: 1 + more.length,
  });
  const attacks: Record<string, Attack> = {
    'more characters than they contain, for an invented text': () => ({
      changeset: 'Z:zzzzzz>zzzzz*0+zzzzz$x',
    }),
    'more characters than they contain, for an empty text': () => ({ changeset: 'Z:1>zzzzzz*0+zzzzzz$x' }),
    'more characters than they contain, for this text': (length) => ({
      changeset: `Z:${length}>zzzzzz*0+zzzzzz$x`,
    }),
    'billions of kept characters': (length, client) => ({
      changeset: `Z:${length}>0*1=zzzzzz$`,
      pool: own(client, ['list', 'bullet1']),
    }),
    'billions of kept lines': (length) => ({ changeset: `Z:${length}>0*0|zzzzzz=zzzzzz$` }),
    'more lines than the kept text has': (length) => ({ changeset: `Z:${length}>1|3=6*0+1$x` }),
    'a kept line that ends inside of another': (length) => ({ changeset: `Z:${length}>1|1=7*0+1$x` }),
    'no line end at the end of the text': (length) => ({ changeset: `Z:${length}<1|1=6=6|1-1$` }),
    'text after the last line end': (length) => ({ changeset: `Z:${length}>1|2=d*0+1$x` }),
    'no text afterwards': (length) => ({ changeset: `Z:${length}<d|2-d$` }),
    'a removed line that they do not count': (length) => ({ changeset: `Z:${length}<7-7$` }),
    'an attribute that they do not define': (length) => ({ changeset: `Z:${length}>1*0*7+1$x` }),
    'one attribute twice': (length) => ({ changeset: `Z:${length}>1*0*0+1$x` }),
    'two authors of one text': (length, client) => ({
      changeset: `Z:${length}>1*0*1+1$x`,
      pool: {
        numToAttrib: { 0: ['author', 'a.somebodyelse00'], 1: ['author', client.authorId] },
        nextNum: 2,
      },
    }),
    'another author': (length, client) => ({
      changeset: `Z:${length}>1*10+1$x`,
      pool: {
        numToAttrib: { 10: ['author', client.authorId], 36: ['author', 'a.somebodyelse00'] },
        nextNum: 37,
      },
    }),
    'a thousand attributes for one letter': (length, client) => {
      const more = Array.from({ length: 1_000 }, (_, number) => [`name${number}`, 'x']);
      const numbers = Array.from({ length: 1_000 }, (_, number) => `*${base36(number)}`).join('');
      return { changeset: `Z:${length}>1${numbers}+1$x`, pool: own(client, ...more) };
    },
    'a list of attributes instead of numbered ones': (length, client) => ({
      changeset: `Z:${length}>1*0+1$x`,
      pool: { numToAttrib: [['author', client.authorId]], nextNum: 1 },
    }),
    'a list mark on each of a hundred thousand letters': (length, client) => ({
      changeset: `Z:${length}>255s*0*1+255s$${'x'.repeat(100_000)}`,
      pool: own(client, ['list', 'bullet1']),
    }),
    'more than fifty thousand lines': (length) => ({
      changeset: `Z:${length}>12kx|12kx+12kx$${'\n'.repeat(50_001)}`,
    }),
    'a hundred thousand pieces': (length, client) => ({
      changeset: `Z:${length}>255s${'*0+1*0*1+1'.repeat(50_000)}$${'x'.repeat(100_000)}`,
      pool: own(client, ['bold', 'true']),
    }),
    'an old length that the pad does not have': () => ({ changeset: 'Z:1>1*0+1$x' }),
    'a revision that does not exist yet': (length) => ({ changeset: `Z:${length}>1*0+1$x`, baseRev: 1_000 }),
    'a revision below zero': (length) => ({ changeset: `Z:${length}>1*0+1$x`, baseRev: -5 }),
    'no content': () => ({ changeset: '' }),
    'a number instead of a text': () => ({ changeset: 5 }),
  };
  for (const [what, attack] of Object.entries(attacks)) {
    it(`with ${what} are refused, and nobody else is delayed`, async () => {
      const pad = await newPad();
      const [attacker, writer, witness] = [await enter(pad), await enter(pad), await enter(pad)];
      const before = memoryOf(etherpad.pid());
      const { changeset, ...more } = attack(base36(attacker.text.length), attacker);
      const refused = refusal(attacker);
      attacker.sendChangeset(changeset, more);
      await writer.write('all is well. ');
      await witness.sees('all is well. ');
      await refused;
      expect(memoryOf(etherpad.pid()) - before, 'MiB more').to.be.below(100);
      expect(await textOf(pad)).to.equal('all is well. first\nsecond\n');
      for (const client of [attacker, writer, witness]) client.close();
    });
  }

  describe('of an earlier revision', () => {
    /** Sends a change that does not know the `others`, and returns the answer to it. */
    async function stale(changeset: string, others: string[]) {
      const pad = await newPad();
      const [attacker, writer] = [await enter(pad), await enter(pad)];
      const { revision: baseRev } = attacker;
      for (const other of others) await writer.write(other);
      const answer = attacker.next(
        'an answer',
        ({ disconnect, data }) => disconnect !== undefined || data?.type === 'ACCEPT_COMMIT',
        60_000,
      );
      attacker.sendChangeset(changeset, { baseRev, pool: own(attacker, ['bold', 'true']) });
      const { disconnect = 'none' } = await answer;
      for (const client of [attacker, writer]) client.close();
      return { disconnect, text: await textOf(pad) };
    }

    const wrongLines: Record<string, string> = {
      'a kept line that ends inside of another': 'Z:d>1|1=7*0+1$x',
      'a formatted line that ends inside of another': 'Z:d>0*1|1=7$',
      'a formatted line inside of which another ends': 'Z:d>0|1=6*1=7$',
      'a removed line that ends inside of another': 'Z:d<7|1-7$',
    };
    for (const [what, changeset] of Object.entries(wrongLines)) {
      it(`with ${what} are refused: no editor could open the pad afterwards`, async () => {
        const others = ['all ', 'is ', 'well '];
        expect(await stale(changeset, others)).to.deep.equal({
          disconnect: 'badChangeset',
          text: 'well is all first\nsecond\n',
        });
      });
    }

    it('with thousands of pieces are refused if Etherpad had to read them for each of many revisions', async () => {
      const pad = await newPad();
      const [attacker, writer] = [await enter(pad), await enter(pad)];
      await writer.write('x'.repeat(5_000));
      await attacker.sees('x'.repeat(5_000));
      const { revision: baseRev } = attacker;
      const length = base36(attacker.text.length);
      for (let revision = 0; revision < 100; revision++) await writer.write('y');
      const refused = refusal(attacker);
      const pool = own(attacker, ['bold', 'true']);
      attacker.sendChangeset(`Z:${length}>0${'=1*1=1'.repeat(2_400)}$`, { baseRev, pool });
      await refused;
      for (const client of [attacker, writer]) client.close();
    });

    it('are accepted, with the format of lines that others have changed meanwhile', async () => {
      const others = ['new\nlines ', 'a ', 'b '];
      expect(await stale('Z:d>1*1|1=6*1=1*0*1+1$x', others)).to.deep.equal({
        disconnect: 'none',
        text: 'b a new\nlines first\nsxecond\n',
      });
    });
  });

  it('in a text with thousands of pieces do not let a request for their history stop the server', async () => {
    const pad = await newPad();
    const attacker = await enter(pad);
    for (let number = 0; number < 8; number++) {
      const pool = own(attacker, ['bold', 'true']);
      const added = 4_800;
      const taken = acceptance(attacker);
      const length = base36(attacker.text.length);
      attacker.sendChangeset(
        `Z:${length}>${base36(added)}${'*0+1*0*1+1'.repeat(added / 2)}$${'x'.repeat(added)}`,
        {
          pool,
        },
      );
      attacker.revision = Number((await taken).data?.newRev);
      attacker.text = 'x'.repeat(added) + attacker.text;
    }
    for (let number = 8; number < 90; number++) await attacker.write('x');
    const answer = attacker.next('a part of the history', ({ type }) => type === 'CHANGESET_REQ', 30_000);
    for (const start of [90, 0]) {
      const data = { start, granularity: 1, requestID: 7 };
      attacker.send({ type: 'CHANGESET_REQ', padId: pad, data });
    }
    expect((await answer).data).to.include({ start: 0 });
    for (const [revision, status] of [
      [90, 413],
      [1, 200],
    ])
      expect((await etherpad.get(`/p/${pad}/${revision}/export/txt`)).status).to.equal(status);
    attacker.close();
  });

  it('with thousands of pieces do not let a request for their history stop the server', async () => {
    const pad = await newPad();
    const attacker = await enter(pad);
    await attacker.write('x'.repeat(4_900));
    const length = base36(attacker.text.length);
    const sent = 40;
    for (let number = 0; number < sent; number++) {
      const pool = own(attacker, ['bold', number % 2 === 0 ? 'true' : '']);
      const taken = acceptance(attacker);
      attacker.sendChangeset(`Z:${length}>0${'=1*1=1'.repeat(2_400)}$`, { pool });
      attacker.revision = Number((await taken).data?.newRev);
    }
    const answer = attacker.next('a part of the history', ({ type }) => type === 'CHANGESET_REQ', 30_000);
    for (const start of [0, sent]) {
      const data = { start, granularity: 1, requestID: 7 };
      attacker.send({ type: 'CHANGESET_REQ', padId: pad, data });
    }
    expect((await answer).data).to.include({ start: sent });
    attacker.close();
  });

  describe('that editors really send', () => {
    async function changes(changesetOf: (client: PadClient) => string, pool?: unknown): Promise<string> {
      const pad = await newPad();
      const [editor, witness] = [await enter(pad), await enter(pad)];
      const taken = acceptance(editor);
      const seen = witness.next('the change', ({ data }) => data?.type === 'NEW_CHANGES', 30_000);
      editor.sendChangeset(changesetOf(editor), { pool });
      await Promise.all([taken, seen]);
      expect(witness.text).to.equal(await textOf(pad));
      editor.close();
      witness.close();
      return witness.text;
    }

    it('are accepted: half a megabyte at once, in five thousand lines', async () => {
      const pasted = `${'x'.repeat(99)}\n`.repeat(5_000);
      const length = base36(pasted.length);
      const text = await changes(
        (client) => `Z:${base36(client.text.length)}>${length}*0|${base36(5_000)}+${length}$${pasted}`,
      );
      expect(text).to.equal(`${pasted}first\nsecond\n`);
    });

    it('are accepted: text between two lines, a removed line, formatting of existing text', async () => {
      const length = base36('first\nsecond\n'.length);
      const pool = { numToAttrib: { 0: ['bold', 'true'] }, nextNum: 1 };
      await changes(() => `Z:${length}<6*0=3|1=3-6$`, pool);
    });

    it('are accepted: removed author colours of the whole text', async () => {
      const pad = await newPad();
      const editor = await enter(pad);
      await editor.write('mine ');
      const taken = acceptance(editor);
      const length = base36(editor.text.length);
      const pool = { numToAttrib: { 0: ['author', ''] }, nextNum: 1 };
      editor.sendChangeset(`Z:${length}>0*0|2=${length}$`, { pool });
      await taken;
      editor.close();
    });

    it('are accepted from two who write at the same time, each based on the revision that they know', async () => {
      const pad = await newPad();
      const [one, two] = [await enter(pad), await enter(pad)];
      const both = [acceptance(one), acceptance(two)];
      one.sendChange('one ');
      two.sendChange('two ');
      await Promise.all(both);
      const text = await textOf(pad);
      expect(['one two first\nsecond\n', 'two one first\nsecond\n']).to.include(text);
      one.close();
      two.close();
    });

    it('are accepted from an editor that lost its connection and is a few revisions behind', async () => {
      const pad = await newPad();
      const [writer, returning] = [await enter(pad), await enter(pad)];
      const known = returning.lastRevision;
      returning.close();
      for (const word of ['one ', 'two ', 'three ']) await writer.write(word);
      const back = await PadClient.connect(etherpad);
      expect(await back.join(pad, { reconnect: true, client_rev: known })).to.equal('write');
      writer.close();
      back.close();
    });
  });
});
