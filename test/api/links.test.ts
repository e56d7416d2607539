/** Links that open a folder or a pad. */
import { expect } from 'chai';
import type { Pad } from '../../api/answers';
import type { Link } from '../../api/link/schema';
import { keys } from '../../model/store/store';
import { startApp } from '../support/app';
import { callerOf } from '../support/caller';
import { buildGroup, buildPad, buildUser, type TestUser } from '../support/factories';
import { inProcessOnly } from '../support/network';
import { usePeople } from '../support/people';
import { until } from '../support/waiting';

describe('a link', () => {
  const people = usePeople();
  const { alice, bob, carol, asAlice, asBob, asCarol, asRoot, asGuest } = people;
  const { buildShared, buildSharedPad, groupRecord } = people;

  async function make(path: string, body: object = {}): Promise<Link> {
    const answer = await asAlice('post', `${path}/links`, body);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    return answer.body.value;
  }

  /** Opens it as a guest. Returns what the guest can do from then on. */
  async function openAsGuest({ secret }: Link, password?: string) {
    const answer = await asGuest('post', 'links/open', { secret, ...(password && { password }) });
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    return callerOf(people.app, answer.body.token);
  }
  const entryOf = async (who: typeof asGuest, pad: Pad) => {
    const { body } = await who('get', `pad/${pad._id}`);
    return body.value?.abilities.enter ?? body.error;
  };
  /** In another browser. */
  async function signInAgain({ login, password }: TestUser) {
    const { token } = (await asGuest('post', 'auth/login', { login, password })).body;
    return callerOf(people.app, token);
  }
  const denied = 'BACKEND.ERROR.AUTHENTICATION.DENIED_RECORD';
  const mustSignIn = 'BACKEND.ERROR.AUTHENTICATION.MUST_BE';

  it('to a folder opens it and the pads that have its visibility, and shows nobody', async () => {
    const group = await buildShared();
    const [inherits, own] = [
      await buildPad(people.app, alice, group),
      await buildPad(people.app, alice, group, { visibility: 'restricted' }),
    ];
    const guest = await openAsGuest(await make(`group/${group._id}`, { role: 'reader' }));
    const { value, users } = (await guest('get', `group/${group._id}`)).body;
    expect(value.pads).to.deep.equal([inherits._id]);
    expect([value.admins, value.users, value.readers, users]).to.deep.equal([[], [], [], {}]);
    expect(value.links).to.equal(undefined);
    expect(await entryOf(guest, inherits)).to.equal('read');
    expect(await entryOf(guest, own)).to.equal(mustSignIn);
    const writer = await openAsGuest(await make(`group/${group._id}`, { role: 'writer' }));
    expect(await entryOf(writer, inherits)).to.equal('write');
    expect((await writer('post', 'pad', { name: 'A pad', group: group._id })).status).to.equal(401);
  });

  it('to a pad opens it, whatever its visibility, and nothing of its folder', async () => {
    const group = await buildShared();
    const secret = { visibility: 'private', password: 'secret' };
    const [pad, other] = [
      await buildPad(people.app, alice, group, secret),
      await buildPad(people.app, alice, group),
    ];
    const guest = await openAsGuest(await make(`pad/${pad._id}`, { role: 'writer' }));
    const opened = await asGuest('post', 'links/open', {
      secret: (await make(`pad/${pad._id}`)).secret,
    });
    expect(opened.body.value).to.deep.equal({ group: null, pad: pad._id, role: 'reader', mayKeep: false });
    expect(await entryOf(guest, pad)).to.equal('write');
    expect(await entryOf(guest, other)).to.equal(mustSignIn);
    expect((await guest('get', `group/${group._id}`)).body.error).to.equal(denied);
    await asAlice('delete', `pad/${pad._id}`).expect(200);
    expect((await asAlice('get', `group/${group._id}/links`)).body.value).to.deep.equal([]);
  });

  it('asks guests for a name, if it is to, and tells the others', async () => {
    const { pad } = await buildSharedPad();
    const link = await make(`pad/${pad._id}`, { label: 'Parents of 5b', asksName: true, password: 'sesame' });
    expect(link.asksName).to.equal(true);
    const open = (body: object) => asGuest('post', 'links/open', { secret: link.secret, ...body });
    const unnamed = await open({ password: 'sesame' });
    expect(unnamed.body.error).to.equal('BACKEND.ERROR.TYPE.GUEST_NAME_MISSING');
    expect((await open({ name: '  ' })).body.error).to.equal('BACKEND.ERROR.TYPE.GUEST_NAME_MISSING');
    expect((await open({ name: 'x'.repeat(41) })).status).to.equal(400);
    expect((await open({ name: 'Aylin' })).body.error).to.equal('BACKEND.ERROR.TYPE.PASSWORD_MISSING');
    const { token } = (await open({ name: ' Aylin ', password: 'sesame' }).expect(200)).body;
    const ticket = await callerOf(people.app, token)('post', `pad/${pad._id}/ticket`);
    expect(ticket.body.userName).to.equal('Aylin (Parents of 5b)');
    // Somebody with an account has a name.
    await asCarol('post', 'links/open', { secret: link.secret, password: 'sesame' }).expect(200);
    const own = (await asCarol('post', `pad/${pad._id}/ticket`)).body.userName;
    expect(own).to.equal(carol.login);
    await asAlice('put', `links/${link._id}`, { asksName: false }).expect(200);
    await open({ password: 'sesame' }).expect(200);
  });

  it('is made by writers where the setting says so; they see and end only their own', async () => {
    const { model } = people.app;
    const group = await buildShared({ readers: [carol.id] });
    const ofAlice = await make(`group/${group._id}`);
    const path = `group/${group._id}/links`;
    expect((await asBob('get', path)).status).to.equal(401);
    await model.configuration.set('linksBy', 'writers');
    try {
      const own: Link = (await asBob('post', path, { label: 'Mine' }).expect(200)).body.value;
      const seen = async (who: typeof asBob) =>
        (await who('get', path)).body.value.map(({ _id }: Link) => _id);
      expect(await seen(asBob)).to.deep.equal([own._id]);
      expect(await seen(asAlice)).to.deep.equal([ofAlice._id, own._id]);
      expect((await asCarol('post', path, {})).status).to.equal(401);
      expect((await asBob('put', `links/${ofAlice._id}`, { role: 'writer' })).status).to.equal(401);
      expect((await asBob('delete', `links/${ofAlice._id}`)).status).to.equal(401);
      await asBob('put', `links/${own._id}`, { label: 'Still mine' }).expect(200);
      await model.configuration.set('linksBy', 'nobody');
      expect((await asAlice('put', `links/${ofAlice._id}`, { role: 'writer' })).status).to.equal(401);
      expect((await asBob('delete', `links/${own._id}`)).status).to.equal(401);
      await asAlice('delete', `links/${own._id}`).expect(200);
      expect(await seen(asAlice)).to.deep.equal([ofAlice._id]);
    } finally {
      await model.configuration.set('linksBy', 'managers');
    }
  });

  it('is kept by people: in their list, and open for all their sessions, until it ends or they remove it', async () => {
    const group = await buildShared();
    const inGroup = await buildPad(people.app, alice, group);
    const pad = await buildPad(people.app, alice, await buildShared());
    const [toGroup, toPad] = [
      await make(`group/${group._id}`),
      await make(`pad/${pad._id}`, { password: 'sesame' }),
    ];
    const dave = await buildUser(people.app);
    const [first, other] = [callerOf(people.app, dave.token), await signInAgain(dave)];
    const open = (link: Link, more: object = {}) =>
      first('post', 'links/open', { secret: link.secret, ...more });
    expect((await open(toGroup).expect(200)).body.value.mayKeep).to.equal(true);
    const shared = async (who: typeof first) => {
      const { groups, pads } = (await who('get', 'overview')).body.value.shared;
      return [...Object.keys(groups), ...Object.keys(pads)];
    };
    /** What a search for names finds. */
    const names = async (who: typeof first) => (await who('get', 'overview/pads')).body.value;
    expect(await shared(first)).to.deep.equal([]);
    expect((await open(toPad, { keep: true, password: 'wrong' })).status).to.equal(401);
    await open(toGroup, { keep: true }).expect(200);
    await open(toPad, { keep: true, password: 'sesame' }).expect(200);
    for (const who of [first, other, await signInAgain(dave)]) {
      expect(await shared(who)).to.deep.equal([group._id, pad._id]);
      expect(await entryOf(who, pad)).to.equal('read');
      expect(await names(who)).to.deep.equal({ [group._id]: [{ _id: inGroup._id, name: inGroup.name }] });
    }
    await asAlice('put', `links/${toPad._id}`, { password: 'another' }).expect(200);
    expect(await shared(other)).to.deep.equal([group._id]);
    await first('delete', `shared/${group._id}`).expect(200);
    expect([await shared(first), await shared(other)]).to.deep.equal([[], []]);
    expect(await names(other)).to.deep.equal({});
    expect((await other('get', `group/${group._id}`)).body.error).to.equal(denied);
    // Whoever is in the folder has nothing to keep.
    const own = await asBob('post', 'links/open', { secret: toGroup.secret, keep: true });
    expect(own.body.value.mayKeep).to.equal(false);
    expect((await asBob('get', 'overview')).body.value.shared.groups).to.deep.equal({});
  });

  it('stays open for a guest who signs in, in that browser and not in their others', async () => {
    const { pad } = await buildSharedPad({ visibility: 'private', password: 'sesame' });
    const linked = await buildPad(people.app, alice, await buildShared());
    const guest = await openAsGuest(await make(`pad/${linked._id}`, { role: 'writer' }));
    await guest('get', `pad/${pad._id}?password=${btoa('sesame')}`).expect(200);
    const dave = await buildUser(people.app);
    const { login, password } = dave;
    const { token } = (await guest('post', 'auth/login', { login, password }).expect(200)).body;
    const here = callerOf(people.app, token);
    expect([await entryOf(here, linked), await entryOf(here, pad)]).to.deep.equal(['write', 'write']);
    const elsewhere = await signInAgain(dave);
    expect(await entryOf(elsewhere, linked)).to.equal(denied);
    // Nobody takes over what somebody with an account has opened.
    const after = (await here('post', 'auth/login', { login: carol.login, password: carol.password })).body;
    expect(await entryOf(callerOf(people.app, after.token), linked)).to.equal(denied);
  });

  it('to a pad moves with it', async () => {
    const pad = await buildPad(people.app, alice, await buildShared());
    const link = await make(`pad/${pad._id}`, { role: 'writer' });
    const guest = await openAsGuest(link);
    const target = await buildGroup(people.app, alice);
    await asAlice('put', `pad/${pad._id}`, { group: target._id }).expect(200);
    expect(await entryOf(guest, pad)).to.equal('write');
    expect(await entryOf(await openAsGuest(link), pad)).to.equal('write');
    const { value } = (await asAlice('get', `group/${target._id}/links`)).body;
    expect(value.map(({ _id }: Link) => _id)).to.deep.equal([link._id]);
    await asAlice('delete', `links/${link._id}`).expect(200);
    expect(await entryOf(guest, pad)).to.equal(mustSignIn);
  });

  describe('to a pad whose move fails', () => {
    const linksIn = async (who: typeof asGuest, id: string) =>
      (await who('get', `group/${id}/links`).expect(200)).body.value.map(({ _id }: Link) => _id);
    const accessTo = async (who: typeof asGuest, id: string) =>
      JSON.stringify((await who('get', `group/${id}/access`).expect(200)).body);

    /** Alice manages both folders, Bob the first one and Carol the other. `failing`: the write that fails. */
    async function failMove(failing: (pad: string, source: string) => string) {
      const source = await buildGroup(people.app, alice, { admins: [bob.id] });
      const target = await buildGroup(people.app, alice, { admins: [carol.id] });
      const pad = await buildPad(people.app, alice, source, { name: 'Salaries' });
      const link = await make(`pad/${pad._id}`);
      const dave = await buildUser(people.app);
      await asAlice('post', `pad/${pad._id}/people`, { loginsOrEmails: [dave.login], role: 'reader' }).expect(
        200,
      );
      await people.app.inject({
        fault: 'fail',
        why: 'full',
        calls: ['set'],
        keys: failing(pad._id, source._id),
      });
      const move = () => asAlice('put', `pad/${pad._id}`, { group: target._id });
      await move().expect(503);
      await people.app.inject({ fault: 'none' });
      // The failed write is rolled back first. Until then its record cannot be read.
      for (const path of [`pad/${pad._id}`, `group/${source._id}`])
        await until('it can be read', async () => (await asAlice('get', path)).ok);
      return { source: source._id, target: target._id, pad, link, dave, move };
    }

    const recordsOf = async (...ids: string[]) =>
      Promise.all(
        ids.map(async (id) => {
          const { pads = [], links = [] } = (await groupRecord(id)) ?? {};
          return [...pads, ...links.map(({ _id }) => _id)];
        }),
      );

    inProcessOnly.it(
      'is not shown in the folder that the pad has not come to, and is there once then',
      async () => {
        const { source, target, pad, link, dave, move } = await failMove(keys.pad);
        expect(await linksIn(asCarol, target)).to.deep.equal([]);
        expect(await accessTo(asCarol, target))
          .to.not.include('Salaries')
          .and.not.include(dave.id);
        expect(await linksIn(asBob, source)).to.deep.equal([link._id]);
        await move().expect(200);
        expect(await linksIn(asCarol, target)).to.deep.equal([link._id]);
        expect(await recordsOf(source, target)).to.deep.equal([[], [pad._id, link._id]]);
      },
    );

    inProcessOnly.it('is not in the folder that the pad has not come to after another change', async () => {
      const { source, target, pad, link } = await failMove(keys.pad);
      await asAlice('put', `pad/${pad._id}`, { name: 'Salaries 2' }).expect(200);
      expect(await recordsOf(source, target)).to.deep.equal([[pad._id, link._id], []]);
    });

    inProcessOnly.it('that has ended since then stays so when the pad moves', async () => {
      const { source, target, pad, link, move } = await failMove(keys.pad);
      await asBob('delete', `links/${link._id}`).expect(200);
      await move().expect(200);
      expect(await recordsOf(source, target)).to.deep.equal([[], [pad._id]]);
    });

    inProcessOnly.it(
      'is not shown in the folder that the pad has left, and gone there when it is repeated',
      async () => {
        const { source, target, pad, link, dave, move } = await failMove((_pad, from) => keys.group(from));
        expect(await linksIn(asBob, source)).to.deep.equal([]);
        expect(await accessTo(asBob, source))
          .to.not.include('Salaries')
          .and.not.include(dave.id);
        expect(await linksIn(asCarol, target)).to.deep.equal([link._id]);
        await move().expect(200);
        expect(await recordsOf(source, target)).to.deep.equal([[], [pad._id, link._id]]);
      },
    );

    inProcessOnly.it('opens it also when the folder is deleted that the pad has left', async () => {
      const { source, pad, link } = await failMove((_pad, from) => keys.group(from));
      await asBob('delete', `group/${source}?permanent=true`).expect(200);
      expect(await entryOf(await openAsGuest(link), pad)).to.equal('read');
    });
  });

  it('gives people with an account its role too, if they have none with more rights', async () => {
    const { group, pad } = await buildSharedPad();
    const { secret } = await make(`group/${group._id}`);
    expect(await entryOf(asCarol, pad)).to.equal(denied);
    await asCarol('post', 'links/open', { secret }).expect(200);
    expect(await entryOf(asCarol, pad)).to.equal('read');
    const { body } = await asCarol('get', `group/${group._id}`);
    expect([body.value.users, body.users]).to.deep.equal([[], {}]);
    await asBob('post', 'links/open', { secret }).expect(200);
    expect(await entryOf(asBob, pad)).to.equal('write');
  });

  it('opens nothing to guests where all pads are for people with an account', async () => {
    const { group, pad } = await buildSharedPad();
    const guest = await openAsGuest(await make(`group/${group._id}`));
    const { configuration } = people.app.model;
    await configuration.set('allPadsPublicsAuthentifiedOnly', true);
    expect(await entryOf(guest, pad)).to.equal(mustSignIn);
    await configuration.set('allPadsPublicsAuthentifiedOnly', false);
    expect(await entryOf(guest, pad)).to.equal('read');
  });

  it('asks for its password; another password ends it for who knew the old one', async () => {
    const { group, pad } = await buildSharedPad();
    const link = await make(`group/${group._id}`, { password: 'sesame' });
    expect(link.hasPassword).to.equal(true);
    const missing = await asGuest('post', 'links/open', { secret: link.secret });
    expect([missing.status, missing.body.error]).to.deep.equal([401, 'BACKEND.ERROR.TYPE.PASSWORD_MISSING']);
    const wrong = await asGuest('post', 'links/open', { secret: link.secret, password: 'wrong' });
    expect(wrong.body.error).to.equal('BACKEND.ERROR.PERMISSION.UNAUTHORIZED');
    const guest = await openAsGuest(link, 'sesame');
    expect(await entryOf(guest, pad)).to.equal('read');
    await asAlice('put', `links/${link._id}`, { label: 'Another' }).expect(200);
    expect(await entryOf(guest, pad)).to.equal('read');
    await asAlice('put', `links/${link._id}`, { password: 'another' }).expect(200);
    expect(await entryOf(guest, pad)).to.equal(mustSignIn);
    await asAlice('put', `links/${link._id}`, { password: null }).expect(200);
    // Nobody needs to know more than the link now.
    expect(await entryOf(guest, pad)).to.equal('read');
    expect(await entryOf(await openAsGuest(link), pad)).to.equal('read');
  });

  it('that is kept stays so without its password, and with another one that the person has typed', async () => {
    const { pad } = await buildSharedPad();
    const link = await make(`pad/${pad._id}`, { password: 'sesame' });
    const open = (who: typeof asGuest, password: string, keep?: true) =>
      who('post', 'links/open', { secret: link.secret, password, keep }).expect(200);
    const dave = await buildUser(people.app);
    const asDave = callerOf(people.app, dave.token);
    await open(asDave, 'sesame', true);
    await asAlice('put', `links/${link._id}`, { password: null }).expect(200);
    expect(await entryOf(asDave, pad)).to.equal('read');
    await asAlice('put', `links/${link._id}`, { password: 'another' }).expect(200);
    expect(await entryOf(asDave, pad)).to.equal(denied);
    const guest = callerOf(people.app, (await open(asGuest, 'another')).body.token);
    const { login, password } = dave;
    const { token } = (await guest('post', 'auth/login', { login, password }).expect(200)).body;
    expect(await entryOf(callerOf(people.app, token), pad)).to.equal('read');
    await open(asDave, 'another');
    expect(await entryOf(await signInAgain(dave), pad)).to.equal('read');
  });

  it('ends at its time, and when it is ended; an unknown one gets the same answer', async () => {
    const { group, pad } = await buildSharedPad();
    const link = await make(`group/${group._id}`, { ends: Date.now() + 3_600_000 });
    const guest = await openAsGuest(link);
    expect(await entryOf(guest, pad)).to.equal('read');
    await asAlice('put', `links/${link._id}`, { ends: Date.now() }).expect(200);
    expect(await entryOf(guest, pad)).to.equal(mustSignIn);
    const another = await make(`group/${group._id}`);
    const otherGuest = await openAsGuest(another);
    await asAlice('delete', `links/${another._id}`).expect(200);
    expect(await entryOf(otherGuest, pad)).to.equal(mustSignIn);
    const answers = [];
    for (const secret of [link.secret, another.secret, 'unknown', another._id, '../links']) {
      const { status, body } = await asGuest('post', 'links/open', { secret });
      answers.push([status, body]);
    }
    for (const answer of answers)
      expect(answer).to.deep.equal([404, { error: 'BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND' }]);
    expect((await asAlice('put', `links/${another._id}`, { role: 'writer' })).status).to.equal(404);
  });

  it('says who made it, and how often it was opened', async () => {
    const group = await buildShared();
    const link = await make(`group/${group._id}`, { label: ' Parents of 5b ' });
    expect(link).to.deep.include({
      label: 'Parents of 5b',
      role: 'reader',
      by: alice.id,
      uses: 0,
      pad: null,
    });
    await openAsGuest(link);
    await openAsGuest(link);
    const [listed] = (await asAlice('get', `group/${group._id}/links`)).body.value as Link[];
    expect(listed).to.deep.include({ uses: 2, secret: link.secret });
    expect(listed?.lastUse).to.be.a('number');
  });

  it('is managed by administrators of the folder and of the server, and by nobody else', async () => {
    const { group, pad } = await buildSharedPad();
    const link = await make(`group/${group._id}`);
    const guest = await openAsGuest(link);
    const attempts = [
      ['get', `group/${group._id}/links`],
      ['post', `group/${group._id}/links`, {}],
      ['get', `pad/${pad._id}/links`],
      ['post', `pad/${pad._id}/links`, {}],
      ['put', `links/${link._id}`, { role: 'writer' }],
      ['delete', `links/${link._id}`],
    ] as const;
    for (const [method, path, body] of attempts) {
      for (const who of [asBob, asCarol, guest, asGuest])
        expect((await who(method, path, body)).status, `${method} ${path}`).to.equal(401);
    }
    expect((await asRoot('put', `links/${link._id}`, { role: 'writer' })).body.value.role).to.equal('writer');
    expect((await asRoot('post', `group/${group._id}/links`, {})).body.value.by).to.equal(null);
  });

  it('stays when the account is removed that made it, and does not name it any more', async () => {
    const group = await buildShared();
    const maker = await buildUser(people.app);
    await asAlice('put', `group/${group._id}/members`, { admins: [maker.login] }).expect(200);
    const asMaker = callerOf(people.app, maker.token);
    const link: Link = (await asMaker('post', `group/${group._id}/links`, {})).body.value;
    expect(link.by).to.equal(maker.id);
    await asRoot('delete', `user/${maker.login}`).expect(200);
    await people.app.idle();
    expect(JSON.stringify(await groupRecord(group._id))).to.not.contain(maker.id);
    expect((await (await openAsGuest(link))('get', `group/${group._id}`)).status).to.equal(200);
  });

  it('is refused with invalid fields, and when a folder would have too many', async () => {
    const { _id: id } = await buildShared();
    const invalid = [
      { role: 'manager' },
      { ends: 'soon' },
      { ends: -1 },
      // No date is so late, so the page could not show it.
      { ends: 8_640_000_000_000_001 },
      { label: 'x'.repeat(101) },
      { pad: id },
    ];
    for (const body of invalid)
      expect((await asAlice('post', `group/${id}/links`, body)).status, JSON.stringify(body)).to.equal(400);
    for (let count = 0; count < 50; count += 1) await make(`group/${id}`);
    const { status, body } = await asAlice('post', `group/${id}/links`, {});
    expect([status, body.error, body.most]).to.deep.equal([400, 'BACKEND.ERROR.LINK.TOO_MANY', 50]);
    expect((await groupRecord(id))?.links).to.have.length(50);
  });

  it('makes room for another one when it has ended, the first of them first', async () => {
    const { _id: id } = await buildShared();
    const ofPad = await buildPad(people.app, alice, { _id: id });
    const made = [await make(`group/${id}`, { ends: 2 }), await make(`pad/${ofPad._id}`, { ends: 1 })];
    for (let count = 0; count < 48; count += 1) made.push(await make(`group/${id}`));
    const [second, first, ...others] = made.map(({ _id }) => _id);
    const latest = await make(`group/${id}`);
    expect((await groupRecord(id))?.links.map(({ _id }) => _id)).to.deep.equal([
      second,
      ...others,
      latest._id,
    ]);
    expect(await people.app.model.store.get(keys.link(first ?? ''))).to.equal(undefined);
    await make(`group/${id}`);
    expect((await asAlice('post', `group/${id}/links`, {})).body.error).to.equal(
      'BACKEND.ERROR.LINK.TOO_MANY',
    );
  });

  it('leaves nothing when its folder is removed, and is never stored as it is written', async () => {
    const { _id: id } = await buildShared();
    const link = await make(`group/${id}`, { password: 'sesame' });
    const { store } = people.app.model;
    const stored = JSON.stringify([await groupRecord(id), await store.get(keys.link(link._id))]);
    expect(stored).to.not.contain(link.secret).and.not.contain('sesame');
    await asAlice('delete', `group/${id}?permanent=true`).expect(200);
    await people.app.idle();
    expect(await store.get(keys.link(link._id))).to.equal(undefined);
    expect((await asGuest('post', 'links/open', { secret: link.secret })).status).to.equal(404);
  });

  it('counts against the limits of an address when it is guessed', async () => {
    const app = await startApp({ limitFactor: 1 });
    try {
      const statuses: number[] = [];
      for (let count = 0; count < 21; count += 1) {
        const { status } = await callerOf(app)('post', 'links/open', { secret: `guess ${count}` });
        statuses.push(status);
      }
      expect([statuses.filter((status) => status === 404).length, statuses.at(-1)]).to.deep.equal([20, 429]);
    } finally {
      await app.close();
    }
  });
});
