/** Asking for access to a folder or a pad. */
import { expect } from 'chai';
import type { Group, Pad } from '../../api/answers';
import type { AccessRequest } from '../../api/request/schema';
import { lifetimes, limits } from '../../model/limits';
import type { GroupRecord, PadRecord } from '../../model/store/entities';
import { keys } from '../../model/store/store';
import { type Call, callerOf } from '../support/caller';
import { buildGroup, buildPad, buildUser, type TestUser } from '../support/factories';
import { startMailFor } from '../support/mailFixture';
import { inProcessOnly } from '../support/network';
import { usePeople } from '../support/people';

describe('a request for access', () => {
  const people = usePeople();
  const { alice, bob, carol, asAlice, asBob, asCarol, asRoot, asGuest } = people;
  const { buildShared, buildSharedPad, groupRecord } = people;
  const notFound = 'BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND';

  /** Asks, and waits until the request is stored. The answer says nothing. */
  async function ask(who: Call, path: string, body: object = {}): Promise<void> {
    const answer = await who('post', `${path}/requests`, body);
    expect([answer.status, answer.body], answer.text).to.deep.equal([200, { success: true }]);
    await people.app.idle();
  }
  const openFor = async (who: Call, { _id }: Pick<Group, '_id'>): Promise<AccessRequest[]> =>
    (await who('get', 'requests')).body.value.filter(({ group }: AccessRequest) => group._id === _id);
  async function onlyOne(group: Pick<Group, '_id'>): Promise<AccessRequest> {
    const open = await openFor(asAlice, group);
    expect(open).to.have.length(1);
    return open[0] as AccessRequest;
  }
  const answerTo = (who: Call, request: Pick<AccessRequest, '_id'>, body: object) =>
    who('put', `requests/${request._id}`, body);
  const entryOf = async (who: Call, pad: Pick<Pad, '_id'>) => {
    const { body } = await who('get', `pad/${pad._id}`);
    return body.value?.abilities.enter ?? body.error;
  };
  type Requests = GroupRecord['requests'];
  const storeRequests = ({ _id }: Pick<Group, '_id'>, change: (now: Requests) => Requests) =>
    people.app.model.store.update<GroupRecord>(
      keys.group(_id),
      (now) => now && { ...now, requests: change(now.requests) },
    );
  const storePeople = ({ _id }: Pick<Pad, '_id'>, shared: PadRecord['people']) =>
    people.app.model.store.update<PadRecord>(keys.pad(_id), (now) => now && { ...now, people: shared });
  const newcomer = async (): Promise<[Call, TestUser]> => {
    const user = await buildUser(people.app);
    return [callerOf(people.app, user.token), user];
  };

  it('to a folder is seen by its managers, with name, address and sentence, and by nobody else', async () => {
    const group = await buildShared();
    await asCarol('put', `user/${carol.login}`, { firstname: 'Carol', lastname: 'Shaw' }).expect(200);
    await ask(asCarol, `group/${group._id}`, { text: ' I am the new\r\nteacher  of 5b. ' });
    const request = await onlyOne(group);
    expect(request).to.deep.include({
      group: { _id: group._id, name: group.name },
      pad: null,
      isReader: false,
      text: 'I am the new teacher  of 5b.',
    });
    expect(request.user).to.deep.include({ login: carol.login, email: carol.email, lastname: 'Shaw' });
    expect((await asAlice('get', 'overview')).body.value.requests).to.be.above(0);
    for (const who of [asBob, asCarol]) {
      expect(await openFor(who, group)).to.deep.equal([]);
      expect((await who('get', 'overview')).body.value.requests).to.equal(0);
      expect(JSON.stringify((await who('get', `group/${group._id}`)).body)).to.not.contain(request._id);
    }
    expect((await asAlice('get', `group/${group._id}`)).body.value.requests).to.equal(undefined);
  });

  it('gives the role that a manager chooses, and is gone then', async () => {
    const { group, pad } = await buildSharedPad();
    for (const [role, entry] of [
      ['reader', 'read'],
      ['writer', 'write'],
    ] as const) {
      const [who, { id }] = await newcomer();
      await ask(who, `group/${group._id}`);
      const request = await onlyOne(group);
      expect((await answerTo(asAlice, request, { role })).body).to.deep.equal({
        success: true,
        key: request._id,
      });
      expect(await entryOf(who, pad)).to.equal(entry);
      const list = role === 'reader' ? 'readers' : 'users';
      expect((await groupRecord(group._id))?.[list]).to.include(id);
      expect(await openFor(asAlice, group)).to.deep.equal([]);
      expect((await answerTo(asAlice, request, { role: 'writer' })).body.error).to.equal(notFound);
      expect(Object.keys((await who('get', 'overview')).body.value.groups)).to.deep.equal([group._id]);
    }
  });

  it('for a pad gives this pad alone, and nothing of its folder', async () => {
    const { group, pad } = await buildSharedPad();
    const other = await buildPad(people.app, alice, group);
    const [who, { id }] = await newcomer();
    await ask(who, `pad/${pad._id}`);
    await answerTo(asAlice, await onlyOne(group), { role: 'reader' }).expect(200);
    expect([await entryOf(who, pad), await entryOf(who, other)]).to.deep.equal([
      'read',
      'BACKEND.ERROR.AUTHENTICATION.DENIED_RECORD',
    ]);
    const { admins, users, readers } = (await groupRecord(group._id)) as GroupRecord;
    expect([...admins, ...users, ...readers]).to.not.include(id);
    await ask(who, `pad/${pad._id}`);
    const request = await onlyOne(group);
    expect(request.isReader).to.equal(true);
    await answerTo(asAlice, request, { role: 'writer' }).expect(200);
    expect(await entryOf(who, pad)).to.equal('write');
    // Who may write when the answer comes keeps that.
    await ask(who, `pad/${other._id}`);
    const late = await onlyOne(group);
    await storePeople(other, { [id]: 'writer' });
    await answerTo(asAlice, late, { role: 'reader' }).expect(200);
    expect(await entryOf(who, other)).to.equal('write');
  });

  it('for a pad moves with it, and stays while the pad is shared with as many as possible', async () => {
    const [group, target] = [await buildShared(), await buildShared()];
    const pad = await buildPad(people.app, alice, group);
    const [who] = await newcomer();
    await ask(who, `pad/${pad._id}`);
    await asAlice('put', `pad/${pad._id}`, { name: pad.name, group: target._id }).expect(200);
    expect(await openFor(asAlice, group)).to.deep.equal([]);
    const request = await onlyOne(target);
    const many = Array.from({ length: limits.padPeople }, (_, number) => [`person${number}`, 'reader']);
    await storePeople(pad, Object.fromEntries(many));
    const full = await answerTo(asAlice, request, { role: 'reader' });
    expect([full.status, full.body.error]).to.deep.equal([400, 'BACKEND.ERROR.MEMBER.TOO_MANY']);
    expect(await openFor(asAlice, target)).to.have.length(1);
    await storePeople(pad, {});
    await answerTo(asAlice, request, { role: 'reader' }).expect(200);
    expect(await entryOf(who, pad)).to.equal('read');
  });

  it('of a reader asks for the right to write, and nobody loses a right by the answer', async () => {
    const group = await buildGroup(people.app, alice, { readers: [carol.id] });
    const pad = await buildPad(people.app, alice, group);
    const { body } = await asCarol('get', `pad/${pad._id}`);
    expect(body.value.abilities).to.deep.include({ enter: 'read', askToWrite: true });
    await ask(asCarol, `pad/${pad._id}`, { text: 'Typos' });
    const request = await onlyOne(group);
    expect(request).to.deep.include({ isReader: true, pad: { _id: pad._id, name: pad.name } });
    await answerTo(asAlice, request, { role: 'writer' }).expect(200);
    expect(await entryOf(asCarol, pad)).to.equal('write');
    expect((await asCarol('get', `pad/${pad._id}`)).body.value.abilities.askToWrite).to.equal(false);
  });

  it('can be declined; the same person asks in vain for a week, and learns nothing of it', async () => {
    const { group, pad } = await buildSharedPad();
    await ask(asCarol, `group/${group._id}`, { text: 'I was ill' });
    const request = await onlyOne(group);
    await answerTo(asAlice, request, { declined: true }).expect(200);
    expect((await groupRecord(group._id))?.requests?.[0], 'what she wrote is not kept').to.include({
      text: '',
    });
    await ask(asCarol, `group/${group._id}`);
    expect(await openFor(asAlice, group)).to.deep.equal([]);
    expect((await answerTo(asAlice, request, { role: 'writer' })).body.error).to.equal(notFound);
    await ask(asCarol, `pad/${pad._id}`);
    expect((await onlyOne(group)).pad?._id).to.equal(pad._id);
    const longAgo = Date.now() - lifetimes.declinedRequest - 1;
    await storeRequests(group, (now) =>
      now.map((one) => (one.declined ? { ...one, declined: longAgo } : one)),
    );
    await ask(asCarol, `group/${group._id}`);
    expect(await openFor(asAlice, group)).to.have.length(2);
    expect((await groupRecord(group._id))?.requests).to.have.length(2);
  });

  it('for a pad stays declined when the person leaves the pad, and not when a manager gives it again', async () => {
    const { group, pad } = await buildSharedPad();
    const share = (readers: string[]) =>
      asAlice('post', `pad/${pad._id}/people`, { loginsOrEmails: readers, role: 'reader' }).expect(200);
    await share([carol.login]);
    await ask(asCarol, `pad/${pad._id}`);
    await answerTo(asAlice, await onlyOne(group), { declined: true }).expect(200);
    await asCarol('delete', `shared/${pad._id}`).expect(200);
    await ask(asCarol, `pad/${pad._id}`);
    expect(await openFor(asAlice, group)).to.deep.equal([]);
    await share([carol.login]);
    await ask(asCarol, `pad/${pad._id}`);
    expect(await openFor(asAlice, group)).to.have.length(1);
  });

  it('to write in a folder stays declined when the reader leaves it, and not when a manager adds them again', async () => {
    const group = await buildShared({ readers: [carol.id] });
    await ask(asCarol, `group/${group._id}`);
    await answerTo(asAlice, await onlyOne(group), { declined: true }).expect(200);
    await asCarol('post', 'group/resign', { gid: group._id }).expect(200);
    await ask(asCarol, `group/${group._id}`);
    expect(await openFor(asAlice, group)).to.deep.equal([]);
    await asAlice('put', `group/${group._id}/members`, { readers: [carol.login] }).expect(200);
    await ask(asCarol, `group/${group._id}`);
    expect(await openFor(asAlice, group)).to.have.length(1);
  });

  it('that was declined is remembered, and of too many the oldest is forgotten', async () => {
    const group = await buildShared();
    await ask(asCarol, `group/${group._id}`);
    const earlier = Array.from({ length: limits.requests }, (_, number) => {
      const user = `person${number}`;
      return { _id: `request${number}`, user, text: '', created: number, declined: Date.now() };
    });
    await storeRequests(group, (now) => [...earlier, ...now]);
    await answerTo(asAlice, await onlyOne(group), { declined: true }).expect(200);
    const kept = (await groupRecord(group._id))?.requests.map(({ user }) => user);
    expect(kept).to.deep.equal([...earlier.slice(1).map(({ user }) => user), carol.id]);
    await ask(asCarol, `group/${group._id}`);
    expect(await openFor(asAlice, group)).to.deep.equal([]);
  });

  it('is answered alike, whatever exists and whatever was decided', async () => {
    const { group, pad } = await buildSharedPad();
    const own = await buildPad(people.app, alice, group, { visibility: 'private', password: 'sesame' });
    const declined = await buildShared();
    await ask(asCarol, `group/${declined._id}`);
    await answerTo(asAlice, await onlyOne(declined), { declined: true }).expect(200);
    const answers = new Set<string>();
    for (const path of [
      `group/${group._id}`,
      `group/${group._id}`,
      `group/${declined._id}`,
      'group/unknown',
      `group/${pad._id}`,
      `pad/${pad._id}`,
      `pad/${pad._id}`,
      `pad/${own._id}`,
      'pad/unknown',
      'pad/r.0123456789abcdef0123456789abcdef',
      `pad/${group._id}`,
      'group/__proto__',
    ]) {
      const { status, text, headers } = await asCarol('post', `${path}/requests`, { text: 'x' });
      const { date: _, ...others } = headers;
      answers.add(JSON.stringify([status, text, others]));
    }
    expect([...answers], [...answers].join('\n')).to.have.length(1);
    await people.app.idle();
    expect(await openFor(asAlice, group)).to.have.length(3);
  });

  it('is answered before anything is written about the folder, so that the time tells nothing', async () => {
    const { group, pad } = await buildSharedPad();
    await people.app.inject({ fault: 'block', calls: ['set'], keys: keys.group(group._id) });
    try {
      for (const path of [`group/${group._id}`, `pad/${pad._id}`, 'group/unknown', 'pad/unknown'])
        await asCarol('post', `${path}/requests`, {}).expect(200);
    } finally {
      await people.app.inject({ fault: 'none' });
    }
    await people.app.idle();
    expect(await openFor(asAlice, group)).to.have.length(2);
  });

  it('is not needed by who may write already, which they learn, and by who sees nothing more as a member', async () => {
    const group = await buildShared({ visibility: 'public' });
    const [open, locked] = [
      await buildPad(people.app, alice, group),
      await buildPad(people.app, alice, group, { readonly: true }),
    ];
    for (const [who, path] of [
      [asAlice, `group/${group._id}`],
      [asBob, `group/${group._id}`],
      [asBob, `pad/${open._id}`],
      [asCarol, `pad/${open._id}`],
      [asCarol, `pad/${locked._id}`],
    ] as const) {
      const { status, body } = await who('post', `${path}/requests`, {});
      expect([status, body.error], path).to.deep.equal([400, 'BACKEND.ERROR.REQUEST.NOT_NEEDED']);
    }
    await ask(asCarol, `group/${group._id}`);
    expect(await openFor(asAlice, group)).to.have.length(1);
  });

  it('is refused where it is switched off, and where all pads are open to everyone', async () => {
    const group = await buildShared();
    const { configuration } = people.app.model;
    for (const [key, value] of [
      ['allowRequests', false],
      ['allPadsPublicsAuthentifiedOnly', true],
    ] as const) {
      await configuration.set(key, value);
      for (const path of [`group/${group._id}`, 'group/unknown', 'pad/unknown']) {
        const { status, body } = await asCarol('post', `${path}/requests`, {});
        expect([status, body.error]).to.deep.equal([403, 'BACKEND.ERROR.REQUEST.OFF']);
      }
      await configuration.remove(key);
    }
    expect((await asGuest('post', `group/${group._id}/requests`, {})).status).to.equal(401);
    expect((await asRoot('post', `group/${group._id}/requests`, {})).status).to.equal(401);
  });

  it('is answered by managers of its folder and server administrators only, also with an id of another one', async () => {
    const group = await buildShared();
    const foreign = await buildGroup(people.app, carol);
    await ask(asCarol, `group/${group._id}`);
    const request = await onlyOne(group);
    const [own = ''] = request._id.split('.');
    for (const who of [asBob, asCarol, asGuest]) {
      for (const body of [{ role: 'writer' }, { declined: true }])
        expect((await answerTo(who, request, body)).status).to.equal(401);
      expect((await answerTo(who, { _id: `unknown.${group._id}` }, { role: 'writer' })).status).to.equal(401);
    }
    for (const _id of [`${own}.${foreign._id}`, `unknown.${foreign._id}`, own, 'unknown', `${own}.`, '.'])
      expect((await answerTo(asCarol, { _id }, { role: 'writer' })).status, _id).to.equal(404);
    for (const body of [
      { role: 'admins' },
      { role: 'manager' },
      { role: 'writer', declined: true },
      { declined: false },
      { role: 'writer', user: bob.id },
      {},
    ])
      expect((await answerTo(asAlice, request, body)).status, JSON.stringify(body)).to.equal(400);
    expect((await groupRecord(group._id))?.admins).to.deep.equal([alice.id]);
    await answerTo(asRoot, request, { role: 'reader' }).expect(200);
    expect((await groupRecord(group._id))?.readers).to.deep.equal([carol.id]);
  });

  it('of two answers at the same time, only one counts', async () => {
    const group = await buildShared();
    await ask(asCarol, `group/${group._id}`);
    const request = await onlyOne(group);
    const answers = await Promise.all(
      [{ role: 'reader' }, { declined: true }, { role: 'writer' }].map((body) =>
        answerTo(asAlice, request, body),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 404, 404]);
  });

  it('is stored as plain text of one line and at most 300 characters', async () => {
    const group = await buildShared();
    const hostile = '<img src=x onerror=alert(1)>\r\nBcc: all@example.org\u2028\u202e{{title}}\u0000';
    await ask(asCarol, `group/${group._id}`, { text: hostile });
    expect((await onlyOne(group)).text).to.equal(
      '<img src=x onerror=alert(1)> Bcc: all@example.org {{title}}',
    );
    for (const body of [
      { text: 'x'.repeat(limits.sentence + 1) },
      { text: 5 },
      { user: bob.id },
      { pad: 'x' },
    ])
      expect((await asCarol('post', `group/${group._id}/requests`, body)).status).to.equal(400);
  });

  it('goes when the person is added, or their account, the pad or the folder is removed', async () => {
    const { group, pad } = await buildSharedPad();
    const [who, user] = await newcomer();
    await ask(who, `group/${group._id}`);
    await ask(who, `pad/${pad._id}`);
    await asAlice('post', `group/${group._id}/members`, { loginsOrEmails: [user.login], role: 'reader' });
    expect(await openFor(asAlice, group)).to.deep.equal([]);
    await ask(who, `pad/${pad._id}`);
    expect((await onlyOne(group)).isReader).to.equal(true);
    await asAlice('post', `group/${group._id}/members`, { loginsOrEmails: [user.login] });
    expect((await groupRecord(group._id))?.requests).to.deep.equal([]);

    await ask(asCarol, `pad/${pad._id}`);
    const other = await buildShared();
    await asAlice('put', `pad/${pad._id}`, { group: other._id }).expect(200);
    expect(await openFor(asAlice, group)).to.deep.equal([]);
    await onlyOne(other);
    await asAlice('delete', `pad/${pad._id}`).expect(200);
    expect(await openFor(asAlice, other)).to.deep.equal([]);

    const [asLeaver, leaver] = await newcomer();
    await ask(asLeaver, `group/${group._id}`, { text: 'Let me in' });
    await ask(asLeaver, `group/${other._id}`);
    await answerTo(asAlice, await onlyOne(other), { declined: true }).expect(200);
    await asRoot('delete', `user/${leaver.login}`).expect(200);
    await people.app.idle();
    expect(await openFor(asAlice, group)).to.deep.equal([]);
    for (const { _id } of [group, other])
      expect(JSON.stringify(await groupRecord(_id))).to.not.contain(leaver.id);
    expect(JSON.stringify((await people.app.model.store.get(keys.jobs)) ?? {})).to.not.contain(leaver.id);

    await ask(asCarol, `group/${other._id}`);
    const request = await onlyOne(other);
    await asAlice('delete', `group/${other._id}`).expect(200);
    expect((await answerTo(asAlice, request, { role: 'writer' })).body.error).to.equal(notFound);
  });

  it('counts only while the person needs it, whichever way they got access', async () => {
    const countFor = async (who: Call): Promise<number> => (await who('get', 'overview')).body.value.requests;
    const before = await countFor(asAlice);
    for (const open of [
      (group: Group) => asAlice('put', `group/${group._id}`, { name: group.name, visibility: 'public' }),
      (_: Group, pad: Pad) => asAlice('put', `pad/${pad._id}`, { name: pad.name, visibility: 'public' }),
      (_: Group, pad: Pad) =>
        asAlice('post', `pad/${pad._id}/people`, { loginsOrEmails: [carol.login], role: 'writer' }),
    ]) {
      const { group, pad } = await buildSharedPad();
      await ask(asCarol, `pad/${pad._id}`);
      expect(await countFor(asAlice)).to.equal(before + 1);
      await open(group, pad).expect(200);
      expect([await countFor(asAlice), await openFor(asAlice, group)]).to.deep.equal([before, []]);
    }
  });

  it('for a pad ends when somebody shares the pad with the person, who may ask again after that', async () => {
    const group = await buildShared();
    const [pad, other] = [await buildPad(people.app, alice, group), await buildPad(people.app, alice, group)];
    const share = (role: string) =>
      asAlice('post', `pad/${pad._id}/people`, { loginsOrEmails: [carol.login, bob.login], role }).expect(
        200,
      );
    await ask(asCarol, `pad/${pad._id}`, { text: 'First' });
    await ask(asCarol, `pad/${other._id}`, { text: 'Other' });
    await share('writer');
    await asAlice('delete', `pad/${pad._id}/people/${carol.login}`).expect(200);
    expect((await onlyOne(group)).text).to.equal('Other');
    await ask(asCarol, `pad/${pad._id}`, { text: 'Second' });
    const texts = async () => (await openFor(asAlice, group)).map(({ text }) => text);
    expect(await texts()).to.deep.equal(['Other', 'Second']);
    // A reader asks for the right to write: the same role again is no answer.
    await share('reader');
    await ask(asCarol, `pad/${pad._id}`, { text: 'Third' });
    await share('reader');
    expect(await texts()).to.deep.equal(['Other', 'Third']);
  });

  it('makes room for others when the person needs it no more', async () => {
    const { group, pad } = await buildSharedPad();
    const [open, declined] = [{ pad: pad._id }, { declined: Date.now() }].map((fields) =>
      Array.from({ length: limits.requests }, (_, number) => ({
        _id: `${Object.keys(fields)}${number}`,
        user: `person${number}`,
        text: '',
        created: number,
        ...fields,
      })),
    );
    await storeRequests(group, () => [...(declined ?? []), ...(open ?? [])]);
    await ask(asCarol, `group/${group._id}`);
    expect((await groupRecord(group._id))?.requests).to.have.length(2 * limits.requests);
    await asAlice('put', `pad/${pad._id}`, { name: pad.name, visibility: 'public' }).expect(200);
    await ask(asCarol, `group/${group._id}`);
    expect((await onlyOne(group)).user.login).to.equal(carol.login);
    // Those who were declined still ask in vain.
    expect((await groupRecord(group._id))?.requests).to.have.length(limits.requests + 1);
  });

  it('is one of at most a hundred for each folder, however many people ask', async () => {
    const { group, pad } = await buildSharedPad();
    const { accessRequests } = people.app.model;
    for (let count = 0; count < 120; count += 1) {
      const { id } = count % 40 === 0 ? await buildUser(people.app) : { id: `person-${count}` };
      const stored = { _id: `request-${count}`, user: id, text: '', created: count };
      if (count < limits.requests) await storeRequests(group, (now) => [...now, stored]);
      else await accessRequests.ask(carol.id, { pad: pad._id }, '');
    }
    await people.app.idle();
    const record = await groupRecord(group._id);
    expect(record?.requests).to.have.length(limits.requests);
    expect(record?.requests.some(({ user }) => user === carol.id)).to.equal(false);
  });

  // In the process only: a host keeps its list until it hears of a change, and the test writes the record itself.
  inProcessOnly.it('is read from a damaged record, and left alone by what it does not concern', async () => {
    const group = await buildShared();
    const good = { _id: 'a-request', user: carol.id, text: 5, created: 1 };
    const damaged = [
      null,
      'x',
      {},
      { ...good, user: 5 },
      { ...good, pad: 'unknown' },
      { ...good, user: bob.id },
    ];
    await people.app.model.store.update<object>(keys.group(group._id), (now) => ({
      ...now,
      requests: [...damaged, good],
    }));
    expect((await onlyOne(group)).text).to.equal('');
    await asAlice('put', `group/${group._id}`, { name: 'Another' }).expect(200);
    expect((await groupRecord(group._id))?.requests.map(({ _id }) => _id)).to.deep.equal(['a-request']);
  });

  describe('by email', () => {
    // The tests build folders with people, who would get a mail about it.
    before(() => people.app.model.configuration.set('mailWhenAdded', false));
    it('comes to the managers, at most once an hour for a folder, and the answer to who asked', async () => {
      const mail = await startMailFor(people.app);
      try {
        const group = await buildShared({ name: 'Trip <b>to</b> {{link}}' });
        await asCarol('put', `user/${carol.login}`, { firstname: 'C\u202earol', lastname: 'S' });
        await ask(asCarol, `group/${group._id}`, { text: 'It’s <i>me</i>\nSubject: x' });
        const received = await mail.next();
        expect(received.to).to.deep.equal([alice.email]);
        expect(received.subject).to.match(
          /^C arol S \(person\d+\) asks for access to “Trip <b>to<\/b> \{\{link\}\}” – MyPads$/,
        );
        expect(received.text).to.contain('writes: “It’s <i>me</i> Subject: x”\n');
        expect(received.html).to.contain('It’s &lt;i&gt;me&lt;/i&gt; Subject: x').and.not.contain('<i>');
        const link = `https://pads.example.org/mypads/index.html?/mypads/group/${group._id}/user/invite`;
        expect(received.text.split('\n')).to.include(link);

        const [who, user] = await newcomer();
        await ask(who, `group/${group._id}`);
        expect(await openFor(asAlice, group)).to.have.length(2);
        await answerTo(asAlice, (await openFor(asAlice, group))[1] as AccessRequest, { role: 'reader' });
        await people.app.idle();
        // The next mail is the answer: there was none about the second request.
        const told = await mail.next();
        expect([told.to, told.subject]).to.deep.equal([
          [user.email],
          'You have access to “Trip <b>to</b> {{link}}” – MyPads',
        ]);
        expect(told.text.split('\n')).to.include(
          `https://pads.example.org/mypads/index.html?/mypads/group/${group._id}/view`,
        );
      } finally {
        await mail.close();
      }
    });

    it('is in the language of the manager, and comes to managers with a confirmed address only', async () => {
      const mail = await startMailFor(people.app);
      try {
        await asAlice('put', `user/${alice.login}`, { lang: 'de' }).expect(200);
        const closed = await buildUser(people.app);
        const group = await buildShared({ admins: [closed.id] });
        await asRoot('put', `user/${closed.login}`, { active: false }).expect(200);
        const pad = await buildPad(people.app, alice, group, { name: 'Ziele' });
        await ask(asCarol, `pad/${pad._id}`);
        const received = await mail.next();
        expect(received.to).to.deep.equal([alice.email]);
        expect(received.subject).to.contain(`bittet um Zugang zu „Ziele – ${group.name}“`);
        await people.app.idle();
        await answerTo(asAlice, await onlyOne(group), { role: 'writer' }).expect(200);
        expect((await mail.next()).to).to.deep.equal([carol.email]);
      } finally {
        await mail.close();
      }
    });

    // It wraps the database of the process of the tests.
    inProcessOnly.it(
      'comes once to each manager after a crash between the request and its mails',
      async () => {
        const mail = await startMailFor(people.app);
        const { database } = people.app.ports;
        const { set } = database;
        try {
          const group = await buildShared({ admins: [bob.id], users: [] });
          let fails = true;
          database.set = async (key, value, ...more) => {
            const isMail = key === keys.jobs && JSON.stringify(value).includes('mailAccess');
            if (!isMail || !fails) return set(key, value, ...more);
            fails = false;
            throw new Error('gone');
          };
          await ask(asCarol, `group/${group._id}`);
          expect(mail.received).to.deep.equal([]);
          await people.app.said('database available again, failed writes rolled back');
          for (let minutes = 0; minutes < 2; minutes += 1) {
            people.app.ports.advance(120_000);
            await people.app.model.jobs.runDue();
            await people.app.idle();
          }
          expect(mail.received.map(({ to }) => to.join())).to.have.members([alice.email, bob.email]);
        } finally {
          database.set = set;
          await mail.close();
        }
      },
    );

    it('is not needed: while no email can be sent, requests are shown in the app', async () => {
      const mail = await startMailFor(people.app);
      await mail.close();
      const group = await buildShared();
      await ask(asCarol, `group/${group._id}`);
      await answerTo(asAlice, await onlyOne(group), { role: 'reader' }).expect(200);
    });
  });
});
