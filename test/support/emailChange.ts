/** A person who changes the address of their account where addresses are confirmed, with a real mail server. */
import { expect } from 'chai';
import { buildUser, type TestUser } from './factories';
import { type MailFixture, openMailFixture, tokenIn } from './mailFixture';
import type { ReceivedMail, TestSmtpServer } from './smtpServer';

type Answer = Awaited<ReturnType<MailFixture['change']>>;

export interface EmailChange {
  fixture: MailFixture;
  mail: TestSmtpServer;
  user: TestUser;
  /** An address without account. */
  fresh: string;
  /** Asks for another address, by default `fresh`. Reads both mails: the link, and the notice to the old address. */
  requestChange(
    email?: string,
    body?: object,
  ): Promise<{ answer: Answer; received: ReceivedMail; notice: ReceivedMail }>;
  /** The token of the link for this address. */
  requestedToken(email?: string): Promise<string>;
  /** Another person, who registers while addresses are not confirmed. */
  buildFriend(fields?: object): Promise<TestUser>;
}

export async function startEmailChange(): Promise<EmailChange> {
  const fixture = await openMailFixture();
  const user = await buildUser(fixture.app, { lang: 'de' });
  const fresh = `new.${user.email}`;
  const mail = await fixture.startMail();
  await fixture.set({ checkMails: true });

  async function requestChange(email = fresh, body: object = {}) {
    const answer = await fixture.change(user, { email, ...body });
    expect(answer.status, answer.text).to.equal(200);
    return { answer, received: await mail.next(), notice: await mail.next() };
  }

  return {
    fixture,
    mail,
    user,
    fresh,
    requestChange,
    requestedToken: async (email) => tokenIn((await requestChange(email)).received, 'accountconfirm'),
    async buildFriend(fields = {}) {
      await fixture.set({ checkMails: false });
      const friend = await buildUser(fixture.app, { ...fields });
      await fixture.set({ checkMails: true });
      return friend;
    },
  };
}
