/** One of two Etherpad processes is killed in the middle of background work. The other one finishes it. */
import { expect } from 'chai';
import type { RunningEtherpad } from '../support/etherpad';
import { createFixture, type Person, password } from '../support/hostFixture';
import { isLeader, missingForSeveral, moveClock, runTimers } from '../support/severalEtherpads';
import { type Lists, useTwoProcesses } from '../support/twoProcesses';
import { until } from '../support/waiting';

const hour = 3600_000;
/** Work that a process does every hour. */
const cleanUp = ['endExpiredSessions', 'removeExpiredLinks', 'removeUnconfirmedAccounts'];
/** The beginnings of the keys that this work removes. */
const kinds = ['mypads:user:', 'mypads:session:', 'mypads:mailtoken:'];

(missingForSeveral ? describe.skip : describe)('when one of several processes is killed', function () {
  this.timeout(300_000);
  const both = useTwoProcesses();
  const { kill, leaderAndOther, keysWith, succeed, without } = both;

  describe('in the middle of a removal, the other one finishes', () => {
    /** Kills the process when some of Etherpad's records of these pads are removed and others are not. */
    async function killDuring(removal: Promise<unknown>, process: RunningEtherpad): Promise<void> {
      const outcome = removal.catch(() => {});
      const count = async (): Promise<number> =>
        (await both.database.findKeys('pad:a-removed-*', 'pad:a-removed-*:*')).length;
      const all = await count();
      for (const end = Date.now() + 20_000; (await count()) >= all; ) {
        if (Date.now() > end) expect.fail('the removal does not begin');
      }
      await kill(process);
      await outcome;
      expect(await count(), 'the cut came early enough').to.be.above(0);
    }

    async function folderWithPads(person: Person): Promise<{ group: string; pads: string[] }> {
      const { fixture } = both;
      const group = await fixture.group(person);
      const pads: string[] = [];
      for (let round = 0; round < 3; round++) {
        const made = Array.from({ length: 20 }, () => fixture.pad(person, group, { name: 'A removed' }));
        pads.push(...(await Promise.all(made)));
      }
      return { group, pads };
    }

    for (const who of ['the leader', 'another process']) {
      it(`that of a folder by ${who}`, async () => {
        const { owner } = both;
        const { group, pads } = await folderWithPads(owner);
        const [leader, follower] = await leaderAndOther();
        const [victim, other] = who === 'the leader' ? [leader, follower] : [follower, leader];
        await killDuring(succeed('DELETE', `group/${group}?permanent=true`, {}, owner, victim), victim);
        const { body } = await other.api('GET', 'group', { token: owner.token });
        expect((body as { value: Lists }).value.groups).to.not.have.property(group);
        for (const pad of pads.slice(-5)) {
          const { status } = await other.get(`/p/${pad}/export/txt`, { cookie: owner.cookie });
          expect(status).to.be.oneOf([401, 404]);
        }
        await without(['a-removed']);
        await without([group]);
      });
    }

    it('that of an account', async () => {
      const person = await both.fixture.person('removed');
      const { group } = await folderWithPads(person);
      const { login, id } = person;
      const [leader, other] = await leaderAndOther();
      const body = { currentPassword: password };
      await killDuring(succeed('DELETE', `user/${login}`, body, person, leader), leader);
      await without(['a-removed']);
      await without([group, id, 'removeAccount', 'cleanUpAccounts']);
      const answer = await other.api('POST', 'auth/login', { body: { login, password } });
      expect(answer.status).to.equal(400);
      const again = { login, password, email: 'after.removal@example.org' };
      expect((await other.api('POST', 'user', { body: again })).status).to.equal(200);
    });
  });

  /** The token of the link in the last mail to this person. */
  function linkTo(login: string): string {
    const received = both.mails.received.findLast(({ to }) => to.includes(`${login}@example.org`));
    return /accountconfirm\/([0-9a-f]{64})/.exec(received?.text ?? '')?.[1] ?? '';
  }

  /** Registers somebody who gets a link that confirms the address. */
  async function register(login: string): Promise<void> {
    await succeed('POST', 'user', { login, password, email: `${login}@example.org` }, {}, both.two);
    await until(`${login} has the mail`, () => linkTo(login) !== '');
  }

  const confirm = (login: string, at = both.two) =>
    at.api('POST', 'accountconfirm', { body: { token: linkTo(login) } });

  /** Runs `work` `count` times, ten at a time. */
  async function times(count: number, work: (number: number) => Promise<unknown>): Promise<void> {
    for (let first = 0; first < count; first += 10) {
      await Promise.all(
        Array.from({ length: Math.min(10, count - first) }, (_, index) => work(first + index)),
      );
    }
  }

  it('in the middle of the hourly clean-up, valid records stay, and the other one removes the expired ones', async () => {
    const { fixture, owner, one, two } = both;
    const group = await fixture.group(owner, { visibility: 'private', password: 'secret' });
    const [leader, other] = await leaderAndOther();
    // After its first run, the work has stored the hour up to which it has looked.
    await runTimers(leader, cleanUp);
    await until('it has', async () => (await keysWith(['mypads:unconfirmed:state'])).length === 1);
    await fixture.configure('checkMails', true);
    const before = await keysWith(kinds);
    await times(60, (number) => register(`unconfirmed${number}`));
    await times(200, () => fixture.unlock(`group/${group}`, 'secret'));
    const due = (await keysWith(kinds)).filter((key) => !before.includes(key));
    await register('confirmed');
    expect((await confirm('confirmed')).status).to.equal(200);

    for (const process of [one, two]) await moveClock(process, 8 * 24 * hour);
    await register('waiting');
    const guest = await createFixture(two).unlock(`group/${group}`, 'secret');
    const left = async (): Promise<number[]> => {
      const found = await keysWith(kinds);
      const keys = due.filter((key) => found.includes(key));
      return kinds.map((kind) => keys.filter((key) => key.startsWith(kind)).length);
    };
    const all = await left();
    await runTimers(leader, cleanUp);
    await until('it has begun', async () =>
      (await left()).every((count, index) => count < (all[index] ?? 0)),
    );
    await kill(leader);
    expect(Math.min(...(await left()).slice(0, 2)), 'the cut came early enough').to.be.above(0);

    await until('the other one does the background work', () => isLeader(other));
    await runTimers(other, cleanUp);
    await until('nothing is left of what has expired', async () => Math.max(...(await left())) === 0);
    await without(['cleanUpAccounts', 'removeAccount']);
    for (const { token } of [owner, guest])
      expect((await other.api('GET', `group/${group}`, { token })).status).to.equal(200);
    for (const login of ['confirmed', 'waiting']) {
      if (login === 'waiting') expect((await confirm(login, other)).status).to.equal(200);
      await createFixture(other).signIn(login);
    }
    await createFixture(other).configure('checkMails', false);
    await moveClock(other, 0);
    const again = { login: 'unconfirmed0', password, email: 'unconfirmed0@example.org' };
    await succeed('POST', 'user', again, {}, other);
  });
});
