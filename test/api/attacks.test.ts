/** Attacks on sharing: by people who have a single pad, a link for reading, or the token of something else. */
import { expect } from 'chai';
import type { Link } from '../../api/link/schema';
import { sha256 } from '../../model/sha256';
import { keys } from '../../model/store/store';
import { type Call, callerOf, type Method } from '../support/caller';
import { buildPad, buildUser } from '../support/factories';
import { usePeople } from '../support/people';

type Attempt = readonly [Method, string, object?];

describe('attacks on sharing', () => {
  const people = usePeople();
  const { alice, bob, asAlice, asBob, asGuest, buildShared, groupRecord } = people;
  const secretName = 'Zirkuskasse';

  async function make(path: string, body: object): Promise<Link> {
    return (await asAlice('post', `${path}/links`, body).expect(200)).body.value;
  }
  const openLink = async ({ secret }: Link, who: Call = asGuest) =>
    (await who('post', 'links/open', { secret }).expect(200)).body.token;
  const entryOf = async (who: Call, pad: string) => {
    const { body } = await who('get', `pad/${pad}`);
    return body.value?.abilities.enter ?? body.error;
  };
  const newcomer = async () => {
    const user = await buildUser(people.app);
    return { ...user, call: callerOf(people.app, user.token) };
  };

  /** A pad of a restricted folder, and people who have this pad and nothing else of the folder. */
  async function build(role: 'reader' | 'writer') {
    const group = await buildShared({ name: secretName });
    const pad = (await buildPad(people.app, alice, group, { name: 'Plakat' }))._id;
    const other = (await buildPad(people.app, alice, group, { name: 'Kassenbuch' }))._id;
    const link = await make(`pad/${pad}`, { role });
    const [shared, opener, stranger] = [await newcomer(), await newcomer(), await newcomer()];
    await asAlice('post', `pad/${pad}/people`, { loginsOrEmails: [shared.login], role }).expect(200);
    await openLink(link, opener.call);
    const callers: Record<string, Call> = {
      'somebody with whom it is shared': shared.call,
      'a guest by its link': callerOf(people.app, await openLink(link)),
      'somebody with an account by its link': opener.call,
    };
    return { group, pad, other, link, callers, shared, stranger };
  }

  it('no answer tells somebody who has only a pad to which folder it belongs', async () => {
    for (const role of ['reader', 'writer'] as const) {
      const { group, pad, other, link, callers, shared, stranger } = await build(role);
      const share = { loginsOrEmails: [bob.login], role: 'writer' };
      const attempts: Attempt[] = [
        ...['', '/links', '/access'].map((part): Attempt => ['get', `pad/${pad}${part}`]),
        ...['/ticket', '/duplicate', '/links', '/requests', '/unlock'].map(
          (part): Attempt => [
            'post',
            `pad/${pad}${part}`,
            part === '/duplicate' ? { name: 'A copy' } : part === '/unlock' ? { password: 'x' } : {},
          ],
        ),
        ['post', `pad/${pad}/people`, share],
        ['delete', `pad/${pad}/people/${shared.login}`],
        ['delete', `pad/${pad}/people/${bob.login}`],
        ['put', `pad/${pad}`, { name: 'Mine' }],
        ['put', `pad/${pad}`, { readonly: false, visibility: 'public' }],
        ['delete', `pad/chathistory/${pad}`],
        ['delete', `pad/${pad}`],
        ['get', `pad/ispublic/${pad}`],
        // Whoever has the secret of a link knows its id.
        ['put', `links/${sha256(link.secret).slice(0, 32)}`, { role: 'writer' }],
        ['delete', `links/${link._id}`],
        ['post', 'links/open', { secret: link.secret }],
        ['post', 'usermark', { type: 'pads', key: pad }],
        ...['group', 'overview', 'overview/recent', 'requests', `pad/${other}`].map(
          (path): Attempt => ['get', path],
        ),
        ['post', `pad/${other}/requests`, {}],
        ['get', `pad/${other}/links`],
        ['post', `pad/${other}/people`, share],
      ];
      for (const [name, call] of Object.entries({
        ...callers,
        'a stranger': stranger.call,
        guest: asGuest,
      })) {
        for (const [method, path, body] of attempts) {
          const { text, headers } = await call(method, path, body);
          const told = `${text} ${JSON.stringify(headers)}`;
          expect(told, `${name}: ${method} ${path}`).to.not.match(/zirkuskasse/i);
          if (path !== `pad/${other}` && !path.startsWith(`pad/${other}/`))
            expect(told, `${name}: ${method} ${path}`).to.not.match(/kassenbuch/i);
        }
      }
      expect(await groupRecord(group._id)).to.deep.include({ name: secretName, users: [bob.id] });
      await people.app.idle();
    }
  });

  it('no reader gets to write by a call, whatever it says about them', async () => {
    const { group, pad, link, callers } = await build('reader');
    const folder = await make(`group/${group._id}`, { role: 'reader' });
    const reader = await newcomer();
    await asAlice('post', `group/${group._id}/members`, { loginsOrEmails: [reader.login], role: 'reader' });
    const everybody: Record<string, Call> = {
      ...callers,
      'a reader of the folder': reader.call,
      'a guest by a link to the folder': callerOf(people.app, await openLink(folder)),
    };
    const { model } = people.app;
    try {
      for (const linksBy of ['managers', 'writers'] as const) {
        await model.configuration.set('linksBy', linksBy);
        for (const [name, call] of Object.entries(everybody)) {
          await call('post', `pad/${pad}/requests`, {});
          await people.app.idle();
          const requests = (await groupRecord(group._id))?.requests ?? [];
          const attempts: Attempt[] = [
            ...[link, folder].map(({ _id }): Attempt => ['put', `links/${_id}`, { role: 'writer' }]),
            ['post', `pad/${pad}/links`, { role: 'writer' }],
            ['post', `group/${group._id}/links`, { role: 'writer' }],
            ['post', `pad/${pad}/people`, { loginsOrEmails: [reader.login], role: 'writer' }],
            ['put', `group/${group._id}`, { users: [reader.id], readers: [] }],
            ['put', `group/${group._id}/members`, { users: [reader.login] }],
            ['post', `group/${group._id}/members`, { loginsOrEmails: [reader.login], role: 'writer' }],
            ['post', 'group/invite', { gid: group._id, invite: true, loginsOrEmails: [reader.login] }],
            ['post', `group/${group._id}/handover`, { to: reader.login }],
            ['post', `group/${group._id}/invitations`, { loginsOrEmails: [reader.login], role: 'manager' }],
            ['put', `pad/${pad}`, { people: { [reader.id]: 'writer' } }],
            ['put', `pad/${pad}`, { visibility: 'public' }],
            ['put', `user/${reader.login}`, { groups: [group._id], readerOf: [], sharedPads: [pad] }],
            ...requests.map(
              ({ _id }): Attempt => ['put', `requests/${_id}.${group._id}`, { role: 'writer' }],
            ),
          ];
          for (const [method, path, body] of attempts) await call(method, path, body);
          expect(await entryOf(call, pad), `${name}, linksBy ${linksBy}`).to.equal('read');
          const open = (await groupRecord(group._id))?.requests.length;
          expect(open, `${name} has answered a request`).to.equal(requests.length);
        }
      }
    } finally {
      await model.configuration.remove('linksBy');
    }
    expect(await groupRecord(group._id)).to.deep.include({ admins: [alice.id], users: [bob.id] });
    expect((await groupRecord(group._id))?.links).to.have.length(2);
  });

  it('nobody gives with a link to a pad more than they may do in it', async () => {
    const group = await buildShared();
    const secret = 'secret of the pad';
    const pad = (await buildPad(people.app, alice, group, { visibility: 'private', password: secret }))._id;
    const { model } = people.app;
    const denied = [401, 'BACKEND.ERROR.AUTHENTICATION.DENIED_RECORD_EDIT'];
    const refusal = async (method: Method, path: string, body: object) => {
      const answer = await asBob(method, path, body);
      return [answer.status, answer.body.error];
    };
    const makes = (role: string) => refusal('post', `pad/${pad}/links`, { role });
    await model.configuration.set('linksBy', 'writers');
    try {
      // A member who does not know the password of the pad.
      expect(await entryOf(asBob, pad)).to.equal('BACKEND.ERROR.TYPE.PASSWORD_MISSING');
      for (const role of ['reader', 'writer']) expect(await makes(role), role).to.deep.equal(denied);
      // Who may only read gives no more than that.
      await openLink(await make(`pad/${pad}`, { role: 'reader' }), asBob);
      expect(await makes('writer')).to.deep.equal(denied);
      const own: Link = (await asBob('post', `pad/${pad}/links`, {}).expect(200)).body.value;
      const change = `links/${own._id}`;
      expect(await refusal('put', change, { role: 'writer' })).to.deep.equal(denied);
      await asBob('post', `pad/${pad}/unlock`, { password: secret }).expect(200);
      await asBob('put', change, { role: 'writer' }).expect(200);
      await asAlice('put', `pad/${pad}`, { visibility: 'private', password: 'another one' }).expect(200);
      expect(await refusal('put', change, { ends: null })).to.deep.equal(denied);
      await asBob('delete', change).expect(200);
      // Nobody writes in a read-only pad, by a link neither.
      const readonly = (await buildPad(people.app, alice, group, { readonly: true }))._id;
      await asBob('post', `pad/${readonly}/links`, { role: 'writer' }).expect(200);
    } finally {
      await model.configuration.remove('linksBy');
    }
  });

  it('a link of a deleted pad opens nothing, and nothing is left of it', async () => {
    const { group, pad, link, callers } = await build('writer');
    await asAlice('delete', `pad/${pad}?permanent=true`).expect(200);
    await people.app.idle();
    expect((await asGuest('post', 'links/open', { secret: link.secret })).status).to.equal(404);
    for (const [name, call] of Object.entries(callers))
      expect((await call('get', `pad/${pad}`)).status, name).to.equal(404);
    expect((await groupRecord(group._id))?.links).to.deep.equal([]);
    expect(await people.app.model.store.get(keys.link(link._id))).to.equal(undefined);
    expect((await asAlice('put', `links/${link._id}`, { role: 'writer' })).status).to.equal(404);
  });

  it('guests cannot hide by which link they came, or call themselves nothing', async () => {
    const { pad } = await build('reader');
    const evil = 'Alice\r\n\u2028\u202e\u2066\u0000';
    const { secret } = await make(`pad/${pad}`, { label: `Parents${evil}`, asksName: true });
    const open = (name: string) => asGuest('post', 'links/open', { secret, name });
    expect((await open('\u202e\u0000')).body.error).to.equal('BACKEND.ERROR.TYPE.GUEST_NAME_MISSING');
    const guest = callerOf(people.app, (await open(evil).expect(200)).body.token);
    const ticket = await guest('post', `pad/${pad}/ticket`);
    expect(ticket.body.userName).to.equal('Alice (ParentsAlice)');
  });
});
