/** A pad that is shared alone with people, without its folder. */
import { expect } from 'chai';
import type { Pad } from '../../api/answers';
import type { PadRecord, UserRecord } from '../../model/store/entities';
import { keys } from '../../model/store/store';
import { buildGroup, buildPad, buildUser } from '../support/factories';
import { startMailFor } from '../support/mailFixture';
import { usePeople } from '../support/people';
import { until } from '../support/waiting';

describe('a pad that is shared alone', () => {
  const people = usePeople();
  const { alice, bob, carol, asAlice, asBob, asCarol, asRoot, asGuest, buildShared } = people;
  const denied = 'BACKEND.ERROR.AUTHENTICATION.DENIED_RECORD';

  const share = (pad: Pad, role: string, logins: string[], as = asAlice) =>
    as('post', `pad/${pad._id}/people`, { loginsOrEmails: logins, role });
  const stored = async (pad: Pad) => (await people.app.model.store.get<PadRecord>(keys.pad(pad._id)))?.people;
  const indexOf = async (id: string) =>
    (await people.app.model.store.get<UserRecord>(keys.user(id)))?.sharedPads ?? [];
  const entryOf = async (who: typeof asGuest, pad: Pad): Promise<string> => {
    const { body } = await who('get', `pad/${pad._id}`);
    return body.value?.abilities.enter ?? body.error;
  };
  /** A pad of a restricted folder, and another one beside it. */
  async function build(own: Record<string, unknown> = {}) {
    const group = await buildShared();
    const pad = await buildPad(people.app, alice, group, own);
    return { group, pad, other: await buildPad(people.app, alice, group) };
  }

  it('opens to the person in this role, and nothing of its folder', async () => {
    const { group, pad, other } = await build();
    const { body } = await share(pad, 'reader', [carol.login, 'nobody']);
    expect([body.present, body.absent]).to.deep.equal([[carol.login], ['nobody']]);
    expect(await entryOf(asCarol, pad)).to.equal('read');
    expect(await entryOf(asCarol, other)).to.equal(denied);
    await share(pad, 'writer', [carol.email]).expect(200);
    expect(await entryOf(asCarol, pad)).to.equal('write');
    expect(await stored(pad)).to.deep.equal({ [carol.id]: 'writer' });
    expect((await asCarol('get', `group/${group._id}`)).body.error).to.equal(denied);
    const answer = (await asCarol('get', `pad/${pad._id}`)).body;
    expect(answer.value.group).to.equal(null);
    expect(JSON.stringify(answer)).to.not.include(group._id);
    expect(answer.value.abilities).to.deep.include({
      edit: false,
      remove: false,
      move: false,
      bookmark: true,
    });
    expect((await asCarol('post', `pad/${pad._id}/duplicate`, { name: 'A copy' })).status).to.equal(401);
  });

  it('shows nothing of a folder with a password either, until the person enters it', async () => {
    const group = await buildShared({ visibility: 'private', password: 'secret' });
    const pad = await buildPad(people.app, alice, group);
    await share(pad, 'reader', [carol.login]).expect(200);
    for (const path of [`pad/${pad._id}`, 'overview'])
      expect(JSON.stringify((await asCarol('get', path)).body), path).to.not.include(group._id);
    await asCarol('post', `pad/${pad._id}/unlock`, { password: 'secret' }).expect(200);
    expect((await asCarol('get', `pad/${pad._id}`)).body.value.group).to.equal(group._id);
  });

  it('is in the lists of the person, without its folder, until the share ends', async () => {
    const { group, pad } = await build();
    await share(pad, 'reader', [carol.login]).expect(200);
    const overview = async () => (await asCarol('get', 'overview')).body.value;
    expect((await overview()).shared.pads[pad._id]).to.deep.include({ name: pad.name, group: null });
    expect(JSON.stringify(await overview())).to.not.include(group._id);
    await asCarol('post', `pad/${pad._id}/ticket`).expect(200);
    expect((await asCarol('get', 'overview/recent')).body.value[0]).to.deep.include({
      _id: pad._id,
      group: null,
    });
    await asAlice('delete', `pad/${pad._id}/people/${carol.login}`).expect(200);
    expect((await overview()).shared.pads[pad._id]).to.equal(undefined);
    expect((await asCarol('get', 'overview/recent')).body.value).to.deep.equal([]);
    expect(await stored(pad)).to.deep.equal({});
    expect(await indexOf(carol.id)).to.not.include(pad._id);
    expect(await entryOf(asCarol, pad)).to.equal(denied);
    expect((await asAlice('delete', `pad/${pad._id}/people/${carol.login}`)).body.error).to.equal(
      'BACKEND.ERROR.GROUP.NOT_USER',
    );
  });

  it('is taken out of their list by the person, who loses it', async () => {
    const { pad } = await build();
    await share(pad, 'writer', [carol.login]).expect(200);
    await asCarol('delete', `shared/${pad._id}`).expect(200);
    expect(await entryOf(asCarol, pad)).to.equal(denied);
    expect([await stored(pad), (await indexOf(carol.id)).includes(pad._id)]).to.deep.equal([{}, false]);
    await asCarol('delete', `shared/${pad._id}`).expect(200);
    await asBob('delete', 'shared/unknown').expect(200);
    expect((await asGuest('delete', `shared/${pad._id}`)).status).to.equal(401);
  });

  it('adds to what a person may do, and takes nothing away', async () => {
    const { pad } = await build();
    await share(pad, 'reader', [alice.login, bob.login]).expect(200);
    expect([await entryOf(asAlice, pad), await entryOf(asBob, pad)]).to.deep.equal(['write', 'write']);
    expect((await asBob('get', 'overview')).body.value.shared).to.deep.equal({ groups: {}, pads: {} });
    const locked = await buildPad(people.app, alice, await buildShared(), {
      visibility: 'private',
      password: 'secret',
    });
    expect(await entryOf(asBob, locked)).to.equal('BACKEND.ERROR.TYPE.PASSWORD_MISSING');
    await share(locked, 'reader', [bob.login]).expect(200);
    expect(await entryOf(asBob, locked)).to.equal('read');
    await asBob('post', `pad/${locked._id}/unlock`, { password: 'secret' }).expect(200);
    expect(await entryOf(asBob, locked)).to.equal('write');
    const readonly = (await build({ readonly: true })).pad;
    await share(readonly, 'writer', [carol.login]).expect(200);
    expect(await entryOf(asCarol, readonly)).to.equal('read');
  });

  it('gives each person the lists of their own role', async () => {
    const group = await buildShared({ visibility: 'public' });
    const pad = await buildPad(people.app, alice, group, { visibility: 'restricted' });
    await share(pad, 'reader', [carol.login]).expect(200);
    const listed = async (who: typeof asGuest) => (await who('get', `group/${group._id}`)).body.pads;
    expect(await listed(asGuest)).to.deep.equal({});
    expect((await listed(asCarol))[pad._id].abilities.enter).to.equal('read');
    expect(await listed(asGuest)).to.deep.equal({});
    await share(pad, 'writer', [carol.login]).expect(200);
    expect((await listed(asCarol))[pad._id].abilities.enter).to.equal('write');
  });

  it('is shared and unshared by managers and server administrators only', async () => {
    const { pad } = await build();
    for (const who of [asBob, asCarol, asGuest]) {
      const refused = await share(pad, 'writer', [carol.login], who);
      expect([401, 403]).to.include(refused.status);
      expect([401, 403]).to.include((await who('get', `pad/${pad._id}/access`)).status);
    }
    await share(pad, 'writer', [carol.login], asRoot).expect(200);
    const ended = await asCarol('delete', `pad/${pad._id}/people/${carol.login}`);
    expect(ended.body.error).to.equal('BACKEND.ERROR.AUTHENTICATION.DENIED_RECORD_EDIT');
    await asRoot('delete', `pad/${pad._id}/people/${carol.login}`).expect(200);
    for (const body of [
      { role: 'manager', loginsOrEmails: ['bob'] },
      { role: 'reader', loginsOrEmails: [] },
      {},
    ])
      expect((await asAlice('post', `pad/${pad._id}/people`, body)).status).to.equal(400);
    expect(
      (await asAlice('post', 'pad/none/people', { role: 'reader', loginsOrEmails: ['b'] })).status,
    ).to.equal(404);
  });

  it('keeps its people when it moves; a copy has none; a removed one leaves every list', async () => {
    const { pad } = await build();
    await share(pad, 'reader', [carol.login]).expect(200);
    const target = await buildGroup(people.app, alice);
    await asAlice('put', `pad/${pad._id}`, { group: target._id }).expect(200);
    expect(await entryOf(asCarol, pad)).to.equal('read');
    const copy: Pad = (await asAlice('post', `pad/${pad._id}/duplicate`, { name: 'A copy' })).body.value;
    expect(await entryOf(asCarol, copy)).to.equal(denied);
    await asAlice('delete', `pad/${pad._id}?permanent=true`).expect(200);
    expect((await asCarol('get', 'overview')).body.value.shared.pads[pad._id]).to.equal(undefined);
    await until('it is gone', async () => !(await indexOf(carol.id)).includes(pad._id));
  });

  it('means nothing while everybody who signs in may open all pads', async () => {
    const { pad } = await build();
    await share(pad, 'reader', [carol.login]).expect(200);
    await people.app.model.configuration.set('allPadsPublicsAuthentifiedOnly', true);
    try {
      expect(await entryOf(asCarol, pad)).to.equal('write');
      expect((await asAlice('get', `pad/${pad._id}/access`)).body.value[0]).to.deep.equal({
        why: 'signedIn',
        role: 'writer',
      });
    } finally {
      await people.app.model.configuration.set('allPadsPublicsAuthentifiedOnly', false);
    }
  });

  it('leaves nothing of a person whose account was removed', async () => {
    const { pad } = await build();
    const dave = await buildUser(people.app);
    await share(pad, 'reader', [dave.login]).expect(200);
    await asRoot('delete', `user/${dave.login}`).expect(200);
    await until('it is gone', async () => Object.keys((await stored(pad)) ?? {}).length === 0);
  });
});

