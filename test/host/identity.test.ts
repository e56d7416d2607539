/** The author of a person in pads: the same one in every browser, and always with the name of the account. */
import { expect } from 'chai';
import type { Person } from '../support/hostFixture';
import { PadClient, type ServerMessage } from '../support/socketClient';
import { useEtherpad } from '../support/useEtherpad';

describe('the author of a person', function () {
  this.timeout(300_000);
  const { etherpad, fixture } = useEtherpad();
  let ada: Person;
  let bob: Person;
  let pad: string;
  let clients: PadClient[] = [];

  before(async () => {
    ada = await fixture.person('ada');
    bob = await fixture.person('bob');
    await fixture.change(ada, `user/${ada.login}`, { padNickname: 'Countess', color: '#aa3355' });
  });

  beforeEach(async () => {
    pad = await fixture.pad(ada, await fixture.group(ada, { visibility: 'public' }));
  });
  afterEach(() => {
    for (const client of clients) client.close();
    clients = [];
  });

  /** Opens the pad. `browser`: the author token of the browser. `cookie`: that of the person who is signed in there. */
  async function open(cookie?: string, browser?: string, more = {}): Promise<PadClient> {
    const client = await PadClient.connect(etherpad, cookie, browser);
    clients.push(client);
    expect(await client.join(pad, more)).to.equal('write');
    return client;
  }

  /** The names of the pad's authors by their ids, as a new guest gets them. */
  async function namesOfAuthors(): Promise<Map<string, unknown>> {
    const guest = await open();
    const welcome = guest.messages.find(({ type }) => type === 'CLIENT_VARS') as {
      data?: { collab_client_vars?: { historicalAuthorData?: Record<string, { name?: string } | null> } };
    };
    const found = welcome?.data?.collab_client_vars?.historicalAuthorData ?? {};
    return new Map(Object.entries(found).map(([author, data]) => [author, data?.name]));
  }

  /** The name of an author in a message that tells others about them. */
  function nameOf(author: string, { data }: ServerMessage): unknown {
    const { type, userInfo } = (data ?? {}) as {
      type?: string;
      userInfo?: { userId?: string; name?: unknown };
    };
    return type === 'USER_NEWINFO' && userInfo?.userId === author ? userInfo.name : undefined;
  }

  it('has the same colour on a second device, also if the person has chosen none', async () => {
    const colourOf = (client: PadClient) => {
      const welcome = client.messages.find(({ type }) => type === 'CLIENT_VARS');
      return (welcome?.data as { userColor?: unknown } | undefined)?.userColor;
    };
    // Etherpad gives each new author a random one of 64 colours. Three authors have the same one by chance very rarely.
    const cookies = [bob.cookie];
    for (let more = 0; more < 2; more++) cookies.push((await fixture.signIn(bob.login)).cookie);
    const devices: PadClient[] = [];
    for (const cookie of cookies) devices.push(await open(cookie));
    expect(new Set(devices.map(({ authorId }) => authorId)).size).to.equal(3);
    const [first, ...others] = devices.map(colourOf);
    expect(first).to.not.equal(undefined);
    for (const colour of others) expect(colour).to.equal(first);
  });

  it('is the same in every browser, and after a new sign-in', async () => {
    const first = await open(ada.cookie);
    await first.write('From the school. ');
    first.close();
    const { cookie } = await fixture.signIn(ada.login);
    const second = await open(cookie);
    await second.write('From home. ');
    expect(second.authorId).to.equal(first.authorId);
    expect((await namesOfAuthors()).get(first.authorId)).to.equal('Countess');
  });

  it('is not that of somebody else who used the browser', async () => {
    const browser = PadClient.newBrowser();
    const guestBefore = await open(undefined, browser);
    await guestBefore.write('Before. ');
    guestBefore.close();
    const first = await open(ada.cookie, browser);
    await first.write('Ada. ');
    first.close();
    const second = await open(bob.cookie, browser);
    await second.write('Bob. ');
    second.close();
    const guestAfter = await open(undefined, browser);
    expect(new Set([guestBefore, first, second].map(({ authorId }) => authorId))).to.have.lengthOf(3);
    expect(guestAfter.authorId, 'a guest is known by the browser').to.equal(guestBefore.authorId);
    const names = await namesOfAuthors();
    expect(names.get(first.authorId)).to.equal('Countess');
    expect(names.get(second.authorId)).to.equal(bob.login);
    expect(names.get(guestBefore.authorId) ?? null).to.equal(null);
  });

  for (const where of ['', ', also without a folder']) {
    it(`lets them have the pad open on two devices at once${where}`, async () => {
      if (where !== '') pad = 'of-two-devices';
      const { cookie: phone } = await fixture.signIn(ada.login);
      const atDesk = await open(ada.cookie);
      const onPhone = await open(phone);
      await atDesk.write('Desk. ');
      await onPhone.sees('Desk.');
      await onPhone.write('Phone. ');
      await atDesk.sees('Phone.');
      const names = await namesOfAuthors();
      expect([names.get(atDesk.authorId), names.get(onPhone.authorId)]).to.deep.equal([
        'Countess',
        'Countess',
      ]);
      // An editor that reconnects is the same author as before.
      for (const [client, cookie] of [
        [onPhone, phone],
        [atDesk, ada.cookie],
      ] as const) {
        client.close();
        const again = await PadClient.connect(etherpad, cookie);
        clients.push(again);
        const back = again.next('the connection', ({ data }) => data?.type === 'CLIENT_RECONNECT');
        again.ask(pad, { reconnect: true, client_rev: client.lastRevision });
        await back;
        again.continueAs(client);
        await again.write('Back. ');
        if (client === onPhone) await atDesk.sees('Back');
      }
    });
  }

  it('lets them come back to a pad that they have opened on another device since', async () => {
    const { cookie: phone } = await fixture.signIn(ada.login);
    const watcher = await open(bob.cookie);
    const first = await open(ada.cookie);
    const gone = watcher.next('that the first editor is gone', ({ data }) => data?.type === 'USER_LEAVE');
    first.close();
    await gone;
    const onPhone = await open(phone);
    const again = await open(ada.cookie);
    await again.write('Back at the desk. ');
    await onPhone.sees('Back at the desk.');
    expect(again.authorId).to.not.equal(onPhone.authorId);
  });

  it('closes the older of two tabs of one browser, as Etherpad does', async () => {
    const browser = PadClient.newBrowser();
    const older = await open(ada.cookie, browser);
    const told = older.next('the end', ({ disconnect }) => disconnect === 'userdup');
    const newer = await open(ada.cookie, browser);
    await told;
    expect(newer.authorId).to.equal(older.authorId);
  });

  it('has no name if they do not want one in pads, and is theirs on every device', async () => {
    const shy = await fixture.person('shy');
    const named = await open(shy.cookie);
    named.close();
    await fixture.change(shy, `user/${shy.login}`, { useLoginAndColorInPads: false });
    const browser = PadClient.newBrowser();
    const guest = await open(undefined, browser);
    await guest.write('A guest. ');
    guest.close();
    const unnamed = await open(shy.cookie, browser);
    await unnamed.write('Nobody. ');
    unnamed.close();
    const { cookie } = await fixture.signIn(shy.login);
    const elsewhere = await open(cookie);
    expect(elsewhere.authorId, 'on another device').to.equal(unnamed.authorId);
    expect(new Set([named, guest, unnamed].map(({ authorId }) => authorId))).to.have.lengthOf(3);
    expect((await namesOfAuthors()).get(unnamed.authorId) ?? null).to.equal(null);
  });

  for (const where of ['', ', also without a folder']) {
    it(`ends with the session: what is written afterwards does not have their name${where}`, async () => {
      if (where !== '') pad = 'without-a-folder';
      const leaving = await fixture.person('leaving');
      const client = await open(leaving.cookie);
      const gone = client.gone();
      expect((await etherpad.api('GET', 'auth/logout', { token: leaving.token })).status).to.equal(200);
      await gone;
      const again = await open(leaving.cookie);
      expect(again.authorId).not.to.equal(client.authorId);
    });
  }

  it('writes what they import', async () => {
    const client = await open(ada.cookie);
    await client.write('Mine. ');
    const form = new FormData();
    form.set('file', new Blob(['Imported text']), 'text.txt');
    const imported = await etherpad.get(`/p/${pad}/import`, { method: 'POST', form, cookie: ada.cookie });
    expect(imported.status, String(imported.body)).to.equal(200);
    await client.sees('Imported text').catch(() => undefined);
    const names = [...(await namesOfAuthors()).keys()];
    expect(names).to.deep.equal([client.authorId]);
  });

  it('can be renamed in the pad, unless the server uses first and last names', async () => {
    const client = await open(ada.cookie);
    const reader = await open();
    const rename = async (name: string, shown: string): Promise<void> => {
      const told = reader.next(`the name ${shown}`, (message) => nameOf(client.authorId, message) === shown);
      const userInfo = { userId: client.authorId, name, colorId: '#aa3355' };
      client.send({ type: 'COLLABROOM', data: { type: 'USERINFO_UPDATE', userInfo } });
      await told;
    };
    await rename('Somebody', 'Somebody');
    await fixture.configure('useFirstLastNameInPads', true);
    try {
      await rename('Somebody else', 'ada Test');
      const again = await PadClient.connect(etherpad, ada.cookie);
      await again.join(pad, { userInfo: { name: 'Headmaster', colorId: '#aa3355' } });
      await again.write('Whose? ');
      expect((await namesOfAuthors()).get(again.authorId)).to.equal('ada Test');
      again.close();
    } finally {
      await fixture.configure('useFirstLastNameInPads', false);
    }
    const shown = reader.messages.map((message) => nameOf(client.authorId, message));
    expect(shown).to.include('ada Test').and.not.to.include('Somebody else');
  });

  it('is not taken from a link', async () => {
    const visit = (query: string, cookie?: string) =>
      etherpad.get(`/p/${pad}?${query}`, { cookie, accept: 'text/html' });
    const foreign = await visit('showChat=false&userName=Fool&userColor=%23000000', ada.cookie);
    expect(foreign.status).to.equal(302);
    expect(foreign.headers.get('location')).to.equal(`./${pad}?showChat=false`);
    expect((await visit('userName=Countess&userColor=%23aa3355', ada.cookie)).status).to.equal(200);
    expect((await visit('userName=Visitor')).status, 'guests may').to.equal(200);
  });
});
