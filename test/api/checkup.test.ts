/** `admin/checkup`: what the server finds wrong with itself and with the servers that it needs. */
import { expect } from 'chai';
import type { AdminLogAnswer, CheckupAnswer } from '../../api/admin/schema';
import type { Check, CheckId } from '../../model/checkup/findings';
import { kinds } from '../../model/doctor/findings';
import { keys } from '../../model/store/store';
import { startApp, type TestApp } from '../support/app';
import { type Call, callerOf } from '../support/caller';
import { startCasServer } from '../support/casServer';
import { buildGroup, buildPad, buildUser, signInAsAdmin } from '../support/factories';
import { inProcessOnly } from '../support/network';
import { startOidcServer } from '../support/oidcServer';
import { closedPort, startSmtpServer } from '../support/smtpServer';
import { heldWork, until } from '../support/waiting';

const root = 'https://pads.example.org';

describe('the checkup', () => {
  let app: TestApp;
  let admin: Call;
  beforeEach(async () => {
    app = await startApp();
    admin = callerOf(app, await signInAsAdmin(app));
  });
  afterEach(() => app.close());

  async function checks(headers: Record<string, string> = {}): Promise<Record<CheckId, Check>> {
    const { status, body } = await admin('get', 'admin/checkup').set(headers);
    expect(status).to.equal(200);
    const list = (body as CheckupAnswer).checks;
    return Object.fromEntries(list.map((check) => [check.id, check])) as Record<CheckId, Check>;
  }
  const set = async (values: Record<string, unknown>): Promise<void> => {
    for (const [key, value] of Object.entries(values)) await app.model.configuration.set(key, value);
  };

  inProcessOnly.it('has a result for everything that the server can check', async () => {
    const found = await checks();
    const states = Object.values(found).map(({ id, finding, state }) => `${id}: ${finding} (${state})`);
    expect(states.sort()).to.deep.equal([
      'address: notSet (warning)',
      'cas: unused (ok)',
      'damage: good (ok)',
      'database: good (ok)',
      'header: unused (ok)',
      'host: good (ok)',
      'index: memory (warning)',
      'ldap: unused (ok)',
      'mail: off (warning)',
      'node: good (ok)',
      'oidc: unused (ok)',
      'plugins: good (ok)',
      'proxy: none (ok)',
      'removals: good (ok)',
      'sync: unused (ok)',
    ]);
  });

  it('looks at the address, which mail and CAS need', async () => {
    expect((await checks()).address.finding).to.equal('notSet');
    await set({ SMTPHost: '127.0.0.1', SMTPPort: await closedPort(), SMTPEmailFrom: 'a@example.org' });
    expect((await checks()).address).to.include({ finding: 'needed', state: 'error' });
    await set({ rootUrl: root });
    expect((await checks()).address).to.deep.include({ finding: 'good', facts: { rootUrl: root } });
  });

  it('tries the mail server, and says what it said', async () => {
    await set({ checkMails: true });
    expect((await checks()).mail).to.include({ finding: 'needed', state: 'error' });
    await set({ SMTPHost: '127.0.0.1', SMTPTLS: false });
    expect((await checks()).mail).to.include({ finding: 'invalid', state: 'error' });
    await set({ SMTPEmailFrom: 'a@example.org', SMTPPort: await closedPort() });
    const down = (await checks()).mail;
    expect(down).to.include({ finding: 'unreachable', state: 'error' });
    expect(down.facts.reason).to.include('ECONNREFUSED');
    const mail = await startSmtpServer();
    await set({ SMTPPort: mail.port });
    const up = (await checks()).mail;
    await mail.close();
    expect(up).to.deep.include({ state: 'ok', facts: { host: '127.0.0.1', port: mail.port } });
    expect(mail.received).to.deep.equal([]);
  });

  it('tries the sign-on server with an invalid ticket', async () => {
    const cas = await startCasServer();
    await set({ rootUrl: root, authCasSettings: cas.settings(), authMethod: 'cas' });
    expect((await checks()).cas).to.include({ finding: 'good', state: 'ok' });
    cas.misbehave((response, answer) => response.end(answer.replace('INVALID_TICKET', 'INVALID_SERVICE')));
    expect((await checks()).cas).to.deep.include({
      finding: 'service',
      state: 'error',
      facts: { reason: 'INVALID_SERVICE' },
    });
    cas.misbehave((response) => void response.writeHead(404).end());
    expect((await checks()).cas).to.deep.include({ finding: 'failed', facts: { reason: 'status 404' } });
    await cas.stop();
    const gone = (await checks()).cas;
    expect(gone).to.include({ finding: 'failed', state: 'error' });
    expect(gone.facts.reason).to.include('ECONNREFUSED');
  });

  it('reads what the providers of OpenID Connect say, and looks at the proxies that sign people in', async () => {
    const provider = await startOidcServer({ root });
    await set({ rootUrl: root, authOidcSettings: { providers: { school: provider.provider() } } });
    await set({
      authHeaderSettings: { name: 'Authelia', proxies: ['10.0.0.2'] },
      authMethods: ['oidc', 'header'],
    });
    expect((await checks()).oidc).to.include({ finding: 'good', state: 'ok' });
    expect((await checks()).header).to.include({ finding: 'good', state: 'ok' });
    await provider.stop();
    const { oidc } = await checks();
    expect(oidc).to.include({ finding: 'failed', state: 'error' });
    expect(oidc.facts.reason).to.match(/^school: .*ECONNREFUSED/);
  });

  it('says so when no directory can be used', async () => {
    const port = await closedPort();
    const settings = {
      url: `ldap://127.0.0.1:${port}`,
      searchBase: 'o=x',
      searchFilter: '(uid={{username}})',
    };
    // A directory that cannot be reached is not stored.
    await app.ports.database.set(keys.conf('authLdapSettings'), settings);
    await app.ports.database.set(keys.conf('authMethod'), 'ldap');
    await app.restart();
    const { ldap, mail } = await checks();
    expect(ldap).to.include({ finding: 'failed', state: 'error' });
    expect(ldap.facts.reason).to.include('ECONNREFUSED');
    expect(mail, 'no password is kept here').to.include({ finding: 'unused', state: 'ok' });
  });

  // A real Etherpad of the tests trusts a proxy.
  inProcessOnly.it(
    'notices a proxy that the settings do not mention, and one that sends no headers',
    async () => {
      const forwarded = { 'X-Forwarded-For': '203.0.113.9', 'X-Forwarded-Proto': 'https' };
      expect((await checks()).proxy).to.include({ finding: 'none', state: 'ok' });
      expect((await checks(forwarded)).proxy).to.include({ finding: 'notTrusted', state: 'warning' });
      await set({ trustProxy: true });
      expect((await checks()).proxy).to.include({ finding: 'silent', state: 'warning' });
      const { finding, facts } = (await checks({ ...forwarded, 'X-Forwarded-Host': 'pads.example.org' }))
        .proxy;
      expect(finding).to.equal('trusted');
      expect(facts).to.deep.equal({ protocol: 'https', host: 'pads.example.org', address: '203.0.113.9' });
    },
  );

  // A real Etherpad of the tests trusts a proxy.
  inProcessOnly.it('notices a proxy that passes on requests for other host names', async () => {
    const { url, close } = await app.listen();
    const forwarded = { 'X-Forwarded-For': '203.0.113.9' };
    await set({ trustProxy: true, rootUrl: `http://127.0.0.1:${await closedPort()}` });
    expect((await checks(forwarded)).proxy.finding).to.equal('trusted');
    await set({ rootUrl: url });
    expect((await checks(forwarded)).proxy).to.include({ finding: 'names', state: 'warning' });
    await set({ trustProxy: false });
    expect((await checks()).proxy, 'without a proxy, nothing could refuse them').to.include({
      finding: 'none',
    });
    await close();
  });

  it('notices whether its cookie was sent back', async () => {
    const answer = await admin('get', 'admin/checkup');
    const { cookie } = answer.body as CheckupAnswer;
    const [header = ''] = [answer.headers['set-cookie'] ?? []].flat();
    expect(header).to.match(
      new RegExp(`^mypads_checkup=${cookie}; Max-Age=60; Path=/; .*HttpOnly; SameSite=Lax`),
    );
    const received = async (sent: string): Promise<boolean> =>
      (await admin('get', `admin/checkup/cookie?value=${cookie}`).set('Cookie', sent)).body.received;
    expect(await received(`mypads_checkup=${cookie}`)).to.equal(true);
    expect(await received('mypads_checkup=another')).to.equal(false);
    expect(await received('')).to.equal(false);
    expect((await admin('get', 'admin/checkup/cookie')).status).to.equal(400);
  });

  it('counts removals that are not finished', async () => {
    const left = { pads: ['a', 'b'], groups: ['c'], vanished: ['d'], chats: [], searched: true };
    await app.ports.database.set(keys.pendingJobs, left);
    expect((await checks()).removals).to.deep.include({ finding: 'unfinished', facts: { count: 3 } });
  });

  inProcessOnly.it('counts processes, and tells when the proxy or Redis is wrong', async () => {
    const found = { processes: 2, pads: 0 };
    await app.close();
    app = await startApp({
      processes: {
        count: async () => found.processes,
        misroutedPads: async () => {
          if (found.pads < 0) throw new Error('no connection');
          return found.pads;
        },
      },
    });
    admin = callerOf(app, await signInAsAdmin(app));
    expect((await checks()).processes).to.include({ finding: 'good', state: 'ok' });
    expect((await checks()).processes.facts).to.deep.equal({ count: 2 });
    found.pads = 3;
    const { processes } = await checks();
    expect(processes).to.include({ finding: 'misrouted', state: 'error' });
    expect(processes.facts).to.deep.equal({ pads: 3 });
    found.pads = -1;
    expect((await checks()).processes).to.include({ finding: 'unavailable', state: 'error' });
  });

  it('finds damaged records, and counts them by their kind in the words of the doctor', async () => {
    const user = await buildUser(app);
    const group = await buildGroup(app, user);
    const pad = await buildPad(app, user, group);
    await buildPad(app, user, group);
    const stored = (await app.ports.database.get(keys.group(group._id))) as { pads: string[] };
    const pads = stored.pads.filter((id) => id !== pad._id);
    await app.ports.database.set(keys.group(group._id), { ...stored, pads });
    await app.ports.database.set(keys.pad('orphan'), { _id: 'orphan', name: 'Orphan', group: 'gone' });
    await app.restart();
    const { damage } = await checks();
    expect(damage).to.include({ finding: 'found', state: 'warning' });
    // As the command `ep-mypads doctor` prints them.
    const expected = `${kinds.unlinkedPads} (1); ${kinds.orphanPads} (1)`;
    expect(damage.facts).to.deep.equal({ count: 2, kinds: expected });
  }).timeout(20_000);

  it('does not say that the doctor repairs what only a person can decide', async () => {
    const user = await buildUser(app);
    const group = await buildGroup(app, user);
    for (const [key, fields] of [
      [keys.group(group._id), { admins: [] }],
      [keys.user(user.id), { groups: [] }],
    ] as const) {
      const stored = (await app.ports.database.get(key)) as object;
      await app.ports.database.set(key, { ...stored, ...fields });
    }
    await app.restart();
    const { damage } = await checks();
    expect(damage).to.include({ finding: 'undecided', state: 'warning' });
    expect(damage.facts).to.deep.equal({ count: 1, kinds: `${kinds.ownerless} (1)` });
  }).timeout(20_000);

  it('finds records that another program wrote, and builds the index again on request', async () => {
    const built = async (): Promise<Check> => {
      let index: Check | undefined;
      await until('it is built', async () => {
        index = (await checks()).index;
        return index !== undefined && index.finding !== 'building';
      });
      return index as Check;
    };
    await built();
    await app.ports.database.set(keys.group('g'), {
      _id: 'g',
      name: 'Folder',
      admins: [],
      users: [],
      pads: [],
    });
    expect(await built()).to.deep.include({ finding: 'corrected', state: 'warning', facts: { count: 1 } });
    await admin('post', 'admin/index/rebuild').expect(200, { success: true });
    const index = await built();
    expect(index.finding).to.be.oneOf(['good', 'memory']);
    expect(index.facts).to.deep.equal({ records: 1 });
    await app.said('index rebuilt on request');
    const { entries } = (await admin('get', 'admin/log').expect(200)).body as AdminLogAnswer;
    expect(entries[0]).to.include({ action: 'indexRebuilt', by: 'root' });
  });

  inProcessOnly.it('says which check failed, and still has all other results', async () => {
    await app.inject({ fault: 'fail', why: 'gone', calls: ['get'], keys: keys.pendingJobs });
    const found = await checks();
    expect(found.removals).to.include({ finding: 'unchecked', state: 'unknown' });
    expect(found.removals.facts.reason).to.equal('BACKEND.ERROR.SERVER.DATABASE_UNAVAILABLE');
    expect(found.host.state).to.equal('ok');
    await app.inject({ fault: 'none' });
    expect((await checks()).removals.state).to.equal('ok');
  });

  inProcessOnly.it('does not call a database good that does not answer', async () => {
    await checks();
    await app.inject({ fault: 'fail', why: 'gone', calls: ['get'], keys: keys.conf('') });
    expect((await checks()).database).to.include({ finding: 'unchecked', state: 'error' });
    await app.inject({ fault: 'none' });
    expect((await checks()).database.state).to.equal('ok');
  });

  it('does not delay other calls, and runs once for all who ask at the same time', async () => {
    const { held: greeting, release: greet } = heldWork();
    const mail = await startSmtpServer({ beforeGreeting: () => greeting });
    await set({ SMTPHost: '127.0.0.1', SMTPPort: mail.port, SMTPTLS: false, SMTPEmailFrom: 'a@example.org' });
    await app.operations();
    const answers = Array.from({ length: 5 }, () => checks());
    let sessionsRead = 0;
    await until('all five calls are in', async () => {
      const keysRead = (await app.operations()).map((one) =>
        'key' in one && one.what === 'get' ? one.key : '',
      );
      sessionsRead += keysRead.filter((key) => key.startsWith('mypads:session:')).length;
      return sessionsRead >= 5 && mail.connections() > 0;
    });
    expect((await app.agent.get('/api/cache/check')).status, 'others are served').to.equal(200);
    greet();
    await Promise.all(answers);
    expect(mail.connections()).to.equal(1);
    await mail.close();
  });
});
