import { expect } from 'chai';
import supertest from 'supertest';
import type { Pad } from '../../api/answers';
import { type Call, callerOf } from '../support/caller';
import { buildPad, buildUser, entryTokenOf, signIn } from '../support/factories';
import { usePeople } from '../support/people';

describe('the ticket for opening a pad in a frame', () => {
  const people = usePeople();
  const { alice, asBob, asCarol, asRoot, asGuest, buildShared } = people;

  async function ticket(call: Call, pad: Pad) {
    return call('post', `pad/${pad._id}/ticket`, {});
  }

  it('opens the pad once to people with access, for writing or reading as their rights are', async () => {
    const group = await buildShared();
    const [pad, readonly] = [
      await buildPad(people.app, alice, group),
      await buildPad(people.app, alice, group, { readonly: true }),
    ];
    const { body } = await ticket(asBob, pad);
    expect(body).to.include({ success: true, key: pad._id, mode: 'write' });
    expect((await ticket(asBob, readonly)).body.mode).to.equal('read');
    const { url, close } = await people.app.listen();
    const browser = supertest(url);
    const enter = () => browser.get(`/p/${pad._id}?auth_token=${body.ticket}`).redirects(0);
    const first = await enter();
    expect([first.status, first.headers.location]).to.deep.equal([302, `./${pad._id}`]);
    const cookie = `mypads_entry=${entryTokenOf(first)}`;
    expect((await browser.get(`/p/${pad._id}`).set('Cookie', cookie)).status).to.equal(200);
    expect(entryTokenOf(await enter())).to.equal('');
    expect((await browser.get(`/p/${pad._id}`)).status).to.equal(401);
    await close();
  });

  it('opens the pad only in the browser that asked for it, if this has a cookie of ours', async () => {
    const pad = await buildPad(people.app, alice, await buildShared());
    const [bob, carol] = await Promise.all(
      [people.bob, people.carol].map(({ login, password }) => signIn(people.app, login, password)),
    );
    const locked = await buildShared({ visibility: 'private', password: 'p' });
    const guest = entryTokenOf(await asGuest('post', `group/${locked._id}/unlock`, { password: 'p' }));
    const { url, close } = await people.app.listen();
    const withCookie = (entryToken = '') => `mypads_entry=${entryToken}`;
    const ask = async (entryToken?: string): Promise<string> => {
      const call = callerOf(people.app, bob?.token)('post', `pad/${pad._id}/ticket`, {});
      return (await call.set('Cookie', withCookie(entryToken))).body.ticket;
    };
    const enter = async (ticket: string, entryToken?: string): Promise<string> =>
      entryTokenOf(
        await supertest(url)
          .get(`/p/${pad._id}?auth_token=${ticket}`)
          .set('Cookie', withCookie(entryToken))
          .redirects(0),
      );
    expect(await enter(await ask(bob?.entryToken)), 'a guest with the link').to.equal('');
    expect(await enter(await ask(bob?.entryToken), guest), 'another guest with the link').to.equal('');
    expect(await enter(await ask(bob?.entryToken), carol?.entryToken), 'a person with the link').to.equal('');
    expect(await enter(await ask()), 'a frame without cookies').not.to.equal('');
    // Two tabs ask for tickets while the browser has the cookie of an earlier session. The first visit replaces it.
    const [first, second] = [await ask(guest), await ask(guest)];
    const fresh = await enter(first, guest);
    expect(fresh, 'the same browser').not.to.equal('');
    await enter(second, fresh);
    const page = await supertest(url).get(`/p/${pad._id}`).set('Cookie', withCookie(fresh));
    expect(page.status, 'the second tab').to.equal(200);
    await close();
  });

  it('is not used up by a request that is not for the page', async () => {
    const pad = await buildPad(people.app, alice, await buildShared());
    const { body } = await ticket(asBob, pad);
    const { url, close } = await people.app.listen();
    const place = `/p/${pad._id}?auth_token=${body.ticket}`;
    const posted = await supertest(url).post(place).redirects(0);
    expect([posted.status, entryTokenOf(posted)]).to.deep.equal([401, '']);
    expect(entryTokenOf(await supertest(url).get(place).redirects(0))).not.to.equal('');
    await close();
  });

  it('is refused to those who may not open the pad', async () => {
    const restricted = await buildPad(people.app, alice, await buildShared());
    const locked = await buildPad(
      people.app,
      alice,
      await buildShared({ visibility: 'private', password: 'p' }),
    );
    const rows: [Call, Pad, string][] = [
      [asGuest, restricted, 'AUTHENTICATION.MUST_BE'],
      [asCarol, restricted, 'AUTHENTICATION.DENIED_RECORD'],
      [asRoot, restricted, 'AUTHENTICATION.DENIED_RECORD'],
      [asCarol, locked, 'TYPE.PASSWORD_MISSING'],
    ];
    for (const [call, pad, error] of rows) {
      const { status, body } = await ticket(call, pad);
      expect([status, body]).to.deep.equal([401, { error: `BACKEND.ERROR.${error}`, key: pad._id }]);
    }
  });

  it('has the name and colour that person and server have chosen', async () => {
    const dora = await buildUser(people.app, {
      firstname: 'Dora',
      lastname: 'Explorer',
      padNickname: 'dd',
      color: '#00ff00',
    });
    const plain = await buildUser(people.app, { color: '#0000ff' });
    const shy = await buildUser(people.app, {
      useLoginAndColorInPads: false,
      firstname: 'Shy',
      color: '#ff0000',
    });
    const pad = await buildPad(people.app, alice, await buildShared({ visibility: 'public' }));
    async function identity(call: Call): Promise<string[]> {
      const { userName, userColor } = (await ticket(call, pad)).body;
      return [userName, userColor];
    }
    expect(await identity(callerOf(people.app, dora.token))).to.deep.equal(['dd', '#00ff00']);
    expect(await identity(callerOf(people.app, plain.token))).to.deep.equal([plain.login, '#0000ff']);
    expect(await identity(callerOf(people.app, shy.token))).to.deep.equal(['', '']);
    expect(await identity(asGuest)).to.deep.equal(['', '']);
    await people.app.model.configuration.set('useFirstLastNameInPads', true);
    try {
      expect(await identity(callerOf(people.app, dora.token))).to.deep.equal(['Dora Explorer', '#00ff00']);
      expect(await identity(callerOf(people.app, shy.token))).to.deep.equal(['Shy', '#ff0000']);
      expect(await identity(callerOf(people.app, plain.token)), 'has no names').to.deep.equal([
        plain.login,
        '#0000ff',
      ]);
      expect(await identity(asGuest)).to.deep.equal(['', '']);
    } finally {
      await people.app.model.configuration.set('useFirstLastNameInPads', false);
    }
  });
});
