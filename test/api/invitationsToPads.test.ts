/** Invitations to single pads by email, with a real mail server. */
import { expect } from 'chai';
import { limits } from '../../model/limits';
import type { PadRecord } from '../../model/store/entities';
import { keys } from '../../model/store/store';
import { buildPad } from '../support/factories';
import { newAddress, useInvitations } from '../support/invitations';

const day = 24 * 3600_000;
const incorrect = 'BACKEND.ERROR.TOKEN.INCORRECT';

describe('an invitation to a single pad by email', () => {
  const fixture = useInvitations();
  const { people, invitationsOf, invite, inviteOne, asNewUser, accept, noteOf, sweep } = fixture;
  const { alice, asAlice, asBob, asCarol, asGuest, buildShared, buildSharedPad, groupRecord } = people;

  async function build(role: 'writer' | 'reader' = 'reader') {
    const group = await buildShared({ name: `Choir ${newAddress()}` });
    const pad = await buildPad(people.app, alice, group, { name: 'Songs' });
    const address = newAddress();
    return { group, pad, address, ...(await inviteOne(group, address, { pad: pad._id, role })) };
  }
  const padRecord = async (id: string) =>
    (await people.app.model.store.get<PadRecord>(keys.pad(id))) as PadRecord;

  it('gives it to who accepts, and nothing of its folder', async () => {
    for (const role of ['reader', 'writer'] as const) {
      const { group, pad, address, token, received, invitation } = await build(role);
      const shown = (await asGuest('post', 'invitations/show', { token })).body;
      expect(shown.value).to.deep.include({ group: null, pad: { name: 'Songs' }, role });
      const { user, as } = await asNewUser(address);
      expect((await as('get', `pad/${pad._id}`)).status).to.equal(401);
      const accepted = (await accept(as, token)).body;
      expect(accepted).to.deep.equal({ success: true, key: pad._id, isPad: true });
      const opened = (await as('get', `pad/${pad._id}`)).body.value;
      expect([opened.abilities.enter, opened.group]).to.deep.equal([
        role === 'writer' ? 'write' : 'read',
        null,
      ]);
      expect((await as('get', `group/${group._id}`)).status).to.equal(401);
      for (const secret of [group._id, group.name])
        for (const told of [JSON.stringify(shown), JSON.stringify(accepted), received.subject, received.text])
          expect(told).to.not.include(secret);
      expect(received.text).to.include('“Songs”');
      expect((await padRecord(pad._id)).people).to.deep.equal({ [user.id]: role });
      expect((await groupRecord(group._id))?.invitations).to.deep.equal([]);
      expect(await noteOf(invitation._id)).to.equal(undefined);
      expect((await accept(as, token)).body.error).to.equal(incorrect);
    }
  });

  it('is listed with its pad, also among those who can open it', async () => {
    const { group, pad, address } = await build();
    const place = { _id: pad._id, name: 'Songs' };
    expect((await invitationsOf(group._id))[0]).to.deep.include({ address, pad: place, role: 'reader' });
    const other = await buildPad(people.app, alice, group);
    const row = { why: 'invited', role: 'reader', address, pad: place };
    for (const [path, rows] of [
      [`group/${group._id}`, [row]],
      [`pad/${pad._id}`, [row]],
      [`pad/${other._id}`, []],
    ] as const) {
      const { value } = (await asAlice('get', `${path}/access`)).body;
      expect(
        value.filter(({ why }: { why: string }) => why === 'invited'),
        path,
      ).to.deep.equal(rows);
    }
  });

  it('stands beside one to the folder, and is raised by another one', async () => {
    const { group, pad, address } = await build();
    await invite(group, [address], { role: 'reader' });
    people.app.ports.advance(3600_000);
    await invite(group, [address], { pad: pad._id, role: 'writer' });
    const listed = await invitationsOf(group._id);
    expect(listed.map(({ pad: of, role }) => [of?._id, role])).to.deep.equal([
      [undefined, 'reader'],
      [pad._id, 'writer'],
    ]);
  });

  it('is not needed by people with an account: they get the pad at once, and an email', async () => {
    const { group, pad } = await build();
    await people.app.model.configuration.set('mailWhenAdded', true);
    const { user, as } = await asNewUser(newAddress());
    const answer = await invite(group, [user.email], { pad: pad._id });
    expect([answer.present, answer.invited]).to.deep.equal([[user.email], []]);
    expect((await as('get', `pad/${pad._id}`)).body.value.abilities.enter).to.equal('write');
    expect((await as('get', `group/${group._id}`)).status).to.equal(401);
    const told = fixture.mail.received.find(({ to }) => to.includes(user.email));
    expect(told?.text).to.include(`?/mypads/group/-/pad/view/${pad._id}`).and.include('“Songs”');
    expect(`${told?.subject} ${told?.text}`).to.not.include(group._id).and.not.include(group.name);
    // Who has it already is not told again.
    await asAlice('post', `pad/${pad._id}/people`, { loginsOrEmails: [user.login], role: 'reader' }).expect(
      200,
    );
    await people.app.idle();
    expect(fixture.mail.received.filter(({ to }) => to.includes(user.email))).to.have.length(1);
  });

  it('is only for pads of this folder, and for roles of a pad', async () => {
    const { group, invitation } = await build();
    const elsewhere = await buildPad(people.app, alice, await buildShared());
    const before = fixture.mail.received.length;
    for (const pad of [elsewhere._id, 'no-such-pad'])
      for (const entry of [newAddress(), people.carol.login]) {
        const body = { loginsOrEmails: [entry], pad };
        const answer = await asAlice('post', `group/${group._id}/invitations`, body);
        expect([answer.status, answer.body.key]).to.deep.equal([404, pad]);
      }
    expect((await padRecord(elsewhere._id)).people ?? {}).to.deep.equal({});
    const pad = invitation.pad as string;
    const asManager = { loginsOrEmails: [newAddress(), people.carol.login], pad, role: 'manager' };
    for (const answer of [
      await asAlice('post', `group/${group._id}/invitations`, asManager),
      await asAlice('put', `invitations/${invitation._id}`, { role: 'manager' }),
    ]) {
      expect([answer.status, answer.body.field]).to.deep.equal([400, 'role']);
    }
    const bobs = { loginsOrEmails: [newAddress()], pad };
    expect((await asBob('post', `group/${group._id}/invitations`, bobs)).status).to.equal(401);
    expect(fixture.mail.received).to.have.length(before);
    expect(await invitationsOf(group._id)).to.have.length(1);
  });

  it('moves with its pad, and is accepted and managed there', async () => {
    const { group, pad, address, token, invitation } = await build();
    const target = await buildShared();
    await asAlice('put', `pad/${pad._id}`, { name: 'Songs', group: target._id }).expect(200);
    expect(await invitationsOf(group._id)).to.deep.equal([]);
    expect((await invitationsOf(target._id))[0]).to.deep.include({ address });
    people.app.ports.advance(3 * day);
    await sweep();
    expect(fixture.mail.received.at(-1)?.subject).to.match(/^Reminder: .*“Songs”/);
    await asAlice('put', `invitations/${invitation._id}`, { role: 'writer' }).expect(200);
    const { as } = await asNewUser(address);
    await accept(as, token).expect(200);
    expect((await as('get', `pad/${pad._id}`)).body.value.abilities.enter).to.equal('write');
    expect((await groupRecord(target._id))?.invitations).to.deep.equal([]);
  });

  it('opens and names nothing, not even the folder, while the pad is being removed', async () => {
    const { group, pad, token } = await build();
    await people.app.model.store.set(keys.deletePad(pad._id), { pad: pad._id });
    expect((await asGuest('post', 'invitations/show', { token })).body).to.deep.equal({ error: incorrect });
    expect((await accept(asCarol, token)).body.error).to.equal(incorrect);
    expect(await invitationsOf(group._id)).to.deep.equal([]);
  });

  it('ends with its pad, and when its address gets the pad otherwise', async () => {
    const { pad, token, invitation } = await build();
    await asAlice('delete', `pad/${pad._id}?permanent=true`).expect(200);
    await people.app.idle();
    expect(await noteOf(invitation._id)).to.equal(undefined);
    expect((await asGuest('post', 'invitations/show', { token })).body.error).to.equal(incorrect);
    const second = await build();
    const { user } = await asNewUser(second.address);
    const body = { loginsOrEmails: [user.login], role: 'reader' };
    await asAlice('post', `pad/${second.pad._id}/people`, body).expect(200);
    expect(await invitationsOf(second.group._id)).to.deep.equal([]);
  });

  it('opens nothing while the pad or its folder is in the trash, and works again after that', async () => {
    for (const what of ['pad', 'group'] as const) {
      const { group, pad, address, token, invitation } = await build();
      const id = what === 'pad' ? pad._id : group._id;
      await asAlice('delete', `${what}/${id}`).expect(200);
      people.app.ports.advance(2 * 3600_000);
      await sweep();
      expect((await asGuest('post', 'invitations/show', { token })).body).to.deep.equal({ error: incorrect });
      const { as } = await asNewUser(address);
      expect((await accept(as, token)).body.error).to.equal(incorrect);
      await asAlice('post', `trash/${id}/restore`, {}).expect(200);
      await accept(as, token).expect(200);
      expect(await noteOf(invitation._id)).to.equal(undefined);
    }
  });

  function storePeople({ _id }: { _id: string }, count: number) {
    const many = Array.from({ length: count }, (_, number) => [`person${number}`, 'reader']);
    return people.app.model.store.update<PadRecord>(
      keys.pad(_id),
      (record) => record && { ...record, people: Object.fromEntries(many) },
    );
  }

  it('is not sent when others of the same call cannot get the pad, because as many as possible have it', async () => {
    const { group, pad } = await buildSharedPad();
    await storePeople(pad, limits.padPeople);
    const body = { pad: pad._id, loginsOrEmails: [newAddress(), people.carol.login] };
    const full = await asAlice('post', `group/${group._id}/invitations`, body);
    expect([full.status, full.body.error]).to.deep.equal([400, 'BACKEND.ERROR.MEMBER.TOO_MANY']);
    await people.app.idle();
    expect(await invitationsOf(group._id)).to.deep.equal([]);
    expect(fixture.mail.received).to.deep.equal([]);
  });

  it('waits while the pad is shared with as many as possible', async () => {
    const { group, pad, address, token } = await build();
    await storePeople(pad, limits.padPeople);
    const { as } = await asNewUser(address);
    const full = await accept(as, token);
    expect([full.status, full.body.error]).to.deep.equal([400, 'BACKEND.ERROR.MEMBER.TOO_MANY']);
    expect(await invitationsOf(group._id)).to.have.length(1);
    await storePeople(pad, 0);
    await accept(as, token).expect(200);
  });
});
