import { expect } from 'chai';
import type { Group } from '../../api/answers';
import { useAdministrator } from '../support/administrators';
import { type Call, callerOf } from '../support/caller';
import { buildGroup, buildUser, type TestUser } from '../support/factories';

describe('members of a folder, one at a time', () => {
  const { app, admin } = useAdministrator();
  let ada: TestUser;
  let bob: TestUser;
  let eve: TestUser;
  let call: Call;
  let group: Group;

  beforeEach(async () => {
    ada = await buildUser(app, { login: 'ada' });
    bob = await buildUser(app, { login: 'bob', email: 'bob@example.org' });
    eve = await buildUser(app, { login: 'eve' });
    call = callerOf(app, ada.token);
    group = await buildGroup(app, ada);
  });

  const path = (rest = '') => `group/${group._id}/members${rest}`;
  const add = (who: Call, loginsOrEmails: string[], more = {}) =>
    who('post', path(), { loginsOrEmails, ...more });

  async function people(): Promise<{ admins: string[]; users: string[] }> {
    const { admins, users } = (await admin('get', `group/${group._id}`)).body.value;
    return { admins, users };
  }

  it('are added to the others, by login or address; the answer names those without account', async () => {
    await add(call, ['eve']);
    const { status, body } = await add(call, ['bob@example.org', 'nobody', 'bob@example.org']);
    expect(status).to.equal(200);
    expect([body.present, body.absent]).to.deep.equal([['bob@example.org'], ['nobody']]);
    expect(await people()).to.deep.equal({ admins: [ada.id], users: [eve.id, bob.id] });
  });

  it('become administrators, and stay so when they are added once more', async () => {
    await add(call, ['bob']);
    await add(admin, ['bob'], { admin: true });
    await add(call, ['bob', 'ada']);
    expect(await people()).to.deep.equal({ admins: [ada.id, bob.id], users: [] });
  });

  it('are removed, but never the last administrator', async () => {
    await add(call, ['bob', 'eve']);
    expect((await call('delete', path('/bob%40example.org'))).status).to.equal(200);
    expect((await admin('delete', path('/eve'))).status).to.equal(200);
    expect(await people()).to.deep.equal({ admins: [ada.id], users: [] });
    for (const who of [call, admin]) {
      const last = await who('delete', path('/ada'));
      expect([last.status, last.body.error]).to.deep.equal([400, 'BACKEND.ERROR.GROUP.RESIGN_UNIQUE_ADMIN']);
      for (const name of ['bob', 'nobody']) {
        const { status, body } = await who('delete', path(`/${name}`));
        expect([status, body.error], name).to.deep.equal([400, 'BACKEND.ERROR.GROUP.NOT_USER']);
      }
    }
  });

  it('change their roles together; those who are not named keep theirs', async () => {
    const dan = await buildUser(app, { login: 'dan' });
    await add(call, ['eve', 'bob']);
    const { status, body } = await call('put', path(), {
      admins: ['bob@example.org', 'nobody'],
      users: ['dan'],
      removed: ['eve'],
    });
    expect(status).to.equal(200);
    expect([body.present, body.absent]).to.deep.equal([['bob@example.org', 'dan', 'eve'], ['nobody']]);
    expect(Object.keys(body.users)).to.have.members([ada.id, bob.id, dan.id]);
    expect(await people()).to.deep.equal({ admins: [ada.id, bob.id], users: [dan.id] });
    // An administrator becomes a user; the person who is named twice gets the higher role.
    await admin('put', path(), { admins: ['dan'], users: ['ada', 'dan'], removed: ['dan'] });
    expect(await people()).to.deep.equal({ admins: [bob.id, dan.id], users: [ada.id] });
  });

  it('keep an administrator when their roles change', async () => {
    await add(call, ['bob']);
    for (const body of [{ removed: ['ada'] }, { users: ['ada'] }, { users: ['ada'], admins: ['nobody'] }]) {
      const answer = await call('put', path(), body);
      expect(answer.body.error).to.equal('BACKEND.ERROR.GROUP.RESIGN_UNIQUE_ADMIN');
    }
    expect(await people()).to.deep.equal({ admins: [ada.id], users: [bob.id] });
    const handedOver = await call('put', path(), { admins: ['bob'], removed: ['ada'] });
    expect(handedOver.status).to.equal(200);
    expect(await people()).to.deep.equal({ admins: [bob.id], users: [] });
  });

  it('are changed by administrators only', async () => {
    await add(call, ['bob']);
    for (const [token, error] of [
      [undefined, 'NOT_AUTH'],
      ['worth nothing', 'NOT_AUTH'],
      [bob.token, 'DENIED_RECORD_EDIT'],
      [eve.token, 'DENIED_RECORD_EDIT'],
    ]) {
      const who = callerOf(app, token);
      for (const answer of [
        await add(who, ['eve']),
        await who('put', path(), { users: ['eve'] }),
        await who('delete', path('/bob')),
      ]) {
        expect(answer.body.error).to.equal(`BACKEND.ERROR.AUTHENTICATION.${error}`);
      }
    }
    expect(await people()).to.deep.equal({ admins: [ada.id], users: [bob.id] });
  });

  it('are not changed by an invalid call', async () => {
    for (const [body, error] of [
      [{}, 'LOGINS_ARR'],
      [{ loginsOrEmails: [] }, 'LOGINS_ARR'],
      [{ loginsOrEmails: 'bob' }, 'LOGINS_ARR'],
      [{ loginsOrEmails: ['bob'], admin: 'yes' }, 'PARAM_INVALID'],
      [{ loginsOrEmails: ['bob'], role: 'admin' }, 'PARAM_INVALID'],
    ] as const) {
      const answer = await call('post', path(), body);
      expect([answer.status, answer.body.error]).to.deep.equal([400, `BACKEND.ERROR.TYPE.${error}`]);
    }
    for (const [body, error] of [
      [{ users: 'bob' }, 'LOGINS_ARR'],
      [{ removed: [''] }, 'LOGINS_ARR'],
      [{ members: ['bob'] }, 'PARAM_UNKNOWN'],
    ] as const) {
      const answer = await call('put', path(), body);
      expect([answer.status, answer.body.error]).to.deep.equal([400, `BACKEND.ERROR.TYPE.${error}`]);
    }
    const nowhere = await admin('post', 'group/nowhere/members', { loginsOrEmails: ['bob'] });
    expect(nowhere.body.error).to.equal('BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND');
  });

  it('all arrive when many are added at the same moment', async () => {
    const many = await Promise.all(Array.from({ length: 10 }, () => buildUser(app)));
    await Promise.all(many.map(({ login }) => add(call, [login])));
    const { users } = await people();
    expect([...users].sort()).to.deep.equal(many.map(({ id }) => id).sort());
    await Promise.all(many.map(({ login }) => admin('delete', path(`/${login}`))));
    expect((await people()).users).to.deep.equal([]);
  });

  it('include one administrator when two remove each other at the same moment', async () => {
    await add(call, ['bob'], { admin: true });
    const answers = await Promise.all([
      call('delete', path('/bob')),
      callerOf(app, bob.token)('delete', path('/ada')),
    ]);
    expect(answers.filter(({ status }) => status === 200)).to.have.length(1);
    expect((await people()).admins).to.have.length(1);
  });
});
