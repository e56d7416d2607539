/** A database of ep_mypads 1.7.17 in a real Etherpad with this version: texts, access to pads, old addresses. */
import { appendFileSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { type RunningEtherpad, startEtherpad } from '../support/etherpad';
import {
  type Credentials,
  createFixture,
  entryCookieOf,
  untilAccountsAreIndexed,
} from '../support/hostFixture';
import {
  legacyDatabase,
  legacyGroups,
  legacyPasswords,
  legacyPeople,
  legacyRecords,
  legacyTexts,
  readDirty,
} from '../support/legacy';
import { type JoinResult, PadClient } from '../support/socketClient';
import { useEtherpad } from '../support/useEtherpad';

const history = 'cours-d-histoire-y5xgdbg';
const readOnlyId = 'r.ff5306a33c06d98f8dfabfc108a3131a';

describe('a real Etherpad with the database of ep_mypads 1.7.17', function () {
  this.timeout(300_000);
  let etherpad: RunningEtherpad;

  before(async () => {
    etherpad = await startEtherpad({ database: legacyDatabase });
    await untilAccountsAreIndexed(etherpad);
  });
  after(() => etherpad?.stop());

  async function signIn(login: string): Promise<Required<Credentials>> {
    const password = legacyPeople.find((person) => person.login === login)?.password;
    const answer = await etherpad.api('POST', 'auth/login', { body: { login, password } });
    expect(answer.status, login).to.equal(200);
    const { token } = answer.body as { token: string };
    return { token, cookie: entryCookieOf(answer) ?? '' };
  }

  async function exported(id: string, { cookie }: Credentials): Promise<unknown> {
    const { status, body } = await etherpad.get(`/p/${id}/export/txt`, { cookie });
    return status === 200 ? body : status;
  }

  async function joined(id: string, { cookie }: Credentials): Promise<JoinResult> {
    const client = await PadClient.connect(etherpad, cookie);
    try {
      return await client.join(id);
    } finally {
      client.close();
    }
  }

  /** Credentials that together open every pad: those of each person, and some that have proved passwords of pads. */
  async function keysToEverything(): Promise<Credentials[]> {
    const fixture = createFixture(etherpad);
    const people = await Promise.all(legacyPeople.map(({ login }) => signIn(login)));
    for (const id of ['notes-privees-yhzgd9o', 'answers-zs17gdzd'] as const) {
      people.push((await fixture.unlock(`pad/${id}`, legacyPasswords[id])) as Required<Credentials>);
    }
    return people;
  }

  it('changes no text and loses no key, and a second start changes nothing more', async () => {
    const everybody = await keysToEverything();
    for (const [id, text] of Object.entries(legacyTexts)) {
      const texts = await Promise.all(everybody.map((who) => exported(id, who)));
      expect(texts, id).to.include(text);
      expect(texts.filter((found) => typeof found === 'string' && found !== text)).to.deep.equal([]);
    }
    // Without authors and sessions of Etherpad, which Etherpad changes at every visit.
    const ours = (records: Map<string, unknown>): [string, unknown][] =>
      [...records].filter(([key]) => /^(?:mypads|pad|pad2readonly|readonly2pad):/.test(key));
    await etherpad.restart();
    const first = new Map(ours(readDirty(etherpad.databaseFile)));
    for (const [key, value] of ours(legacyRecords())) {
      if (key.startsWith('mypads:user:') || /^mypads:(?:group|pad):/.test(key)) {
        // Signing in and unlocking have replaced old hashes. The time of the last change was added where it was
        // missing.
        const { password, ...rest } = value as Record<string, unknown>;
        const { password: renewed, ...now } = first.get(key) as Record<string, unknown>;
        const { lastUpdate } = now;
        expect(now, key).to.deep.equal(lastUpdate === undefined ? rest : { lastUpdate, ...rest });
        expect(Boolean(renewed), key).to.equal(Boolean(password));
      } else expect(first.get(key), key).to.deep.equal(value);
    }
    await etherpad.restart();
    const second = new Map(ours(readDirty(etherpad.databaseFile)));
    expect([...second.keys()].sort()).to.deep.equal([...first.keys()].sort());
    for (const [key, value] of first) expect(second.get(key), key).to.deep.equal(value);
  });

  it('shows revisions, authors, format and chat of a pad as they were', async () => {
    const alice = await signIn('alice');
    const html = String((await etherpad.get(`/p/${history}/export/html`, { cookie: alice.cookie })).body);
    expect(html).to.match(/<(?:strong|b)>Plan du cours/);
    const chat = [0, 1].map((number) => legacyRecords().get(`pad:${history}:chat:${number}`));
    const texts = (chat as { text: string }[]).map(({ text }) => text);
    expect(texts).to.deep.equal(['Bonjour à tous, le plan est prêt 🙂', 'Merci Alice !']);
    const first = await etherpad.get(`/p/${history}/0/export/txt`, { cookie: alice.cookie });
    expect([first.status, first.body]).to.deep.equal([200, 'Welcome to Etherpad!\n\n']);
    const client = await PadClient.connect(etherpad, alice.cookie);
    await client.join(history);
    expect(client.text).to.contain('Bob a relu ce plan.');
    const messages = client.next('the chat', ({ data }) => data?.type === 'CHAT_MESSAGES');
    client.send({ type: 'COLLABROOM', data: { type: 'GET_CHAT_MESSAGES', start: 0, end: 1 } });
    const answer = JSON.stringify(await messages);
    for (const text of texts) expect(answer).to.contain(text);
    client.close();
  });

  it('opens only public pads to guests', async () => {
    const open = {
      'welcome-z414gdv4': 'write',
      'moved-pad-141fgdaw': 'write',
      'devoirs-y7ygd3p': 'write',
      'timetable-zz18gd91': 'write',
      'guest-book-0v1egdxb': 'write',
      'open-notes': 'write',
      'minutes-of-may-0n1dgdbm': 'read',
    } as Record<string, JoinResult>;
    for (const id of [...Object.keys(legacyTexts), 'never-opened-ys11gdog']) {
      expect(await joined(id, {}), id).to.equal(open[id] ?? 'refused');
      if (id in open) expect(await exported(id, {}), id).to.equal(legacyTexts[id]);
      else expect(await exported(id, {}), id).to.equal(401);
    }
  });

  it('opens read-only pads for reading, and writable pads of read-only groups for writing', async () => {
    const [alice, bob, dave] = [await signIn('alice'), await signIn('bob'), await signIn('dave')];
    for (const who of [alice, bob]) expect(await joined('reglement-yu12gdtc', who)).to.equal('read');
    expect(await joined('old-notes-091agda1', alice)).to.equal('read');
    expect(await joined('minutes-of-may-0n1dgdbm', dave)).to.equal('read');
    expect(await joined('still-editable-0d1bgdqz', alice)).to.equal('write');
    expect(await joined('guest-book-0v1egdxb', bob)).to.equal('write');
  });

  it('lets a member of a private group in, but not into the pad with a password of its own', async () => {
    const carol = await signIn('carol');
    expect(await joined('questions-zl16gdq0', carol)).to.equal('write');
    expect(await joined('answers-zs17gdzd', carol)).to.equal('refused');
    const fixture = createFixture(etherpad);
    const unlocked = await fixture.unlock('pad/answers-zs17gdzd', legacyPasswords['answers-zs17gdzd'], carol);
    expect(await joined('answers-zs17gdzd', unlocked)).to.equal('write');
    const guest = await fixture.unlock(
      `group/${legacyGroups.council}`,
      legacyPasswords[legacyGroups.council],
    );
    expect(await exported('proces-verbal-0419gde3', guest)).to.equal(legacyTexts['proces-verbal-0419gde3']);
  });

  it('makes the text of a pad at its first opening by somebody with access', async () => {
    const alice = await signIn('alice');
    expect(await joined('never-opened-ys11gdog', {})).to.equal('refused');
    const first = await PadClient.writer(etherpad, alice.cookie, 'never-opened-ys11gdog');
    first.close();
    // Etherpad 3 gives the creator of a pad a token that removes it, and its settings. Not in pads of folders.
    const vars = first.messages.find(({ type }) => type === 'CLIENT_VARS');
    expect(vars?.data).to.include({
      padDeletionToken: null,
      canDeleteWithoutToken: true,
      canDeletePad: false,
      canEditPadSettings: false,
    });
  });

  it('opens pads at their old addresses, also with ids that start with a dash', async () => {
    const tanaka = await signIn('田中太郎');
    const accept = 'text/html';
    for (const id of [history, '-0i1cgdec']) {
      const answer = await etherpad.get(`/p/${id}`, { accept });
      expect(answer.status).to.equal(302);
      expect(answer.headers.get('location')).to.match(
        new RegExp(`mypads/\\?/mypads/group/.+/pad/view/${id}$`),
      );
    }
    expect((await etherpad.get('/p/-0i1cgdec', { accept, cookie: tanaka.cookie })).status).to.equal(200);
    for (const address of [
      '/mypads/?/mypads/group/-xmtgdkx/pad/view/-0i1cgdec',
      '/mypads/index.html?/mypads/group/-xmtgdkx/pad/view/-0i1cgdec',
      '/mypads/?/mypads/group/-xmtgdkx/view',
    ]) {
      const { status, body } = await etherpad.get(address, { accept });
      expect(status, address).to.equal(200);
      expect(body).to.contain('<title>Les pads du collège Jean-Moulin</title>');
    }
  });

  it('keeps the read-only address of a pad', async () => {
    const alice = await signIn('alice');
    expect(await exported(readOnlyId, alice)).to.equal(legacyTexts[history]);
    expect(await exported(readOnlyId, {})).to.equal(401);
    expect(await joined(readOnlyId, alice)).to.equal('read');
  });
});

describe('a database of ep_mypads 1.7.17 that is imported after the first start', function () {
  this.timeout(300_000);
  const { etherpad, fixture, owner } = useEtherpad({});

  it('signs everybody in after the next start, without the doctor, together with newly registered people', async () => {
    await etherpad.halt();
    appendFileSync(etherpad.databaseFile, readFileSync(legacyDatabase));
    await etherpad.restart();
    await untilAccountsAreIndexed(etherpad);
    for (const { login, email, password } of legacyPeople) {
      for (const name of [login, email]) {
        const answer = await etherpad.api('POST', 'auth/login', { body: { login: name, password } });
        expect(answer.status, name).to.equal(200);
      }
    }
    expect((await fixture.signIn(owner.login)).id).to.equal(owner.id);
    const taken = { login: 'alice', email: 'other@example.org', password: 'long enough a password' };
    expect((await etherpad.api('POST', 'user', { body: taken })).status).to.equal(400);
  });
});
