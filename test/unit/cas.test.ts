import { once } from 'node:events';
import { expect } from 'chai';
import { type ErrorKey, MyPadsError } from '../../model/errors';
import { casLoginUrl, casLogoutUrl, createCasSignIn, readCasSettings } from '../../model/signin/cas';
import { startBrokenServer } from '../support/brokenServer';
import { type CasPerson, type CasServer, type Misbehaviour, startCasServer } from '../support/casServer';
import { createCertificate } from '../support/certificate';

const rootUrl = 'http://pads.example.org:8080';
const service = `${rootUrl}/mypads/?/login`;
const alice: CasPerson = {
  user: 'alice',
  attributes: { email: 'alice@example.org', firstname: 'Alice', lastname: 'Liddell' },
};

interface LogLine {
  message: string;
  facts: Record<string, unknown> | undefined;
}

describe('Sign-in with CAS', () => {
  let server: CasServer;
  let settings: unknown;
  let root: string;
  let lines: LogLine[];

  const note = (message: string, facts?: Record<string, unknown>): void => {
    lines.push({ message, facts });
  };
  const log = { debug: note, info: note, warn: note, error: note };
  const cas = createCasSignIn({ settings: () => settings, rootUrl: () => root, log });
  const hasty = createCasSignIn({ settings: () => settings, rootUrl: () => root, log, timeLimit: 400 });

  before(async () => {
    server = await startCasServer();
  });
  after(() => server.stop());
  beforeEach(() => {
    settings = server.settings();
    root = rootUrl;
    lines = [];
    server.misbehave(undefined);
    server.requests.length = 0;
  });

  const signIn = (person = alice, method = cas) =>
    method.authenticate({ ticket: server.ticket(person, service) });

  async function refusal(attempt: Promise<unknown>): Promise<ErrorKey> {
    try {
      await attempt;
    } catch (error) {
      if (error instanceof MyPadsError) return error.key;
      throw error;
    }
    throw new Error('it was not refused');
  }

  const failed = 'BACKEND.ERROR.AUTHENTICATION.CAS_FAILED';
  const unavailable = 'BACKEND.ERROR.AUTHENTICATION.DIRECTORY_UNAVAILABLE';

  describe('a good ticket', () => {
    it('brings in the person with the name and address that the server says (version 3)', async () => {
      expect(await signIn()).to.deep.equal({
        login: 'alice',
        email: 'alice@example.org',
        firstname: 'Alice',
        lastname: 'Liddell',
        lang: 'de',
      });
    });

    it('is asked about at the port and path of serverUrl, with ticket and service encoded', async () => {
      await signIn();
      const [request = ''] = server.requests;
      expect(request).to.match(/^\/cas\/p3\/serviceValidate\?service=/);
      expect(request).to.contain(encodeURIComponent(service));
    });

    it('works for version 2, whose answer has a user and no attributes', async () => {
      settings = server.settings({ protocolVersion: 2, properties: { login: 'user', email: 'user' } });
      const profile = await signIn({ user: 'alice@example.org' });
      expect(profile).to.include({ login: 'alice@example.org', email: 'alice@example.org', firstname: '' });
      expect(server.requests[0]).to.match(/^\/cas\/serviceValidate\?/);
    });

    it('works for version 1, whose answer is two lines', async () => {
      settings = server.settings({ protocolVersion: 1, properties: { login: 'user', email: 'user' } });
      expect(await signIn({ user: 'alice@example.org' })).to.include({ login: 'alice@example.org' });
      expect(server.requests[0]).to.match(/^\/cas\/validate\?/);
    });

    it('takes names of attributes from the settings, and of several values the first', async () => {
      settings = server.settings({
        properties: { login: 'employeeID', email: 'MAIL', firstname: 'givenName', lastname: 'sn' },
      });
      const profile = await signIn({
        user: 'x123',
        attributes: {
          employeeID: 'renée',
          mail: ['renee@example.org', 'second@example.org'],
          givenName: ['Renée', 'R.'],
          sn: 'Lefèvre & <Söhne>',
        },
      });
      expect(profile).to.deep.equal({
        login: 'renée',
        email: 'renee@example.org',
        firstname: 'Renée',
        lastname: 'Lefèvre & <Söhne>',
        lang: 'de',
      });
    });

    it('does not mind settings that are for others, such as logoutUrl', async () => {
      settings = server.settings({
        logoutUrl: 'https://cas.example.org/bye',
        useGateway: false,
        surprise: [1],
      });
      expect(await signIn()).to.include({ login: 'alice' });
    });

    it('works with a slash at the end of serverUrl and of rootUrl', async () => {
      settings = server.settings({ serverUrl: `${server.url}/` });
      root = `${rootUrl}/`;
      expect(await signIn()).to.include({ login: 'alice' });
    });

    it('works when the host lives under a path', async () => {
      root = 'https://example.org/etherpad';
      const ticket = server.ticket(alice, 'https://example.org/etherpad/mypads/?/login');
      expect(await cas.authenticate({ ticket })).to.include({ login: 'alice' });
    });

    it('may be as long and as odd as signed tickets are', async () => {
      const odd = `ST-1&service=x#/?=+ ${'y'.repeat(1_500)}`;
      server.misbehave((response, answer) => response.end(answer));
      expect(await refusal(cas.authenticate({ ticket: odd }))).to.equal(failed);
      const asked = new URL(server.requests[0] ?? '', server.url).searchParams;
      expect(asked.get('ticket')).to.equal(odd);
      expect(asked.getAll('service')).to.deep.equal([service]);
    });
  });

  describe('who comes in', () => {
    it('is nobody with a ticket that was used before', async () => {
      const ticket = server.ticket(alice, service);
      await cas.authenticate({ ticket });
      expect(await refusal(cas.authenticate({ ticket }))).to.equal(failed);
    });

    it('is nobody with a made-up ticket, in any version', async () => {
      for (const protocolVersion of [1, 2, 3]) {
        settings = server.settings({ protocolVersion });
        expect(await refusal(cas.authenticate({ ticket: 'ST-none' }))).to.equal(failed);
      }
      expect(lines.map(({ facts }) => facts?.code)).to.deep.equal(['no', 'INVALID_TICKET', 'INVALID_TICKET']);
    });

    it('is nobody with a ticket for another site', async () => {
      const ticket = server.ticket(alice, 'https://evil.example.org/mypads/?/login');
      expect(await refusal(cas.authenticate({ ticket }))).to.equal(failed);
      expect(lines[0]?.facts).to.deep.equal({ code: 'INVALID_SERVICE' });
    });

    it('is nobody without a ticket', async () => {
      for (const ticket of ['', '  ', undefined, ['ST-1'], { $ne: '' }] as string[]) {
        expect(await refusal(cas.authenticate({ ticket }))).to.equal(
          'BACKEND.ERROR.AUTHENTICATION.CAS_NO_TICKET',
        );
      }
      expect(server.requests).to.have.length(0);
    });

    it('is nobody with an endless ticket, and the server is not bothered', async () => {
      expect(await refusal(cas.authenticate({ ticket: 'S'.repeat(10_000) }))).to.equal(failed);
      expect(server.requests).to.have.length(0);
    });

    it('is nobody while rootUrl is not set', async () => {
      root = '';
      expect(await refusal(signIn())).to.equal('BACKEND.ERROR.CONFIGURATION.ROOTURL_NOT_CONFIGURED');
    });

    it('is nobody without an address, or with something that is none', async () => {
      const addresses: Record<string, string>[] = [
        {},
        { email: '' },
        { email: 'alice' },
        { email: '<b>a@b.c</b>' },
      ];
      for (const attributes of addresses) {
        expect(await refusal(signIn({ user: 'alice', attributes }))).to.equal(
          'BACKEND.ERROR.AUTHENTICATION.LDAP_NO_VALID_MAIL',
        );
      }
    });

    it('is nobody without the attribute that is the login, so that two people never share an account', async () => {
      settings = server.settings({ properties: { login: 'uid', email: 'email' } });
      expect(await refusal(signIn())).to.equal('BACKEND.ERROR.TYPE.USER_INVALID');
      const reason = 'BACKEND.ERROR.TYPE.USER_INVALID';
      const facts = { user: 'alice', attributes: 'email firstname lastname', reason };
      expect(lines.map((line) => line.facts)).to.deep.equal([facts]);
    });

    it('is nobody when the settings name no usable server', async () => {
      const unusable = [
        null,
        'x',
        {},
        { serverUrl: 'ftp://example.org' },
        { serverUrl: 'http://' },
        { ...server.settings(), protocolVersion: 4 },
      ];
      for (const value of unusable) {
        settings = value;
        expect(await refusal(signIn())).to.equal(unavailable);
        expect(() => readCasSettings(value)).to.throw(/serverUrl|protocolVersion|object/);
      }
    });
  });

  describe('answers that are not those of the protocol', () => {
    const hello = '<cas:user>alice</cas:user>';
    const inside = (content: string): string =>
      `<cas:serviceResponse xmlns:cas="http://www.yale.edu/tp/cas">${content}</cas:serviceResponse>`;
    const good = inside(`<cas:authenticationSuccess>${hello}</cas:authenticationSuccess>`);
    const answers: [string, string][] = [
      ['nothing', ''],
      [
        'a web page',
        '<!doctype html><html><head><title>Sign in</title><body><p>Hello<br>alice</body></html>',
      ],
      ['half a document', good.slice(0, good.length - 20)],
      ['another document', '<rss><channel/></rss>'],
      ['JSON', '{"serviceResponse":{"authenticationSuccess":{"user":"alice"}}}'],
      ['version 1 where version 3 is expected', 'yes\nalice\n'],
      ['a success without a user', inside('<cas:authenticationSuccess>alice</cas:authenticationSuccess>')],
      [
        'an empty user',
        inside('<cas:authenticationSuccess><cas:user> </cas:user></cas:authenticationSuccess>'),
      ],
      [
        'two users',
        inside(`<cas:authenticationSuccess>${hello}<cas:user>bob</cas:user></cas:authenticationSuccess>`),
      ],
      ['two successes', inside(`<cas:authenticationSuccess>${hello}</cas:authenticationSuccess>`.repeat(2))],
      [
        'a user inside a user',
        inside(`<cas:authenticationSuccess><cas:user>${hello}</cas:user></cas:authenticationSuccess>`),
      ],
      [
        'a failure with a success beside it',
        inside(
          `<cas:authenticationFailure code="X"/><cas:authenticationSuccess>${hello}</cas:authenticationSuccess>`,
        ),
      ],
      ['an entity of its own', `<!DOCTYPE x [<!ENTITY who "alice">]>${good.replace('alice', '&who;')}`],
      [
        'an entity that reads a file',
        `<!DOCTYPE x [<!ENTITY who SYSTEM "file:///etc/passwd">]>${good.replace('alice', '&who;')}`,
      ],
      ['an entity from nowhere', good.replace('alice', '&who;')],
      [
        'a billion laughs',
        `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "${'&a;'.repeat(99)}"><!ENTITY c "${'&b;'.repeat(99)}">]>${good.replace('alice', '&c;')}`,
      ],
      [
        'a ticket that another service got for the person',
        good.replace(
          '</cas:user>',
          '</cas:user><cas:proxies><cas:proxy>https://evil.example</cas:proxy></cas:proxies>',
        ),
      ],
      ['control characters', `\u0000\u0001\u0002${good}`],
    ];
    for (const [what, text] of answers) {
      it(`let nobody in: ${what}`, async () => {
        server.misbehave((response) => response.end(text));
        expect(await refusal(signIn())).to.equal(failed);
      });
    }

    it('cannot slip anything into other objects (__proto__ as an attribute)', async () => {
      const attributes =
        '<cas:attributes><cas:email>alice@example.org</cas:email><cas:__proto__><cas:admin>yes</cas:admin></cas:__proto__></cas:attributes>';
      server.misbehave((response) =>
        response.end(inside(`<cas:authenticationSuccess>${hello}${attributes}</cas:authenticationSuccess>`)),
      );
      await signIn();
      expect(({} as Record<string, unknown>).admin).to.equal(undefined);
    });

    it('keep the text of an attribute that XML has decorated', async () => {
      const attributes =
        '<cas:attributes><cas:email type="work">alice@example.org</cas:email><cas:email>b@example.org</cas:email></cas:attributes>';
      server.misbehave((response) =>
        response.end(inside(`<cas:authenticationSuccess>${hello}${attributes}</cas:authenticationSuccess>`)),
      );
      expect(await signIn()).to.include({ email: 'alice@example.org' });
    });

    it('let nobody in with a status of refusal', async () => {
      server.misbehave((response, answer) => response.writeHead(401).end(answer));
      expect(await refusal(signIn())).to.equal(failed);
    });
  });

  describe('a server that cannot be used', () => {
    const ways: [string, Misbehaviour][] = [
      ['an internal error', (response, answer) => response.writeHead(500).end(answer)],
      [
        'a redirection, which is not followed',
        (response) => response.writeHead(302, { location: '/cas/login' }).end(),
      ],
      ['another success than 200', (response, answer) => response.writeHead(203).end(answer)],
      ['a connection that breaks', (response) => response.destroy()],
      [
        'a connection that breaks in the middle',
        (response) => {
          response.writeHead(200, { 'content-length': 1_000 });
          response.write('<cas:service', () => response.destroy());
        },
      ],
      ['a huge answer', (response, answer) => response.end(answer + ' '.repeat(2_000_000))],
      ['no answer', () => undefined],
      [
        'an answer that never ends',
        (response) => {
          const drip = setInterval(() => response.write(' '), 20);
          response.on('close', () => clearInterval(drip));
        },
      ],
    ];
    for (const [what, misbehaviour] of ways) {
      it(`is said to be unavailable: ${what}`, async () => {
        server.misbehave(misbehaviour);
        const start = performance.now();
        expect(await refusal(signIn(alice, hasty))).to.equal(unavailable);
        expect(performance.now() - start).to.be.below(15_000);
        expect(lines[0]?.message).to.equal('CAS server unavailable');
        expect(lines[0]?.facts?.reason).to.be.a('string').that.is.not.equal('');
      });
    }

    it('is given up after five seconds', async () => {
      server.misbehave(() => undefined);
      const start = performance.now();
      expect(await refusal(signIn())).to.equal(unavailable);
      expect(performance.now() - start).to.be.within(4_500, 15_000);
      expect(lines[0]?.facts?.reason).to.equal('no answer in time');
    });

    it('is noticed at once when it is down', async () => {
      const gone = await startCasServer();
      settings = gone.settings();
      await gone.stop();
      expect(await refusal(signIn())).to.equal(unavailable);
    });

    it('is noticed when it does not speak HTTP', async () => {
      const nonsense = await startBrokenServer((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'));
      settings = server.settings({ serverUrl: `http://127.0.0.1:${nonsense.port}/cas` });
      expect(await refusal(signIn())).to.equal(unavailable);
      await nonsense.stop();
    });

    it('keeps no connection open afterwards', async () => {
      const silent: Promise<unknown>[] = [];
      const nonsense = await startBrokenServer((socket) => {
        socket.resume();
        silent.push(once(socket, 'close'));
      });
      settings = server.settings({ serverUrl: `http://127.0.0.1:${nonsense.port}/cas` });
      expect(await refusal(signIn(alice, hasty))).to.equal(unavailable);
      await Promise.all(silent);
      expect(silent).to.have.length(1);
      await nonsense.stop();
    });

    it('does not put the ticket into the log', async () => {
      server.misbehave((response) => response.destroy());
      const ticket = server.ticket(alice, service);
      await refusal(cas.authenticate({ ticket }));
      expect(JSON.stringify(lines)).not.to.contain(ticket);
    });
  });

  describe('over https', () => {
    const certificate = createCertificate();
    let secure: CasServer;
    before(async () => {
      secure = await startCasServer(certificate);
    });
    after(() => secure.stop());
    const enter = () => cas.authenticate({ ticket: secure.ticket(alice, service) });

    it('a certificate that nobody vouches for is refused', async () => {
      settings = secure.settings();
      expect(await refusal(enter())).to.equal(unavailable);
      expect(secure.requests).to.have.length(0);
    });

    it('it is accepted when the settings name it', async () => {
      settings = secure.settings({ ca: certificate.cert });
      expect(await enter()).to.include({ login: 'alice' });
    });

    it('it is accepted when the settings say not to look', async () => {
      settings = secure.settings({ strictSSL: false });
      expect(await enter()).to.include({ login: 'alice' });
    });
  });

  describe('addresses', () => {
    it('send people to the sign-on page and back to ours', async () => {
      const login = casLoginUrl(server.settings(), rootUrl);
      expect(login).to.equal(`${server.url}/login?service=${encodeURIComponent(service)}`);
      server.present(alice);
      const response = await fetch(login, { redirect: 'manual' });
      const back = new URL(response.headers.get('location') ?? '');
      expect(back.href.startsWith(`${service}&ticket=ST-`)).to.equal(true);
      const ticket = back.searchParams.get('ticket') ?? '';
      expect(await cas.authenticate({ ticket })).to.include({ login: 'alice' });
    });

    it('sign out at the configured page, else at the server with the way back', () => {
      const logoutUrl = 'https://sso.example.org/bye?x=1';
      expect(casLogoutUrl({ ...server.settings(), logoutUrl }, rootUrl)).to.equal(logoutUrl);
      const back = encodeURIComponent(`${rootUrl}/mypads/`);
      expect(casLogoutUrl(server.settings(), `${rootUrl}/`)).to.equal(`${server.url}/logout?service=${back}`);
      expect(casLogoutUrl(server.settings(), '')).to.equal(`${server.url}/logout`);
    });

    it('are never a script', () => {
      const logoutUrl = 'javascript:alert(1)';
      expect(casLogoutUrl({ ...server.settings(), logoutUrl }, '')).to.equal(`${server.url}/logout`);
      expect(() => casLoginUrl({ serverUrl: logoutUrl }, rootUrl)).to.throw(MyPadsError);
    });
  });
});
