/** The run over everybody in an LDAP directory: what it gives, takes, and leaves when the directory does not answer. */
import { connect } from 'node:net';
import { expect } from 'chai';
import type { Group } from '../../api/answers';
import type { SyncPreview, SyncState } from '../../api/rules/schema';
import texts from '../../locales/en.json';
import { keys } from '../../model/store/store';
import { startApp, useTestAppForEach } from '../support/app';
import { startBrokenServer } from '../support/brokenServer';
import { type Call, callerOf, snapshot } from '../support/caller';
import { checkEach } from '../support/cases';
import { buildApiToken, buildGroup, buildUser, signInAsAdmin } from '../support/factories';
import { type LdapPerson, limitedService, people } from '../support/ldapServer';
import { useDirectory } from '../support/ldapSignIn';
import { usePerson } from '../support/people';
import { until } from '../support/waiting';

const day = 24 * 3600_000;
const { alice, bob, frodo, renee } = people;
/** People without an account here: with the others, more than a page, and more than `limitedService` gets. */
const crowd: LdapPerson[] = Array.from({ length: 250 }, (_, number) => ({
  uid: `crowd${number}`,
  sn: 'Crowd',
  mail: [`crowd${number}@example.org`],
}));

describe('a run over everybody in an LDAP directory', () => {
  const app = useTestAppForEach();
  const directory = useDirectory(app, crowd);
  const { user: manager, call: asManager } = usePerson(app, beforeEach, { login: 'manager' });
  let asRoot: Call;
  let folder: Group;
  let staff: string;
  beforeEach(async () => {
    asRoot = callerOf(app, await signInAsAdmin(app));
    folder = await buildGroup(app, manager);
    await set('authMethods', ['internal', 'ldap']);
    staff = await directory.addGroup('staff', [alice, bob, crowd[0] as LdapPerson]);
    const rule = { source: 'ldap', value: staff, role: 'writer', folder: folder._id };
    await asRoot('put', 'admin/group-rules', { rules: [rule] }).expect(200);
    await app.idle();
  });
  afterEach(async () => {
    await directory.removeGroup(staff).catch(() => {});
  });

  const set = (key: string, value: unknown) =>
    app.model.configuration.set(key as 'authMethod', value as never);
  /** Settings that `directory.settings` would have with these changes. Not tried before they are stored. */
  const setDirectory = (changes: Record<string, unknown>) =>
    set('authLdapSettings', directory.settings(changes));
  async function signIn(person: LdapPerson) {
    const sent = { login: person.uid, password: person.password };
    return (await app.agent.post('/api/auth/login').send(sent)).body;
  }
  /** Accounts of Alice, Bob and Frodo, the first two in the folder. */
  async function everybodySignsIn(): Promise<Record<'alice' | 'bob' | 'frodo', string>> {
    const ids = [];
    for (const person of [alice, bob, frodo]) ids.push((await signIn(person)).user._id);
    const [a, b, f] = ids;
    expect(await members()).to.deep.equal(['alice', 'bob']);
    return { alice: a, bob: b, frodo: f };
  }
  async function members(): Promise<string[]> {
    const { value, users } = (await asManager('get', `group/${folder._id}`)).body;
    return value.users.map((id: string) => users[id].login).sort();
  }
  async function run(body: object = {}): Promise<SyncState> {
    const answer = await asRoot('post', 'admin/directory/sync', body);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    await app.idle();
    return (await asRoot('get', 'admin/directory/sync')).body;
  }
  async function preview(): Promise<SyncPreview> {
    return (await asRoot('post', 'admin/directory/sync', { preview: true }).expect(200)).body.preview;
  }
  /** Sessions of administrators end in this time. */
  async function pass(time: number): Promise<void> {
    app.ports.advance(time);
    asRoot = callerOf(app, await signInAsAdmin(app));
  }
  const account = async (login: string) => (await asRoot('get', `user/${login}`)).body.value;

  it('gives and takes roles by the groups of people who do not sign in, of two who change places too', async () => {
    await everybodySignsIn();
    await directory.removeGroup(staff);
    await directory.addGroup('staff', [alice, frodo]);
    const shown = await preview();
    expect([shown.gains.count, shown.losses.count, shown.people]).to.deep.equal([1, 1, 1]);
    expect(shown.losses.rows[0]).to.include({ folder: folder._id, before: 'writer', after: null });
    expect(await members(), 'after the preview').to.deep.equal(['alice', 'bob']);
    const { last, waiting } = await run();
    expect(await members()).to.deep.equal(['alice', 'frodo']);
    expect(last).to.include({ error: null, accounts: 3, gained: 1, lost: 1, deactivated: 0 });
    expect(last?.read).to.be.above(crowd.length);
    expect(waiting).to.equal(null);
    const before = await snapshot(app);
    const again = (await run()).last;
    expect(again).to.include({ changed: 0, gained: 0, lost: 0 });
    const { 'mypads:directorysync': _one, ...stored } = await snapshot(app);
    const { 'mypads:directorysync': _other, ...storedBefore } = before;
    expect(stored, 'a second run writes nothing').to.deep.equal(storedBefore);
  });

  it('updates names and addresses, and makes no accounts', async () => {
    await everybodySignsIn();
    await directory.change(alice, { givenName: ['Alicia'], mail: ['alicia@example.org'] });
    try {
      expect((await run()).last).to.include({ changed: 1 });
      expect(await account('alice')).to.include({ firstname: 'Alicia', email: 'alicia@example.org' });
      expect((await asRoot('get', 'user/crowd0')).status).to.equal(404);
    } finally {
      await directory.change(alice, { givenName: alice.givenName, mail: alice.mail });
    }
  });

  it('gives nothing to an account that is deleted meanwhile, and keeps nothing about it', async () => {
    const { frodo: id } = await everybodySignsIn();
    await directory.removeGroup(staff);
    await directory.addGroup('staff', [alice, bob, frodo]);
    await directory.change(frodo, { givenName: ['Fredo'] });
    const { users, accountRemoval, jobs, groups } = app.model;
    const { updateProfile } = users;
    users.updateProfile = async (...change) => {
      const saved = await updateProfile(...change);
      await accountRemoval.remove(id);
      await until('the account is gone', async () =>
        (await jobs.list()).every(({ type }) => !type.includes('Account')),
      );
      return saved;
    };
    try {
      await run();
    } finally {
      users.updateProfile = updateProfile;
      await directory.change(frodo, { givenName: frodo.givenName });
    }
    expect((await groups.find(folder._id))?.users).not.to.include(id);
    expect(Object.keys(await snapshot(app)).filter((key) => key === keys.attributes(id))).to.deep.equal([]);
  });

  it('finds accounts of ep_mypads 1.x as a sign-in does, and leaves those of others', async () => {
    await buildUser(app, { login: 'erin', email: 'own@example.org' });
    const old = { login: 'Frodo', email: 'frodo@example.org', password: null, active: true } as const;
    const { _id } = await app.model.users.register({ ...old, firstname: '', lastname: 'Baggins' });
    const passkey = { _id: 'old', name: 'Phone', publicKey: '', counter: 0, transports: [] };
    await app.model.factors.addPasskey({ _id }, passkey);
    expect((await run()).last).to.include({ accounts: 1, changed: 1 });
    expect(await account('Frodo')).to.include({ firstname: 'Frodo' });
    expect(
      (await app.model.factors.of({ _id })).passkeys,
      'of whoever had the account before',
    ).to.have.length(0);
    expect(await account('erin')).to.include({ email: 'own@example.org' });
    await signIn(renee);
    const decomposed = { ...renee, uid: renee.uid.normalize('NFD') };
    await directory.rename(renee, decomposed.uid);
    try {
      await directory.change(decomposed, { givenName: ['Renate'] });
      expect((await run()).last).to.include({ accounts: 2, changed: 1, absent: 0 });
    } finally {
      await directory.change(decomposed, { givenName: renee.givenName });
      await directory.rename(decomposed, renee.uid);
    }
  });

  it('takes nothing from more people than the limit before an administrator confirms just that', async () => {
    await everybodySignsIn();
    await set('directorySyncLimit', 1);
    await directory.removeGroup(staff);
    await directory.addGroup('staff', [frodo]);
    const { last, waiting } = await run();
    expect(waiting).to.include({ people: 2 });
    expect(last).to.include({ gained: 1, lost: 0 });
    expect(await members(), 'what gives is given').to.deep.equal(['alice', 'bob', 'frodo']);
    // Nothing else takes it either.
    await asRoot('put', 'admin/group-rules', {
      rules: (await asRoot('get', 'admin/group-rules')).body.rules,
    });
    await app.idle();
    expect(await members()).to.deep.equal(['alice', 'bob', 'frodo']);
    const shown = await preview();
    expect(shown).to.include({ id: waiting?.id, needsConfirmation: true, people: 2 });
    // Somebody else would lose a role too by now.
    await directory.removeGroup(staff);
    const other = await run({ confirm: shown.id });
    expect(other.waiting).to.include({ people: 3 });
    expect(await members()).to.deep.equal(['alice', 'bob', 'frodo']);
    expect((await run({ confirm: other.waiting?.id })).waiting).to.equal(null);
    expect(await members()).to.deep.equal([]);
    const { entries } = (await asRoot('get', 'admin/log')).body;
    const actions = entries.map(({ action }: { action: string }) => action);
    expect(actions.slice(0, 3)).to.deep.equal([
      'directorySyncConfirmed',
      'directorySyncConfirmed',
      'groupRulesChanged',
    ]);
  });

  it('deactivates people who are gone after some days, and activates them when they are back', async () => {
    const { token, user } = await signIn(bob);
    await signIn(alice);
    await run();
    await directory.remove(bob);
    try {
      expect((await run()).last).to.include({ absent: 1, deactivated: 0 });
      await pass(10 * day);
      expect((await run()).last, 'never is the default').to.include({ absent: 1, deactivated: 0 });
      await set('directorySyncDays', 11);
      expect((await run()).last).to.include({ absent: 1, deactivated: 0 });
      await pass(day);
      const shown = await preview();
      expect(shown.deactivated).to.deep.equal({ count: 1, rows: [user._id] });
      expect((await run()).last).to.include({ absent: 1, deactivated: 1 });
      expect(await account('bob')).to.include({ active: false, closed: true });
      const { users } = (await asRoot('get', 'admin/users?closed=true').expect(200)).body;
      expect(users.map(({ login }: { login: string }) => login)).to.deep.equal(['bob']);
      expect((await callerOf(app, token)('get', 'group')).status).to.equal(401);
      expect((await run()).last, 'once').to.include({ absent: 0, deactivated: 0 });
    } finally {
      await directory.add(bob);
    }
    expect((await preview()).activated).to.deep.equal({ count: 1, rows: [user._id] });
    expect((await run()).last).to.include({ activated: 1, absent: 0 });
    expect((await signIn(bob)).success).to.equal(true);
  });

  it('starts to count again for somebody who was back in between, and leaves whom others have closed', async () => {
    await everybodySignsIn();
    await set('directorySyncDays', 5);
    await directory.remove(bob);
    await run();
    await pass(4 * day);
    await directory.add(bob);
    await run();
    await directory.remove(bob);
    try {
      await run();
      await pass(4 * day);
      expect((await run()).last).to.include({ absent: 1, deactivated: 0 });
      await asRoot('put', 'user/bob', { active: false }).expect(200);
      await pass(4 * day);
      expect((await run()).last).to.include({ absent: 0, deactivated: 0 });
    } finally {
      await directory.add(bob);
    }
    expect((await run()).last).to.include({ activated: 0 });
    expect(await account('bob')).to.include({ active: false });
  });

  it('closes accounts in the night that the setting says, which begins at the same time of day', async () => {
    await everybodySignsIn();
    await set('directorySyncDays', 1);
    await setDirectory({ activeFilter: '(uid=frodo)' });
    const { last } = await run();
    app.ports.advance((last?.began ?? 0) + day - app.ports.now());
    await app.model.directorySync.begin();
    await app.idle();
    expect((await app.model.directorySync.state()).last).to.include({ deactivated: 2 });
  });

  it('counts people as gone who are disabled in Active Directory, or whom another filter does not find', async () => {
    await everybodySignsIn();
    await setDirectory({ searchFilter: 'uid={{username}}', activeFilter: '!(employeeType=left)' });
    await directory.change(alice, { userAccountControl: ['514'] });
    await directory.change(bob, { employeeType: ['left'] });
    try {
      expect((await run()).last).to.include({ absent: 2, accounts: 1 });
      await directory.change(alice, { userAccountControl: ['512'] });
      await directory.change(bob, { employeeType: [] });
      expect((await run()).last).to.include({ absent: 0, accounts: 3 });
      expect(await members(), 'roles stay meanwhile').to.deep.equal(['alice', 'bob']);
    } finally {
      await directory.change(alice, { userAccountControl: [] });
      await directory.change(bob, { employeeType: [] });
    }
  });

  it('waits too if more accounts than the limit would be closed', async () => {
    await everybodySignsIn();
    await set('directorySyncLimit', 1);
    await set('directorySyncDays', 1);
    await setDirectory({ activeFilter: '(uid=frodo)' });
    await run();
    await pass(day);
    const { waiting, last } = await run();
    expect([waiting?.people, last?.deactivated]).to.deep.equal([2, 0]);
    expect(await account('alice')).to.include({ active: true });
    const { checks } = (await asRoot('get', 'admin/checkup')).body;
    expect(checks.find(({ id }: { id: string }) => id === 'sync')).to.deep.include({
      state: 'warning',
      finding: 'waiting',
      facts: { count: 2 },
    });
    expect((await run({ confirm: waiting?.id })).last).to.include({ deactivated: 2 });
  });

  describe('takes nothing, and says why, from a directory that', () => {
    let before: Record<string, unknown>;
    beforeEach(async () => {
      await everybodySignsIn();
      await set('directorySyncDays', 1);
      // Everybody would lose their role, and be closed.
      await directory.removeGroup(staff);
      const accounts = await app.model.users.findByEntries(['alice', 'bob', 'frodo']);
      for (const id of accounts.values())
        await app.model.users.update(id, (user) => ({ ...user, absent: { since: 1 } }));
      before = await snapshot(app);
    });

    /** A run fails with this reason and changes nothing; the preview says the same. */
    async function fails(reason: RegExp): Promise<void> {
      const { last } = await run();
      expect(last?.error).to.match(reason);
      const shown = await asRoot('post', 'admin/directory/sync', { preview: true });
      expect(shown.body.error).to.equal('BACKEND.ERROR.CONFIGURATION.UNABLE_TO_BIND_TO_LDAP');
      expect(shown.body.reason).to.match(reason);
      const ours = (records: Record<string, unknown>) =>
        Object.fromEntries(Object.entries(records).filter(([key]) => !/jobs|directorysync|conf:/.test(key)));
      expect(ours(await snapshot(app))).to.deep.equal(ours(before));
      const { checks } = (await asRoot('get', 'admin/checkup')).body;
      const { state, finding } = checks.find(({ id }: { id: string }) => id === 'sync');
      expect([state, finding]).to.deep.equal(['warning', 'failed']);
    }
    /** Stores settings that cannot be tried. */
    const store = (changes: Record<string, unknown>) =>
      app.ports.database.set('mypads:conf:authLdapSettings', directory.settings(changes));

    it('is down', async () => {
      const nobody = await startBrokenServer(() => undefined);
      await nobody.stop();
      await store({ url: `ldap://127.0.0.1:${nobody.port}` });
      await app.restart();
      await fails(/ECONNREFUSED/);
    });

    it('refuses the service account', async () => {
      await store({ bindCredentials: 'outdated' });
      await app.restart();
      await fails(/bindDN was refused/);
    });

    it('lists nobody', async () => {
      await setDirectory({ activeFilter: '(sn=Nobody)' });
      await fails(/listed nobody/);
    });

    it('ends the list at its limit', async () => {
      await setDirectory(limitedService);
      await fails(/SizeLimitExceeded/);
    });

    it('breaks off in the middle', async () => {
      const { hostname, port } = new URL(directory.url);
      const broken = await startBrokenServer((socket) => {
        const upstream = connect(Number(port), hostname);
        upstream.on('error', () => socket.destroy());
        socket.on('close', () => upstream.destroy());
        socket.on('data', (part) => upstream.write(part));
        let left = 20_000;
        upstream.on('data', (part) => {
          left -= part.length;
          socket.write(part, () => left < 0 && socket.resetAndDestroy());
        });
      });
      await store({ url: `ldap://127.0.0.1:${broken.port}` });
      await app.restart();
      await fails(/closed|ECONNRESET|reset/i).finally(() => broken.stop());
    });

    it('answers with something else', async () => {
      const broken = await startBrokenServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
      await store({ url: `ldap://127.0.0.1:${broken.port}` });
      await app.restart();
      await fails(/\w/).finally(() => broken.stop());
    });
  });

  it('is not waited for without end when the directory hangs', async () => {
    const plugin = { authMethod: 'ldap', authLdapSettings: directory.settings() };
    const hasty = await startApp({ directoryTimeLimit: 1_500, plugin });
    await directory.freeze();
    try {
      const call = callerOf(hasty, await signInAsAdmin(hasty));
      await call('post', 'admin/directory/sync', {}).expect(200);
      await hasty.idle();
      expect((await call('get', 'admin/directory/sync')).body.last.error).to.equal('no answer in time');
    } finally {
      directory.thaw();
      await hasty.close();
    }
  });

  it('goes on after a failure in the middle, and after a stop', async () => {
    await everybodySignsIn();
    await directory.removeGroup(staff);
    await directory.addGroup('staff', [frodo]);
    const written = { calls: ['set' as const], keys: 'mypads:attributes:' };
    await app.inject({ fault: 'fail', ...written, why: 'no disk' });
    expect((await run()).last?.error).to.match(/DATABASE_UNAVAILABLE/);
    await app.inject({ fault: 'block', ...written });
    await asRoot('post', 'admin/directory/sync', {}).expect(200);
    await app.operations();
    await until('the run is in the middle', async () =>
      (await app.operations()).some((one) => one.what === 'set' && one.key.startsWith(written.keys)),
    );
    const restarted = app.restart();
    await app.inject({ fault: 'none' });
    await restarted;
    await app.model.jobs.resume();
    await app.idle();
    expect(await members()).to.deep.equal(['frodo']);
    const { running, last } = (await asRoot('get', 'admin/directory/sync')).body;
    expect([running, last.error, (await asRoot('get', 'admin/jobs')).body.jobs]).to.deep.equal([
      false,
      null,
      [],
    ]);
  });

  it('may have taken a role before it fails, and no text says that it has taken nothing', async () => {
    const ids = await everybodySignsIn();
    await directory.removeGroup(staff);
    await directory.addGroup('staff', [bob]);
    await app.inject({ fault: 'fail', calls: ['set'], keys: `mypads:user:${ids.alice}`, why: 'no disk' });
    expect((await run()).last?.error).to.match(/DATABASE_UNAVAILABLE/);
    await app.inject({ fault: 'none' });
    expect(await members()).to.deep.equal(['bob']);
    for (const text of [texts['admin.sync.failed'], texts['admin.checkup.sync.failed']])
      expect(text).to.equal('The last run failed: {{reason}}');
  });

  it('begins each night only if the setting is on and LDAP is among the ways to sign in', async () => {
    await everybodySignsIn();
    const night = async () => {
      await app.model.jobs.runNow('beginDirectorySync');
      await app.idle();
      return (await asRoot('get', 'admin/directory/sync')).body.last;
    };
    expect(await night()).to.equal(null);
    await set('directorySync', true);
    const first = await night();
    expect(first).to.include({ accounts: 3 });
    expect(await night(), 'one a night is enough').to.deep.equal(first);
    await pass(day);
    expect((await night()).began, 'the next night').to.be.above(first.began);
    await set('authMethods', ['internal']);
    await pass(day);
    const before = await night();
    expect(await night()).to.deep.equal(before);
    await checkEach({ 'a run': {}, 'a preview': { preview: true } }, async (body) => {
      const refused = await asRoot('post', 'admin/directory/sync', body);
      expect(refused.body.error).to.equal('BACKEND.ERROR.CONFIGURATION.SIGN_IN_NOT_CONFIGURED');
    });
  });

  it('is for server administrators only', async () => {
    const ada = await buildUser(app);
    const tokens = {
      nobody: [undefined, 401],
      'a person': [ada.token, 401],
      'a token of a person': [await buildApiToken(app, ada, { scopes: ['read', 'write', 'people'] }), 403],
      'a token of an administrator without the scope': [
        await buildApiToken(app, 'root', { scopes: ['read', 'people'] }),
        403,
      ],
      'a token of an administrator': [await buildApiToken(app, 'root', { scopes: ['administration'] }), 200],
    } as const;
    await checkEach(tokens, async ([token, status]) => {
      const call = callerOf(app, token);
      expect((await call('get', 'admin/directory/sync')).status).to.equal(status);
      expect((await call('post', 'admin/directory/sync', { preview: true })).status).to.equal(status);
      expect((await call('post', 'admin/directory/sync', {})).status).to.equal(status);
    });
    await app.idle();
  });
});
