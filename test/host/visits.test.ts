/** What a visit to a pad does besides opening or refusing it: redirects, the URL afterwards, what is created. */
import { expect } from 'chai';
import { checkEach } from '../support/cases';
import type { Answer } from '../support/etherpad';
import { entryCookieOf, type Person } from '../support/hostFixture';
import { PadClient } from '../support/socketClient';
import { useEtherpad } from '../support/useEtherpad';

const page = 'text/html';
const secret = 'the word: ÿ>?';

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}

function location(answer: Answer): string {
  return answer.headers.get('location') ?? '';
}

describe('a visit', function () {
  this.timeout(300_000);
  const { etherpad, fixture, owner } = useEtherpad();
  let outsider: Person;
  let group: string;
  let pad: string;

  before(async () => {
    outsider = await fixture.person('outsider');
    group = await fixture.group(owner);
    pad = await fixture.pad(owner, group);
  });

  async function enters(padId: string, cookie = ''): Promise<boolean> {
    return (await etherpad.get(`/p/${padId}`, { accept: page, cookie })).status === 200;
  }

  async function ticketFor(person: Person, padId = pad): Promise<string> {
    const answer = await etherpad.api('POST', `pad/${padId}/ticket`, { token: person.token, body: {} });
    return (answer.body as { ticket: string }).ticket;
  }

  describe('without access', () => {
    it('leads a person to the view of the pad in the app, from every address of the pad', async () => {
      const view = `mypads/?/mypads/group/-/pad/view/${pad}`;
      const depths: [string, string][] = [
        [`/p/${pad}`, '../'],
        [`/p/${pad}/timeslider`, '../../'],
        [`/p/${pad}/0/export/html`, '../../../../'],
      ];
      for (const [path, up] of depths) {
        const answer = await etherpad.get(path, { accept: page });
        expect([answer.status, location(answer)]).to.deep.equal([302, up + view]);
        expect(new URL(location(answer), etherpad.url + path).pathname).to.equal('/mypads/');
      }
    });

    it('names the folder only to people who may see it, also in frames of other sites', async () => {
      const [shared, member] = [await fixture.person('shared'), await fixture.person('insider')];
      const folder = async (fields: Record<string, unknown>, own: Record<string, unknown> = {}) => {
        const id = await fixture.group(owner, { users: [member.id], ...fields });
        return [id, await fixture.pad(owner, id, own)] as const;
      };
      const restricted = await folder({ name: 'Dismissals' });
      const other = await fixture.pad(owner, restricted[0]);
      await fixture.sharePad(owner, other, 'writer', [shared.login]);
      const withPassword = { visibility: 'private', password: secret };
      const ownPassword = await folder({ name: 'Dismissals' }, withPassword);
      const [locked, open] = [await folder(withPassword), await folder({ visibility: 'public' })];
      const closedInOpen = await fixture.pad(owner, open[0], { visibility: 'restricted' });
      await checkEach<[readonly [string, string], string | undefined, 'named' | 'not named']>(
        {
          'a guest, restricted': [restricted, undefined, 'not named'],
          'somebody else, restricted': [restricted, outsider.cookie, 'not named'],
          'somebody who has another pad of the folder': [restricted, shared.cookie, 'not named'],
          'a guest, a pad with a password': [ownPassword, undefined, 'not named'],
          'a member, a pad with a password': [ownPassword, member.cookie, 'named'],
          'a guest, a folder with a password': [locked, undefined, 'named'],
          'a guest, a restricted pad in a public folder': [[open[0], closedInOpen], undefined, 'named'],
        },
        async ([[folderId, padId], cookie, expected]) => {
          const address = `../mypads/?/mypads/group/${expected === 'named' ? folderId : '-'}/pad/view/${padId}`;
          const answer = await etherpad.get(`/p/${padId}`, { accept: page, cookie });
          expect([answer.status, location(answer)]).to.deep.equal([302, address]);
          const framed = await fetch(`${etherpad.url}/p/${padId}`, {
            headers: {
              accept: page,
              'sec-fetch-dest': 'iframe',
              'sec-fetch-site': 'cross-site',
              ...(cookie && { cookie }),
            },
          });
          expect(await framed.text()).to.contain(`href="${address}"`);
        },
      );
    });

    it('tells a program which right is missing, and nothing about the pad', async () => {
      const privatePad = await fixture.pad(owner, group, { visibility: 'private', password: secret });
      const asked: [string, string, string][] = [
        [pad, '', 'BACKEND.ERROR.AUTHENTICATION.MUST_BE'],
        [pad, outsider.cookie, 'BACKEND.ERROR.AUTHENTICATION.DENIED_RECORD'],
        [privatePad, '', 'BACKEND.ERROR.TYPE.PASSWORD_MISSING'],
        ['r.0123456789abcdef', '', 'BACKEND.ERROR.PERMISSION.UNEXPECTED'],
      ];
      for (const [id, cookie, error] of asked) {
        const answer = await etherpad.get(`/p/${id}`, { cookie });
        expect([answer.status, answer.body]).to.deep.equal([401, { error }]);
        expect(answer.headers.get('cache-control')).to.equal('no-store');
      }
    });

    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      it(`is refused with ${method} too`, async () => {
        for (const path of [`/p/${pad}`, `/p/${pad}/import`, `/p/${pad}/anything`]) {
          expect((await etherpad.get(path, { method })).status).to.equal(401);
        }
      });
    }

    it('shows nothing of the pad in broken spellings of its address', async () => {
      const client = await PadClient.writer(etherpad, owner.cookie, pad);
      await client.write('only for members');
      client.close();
      // Shows that the pad has a text, which everybody with access can read.
      const { body } = await etherpad.get(`/p/${pad}/export/txt`, { cookie: owner.cookie });
      expect(String(body)).to.contain('only for members');
      const ids = [
        '%zz',
        '%E0%A4%A',
        `${pad}%00`,
        `${pad}%2F`,
        `..%2Fp%2F${pad}`,
        `.%2F${pad}`,
        `${pad}%20`,
        `%20${pad}`,
      ];
      for (const id of ids) {
        for (const rest of ['', '/export/txt', '%2Fexport%2Ftxt', '/', '//export/txt', '/../export/txt']) {
          const answer = await etherpad.get(`/p/${id}${rest}`, { accept: page });
          expect(String(answer.body), id + rest).to.not.contain('only for members');
        }
      }
    });

    it('ignores a forged cookie, and a token of the API in its place', async () => {
      const cookies = [
        'mypads_entry=x',
        `mypads_entry=${owner.token}`,
        'mypads_entry=',
        'mypads_entry=a.b.c',
      ];
      for (const cookie of cookies) expect(await enters(pad, cookie), cookie).to.equal(false);
    });
  });

  describe('with access', () => {
    it('is never cached for a pad that is not public', async () => {
      for (const path of [`/p/${pad}`, `/p/${pad}/export/txt`]) {
        const answer = await etherpad.get(path, { cookie: owner.cookie });
        expect([answer.status, answer.headers.get('cache-control')]).to.deep.equal([200, 'no-store']);
      }
    });

    it('writes under the name of the account (B3)', async () => {
      await fixture.change(owner, `user/${owner.login}`, { padNickname: 'Ada' });
      const client = await PadClient.connect(etherpad, owner.cookie);
      const vars = client.next('the pad', ({ type }) => type === 'CLIENT_VARS');
      await client.join(pad);
      client.close();
      expect((await vars).data?.userName).to.equal('Ada');
    });
  });

  describe('with a ticket', () => {
    it('gets the cookie and an address without ticket, which then opens (W12)', async () => {
      const path = `/p/${pad}?userName=Ada%20L&auth_token=${await ticketFor(owner)}&userColor=%23aa3311`;
      const answer = await etherpad.get(path, { accept: page });
      expect([answer.status, location(answer)]).to.deep.equal([
        302,
        `./${pad}?userName=Ada%20L&userColor=%23aa3311`,
      ]);
      expect(answer.headers.get('referrer-policy')).to.equal('no-referrer');
      expect(answer.headers.get('cache-control')).to.equal('no-store');
      const cookie = answer.headers.getSetCookie().find((one) => one.startsWith('mypads_entry=')) ?? '';
      expect(cookie).to.contain('HttpOnly').and.to.contain('SameSite=Lax').and.to.contain('Path=/');
      expect(await enters(pad, entryCookieOf(answer))).to.equal(true);
    });

    it('opens the pad once', async () => {
      const path = `/p/${pad}?auth_token=${await ticketFor(owner)}`;
      expect(entryCookieOf(await etherpad.get(path))).to.be.a('string');
      const again = await etherpad.get(path, { accept: page });
      expect(location(again)).to.equal(`./${pad}`);
      expect(entryCookieOf(again)).to.equal(undefined);
    });

    it('opens no other pad, and the ticket no longer works after a visit of another pad', async () => {
      const other = await fixture.pad(owner, group);
      const ticket = await ticketFor(owner);
      expect(entryCookieOf(await etherpad.get(`/p/${other}?auth_token=${ticket}`))).to.equal(undefined);
      expect(entryCookieOf(await etherpad.get(`/p/${pad}?auth_token=${ticket}`))).to.equal(undefined);
    });

    it('cannot use the sign-in token of the API as a ticket', async () => {
      const answer = await etherpad.get(`/p/${pad}?auth_token=${owner.token}`, { accept: page });
      expect(location(answer)).to.equal(`./${pad}`);
      expect(entryCookieOf(answer)).to.equal(undefined);
    });

    it('keeps a person signed in who follows a link with the ticket of another person', async () => {
      const answer = await etherpad.get(`/p/${pad}?auth_token=${await ticketFor(owner)}`, {
        cookie: outsider.cookie,
      });
      expect(entryCookieOf(answer)).to.equal(undefined);
      expect(await enters(pad, outsider.cookie)).to.equal(false);
    });

    it('works at longer addresses of the pad', async () => {
      const path = `/p/${pad}/export/txt?auth_token=${await ticketFor(owner)}`;
      const answer = await etherpad.get(path);
      expect(location(answer)).to.equal('./txt');
      expect(entryCookieOf(answer)).to.be.a('string');
    });
  });

  describe('with a password in the address', () => {
    let locked: string;

    before(async () => {
      const privateGroup = await fixture.group(owner, { visibility: 'private', password: secret });
      locked = await fixture.pad(owner, privateGroup);
    });

    it('opens the pad to a guest, also with unencoded Base64, and removes the password from the address', async () => {
      for (const written of [encodeURIComponent(base64(secret)), base64(secret)]) {
        const answer = await etherpad.get(`/p/${locked}?mypadspassword=${written}`, { accept: page });
        expect(location(answer)).to.equal(`./${locked}`);
        expect(await enters(locked, entryCookieOf(answer))).to.equal(true);
      }
    });

    it('opens the pad to a person who is signed in', async () => {
      const { cookie } = await fixture.signIn(outsider.login);
      expect(await enters(locked, cookie)).to.equal(false);
      await etherpad.get(`/p/${locked}?mypadspassword=${encodeURIComponent(base64(secret))}`, { cookie });
      expect(await enters(locked, cookie)).to.equal(true);
    });

    it('opens the pad to an invited user with any password, and Etherpad keeps running (A1)', async () => {
      const member = await fixture.person('member');
      const privateGroup = await fixture.group(owner, { visibility: 'private', password: secret });
      await fixture.invite(owner, privateGroup, [member.login]);
      const shared = await fixture.pad(owner, privateGroup);
      for (const typed of [secret, 'anything', '']) {
        const query = `mypadspassword=${encodeURIComponent(base64(typed))}`;
        const answer = await etherpad.get(`/p/${shared}?${query}`, { accept: page, cookie: member.cookie });
        expect(location(answer)).to.equal(`./${shared}`);
        expect(await enters(shared, member.cookie)).to.equal(true);
      }
      const client = await PadClient.writer(etherpad, member.cookie, shared);
      client.close();
      expect(await enters(shared)).to.equal(false);
    });

    it('ignores the Referer, with password or ticket (B2)', async () => {
      const from = `${etherpad.url}/p/${locked}?mypadspassword=${encodeURIComponent(base64(secret))}`;
      for (const referer of [from, `${from}&auth_token=${await ticketFor(owner, locked)}`]) {
        const answer = await fetch(`${etherpad.url}/p/${locked}`, {
          headers: { accept: page, referer },
          redirect: 'manual',
        });
        expect(answer.status).to.equal(302);
        expect(answer.headers.get('location')).to.contain('mypads/?/mypads/group/');
        expect(answer.headers.getSetCookie().join()).not.to.contain('mypads_entry');
      }
    });

    it('opens nothing when the password is wrong, and is refused after many attempts', async () => {
      const statuses: number[] = [];
      for (let tries = 0; tries < 25; tries++) {
        const answer = await etherpad.get(`/p/${locked}?mypadspassword=${base64(`wrong ${tries}`)}`);
        expect(entryCookieOf(answer)).to.equal(undefined);
        statuses.push(answer.status);
      }
      expect(statuses[0]).to.equal(302);
      expect(statuses.at(-1)).to.equal(429);
      const answer = await etherpad.api('POST', `pad/${locked}/unlock`, { body: { password: 'one more' } });
      expect(answer.status).to.equal(429);
    });
  });

  /** What the editor is told about its page. */
  async function pageFor(padId: string, cookie?: string): Promise<unknown> {
    const client = await PadClient.writer(etherpad, cookie, padId);
    client.close();
    const { data } = client.messages.find(({ type }) => type === 'CLIENT_VARS') ?? {};
    return (data as { ep_mypads: { page: unknown } }).ep_mypads.page;
  }

  it('offers code for other websites only where everybody may open the pad without a password', async () => {
    const locked = { visibility: 'private', password: secret };
    const open = await fixture.group(owner, { visibility: 'public' });
    const rows: [what: string, pad: string, offered: boolean][] = [
      ['in a restricted folder', pad, false],
      ['in a private folder', await fixture.pad(owner, await fixture.group(owner, locked)), false],
      ['with a password of its own', await fixture.pad(owner, open, locked), false],
      ['public in a restricted folder', await fixture.pad(owner, group, { visibility: 'public' }), true],
    ];
    for (const [what, id, canEmbed] of rows)
      expect(await pageFor(id, owner.cookie), what).to.include({ canEmbed });
    await fixture.configure('allPadsPublicsAuthentifiedOnly', true);
    try {
      const id = await fixture.pad(owner, open);
      expect(await pageFor(id, owner.cookie), 'for people who are signed in').to.include({ canEmbed: false });
    } finally {
      await fixture.configure('allPadsPublicsAuthentifiedOnly', false);
    }
  });

  it('shows the name of the pad in the tab, and its folder only to those who may see it', async () => {
    const group = await fixture.group(owner, { name: 'Secret board' });
    const pad = await fixture.pad(owner, group, { name: 'Minutes', visibility: 'public' });
    expect(await pageFor(pad, owner.cookie)).to.deep.equal({
      title: 'Minutes – Secret board | MyPads',
      address: `mypads/?/mypads/group/${group}/pad/view/${pad}`,
      home: { address: `mypads/?/mypads/group/${group}/view`, label: 'Secret board' },
      canEmbed: true,
      canChange: true,
    });
    // The id of a folder begins with its name.
    expect(await pageFor(pad)).to.deep.equal({
      title: 'Minutes | MyPads',
      address: `mypads/?/mypads/group/-/pad/view/${pad}`,
      home: { address: 'mypads/', label: 'MyPads' },
      canEmbed: true,
      canChange: false,
    });
  });

  describe('to a pad of Etherpad', () => {
    it('is handled by Etherpad', async () => {
      const client = await PadClient.writer(etherpad, '', 'anybodys-pad');
      await client.write('hello');
      client.close();
      const vars = client.messages.find(({ type }) => type === 'CLIENT_VARS');
      expect(vars?.data?.padDeletionToken, 'what Etherpad offers its own pads').to.not.equal(null);
      expect((await etherpad.get('/p/anybodys-pad/export/txt')).body).to.contain('hello');
      expect((await etherpad.get('/')).status).to.equal(200);
    });

    describe('if such pads are switched off', () => {
      before(() => fixture.configure('allowEtherPads', false));
      after(() => fixture.configure('allowEtherPads', true));

      it('is refused, whether the pad exists or not, and creates nothing', async () => {
        const ids = ['anybodys-pad', 'never-there', 'never%20there', 'never:there', 'r.0123456789abcdef'];
        for (const id of ids) {
          expect((await etherpad.get(`/p/${id}`)).body).to.deep.equal({
            error: 'BACKEND.ERROR.PERMISSION.UNEXPECTED',
          });
          const person = await etherpad.get(`/p/${id}/timeslider`, { accept: page, cookie: owner.cookie });
          expect(person.status).to.equal(302);
          expect(location(person)).to.contain('mypads/?/mypads/group/-/pad/view/');
          const client = await PadClient.connect(etherpad, owner.cookie);
          expect(await client.join(decodeURIComponent(id))).to.equal('refused');
          client.close();
        }
        await fixture.configure('allowEtherPads', true);
        for (const id of ['never-there', 'never_there']) {
          expect((await etherpad.get(`/p/${id}/export/txt`)).status, id).to.equal(404);
        }
        await fixture.configure('allowEtherPads', false);
      });

      it('is sent from the front page to the app', async () => {
        const answer = await etherpad.get('/');
        expect([answer.status, location(answer)]).to.deep.equal([302, 'mypads/']);
      });
    });
  });
});
