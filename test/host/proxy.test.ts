/** Etherpad behind a proxy, below a path of its host, as docs/install.md sets it up. */
import { expect } from 'chai';
import { type Answer, type Call, type RunningEtherpad, startEtherpad } from '../support/etherpad';
import { createFixture, type Fixture, type Person } from '../support/hostFixture';
import { httpsHeaders, type ReverseProxy, startReverseProxy } from '../support/reverseProxy';
import { startSmtpServer, type TestSmtpServer } from '../support/smtpServer';
import { PadClient } from '../support/socketClient';
import { useEtherpad } from '../support/useEtherpad';

const page = 'text/html,application/xhtml+xml';
const folder = '/pads';
const host = 'pads.example.org';

/** The cookie that opens pads, with its attributes. */
const cookieOf = (answer: Answer): string =>
  answer.headers.getSetCookie().find((one) => one.startsWith('mypads_entry=')) ?? '';

/** Tries a wrong password of a pad, and says to be at another address. Resolves to the status of the answer. */
async function guess(via: RunningEtherpad, pad: string, forwarded: string, tries: number): Promise<number> {
  const wrong = Buffer.from(`wrong ${tries}`).toString('base64');
  const answer = await fetch(`${via.url}/p/${pad}?mypadspassword=${wrong}`, {
    headers: { 'x-forwarded-for': forwarded, accept: page },
    redirect: 'manual',
  });
  return answer.status;
}

/** One more than an address may try. */
async function guessFromEverywhere(via: RunningEtherpad, pad: string): Promise<number[]> {
  const statuses: number[] = [];
  for (let tries = 0; tries < 21; tries++) statuses.push(await guess(via, pad, `10.0.0.${tries}`, tries));
  return statuses;
}

