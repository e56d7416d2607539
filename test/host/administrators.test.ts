/** Who administers the server, in a real Etherpad with a plugin of its own that knows accounts. */
import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { pluginPassword } from '../support/accountsPlugin';
import { checkEach } from '../support/cases';
import { type RunningEtherpad, signInAtAdmin, startEtherpad } from '../support/etherpad';
import { changeSettingsFile, restartEtherpad } from '../support/hostAdmin';
import { createFixture } from '../support/hostFixture';
import { PadClient } from '../support/socketClient';
import { installTestPlugin } from '../support/testPlugins';

const plugin = {
  name: 'ep_test_accounts',
  source: 'accountsPlugin.ts',
  hooks: ['authenticate', 'expressConfigure'],
};
const secret = 'the administrator of the host';
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const users = {
  admin: { password: secret, is_admin: true },
  plain: { password: secret, is_admin: false },
  hashed: { hash: hashOf('hashed secret'), is_admin: true },
  hashedPlain: { hash: hashOf('hashed secret'), is_admin: false },
  demoted: { is_admin: false },
};

const incorrect = 'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT';
const denied = 'BACKEND.ERROR.AUTHENTICATION.ADMIN';
const unavailable = 'BACKEND.ERROR.AUTHENTICATION.HOST_UNAVAILABLE';

interface Asked {
  body?: unknown;
  token?: string;
  cookie?: string;
  headers?: Record<string, string>;
}

interface Told {
  status: number;
  body: { error?: string; token?: string; hostAdministrator?: string };
  cookies: string[];
}

let addresses = 0;

function callsOf(etherpad: () => RunningEtherpad) {
  /** Each call comes from another address, unless `headers` has one. */
  async function call(method: string, place: string, { body, token, cookie, headers }: Asked = {}) {
    addresses += 1;
    const all: Record<string, string> = { 'x-forwarded-for': `10.0.0.${addresses % 250}`, ...headers };
    if (body !== undefined) all['content-type'] ??= 'application/json';
    if (token !== undefined) all.authorization = `Bearer ${token}`;
    if (cookie !== undefined) all.cookie = cookie;
    const payload = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
    const options = { method, headers: all, body: payload };
    const answer = await fetch(`${etherpad().url}/mypads/api/${place}`, options);
    const told: Told = {
      status: answer.status,
      body: (await answer.json()) as Told['body'],
      cookies: answer.headers.getSetCookie(),
    };
    return told;
  }
  return {
    call,
    login: (login: string, password: string, more: Asked = {}) =>
      call('POST', 'auth/admin/login', { ...more, body: { login, password } }),
    enter: (cookie?: string) => call('POST', 'auth/admin/login/host', { cookie, body: {} }),
    /** Whether the server accepts this token as that of an administrator. */
    async administers(token: string | undefined, cookie?: string): Promise<boolean> {
      return (await call('GET', 'configuration/title', { token, cookie })).status === 200;
    },
    async whoAmI(cookie: string): Promise<unknown> {
      const { body } = await etherpad().get('/test-accounts/whoami', { cookie });
      return (body as { user?: unknown }).user;
    },
  };
}

/** Where Etherpad asks everybody to sign in. */
function testVisits(etherpad: () => RunningEtherpad): void {
  it('are not needed for the sign-in of the plugin, which is open to everybody, as Etherpad’s own pads are not', () =>
    checkEach(
      {
        '/mypads/api/configuration': 200,
        '/MyPads/api/configuration': 200,
        '/mypadsx': 401,
        '/p/anything': 401,
      },
      async (status, path) => expect((await etherpad().get(path)).status).to.equal(status),
    ));

  it('open a pad of a folder if they are signed in at both, and nobody else does', async () => {
    const fixture = createFixture(etherpad());
    const owner = await fixture.person('owner');
    const pad = await fixture.pad(owner, await fixture.group(owner));
    const ofEtherpad = await signInAtAdmin(etherpad(), 'admin', secret);
    const outcomeOf = async (cookie: string): Promise<unknown[]> => {
      const client = await PadClient.connect(etherpad(), cookie);
      const joined = await client.join(pad);
      client.close();
      return [(await etherpad().get(`/p/${pad}`, { cookie })).status, joined];
    };
    expect(await outcomeOf(ofEtherpad)).to.deep.equal([401, 'refused']);
    expect(await outcomeOf(owner.cookie)).to.deep.equal([401, 'refused']);
    expect(await outcomeOf(`${ofEtherpad}; ${owner.cookie}`)).to.deep.equal([200, 'write']);
  });
}

