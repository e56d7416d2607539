/** `admin/log`: what server administrators did, without secrets and without names of removed people. */
import { expect } from 'chai';
import type { AdminLogAnswer } from '../../api/admin/schema';
import { actingAs } from '../../model/actor';
import { keys } from '../../model/store/store';
import { useAdministrator } from '../support/administrators';
import { callerOf } from '../support/caller';
import { buildGroup, buildPad, buildUser } from '../support/factories';
import { inProcessOnly } from '../support/network';
import { closedPort } from '../support/smtpServer';
import { until } from '../support/waiting';

describe('the administration log', () => {
  const { app, admin } = useAdministrator();

  const read = async (query = ''): Promise<AdminLogAnswer> =>
    (await admin('get', `admin/log${query}`).expect(200)).body;
  /** The entries as lines, the latest first. */
  const lines = async (): Promise<string[]> =>
    (await read()).entries.map(({ action, by, object, changed, count }) =>
      [
        action,
        by ?? '?',
        object && `${object.kind} ${object.name ?? '-'}`,
        changed.join('+'),
        count > 1 && count,
      ]
        .filter(Boolean)
        .join(', '),
    );

  it('says who changed which setting, and never the value', async () => {
    await admin('put', 'configuration/SMTPPass', { value: 'secret of the mail server' });
    await admin('post', 'configuration', { key: 'title', value: 'A title' });
    await admin('delete', 'configuration/title', {});
    await admin('put', 'configuration/passwordMin', { value: 'refused' });
    expect(await lines()).to.deep.equal([
      'settingReset, root, setting title',
      'settingChanged, root, setting title',
      'settingChanged, root, setting SMTPPass',
      'signedIn, root',
    ]);
    const stored = JSON.stringify(await app.ports.database.get(keys.adminLogPart(0)));
    expect(stored).to.not.include('secret of the mail server').and.not.include('A title');
  });

  it('says what was done to accounts, by its time', async () => {
    const before = app.ports.now();
    const body = { login: 'ada', email: 'ada@example.org', password: 'secret of ada' };
    await admin('post', 'user', body).expect(200);
    await admin('put', 'user/ada', { firstname: 'Ada', active: false }).expect(200);
    await admin('delete', 'user/ada/sessions').expect(200);
    expect(await lines()).to.deep.equal([
      'sessionsEnded, root, user ada',
      'accountChanged, root, user ada, firstname+active',
      'accountCreated, root, user ada',
      'signedIn, root',
    ]);
    const times = (await read()).entries.map(({ time }) => time);
    expect(times).to.deep.equal([...times].sort((one, other) => other - one));
    expect(times[0]).to.be.within(before - 1_000, app.ports.now() + 1_000);
  });

  it('says what was done to folders and pads, with their current names', async () => {
    const owner = await buildUser(app);
    const group = await buildGroup(app, owner, { name: 'Minutes' });
    const pad = await buildPad(app, owner, group);
    await admin('put', `group/${group._id}`, { tags: ['a'] }).expect(200);
    await admin('put', `pad/${pad._id}`, { name: 'Monday', readonly: true }).expect(200);
    await admin('delete', `pad/chathistory/${pad._id}`).expect(200);
    await callerOf(app, owner.token)('put', `group/${group._id}`, { name: 'Protocols' }).expect(200);
    expect(await lines()).to.deep.equal([
      'chatRemoved, root, pad Monday',
      'padChanged, root, pad Monday, name+readonly',
      'groupChanged, root, group Protocols, tags',
      'signedIn, root',
    ]);
    await admin('delete', `pad/${pad._id}`).expect(200);
    await admin('delete', `group/${group._id}`).expect(200);
    expect((await lines()).slice(0, 3)).to.deep.equal([
      'groupRemoved, root, group Protocols',
      'padRemoved, root, pad Monday',
      'chatRemoved, root, pad -',
    ]);
  });

  it('does not contain what people do themselves', async () => {
    const user = await buildUser(app);
    const group = await buildGroup(app, user);
    const pad = await buildPad(app, user, group);
    const call = callerOf(app, user.token);
    await call('put', `user/${user.login}`, { firstname: 'Own' }).expect(200);
    await call('put', `pad/${pad._id}`, { name: 'Own' }).expect(200);
    await call('delete', `group/${group._id}`).expect(200);
    expect(await lines()).to.deep.equal(['signedIn, root']);
  });

  it('has one entry for one call, whatever else changes with it', async () => {
    const [owner, other] = [await buildUser(app), await buildUser(app)];
    const [own, shared] = [await buildGroup(app, owner), await buildGroup(app, other)];
    for (const group of [own, shared]) {
      const body = { loginsOrEmails: [owner.login] };
      await callerOf(app, other.token)('post', `group/${group._id}/members`, body);
    }
    const pad = await buildPad(app, owner, own);
    const body = { group: shared._id };
    await admin('put', `pad/${pad._id}`, body).expect(200);
    await buildPad(app, owner, own);
    expect((await lines())[0]).to.equal(`padChanged, root, pad ${pad.name}, group`);
    await admin('delete', `user/${owner.login}`, {}).expect(200);
    expect((await lines()).slice(0, 3)).to.deep.equal([
      'accountRemoved, root, user -',
      `groupRemoved, root, group ${own.name}`,
      `padChanged, root, pad ${pad.name}, group`,
    ]);
  });

  it('does not contain an account whose creation has failed', async () => {
    const mail = {
      rootUrl: 'https://pads.example.org',
      SMTPEmailFrom: 'pads@example.org',
      SMTPHost: '127.0.0.1',
    };
    for (const [key, value] of Object.entries({ ...mail, SMTPPort: await closedPort() }))
      await admin('put', `configuration/${key}`, { value }).expect(200);
    const zoe = { login: 'zoe', email: 'zoe@example.org', invite: true };
    await admin('post', 'user', zoe).expect(503);
    expect((await lines())[0]).to.equal('settingChanged, root, setting SMTPPort');
  });

  inProcessOnly.it(
    'does not contain work in the background, also of a call of an administrator',
    async () => {
      const { model, ports } = app;
      await model.configuration.set('title', 'Ours');
      await app.sweep();
      const later = { active: false, unconfirmedUntil: ports.now() + 3600_000 };
      await model.users.register({ login: 'ada', email: 'ada@example.org', password: null, ...later });
      ports.advance(3 * 3600_000);
      await app.sweep();
      expect(await model.users.findByLogin('ada')).to.equal(undefined);
      const root = { kind: 'administrator', name: 'root' } as const;
      await actingAs(root, () => void setImmediate(() => model.configuration.set('title', 'Later')));
      await until('it is changed', () => model.configuration.get('title') === 'Later');
      expect(await lines()).to.deep.equal(['signedIn, root']);
    },
  );

  it('removes the names of people whose account is removed, whoever removes it', async () => {
    const [first, second] = [await buildUser(app), await buildUser(app)];
    for (const { login } of [first, second])
      await admin('put', `user/${login}`, { firstname: 'X' }).expect(200);
    await admin('delete', `user/${first.login}`, {}).expect(200);
    const own = { currentPassword: second.password };
    await callerOf(app, second.token)('delete', `user/${second.login}`, own).expect(200);
    await app.idle();
    expect(await lines()).to.deep.equal([
      'accountRemoved, root, user -',
      'accountChanged, root, user -, firstname',
      'accountChanged, root, user -, firstname',
      'signedIn, root',
    ]);
    const stored = JSON.stringify(await app.ports.database.get(keys.adminLogPart(0)));
    for (const { id, login } of [first, second]) expect(stored).to.not.include(id).and.not.include(login);
  });

  it('has one entry for everything that an import creates, and no other change can hide in it', async () => {
    const importing = (call: 'post' | 'put' | 'delete', path: string, body: object) =>
      admin(call, path, body).set('Mypads-Import', 'a-run-of-a-program').expect(200);
    for (const login of ['ada', 'bob', 'eve']) {
      const body = { login, email: `${login}@example.org`, password: `secret of ${login}` };
      await importing('post', 'user', body);
    }
    const { body } = await importing('post', 'group', { name: 'Minutes', admin: 'ada' });
    for (let again = 0; again < 2; again += 1)
      await importing('post', `group/${body.key}/members`, { loginsOrEmails: ['bob'] });
    await importing('put', `group/${body.key}`, { visibility: 'public' });
    await importing('put', 'user/bob', { email: 'new@example.org' });
    await importing('delete', 'user/eve', {});
    await app.idle();
    expect(await lines()).to.deep.equal([
      'accountRemoved, root, user -',
      'accountChanged, root, user bob, email',
      'groupChanged, root, group Minutes, visibility',
      'imported, root, 5',
      'signedIn, root',
    ]);
  });

  it('counts failed sign-ins of an hour, in the place of the last one, and never has what was typed', async () => {
    const signIn = (login: string) =>
      callerOf(app)('post', 'auth/admin/login', { login, password: 'typed secret' });
    for (let tries = 0; tries < 3; tries += 1) await signIn('root').expect(400);
    for (const name of ['my password', 'another']) await signIn(name).expect(400);
    expect(await lines()).to.deep.equal(['signInRefused, ?, 2', 'signInRefused, root, 3', 'signedIn, root']);
    app.ports.advance(1_000);
    await signIn('root').expect(400);
    expect(await lines()).to.deep.equal(['signInRefused, root, 4', 'signInRefused, ?, 2', 'signedIn, root']);
    app.ports.advance(61 * 60_000);
    await signIn('root').expect(400);
    expect((await lines())[0]).to.equal('signInRefused, root');
    const stored = JSON.stringify(await app.ports.database.get(keys.adminLogPart(0)));
    expect(stored).to.not.include('my password').and.not.include('typed secret');
  });

  inProcessOnly.it('counts them together also where a new record has begun in between', async () => {
    const { model, ports } = app;
    const refuse = () => model.adminLog.add({ action: 'signInRefused', by: 'root' });
    const change = (count: number) => {
      for (let number = 0; number < count; number += 1)
        model.adminLog.add({ action: 'settingChanged', by: 'root' });
    };
    const counted = async () => {
      const { entries } = await model.adminLog.list(0, 1_000);
      return [
        entries.length,
        ...entries.flatMap(({ action, count }) => (action === 'signInRefused' ? [count] : [])),
      ];
    };
    refuse();
    change(60);
    expect(await counted()).to.deep.equal([62, undefined]);
    refuse();
    expect(await counted()).to.deep.equal([62, 2]);
    // Both records fail once: what was written before is not written again.
    for (const [number, expected] of [
      [0, [64, 3]],
      [1, [66, 4]],
    ] as const) {
      const { set } = ports.database;
      let isFailed = false;
      ports.database.set = (key, value) => {
        if (isFailed || key !== keys.adminLogPart(number)) return set(key, value);
        isFailed = true;
        return Promise.reject(new Error('full'));
      };
      change(1);
      refuse();
      change(1);
      // The failed write is rolled back first. Until then its record cannot be read.
      const length = async () => (await counted().catch(() => []))[0];
      await until('all is written', async () => isFailed && (await length()) === expected[0]);
      ports.database.set = set;
      expect(await counted()).to.deep.equal(expected);
    }
    ports.advance(61 * 60_000);
    refuse();
    expect(await counted()).to.deep.equal([67, undefined, 4]);
  });

  it('survives a restart, and comes in pages', async () => {
    for (let number = 0; number < 5; number += 1) {
      await admin('put', 'configuration/passwordMin', { value: 8 + number }).expect(200);
    }
    await app.restart();
    const all = await read();
    expect(all.count).to.equal(6);
    const { entries, count } = await read('?offset=4&limit=2');
    expect(count).to.equal(6);
    expect(entries).to.deep.equal(all.entries.slice(4));
    expect((await read('?offset=6')).entries).to.deep.equal([]);
    for (const wrong of ['?limit=0', '?limit=1001', '?offset=-1', '?page=2', '?descending=true']) {
      expect((await admin('get', `admin/log${wrong}`)).status, wrong).to.equal(400);
    }
  });

  inProcessOnly.it('keeps the last thousand entries, and removes the records of older ones', async () => {
    for (let number = 0; number < 2_345; number += 1) {
      app.model.adminLog.add({ action: 'settingChanged', by: String(number) });
    }
    const { entries, count } = await read('?limit=1000');
    expect(count).to.be.within(951, 1_000);
    expect(entries[0]?.by).to.equal('2344');
    expect(entries.map(({ by }) => Number(by))).to.deep.equal(entries.map((_, index) => 2_344 - index));
    const records = await app.ports.database.findKeys('mypads:adminlog:*', null);
    expect(records.length).to.be.at.most(20);
  });

  inProcessOnly.it('does not stop any call when it cannot be written, and is written later', async () => {
    await app.inject({ fault: 'fail', why: 'full', calls: ['set'], keys: keys.adminLog });
    await admin('put', 'configuration/title', { value: 'Saved' }).expect(200);
    await app.said('writing the administration log failed, retrying later');
    await app.inject({ fault: 'none' });
    // The failed write is rolled back first. Until then its record cannot be read.
    const count = async () => (await admin('get', 'admin/log')).body.count;
    await until('both are written', async () => (await count()) === 2);
    expect(await lines()).to.deep.equal(['settingChanged, root, setting title', 'signedIn, root']);
  });

  inProcessOnly.it('has each entry once after a failure between two of its records', async () => {
    const { database } = app.ports;
    const { set } = database;
    database.set = (key, value) =>
      key === keys.adminLog ? Promise.reject(new Error('full')) : set(key, value);
    for (let number = 0; number < 120; number += 1) {
      app.model.adminLog.add({ action: 'settingChanged', by: String(number) });
    }
    await app.said('writing the administration log failed, retrying later');
    database.set = set;
    const entries = async () => (await admin('get', 'admin/log?limit=1000')).body.entries ?? [];
    await until('all are written', async () =>
      (await entries()).some(({ by }: { by: string }) => by === '119'),
    );
    const by = (await entries()).map((entry: { by: string }) => entry.by);
    expect(by).to.deep.equal([...Array.from({ length: 120 }, (_, index) => String(119 - index)), 'root']);
  });
});
