/** One question to an LDAP process, and its reply. */
import type { EventEmitter } from 'node:events';
import type { LdapListQuestion, LdapQuestion, LdapReply } from './ldapConversation';

type Question = LdapQuestion | LdapListQuestion;
type LdapProcess = EventEmitter & { send(question: Question): unknown };

/**
 * Never rejects. Accepts only the reply with the id of this question: a late reply to another question must not sign
 * anybody in. Not `withinTime`: when the time is over, the listeners must be removed too.
 */
export function converse(child: LdapProcess, question: Question, timeLimit: number): Promise<LdapReply> {
  return new Promise((resolve) => {
    const settle = (reply: LdapReply): void => {
      clearTimeout(timer);
      child.off('message', onMessage);
      child.off('exit', onExit);
      child.off('error', fail);
      resolve(reply);
    };
    const fail = (reason: unknown): void =>
      settle({ id: question.id, answer: { kind: 'failed', reason: String(reason) }, clean: false });
    const onExit = (): void => fail('the LDAP process ended without an answer');
    const onMessage = (message: unknown): void => {
      const reply = message as LdapReply;
      if (reply.id === question.id) settle(reply);
    };
    const timer = setTimeout(fail, timeLimit, 'no answer in time');
    child.on('message', onMessage);
    child.on('exit', onExit);
    child.on('error', fail);
    child.send(question);
  });
}
