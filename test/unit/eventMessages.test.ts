/** Events of other processes are checked when they arrive. */
import { expect } from 'chai';
import { nameOf, readMessage } from '../../cluster/topics';
import { checkEach } from '../support/cases';

describe('an event of another process', () => {
  const valid = {
    about: 'group',
    what: 'changed',
    id: 'minutes',
    before: { name: 'Minutes' },
    after: { name: 'Protocols' },
    changed: ['name'],
    access: { everybody: false, people: [] },
    by: { kind: 'administrator', name: 'root' },
    time: 1_700_000_000_000,
  };
  const read = (content: unknown) => readMessage(nameOf('event'), content);

  it('is understood as it was sent, without what no event has', () => {
    expect(read(valid)?.content).to.deep.equal(valid);
    const before = { ...valid.before, password: { hash: 'hash' } };
    expect(read({ ...valid, before, token: 'token' })?.content).to.deep.equal(valid);
  });

  it('is refused if it is malformed, or of another version', async () => {
    const { by, time, id, ...rest } = valid;
    const malformed: Record<string, unknown> = {
      'no event': 'group minutes',
      'of an earlier version': { event: 'group', facts: { id, access: valid.access } },
      'about something unknown': { ...valid, about: 'link' },
      'an unknown thing that happened': { ...valid, what: 'archived' },
      'without id': { ...rest, by, time },
      'without actor': { ...rest, id, time },
      'an unknown actor': { ...valid, by: { kind: 'program' } },
      'an actor without id': { ...valid, by: { kind: 'account' } },
      'without time': { ...rest, id, by },
      'a text as time': { ...valid, time: 'now' },
      'access of another kind': { ...valid, access: true },
      'part of something unknown': { ...valid, partOf: 'else' },
    };
    await checkEach(malformed, (content) => expect(read(content)).to.equal(undefined));
    expect(readMessage('event 1', valid)).to.equal(undefined);
  });
});
