/**
 * The server is killed while people work. Afterwards every confirmed change is stored, and every change is complete or
 * has not begun.
 */
import { randomInt } from 'node:crypto';
import { expect } from 'chai';
import { keepFilesIn, runDoctor } from '../support/doctor';
import { type RunningEtherpad, startOneEtherpad } from '../support/etherpad';
import {
  createFixture,
  type Fixture,
  type Person,
  signInAsAdmin,
  untilAccountsAreIndexed,
} from '../support/hostFixture';
import { ExportingPerson, exportFilesOf } from '../support/interrupted/exports';
import type { Place } from '../support/interrupted/steps';
import { interruptTexts } from '../support/interrupted/texts';
import {
  interruptBeforeJobs,
  interruptBeforeJobsEnd,
  interruptTransfers,
  interruptTrash,
} from '../support/interrupted/work';
import { readDirty } from '../support/legacy';
import { command, moveClock, runTimers, untilHeld, withCommands } from '../support/severalEtherpads';
import { startSmtpServer, type TestSmtpServer } from '../support/smtpServer';
import { PadClient } from '../support/socketClient';
import { until } from '../support/waiting';

interface GroupsAnswer {
  value: {
    groups: Record<string, { pads: string[]; admins: string[]; users: string[] }>;
    pads: Record<string, { group: string }>;
  };
}