describe('who can open a folder or a pad', () => {
  const people = usePeople();
  const { alice, bob, carol, asAlice, asBob, asRoot, buildSharedPad } = people;

  interface Row {
    why: string;
    role: string;
    user?: string;
    pad?: { _id: string };
    link?: { label: string };
    needsPassword?: true;
  }
  const rows = async (path: string, as = asAlice): Promise<Row[]> =>
    (await as('get', `${path}/access`)).body.value;

  it('is listed for managers, with the reason', async () => {
    const { group, pad } = await buildSharedPad({ visibility: 'private', password: 'secret' });
    const own = await buildPad(people.app, alice, group, { visibility: 'private', password: 'other' });
    await asAlice('post', `pad/${pad._id}/people`, { loginsOrEmails: [carol.login], role: 'reader' }).expect(
      200,
    );
    await asAlice('post', `group/${group._id}/links`, { label: 'Parents', role: 'writer' }).expect(200);
    await asAlice('post', `group/${group._id}/links`, { label: 'Over', ends: 1 }).expect(200);
    const byCarol = { why: 'pad', role: 'reader', user: carol.id };
    const members = (more: object = {}) => [
      { why: 'member', role: 'manager', user: alice.id },
      { why: 'member', role: 'writer', user: bob.id, ...more },
    ];
    const withoutIds = (all: Row[]) =>
      all.map(({ link, ...row }) => ({ ...row, ...(link && { label: link.label }) }));
    const link = { why: 'link', role: 'writer', label: 'Parents' };
    const password = { why: 'password', role: 'writer' };
    expect(withoutIds(await rows(`pad/${pad._id}`))).to.deep.equal([...members(), byCarol, link, password]);
    expect(withoutIds(await rows(`pad/${own._id}`))).to.deep.equal([
      ...members({ needsPassword: true }),
      password,
    ]);
    expect(withoutIds(await rows(`group/${group._id}`, asRoot))).to.deep.equal([
      ...members(),
      { ...byCarol, pad: { _id: pad._id, name: pad.name } },
      link,
      password,
    ]);
    const mail = await startMailFor(people.app);
    const body = { loginsOrEmails: ['erin@example.org'], role: 'reader' };
    await asAlice('post', `group/${group._id}/invitations`, body).expect(200);
    await people.app.idle();
    await mail.close();
    const invited = { why: 'invited', role: 'reader', address: 'erin@example.org' };
    expect(await rows(`group/${group._id}`)).to.deep.include(invited);
    expect(await rows(`pad/${own._id}`)).to.deep.include({ ...invited, needsPassword: true });
    const { users } = (await asAlice('get', `pad/${pad._id}/access`)).body;
    expect(users[carol.id]).to.deep.include({ login: carol.login, email: carol.email });
    expect((await asBob('get', `group/${group._id}/access`)).status).to.equal(401);
  });

  it('is listed for an account too, for server administrators', async () => {
    const { group, pad } = await buildSharedPad({ name: 'Alone' });
    await asAlice('post', `pad/${pad._id}/people`, { loginsOrEmails: [carol.login], role: 'writer' }).expect(
      200,
    );
    const ofAlice = (await asRoot('get', `admin/users/${alice.login}/access`)).body;
    expect(ofAlice.groups).to.deep.include({ _id: group._id, name: 'Alone', role: 'manager', alone: true });
    const ofCarol = (await asRoot('get', `admin/users/${carol.login}/access`)).body;
    expect(ofCarol.groups).to.deep.equal([]);
    expect(ofCarol.pads).to.deep.include({ _id: pad._id, name: pad.name, group: group._id, role: 'writer' });
    expect((await asAlice('get', `admin/users/${alice.login}/access`)).status).to.equal(401);
  });
});
