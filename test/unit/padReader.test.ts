/** Reading stored pads. */
import { expect } from 'chai';
import { HostPadReader } from '../../host/padReader';
import { lastEdited, textOf } from '../../host/pads';

describe('the chat of a stored pad', () => {
  it('is read without messages that the pad counts and that were never stored', async () => {
    const records: Record<string, unknown> = {
      'pad:old': { atext: { text: '\n', attribs: '|1+1' }, pool: {}, head: 0, chatHead: 2 },
      'pad:old:chat:0': { text: 'first', time: 1 },
      'pad:old:chat:2': { text: 'last', time: 3 },
    };
    const reader = new HostPadReader({ get: async (key) => records[key] ?? null, findKeys: async () => [] });
    const pad = await reader.read('old');
    const texts: string[] = [];
    for await (const { text } of pad?.chat() ?? []) texts.push(text);
    expect(texts).to.deep.equal(['first', 'last']);
  });
});

describe('a stored pad whose record is damaged', () => {
  it('has no text and no time, which is no failure of the database', async () => {
    const damaged = { get: async (): Promise<unknown> => JSON.parse('{"atext":{"te') };
    expect(await textOf(damaged, 'damaged')).to.equal(undefined);
    expect(await lastEdited(damaged, 'damaged')).to.equal(null);
    const broken = { get: () => Promise.reject(new Error('connection refused')) };
    expect(await textOf(broken, 'any').catch(({ message }) => message)).to.equal('connection refused');
  });
});

describe('the time of the last revision', () => {
  it('is unknown if it is no date: an imported file may have any number', async () => {
    for (const [timestamp, expected] of [
      [1_700_000_000_000, 1_700_000_000_000],
      [1.7e18, null],
    ]) {
      const get = async (key: string) => (key === 'pad:p' ? { head: 3 } : { meta: { timestamp } });
      expect(await lastEdited({ get }, 'p')).to.equal(expected);
    }
  });
});