describe('a server that is killed', function () {
  this.timeout(600_000);
  let etherpad: RunningEtherpad;
  let fixture: Fixture;
  let place: Place;
  let mails: TestSmtpServer;
  /** What the mail server waits for before it accepts a mail. */
  let accepting: (() => Promise<void>) | undefined;

  before(async () => {
    mails = await startSmtpServer({ hold: async () => accepting?.() });
    etherpad = await startOneEtherpad(withCommands);
    fixture = createFixture(etherpad);
    place = { victim: etherpad, after: etherpad, keysWith, kill };
  });
  after(async () => {
    await etherpad?.stop();
    await mails?.close();
  });

  async function groupsOf(person: Person): Promise<GroupsAnswer['value']> {
    const answer = await etherpad.api('GET', 'group', { token: person.token });
    expect(answer.status, 'the session of before still counts').to.equal(200);
    return (answer.body as GroupsAnswer).value;
  }

  /** Repeats `work`, several at a time, until the server is killed. Returns the results of those that succeeded. */
  async function untilItDies<Result>(
    work: (number: number) => Promise<Result>,
    kill: number,
  ): Promise<Result[]> {
    const done: Result[] = [];
    let number = 0;
    let dead = false;
    const worker = async () => {
      while (!dead) {
        number += 1;
        try {
          done.push(await work(number));
        } catch {
          if (dead) return;
          throw new Error('a step failed although the server lives');
        }
        if (done.length >= kill && !dead) {
          dead = true;
          await etherpad.kill9();
        }
      }
    };
    await Promise.all(Array.from({ length: 8 }, worker));
    return done;
  }

  it('keeps created pads, and people in a folder whose invitation was confirmed', async () => {
    const owner = await fixture.person('owner');
    const group = await fixture.group(owner);
    const people = await Promise.all(Array.from({ length: 10 }, () => fixture.person('member')));
    const made = await untilItDies(async (number) => {
      const pad = await fixture.pad(owner, group, { name: `Pad ${number}` });
      const logins = people.filter((_, index) => (index + number) % 3 !== 0).map(({ login }) => login);
      await fixture.invite(owner, group, logins);
      return pad;
    }, 25);
    await etherpad.restart();
    const { groups, pads } = await groupsOf(owner);
    expect(groups[group]?.pads).to.include.members(made);
    expect(Object.keys(pads)).to.have.members(groups[group]?.pads ?? []);
    for (const id of Object.keys(pads)) {
      const page = await etherpad.get(`/p/${id}/export/txt`, { cookie: owner.cookie });
      expect(page.status, 'a pad that shows can be opened').to.equal(200);
    }
    const users = groups[group]?.users ?? [];
    expect(users).to.not.deep.equal([]);
    for (const person of people) {
      const sees = group in (await groupsOf(person)).groups;
      expect(sees, 'the folder and the person agree').to.equal(users.includes(person.id));
    }
    await fixture.pad(owner, group, { name: 'After the cut' });
  });

  it('does not restore removed things, and shows no part of them', async () => {
    const owner = await fixture.person('owner');
    const group = await fixture.group(owner);
    const ids = await Promise.all(Array.from({ length: 40 }, () => fixture.pad(owner, group)));
    const waiting = [...ids];
    const removed = await untilItDies(async () => {
      const id = waiting.pop();
      if (!id) throw new Error('nothing left');
      const answer = await etherpad.api('DELETE', `pad/${id}?permanent=true`, {
        token: owner.token,
        body: {},
      });
      if (answer.status !== 200) throw new Error('not removed');
      return id;
    }, 15);
    await etherpad.restart();
    const { groups, pads } = await groupsOf(owner);
    expect(Object.keys(pads)).to.not.include.members(removed);
    expect(groups[group]?.pads).to.have.members(Object.keys(pads));
    expect(Object.keys(pads)).to.include.members(waiting);
    for (const id of removed) {
      expect((await etherpad.get(`/p/${id}/export/txt`)).status, 'closed, or gone').to.be.oneOf([401, 404]);
    }
    for (const id of ids) expect(await settled(id, owner)).to.equal(id in pads ? 200 : 404);
  });

  /** Waits until Etherpad's records of the pad are removed, after the start. Until then the pad is closed (401). */
  async function settled(id: string, { cookie }: Person): Promise<number> {
    let status = 0;
    await until(`the removal of ${id} is finished`, async () => {
      ({ status } = await etherpad.get(`/p/${id}/export/txt`, { cookie }));
      return status !== 401;
    });
    return status;
  }

  it('keeps the text that the editor has confirmed', async () => {
    const owner = await fixture.person('owner');
    const pad = await fixture.pad(owner, await fixture.group(owner));
    const editor = await PadClient.writer(etherpad, owner.cookie, pad);
    for (let line = 0; line < 20; line++) await editor.write(`${line},`);
    await etherpad.kill9();
    await etherpad.restart();
    const text = (await etherpad.get(`/p/${pad}/export/txt`, { cookie: owner.cookie })).body;
    expect(text).to.contain('19,18,17,16,15');
  });

  async function keysWith(texts: string[]): Promise<string[]> {
    const keys = [...readDirty(etherpad.databaseFile).keys()];
    return keys.filter((key) => texts.some((text) => key.includes(text)));
  }

  async function kill(): Promise<void> {
    const pid = etherpad.pid();
    await etherpad.kill9();
    await etherpad.restart();
    await untilAccountsAreIndexed(etherpad);
    await until('its files are gone', () => exportFilesOf(etherpad, pid).length === 0);
  }

  // On PostgreSQL, `severalProcessesKilled` does most of this in one of two processes.
  it('has everything in the trash, where it was, or gone, before whichever write it was killed', async () => {
    // Of what was under way above, and never confirmed, a part may be there.
    await etherpad.halt();
    const kept = keepFilesIn(etherpad.folder.root);
    expect(runDoctor(etherpad.folder, etherpad.settingsFile, ['--repair']).code).to.equal(0);
    kept.remove();
    await etherpad.restart();
    await interruptTrash(place);
  });

  it('has exports and imports complete or not begun, before whichever write it was killed', async () => {
    await interruptTransfers(place);
  });

  it('has not begun what it had not yet noted as a job', async () => {
    await interruptBeforeJobs(place);
  });

  it('does nothing twice that it had done and not noted', async () => {
    await interruptBeforeJobsEnd(place);
  });

  for (const cut of ['before the mail server has it', 'when the mail server has it'] as const) {
    it(`sends an email about an export once, killed ${cut}`, async () => {
      const settings = { rootUrl: 'https://pads.example.org', SMTPHost: '127.0.0.1', SMTPTLS: false };
      const mail = { SMTPPort: mails.port, SMTPEmailFrom: 'pads@example.org' };
      for (const [key, value] of Object.entries({ ...settings, ...mail }))
        await fixture.configure(key, value);
      const exporting = await ExportingPerson.make(place);
      const received = () =>
        mails.received.filter(({ to }) => to.includes(`${exporting.person.login}@example.org`));
      expect(await exporting.ask()).to.equal(200);
      // Without a download, after which nobody needs an email.
      await exporting.untilReady();
      const token = await signInAsAdmin(etherpad);
      await until('only the email is left to be done', async () => {
        const { body } = await etherpad.api('GET', 'admin/jobs', { token });
        return !JSON.stringify(body).includes('makeExport');
      });
      const send = async (): Promise<void> => {
        await moveClock(etherpad, 60_000);
        await runTimers(etherpad, ['mailExports']);
      };
      const hold = () => command(etherpad, { do: 'holdWrites', keys: ['mypads:jobs'] });
      if (cut === 'before the mail server has it') {
        await hold();
        await send();
      } else {
        let accept: () => void = () => {};
        let arrived = false;
        accepting = () => {
          arrived = true;
          return new Promise((resolve) => {
            accept = resolve;
          });
        };
        await send();
        await until('the mail arrives', () => arrived);
        await hold();
        accepting = undefined;
        accept();
        await until('the mail server has it', () => received().length > 0);
      }
      await untilHeld(etherpad, 'mypads:jobs');
      await kill();
      await until('nothing is left to be sent', async () => {
        await send();
        return (await keysWith(['mypads:jobs'])).length === 0;
      });
      expect(received()).to.have.length(1);
    });
  }

  const seed = Number(process.env.SEED ?? randomInt(1_000_000));
  it(`finds all texts and none of a deleted pad, whenever it was killed while it read them (SEED=${seed})`, async () => {
    await interruptTexts(place, seed);
  });

  it('leaves no damage and no job', async () => {
    await until('no job is left', async () => (await keysWith(['mypads:jobs'])).length === 0);
    await etherpad.halt();
    const { stdout } = runDoctor(etherpad.folder, etherpad.settingsFile, []);
    expect(stdout).to.contain('Nothing is damaged.');
  });
});