for (const requireAuthentication of [false, true]) {
  const which = requireAuthentication ? 'asks everybody to sign in' : 'lets everybody in';
  describe(`administrators, where Etherpad ${which}`, function () {
    this.timeout(300_000);
    let etherpad: RunningEtherpad;
    let removePlugin = (): void => {};
    const { call, login, enter, administers, whoAmI } = callsOf(() => etherpad);

    before(async () => {
      etherpad = await startEtherpad({
        settings: { users, requireAuthentication, trustProxy: true },
        beside: async (folder) => {
          removePlugin = await installTestPlugin(folder, plugin);
        },
      });
    });
    after(async () => {
      await etherpad?.stop();
      removePlugin();
    });

    const right: [who: string, name: string, password: string][] = [
      ['whose password is in the settings file', 'admin', secret],
      ['whose hash is in the settings file', 'hashed', 'hashed secret'],
      ['whom only the plugin knows', 'ada', pluginPassword],
      ['for whom the plugin makes a fresh session and answers late', 'careful', pluginPassword],
    ];
    for (const [who, name, password] of right) {
      it(`sign in and out, ${who}`, async () => {
        const { status, body, cookies } = await login(name, password);
        expect(status).to.equal(200);
        expect(await administers(body.token)).to.equal(true);
        // No cookie that opens anything: that of a known browser gives no right.
        expect(cookies.filter((cookie) => !/^(express_sid|mypads_device)=/.test(cookie))).to.deep.equal([]);
        expect((await call('POST', 'auth/admin/logout', { token: body.token })).status).to.equal(200);
        expect(await administers(body.token)).to.equal(false);
        expect((await login(name, `${password}!`)).body.error).to.equal(incorrect);
      });
    }

    const atHost: [who: string, name: string, password: string][] = [
      ['by a password of the settings file', 'admin', secret],
      ['by a hash', 'hashed', 'hashed secret'],
      ['by the plugin alone', 'ada', pluginPassword],
    ];
    for (const [who, name, password] of atHost) {
      it(`sign in without a password when they are signed in at Etherpad ${who}`, async () => {
        const cookie = await signInAtAdmin(etherpad, name, password);
        const before = await call('GET', 'configuration', { cookie });
        expect(before.body).to.include({ hostAdministrator: name, auth: false });
        expect(await administers(undefined, cookie)).to.equal(false);
        const { status, body } = await enter(cookie);
        expect(status).to.equal(200);
        expect(await administers(body.token, cookie)).to.equal(true);
        expect(await administers(body.token)).to.equal(false);
        const other = await signInAtAdmin(etherpad, 'admin', secret);
        expect(await administers(body.token, other)).to.equal(false);
      });
    }

    it('are signed out here at once when they sign out at Etherpad', async () => {
      const cookie = await signInAtAdmin(etherpad, 'admin', secret);
      const { token } = (await enter(cookie)).body;
      const typed = (await login('admin', secret, { cookie })).body.token;
      await etherpad.get('/test-accounts/logout', { method: 'POST', cookie });
      expect(await administers(token, cookie)).to.equal(false);
      expect((await enter(cookie)).body.error).to.equal(denied);
      // A session that was opened with the password does not depend on the session at Etherpad.
      expect(await administers(typed, cookie)).to.equal(true);
    });

    // Once: `requireAuthentication` makes no difference to the rest.
    if (requireAuthentication) return testVisits(() => etherpad);
    const refused: Record<string, [name: string, password: string, status: number, error: string]> = {
      'the password of a mere person': ['plain', secret, 401, denied],
      'the hash of a mere person': ['hashedPlain', 'hashed secret', 401, denied],
      'a plugin that knows a mere person': ['person', pluginPassword, 401, denied],
      'a plugin against the word of the settings file': ['demoted', pluginPassword, 401, denied],
      'a name that nobody knows': ['nobody', pluginPassword, 400, incorrect],
      'a plugin that throws': ['thrower', pluginPassword, 503, unavailable],
      'a plugin that fails later': ['rejecter', pluginPassword, 503, unavailable],
      'a plugin that asks for a password itself': ['challenger', pluginPassword, 400, incorrect],
      'a plugin that sends people elsewhere': ['redirecter', pluginPassword, 400, incorrect],
      'a plugin that lets the call pass': ['passer', pluginPassword, 400, incorrect],
      'a plugin that answers itself and says yes': ['talker', pluginPassword, 400, incorrect],
      'a plugin that says yes to nobody': ['nothing', pluginPassword, 503, unavailable],
      'a plugin that says yes to somebody without a name': ['nameless', pluginPassword, 503, unavailable],
      'a plugin that puts a text into the session': ['texter', pluginPassword, 503, unavailable],
      'a plugin that ends the session and says yes': ['leaver', pluginPassword, 503, unavailable],
      'a plugin that says something else than yes': ['word', pluginPassword, 400, incorrect],
    };
    it('are the only ones: nobody else is signed in, and no plugin can do so', () =>
      checkEach(refused, async ([name, password, status, error]) => {
        const answer = await login(name, password);
        expect(answer.body).to.deep.equal({ error });
        expect(answer.status).to.equal(status);
        expect(answer.cookies.join()).not.to.contain('sso');
        expect((await call('GET', 'cache/check')).status).to.equal(200);
      }));

    it('get an error when a plugin never answers, and others are served meanwhile', async () => {
      let answered = false;
      const waiting = login('silent', pluginPassword).finally(() => {
        answered = true;
      });
      expect((await login('admin', secret)).status).to.equal(200);
      expect(answered).to.equal(false);
      const { status, body } = await waiting;
      expect(body).to.deep.equal({ error: unavailable });
      expect(status).to.equal(503);
    });

    it('are not added by a plugin that changes the accounts that it is given', async () => {
      expect((await login('writer', pluginPassword)).body.error).to.equal(incorrect);
      expect((await login('intruder', pluginPassword)).body.error).to.equal(incorrect);
      expect((await login('plain', secret)).body.error).to.equal(denied);
    });

    it('are not signed in at Etherpad by our form, nor signed out there', async () => {
      const visit = await fetch(`${etherpad.url}/mypads/`);
      const visitor = visit.headers
        .getSetCookie()
        .map((one) => one.split(';')[0])
        .join('; ');
      expect((await login('ada', pluginPassword, { cookie: visitor })).status).to.equal(200);
      expect((await call('GET', 'configuration', { cookie: visitor })).body).not.to.have.property(
        'hostAdministrator',
      );
      const cookie = await signInAtAdmin(etherpad, 'admin', secret);
      expect((await login('ada', pluginPassword, { cookie })).status).to.equal(200);
      expect((await login('leaver', pluginPassword, { cookie })).status).to.equal(503);
      expect(await whoAmI(cookie)).to.equal('admin');
    });

    it('are logged with the way they signed in, without a password', async () => {
      await login('hashed', 'hashed secret');
      await enter(await signInAtAdmin(etherpad, 'admin', secret));
      const signedIn = etherpad.log().match(/administrator signed in \{.*\}/g) ?? [];
      const ways = signedIn.map((line) =>
        /"login":"(\w+)","by":"([\w ]+)"/.exec(line)?.slice(1).join(' by '),
      );
      expect(ways).to.include.members([
        'admin by settings',
        'hashed by plugin',
        'ada by plugin',
        'admin by host session',
      ]);
      const ours = etherpad
        .log()
        .split('\n')
        .filter((line) => line.includes('ep_mypads'));
      expect(ours.join('\n')).to.match(/authentication plugin of Etherpad failed.*no directory/);
      expect(ours.join('\n')).not.to.contain(pluginPassword).and.not.to.contain(secret);
    });

    it('keep their sessions over a restart, and lose them when the settings file no longer names them', async () => {
      const cookies = {
        hashed: await signInAtAdmin(etherpad, 'hashed', 'hashed secret'),
        ada: await signInAtAdmin(etherpad, 'ada', pluginPassword),
      };
      // At the second sign-in, the plugin has already added this account to Etherpad's accounts.
      await login('noter', pluginPassword);
      const tokens = {
        admin: (await login('admin', secret)).body.token,
        hashed: (await login('hashed', 'hashed secret')).body.token,
        ada: (await login('ada', pluginPassword)).body.token,
        noter: (await login('noter', pluginPassword)).body.token,
      };
      const byHost = {
        hashed: (await enter(cookies.hashed)).body.token,
        ada: (await enter(cookies.ada)).body.token,
      };
      const living = async () => ({
        admin: await administers(tokens.admin),
        hashed: await administers(tokens.hashed),
        ada: await administers(tokens.ada),
        noter: await administers(tokens.noter),
        hashedByHost: await administers(byHost.hashed, cookies.hashed),
        adaByHost: await administers(byHost.ada, cookies.ada),
      });
      const all = { admin: true, hashed: true, ada: true, noter: true, hashedByHost: true, adaByHost: true };
      expect(await living()).to.deep.equal(all);
      await etherpad.restart();
      expect(await living()).to.deep.equal(all);
      // Restarts Etherpad as its administration page does, in the same process.
      const { hashed, ...known } = users;
      await changeSettingsFile(etherpad, { users: known });
      await restartEtherpad(etherpad);
      const left = { ...all, hashed: false, hashedByHost: false };
      expect(await living()).to.deep.equal(left);
      expect((await login('hashed', 'hashed secret')).body.error).to.equal(incorrect);
      await changeSettingsFile(etherpad, { users: { ...known, ada: { is_admin: false } } });
      await restartEtherpad(etherpad);
      const fewer = { ...left, ada: false, adaByHost: false };
      expect(await living()).to.deep.equal(fewer);
      const { admin, ...others } = users;
      await changeSettingsFile(etherpad, { users: others });
      await etherpad.restart();
      expect(await living()).to.deep.equal({ ...fewer, admin: false });
      expect((await login('admin', secret)).body.error).to.equal(incorrect);
      await changeSettingsFile(etherpad, { users });
      await etherpad.restart();
      expect(await living()).to.deep.equal({ ...fewer, admin: false });
    });
  });
}
