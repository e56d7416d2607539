/** Small bugs B1 to B12 of ep_mypads 1.x that no other test file covers (test/support/defects.ts). */
import { expect } from 'chai';
import { callerOf } from '../support/caller';
import { buildGroup, buildPad, buildUser } from '../support/factories';
import { person, root, tokenIn, useMailFixture } from '../support/mailFixture';

describe('small bugs of ep_mypads 1.x', () => {
  const { fixture } = useMailFixture();

  it('a confirmation mail is in the language of the person, with its subject and a complete link (B1)', async () => {
    const mail = await fixture.startMail();
    await fixture.set({ checkMails: true, defaultLanguage: 'de', title: 'Pads' });
    const subjects: string[] = [];
    for (const lang of ['fr', 'es', 'xx']) {
      await fixture.register(person(`of-${lang}`, { lang }));
      const received = await mail.next();
      expect(received.headers['content-language']).to.equal(lang === 'xx' ? 'de' : lang);
      expect(received.text).to.include(
        `\n${root}/mypads/index.html?/accountconfirm/${tokenIn(received, 'accountconfirm')}`,
      );
      subjects.push(received.subject);
    }
    expect(subjects[0]).to.match(/Confirmez votre adresse/);
    expect(new Set(subjects).size).to.equal(3);
  });

  it('a user who makes a pad can write in it, and the admins of the group manage it (B8)', async () => {
    const { app } = fixture;
    const [owner, maker] = [await buildUser(app), await buildUser(app)];
    const group = await buildGroup(app, owner, { users: [maker.id], allowUsersToCreatePads: true });
    const pad = await buildPad(app, maker, group);
    const own = callerOf(app, maker.token);
    expect((await own('post', `pad/${pad._id}/ticket`, {})).body.mode).to.equal('write');
    expect(pad.abilities).to.include({ enter: 'write', edit: false, remove: false });
    for (const answer of [
      await own('put', `pad/${pad._id}`, { name: 'X' }),
      await own('delete', `pad/${pad._id}`),
    ]) {
      expect(answer.body.error).to.equal('BACKEND.ERROR.AUTHENTICATION.DENIED_RECORD_EDIT');
    }
    expect((await callerOf(app, owner.token)('delete', `pad/${pad._id}`)).status).to.equal(200);
  });

  it('an admin leaves a group only on request, and never by saving something else (B9)', async () => {
    const { app } = fixture;
    const [owner, other] = [await buildUser(app), await buildUser(app)];
    const group = await buildGroup(app, owner, { admins: [other.id] });
    const call = callerOf(app, owner.token);
    const admins = async () =>
      (await callerOf(app, other.token)('get', `group/${group._id}`)).body.value.admins;
    await call('put', `group/${group._id}`, { name: 'Other' }).expect(200);
    await call('put', `group/${group._id}`, { ...group, admin: other.id, users: [] }).expect(200);
    await call('post', 'group/invite', { gid: group._id, invite: true, loginsOrEmails: [] }).expect(200);
    expect(await admins()).to.deep.equal([owner.id, other.id]);
    for (const list of [[], ['nobody']]) {
      const refused = await call('post', 'group/invite', {
        gid: group._id,
        invite: false,
        loginsOrEmails: list,
      });
      expect(refused.body.error).to.equal('BACKEND.ERROR.GROUP.RESIGN_UNIQUE_ADMIN');
    }
    expect((await call('put', `group/${group._id}`, { admins: [] })).status).to.equal(400);
    expect(await admins()).to.deep.equal([owner.id, other.id]);
    await call('post', 'group/invite', { gid: group._id, invite: false, loginsOrEmails: [other.login] });
    expect(await admins()).to.deep.equal([other.id]);
  });
});
