/** The product with people and a real mail server, for tests of invitations. */
import { expect } from 'chai';
import type { Group } from '../../api/answers';
import type { Invitation } from '../../api/invitation/schema';
import type { InvitationRecord } from '../../model/store/entities';
import { keys } from '../../model/store/store';
import { type Call, callerOf } from './caller';
import { buildUser, signIn, type TestUser } from './factories';
import { startMailFor } from './mailFixture';
import { useAdmin, usePeople } from './people';
import type { ReceivedMail, TestSmtpServer } from './smtpServer';

let counter = 0;
/** An address without an account. */
export const newAddress = (): string => {
  counter += 1;
  return `invited${counter}@example.org`;
};

/** The token in a link of a mail. */
export function tokenIn({ text }: ReceivedMail, path: 'invitation' | 'noinvitations'): string {
  const start = `https://pads.example.org/mypads/index.html?/${path}/`;
  const line = text.split('\n').find((one) => one.startsWith(start)) ?? '';
  expect(line, text).to.not.equal('');
  return line.slice(start.length);
}

/** Starts them before the tests of a file. The result can be destructured at once, except `mail`. */
export function useInvitations() {
  const people = usePeople();
  const { asAlice, asGuest, groupRecord } = people;
  let mail: TestSmtpServer;
  // Signs in for each test, because some tests move the clock.
  const asRoot = useAdmin(people.app, beforeEach);

  beforeEach(async () => {
    // Otherwise the people of each new folder get one.
    mail = await startMailFor(people.app, { mailWhenAdded: false });
  });
  afterEach(async () => {
    await people.app.idle();
    await mail.close();
    for (const key of [
      'checkMails',
      'openRegistration',
      'invitationsCreateAccounts',
      'mailWhenAdded',
    ] as const)
      await people.app.model.configuration.remove(key);
  });

  const invitationsOf = async (id: string, who: Call = asAlice): Promise<Invitation[]> =>
    (await who('get', `group/${id}/invitations`)).body.value;

  async function invite(group: Group, loginsOrEmails: string[], fields: object = {}, who: Call = asAlice) {
    const answer = await who('post', `group/${group._id}/invitations`, { loginsOrEmails, ...fields });
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    await people.app.idle();
    return answer.body;
  }

  /** Invites an address and returns the token of its mail. */
  async function inviteOne(group: Group, address: string, fields: object = {}, who: Call = asAlice) {
    await invite(group, [address], fields, who);
    const received = await mail.next();
    expect(received.to).to.deep.equal([address]);
    const invitation = (await groupRecord(group._id))?.invitations.find((one) => one.address === address);
    return { token: tokenIn(received, 'invitation'), received, invitation: invitation as InvitationRecord };
  }

  /** Invites a new address to a new folder. */
  async function inviteNew(fields: object = {}) {
    const [group, address] = [await people.buildShared(), newAddress()];
    return { group, address, ...(await inviteOne(group, address, fields)) };
  }

  const register = (address: string, fields: object = {}) => {
    const login = address.replace('@example.org', '');
    return people.app.agent
      .post('/api/user')
      .send({ login, password: `secret of ${login}`, email: address, ...fields });
  };
  async function asNewUser(address: string): Promise<{ user: TestUser; as: Call }> {
    const login = address.replace('@example.org', '');
    const user = await buildUser(people.app, { login, password: `secret of ${login}`, email: address });
    return { user, as: callerOf(people.app, user.token) };
  }
  /** Registers and confirms the address by the mail. */
  async function signInNew(address: string) {
    mail.received.length = 0;
    await register(address).expect(200);
    await people.app.idle();
    const sent = mail.received.find(({ to }) => to.includes(address));
    const token = /accountconfirm\/([0-9a-f]{64})/.exec(sent?.text ?? '')?.[1];
    await asGuest('post', 'accountconfirm', { token }).expect(200);
    const login = address.replace('@example.org', '');
    return signIn(people.app, login, `secret of ${login}`);
  }
  const accept = (who: Call, token: string) => who('post', 'invitations/accept', { token });
  const noteOf = (id: string) => people.app.model.store.get(keys.invitation(id));
  const sweep = async () => {
    await people.app.model.jobs.runNow('endInvitations');
    await people.app.idle();
  };
  return {
    people,
    /** The mail server of the test. A test can put another one in its place. */
    get mail() {
      return mail;
    },
    set mail(other) {
      mail = other;
    },
    asRoot,
    invitationsOf,
    invite,
    inviteOne,
    inviteNew,
    register,
    asNewUser,
    signInNew,
    accept,
    noteOf,
    sweep,
  };
}