describe('below a path of a proxy', function () {
  this.timeout(300_000);
  let inside: RunningEtherpad;
  let proxy: ReverseProxy;
  let etherpad: RunningEtherpad;
  let fixture: Fixture;
  let owner: Person;
  let mail: TestSmtpServer;
  let pad: string;

  before(async () => {
    mail = await startSmtpServer();
    inside = await startEtherpad({
      settings: {
        // As Etherpad reads `TRUST_PROXY=1` of the environment.
        trustProxy: 1,
        ep_mypads: {
          rootUrl: `https://${host}${folder}/`,
          SMTPHost: '127.0.0.1',
          SMTPPort: mail.port,
          SMTPTLS: false,
          SMTPEmailFrom: 'pads@example.org',
        },
      },
    });
    proxy = await startReverseProxy(inside, { folder, headers: httpsHeaders(host, folder) });
    ({ etherpad } = proxy);
    fixture = createFixture(etherpad);
    owner = await fixture.person('owner');
    pad = await fixture.pad(owner, await fixture.group(owner));
  });
  after(async () => {
    await proxy?.close();
    await inside?.stop();
    await mail?.close();
  });
  afterEach(() => {
    expect(proxy.outsidePaths, 'addresses that leave the path').to.deep.equal([]);
  });

  /** Follows redirects as a browser does, relative to the address behind the proxy. */
  async function follow(place: string, call: Call = {}): Promise<{ path: string; answer: Answer }> {
    let address = new URL(`${etherpad.url}${place}`);
    for (let steps = 0; steps < 5; steps++) {
      const path = `${address.pathname}${address.search}`;
      expect(path.startsWith(`${folder}/`), path).to.equal(true);
      const answer = await etherpad.get(path.slice(folder.length), call);
      const location = answer.headers.get('location');
      if (location === null) return { path, answer };
      address = new URL(location, address);
    }
    throw new Error(`${place} leads in a circle`);
  }

  it('the page comes with its files and its languages', async () => {
    for (const place of ['/mypads', '/mypads/', '/mypads?/mypads', '/mypads/index.html?/login']) {
      const { path, answer } = await follow(place, { accept: page });
      expect(answer.status, place).to.equal(200);
      expect(path).to.match(/^\/pads\/mypads\/(index\.html)?(\?|$)/);
      const html = String(answer.body);
      const named = [...html.matchAll(/(?:src|href)="((?!data:)[^"]+)"/g)].map(([, name = '']) => name);
      const { texts, listed } = JSON.parse(/id="mypads-boot"[^>]*>([^<]*)</.exec(html)?.[1] ?? '') as {
        texts: string;
        listed: string[];
      };
      expect(named.length).to.be.above(1);
      const parts = ['de-first', 'fr-first', ...listed.flatMap((part) => [`de-${part}`, `keys-${part}`])];
      for (const name of [...named, ...parts.map((part) => texts.replace('*', part))]) {
        const { pathname } = new URL(name, `${new URL(etherpad.url).origin}${path}`);
        expect(pathname.startsWith(`${folder}/mypads/`), name).to.equal(true);
        const file = await etherpad.get(pathname.slice(folder.length));
        expect(file.status, name).to.equal(200);
      }
    }
  });

  it('signing in leaves a cookie for this path and for https only, signing out takes it away', async () => {
    const body = { login: owner.login, password: 'correct horse battery' };
    const signedIn = await etherpad.api('POST', 'auth/login', { body });
    expect(cookieOf(signedIn)).to.match(/; Path=\/pads\/; .*HttpOnly; Secure; SameSite=Lax$/);
    const { token } = signedIn.body as { token: string };
    const signedOut = await etherpad.api('POST', 'auth/logout', { token });
    expect(cookieOf(signedOut)).to.match(/^mypads_entry=; Path=\/pads\/; Expires=Thu, 01 Jan 1970/);
  });

  it('a pad opens, over HTTP and on the websocket', async () => {
    const opened = await follow(`/p/${pad}`, { accept: page, cookie: owner.cookie });
    expect(opened.answer.status).to.equal(200);
    const [ours, others] = [
      await PadClient.connect(etherpad, owner.cookie),
      await PadClient.connect(etherpad),
    ];
    expect(await ours.join(pad)).to.equal('write');
    expect(await others.join(pad)).to.equal('refused');
    ours.close();
    others.close();
  });

  it('a ticket in the address becomes the cookie, and the address stays below the path', async () => {
    const asked = await etherpad.api('POST', `pad/${pad}/ticket`, { token: owner.token, body: {} });
    const { ticket } = asked.body as { ticket: string };
    const first = await etherpad.get(`/p/${pad}?auth_token=${ticket}&userName=Ada`, { accept: page });
    expect(cookieOf(first)).to.match(/; Path=\/pads\/; .*Secure/);
    const location = new URL(first.headers.get('location') ?? '', `${etherpad.url}/p/${pad}`);
    expect(`${location.pathname}${location.search}`).to.equal(`${folder}/p/${pad}?userName=Ada`);
  });

  it('people without access are sent to the app, from every address of a pad', async () => {
    for (const place of [`/p/${pad}`, `/p/${pad}/timeslider?embed=1`, `/p/${pad}/0/export/txt`]) {
      const { path, answer } = await follow(place, { accept: page });
      expect(answer.status, place).to.equal(200);
      expect(path).to.match(new RegExp(`^/pads/mypads/\\?/mypads/group/[^/]+/pad/view/${pad}$`));
    }
  });

  it('the start page leads to the app where Etherpad’s own pads are switched off', async () => {
    await fixture.configure('allowEtherPads', false);
    const { path } = await follow('/', { accept: page });
    expect(path).to.equal('/pads/mypads/');
    await fixture.configure('allowEtherPads', true);
  });

  it('mails lead to the configured address, also where the setting trusts a proxy with another one', async () => {
    const email = `${owner.login}@example.org`;
    await etherpad.api('POST', 'passrecover', { body: { email } });
    expect((await mail.next()).text).to.include(`\nhttps://${host}${folder}/mypads/index.html?/passrecover/`);
    await fixture.configure('trustProxy', true);
    const other = await startReverseProxy(inside, {
      folder: '/elsewhere',
      headers: httpsHeaders('other.example.net', '/elsewhere'),
    });
    await other.etherpad.api('POST', 'passrecover', { body: { email } });
    expect((await mail.next()).text).to.include(`\nhttps://${host}${folder}/mypads/index.html?/passrecover/`);
    await other.close();
    await fixture.configure('trustProxy', false);
  });

  it('attempts are counted by the address that the proxy saw, whatever the caller sends', async () => {
    const locked = await fixture.pad(owner, await fixture.group(owner), {
      visibility: 'private',
      password: 'secret',
    });
    // A proxy that appends the address to the caller's header, as most proxies do.
    const adding = await startReverseProxy(inside, {
      folder,
      headers: (request) => ({
        ...httpsHeaders(host, folder)(request),
        'x-forwarded-for': `${String(request.headers['x-forwarded-for'])}, 192.0.2.9`,
      }),
    });
    const statuses = await guessFromEverywhere(adding.etherpad, locked);
    expect(statuses.slice(0, 20)).to.deep.equal(new Array(20).fill(302));
    expect(statuses[20]).to.equal(429);
    expect(await guess(etherpad, locked, '192.0.2.9', 21), 'by another proxy').to.equal(302);
    await adding.close();
  });
});

describe('behind a proxy that is not configured', function () {
  this.timeout(300_000);
  const { etherpad: inside, fixture, owner } = useEtherpad();

  it('its headers are ignored: address, https and path', async () => {
    const proxy = await startReverseProxy(inside, { headers: httpsHeaders(host, folder) });
    const body = { login: owner.login, password: 'correct horse battery' };
    const signedIn = await proxy.etherpad.api('POST', 'auth/login', { body });
    await proxy.close();
    expect(cookieOf(signedIn)).to.match(/; Path=\/; /);
    expect(cookieOf(signedIn)).not.to.match(/Secure/);
    const fields = { visibility: 'private', password: 'secret' };
    const locked = await fixture.pad(owner, await fixture.group(owner), fields);
    const statuses = await guessFromEverywhere(inside, locked);
    expect(statuses.slice(-2)).to.deep.equal([302, 429]);
  });
});
