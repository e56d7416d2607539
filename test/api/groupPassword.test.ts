import { expect } from 'chai';
import type { Group } from '../../api/answers';
import { callerOf, encodePassword } from '../support/caller';
import { buildPad, entryTokenOf } from '../support/factories';
import { usePeople } from '../support/people';

describe('the password of a private group', () => {
  const people = usePeople();
  const { alice, carol, asAlice, asCarol, asGuest, buildShared } = people;

  let group: Group;
  beforeEach(async () => {
    group = await buildShared({ visibility: 'private', password: 'clé 🗝 +/?' });
    await buildPad(people.app, alice, group);
  });

  it('opens it to a guest, who gets a token and a cookie that last a day', async () => {
    const answer = await asGuest('get', `group/${group._id}?password=${encodePassword('clé 🗝 +/?')}`);
    expect(answer.status).to.equal(200);
    expect(answer.body.value.pads).to.have.length(1);
    expect(answer.body.users).to.deep.equal({});
    expect(entryTokenOf(answer)).to.not.equal('');
    const again = await callerOf(people.app, answer.body.token)('get', `group/${group._id}`);
    expect(again.body.value.pads).to.have.length(1);
    expect(again.body.token).to.equal(undefined);
  });

  it('is asked of a signed-in person once for each session', async () => {
    const answer = await asCarol('post', `group/${group._id}/unlock`, { password: 'clé 🗝 +/?' });
    expect(answer.body.value.pads).to.have.length(1);
    expect(answer.body.token).to.equal(undefined);
    expect((await asCarol('get', `group/${group._id}`)).body.value.pads).to.have.length(1);
    const elsewhere = await people.app.agent
      .post('/api/auth/login')
      .send({ login: carol.login, password: carol.password });
    const other = await callerOf(people.app, elsewhere.body.token)('get', `group/${group._id}`);
    expect(other.body.value).to.deep.equal({ name: group.name, visibility: 'private' });
  });

  it('is refused when it is wrong', async () => {
    for (const wrong of [encodePassword('nope'), '!!!', encodePassword('constructor')]) {
      const { status, body } = await asGuest('get', `group/${group._id}?password=${wrong}`);
      expect([status, body.error, body.key]).to.deep.equal([
        401,
        'BACKEND.ERROR.PERMISSION.UNAUTHORIZED',
        group._id,
      ]);
    }
  });

  it('is asked for again when it is changed', async () => {
    await asCarol('post', `group/${group._id}/unlock`, { password: 'clé 🗝 +/?' }).expect(200);
    await asAlice('put', `group/${group._id}`, { password: 'another' }).expect(200);
    expect((await asCarol('get', `group/${group._id}`)).body.value.pads).to.equal(undefined);
  });

  it('stays when the group is saved without a password', async () => {
    await asAlice('put', `group/${group._id}`, { name: 'Renamed', password: '' }).expect(200);
    await asCarol('post', `group/${group._id}/unlock`, { password: 'clé 🗝 +/?' }).expect(200);
  });

  it('must be set again when the group was public in between', async () => {
    await asAlice('put', `group/${group._id}`, { visibility: 'public' }).expect(200);
    const { status, body } = await asAlice('put', `group/${group._id}`, { visibility: 'private' });
    expect([status, body.error]).to.deep.equal([400, 'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT']);
  });
});
