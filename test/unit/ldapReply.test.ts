import { EventEmitter } from 'node:events';
import { expect } from 'chai';
import type { LdapQuestion, LdapReply } from '../../model/signin/ldapConversation';
import { converse } from '../../model/signin/ldapReply';

describe('a question to an LDAP process', () => {
  const question = { id: 'second', kind: 'test' } as unknown as LdapQuestion;
  const found = { kind: 'found' } as unknown as LdapReply['answer'];

  /** A process that does this when it gets the question. */
  function processThat(reacts: (child: EventEmitter) => void): EventEmitter & { send(): void } {
    const child = new EventEmitter();
    return Object.assign(child, { send: () => reacts(child) });
  }

  it('does not take the late reply to an earlier question', async () => {
    const child = processThat((process) => {
      process.emit('message', { id: 'first', answer: found, clean: true });
      process.emit('message', { id: 'second', answer: { kind: 'unknown' }, clean: true });
    });
    expect(await converse(child, question, 1_000)).to.deep.include({
      id: 'second',
      answer: { kind: 'unknown' },
    });
  });

  it('fails when only others are answered, and leaves no listener', async () => {
    const child = processThat((process) =>
      process.emit('message', { id: 'first', answer: found, clean: true }),
    );
    const { answer, clean } = await converse(child, question, 10);
    expect(answer).to.deep.equal({ kind: 'failed', reason: 'no answer in time' });
    expect(clean).to.equal(false);
    expect(child.eventNames()).to.deep.equal([]);
  });

  it('fails when the process ends', async () => {
    const { answer } = await converse(
      processThat((process) => process.emit('exit', 1)),
      question,
      1_000,
    );
    expect(answer).to.deep.equal({ kind: 'failed', reason: 'the LDAP process ended without an answer' });
  });
});
