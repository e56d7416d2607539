import { once } from 'node:events';
import { expect } from 'chai';
import { startBrokenServer } from '../support/brokenServer';
import { type CasServer, type Misbehaviour, startCasServer } from '../support/casServer';
import { alice, failed, service, unavailable, useCas } from '../support/casSignIn';
import { createCertificate } from '../support/certificate';
import { refusal } from '../support/errorKeys';

describe('a CAS server that fails', () => {
  const cas = useCas();
  const { withShortTimeLimit, signIn } = cas;

  describe('answers of a CAS server', () => {
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
      [
        'an entity that the document declares',
        `<!DOCTYPE x [<!ENTITY who "alice">]>${good.replace('alice', '&who;')}`,
      ],
      [
        'an entity that reads a file',
        `<!DOCTYPE x [<!ENTITY who SYSTEM "file:///etc/passwd">]>${good.replace('alice', '&who;')}`,
      ],
      ['an undeclared entity', good.replace('alice', '&who;')],
      [
        'a billion laughs',
        `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "${'&a;'.repeat(99)}"><!ENTITY c "${'&b;'.repeat(99)}">]>${good.replace('alice', '&c;')}`,
      ],
      [
        'a proxy ticket',
        good.replace(
          '</cas:user>',
          '</cas:user><cas:proxies><cas:proxy>https://evil.example</cas:proxy></cas:proxies>',
        ),
      ],
      ['control characters', `\u0000\u0001\u0002${good}`],
    ];
    for (const [what, text] of answers) {
      it(`are refused if they are invalid: ${what}`, async () => {
        cas.server.misbehave((response) => response.end(text));
        expect(await refusal(signIn())).to.equal(failed);
      });
    }

    it('cannot change other objects with __proto__ as an attribute', async () => {
      const attributes =
        '<cas:attributes><cas:email>alice@example.org</cas:email><cas:__proto__><cas:admin>yes</cas:admin></cas:__proto__></cas:attributes>';
      cas.server.misbehave((response) =>
        response.end(inside(`<cas:authenticationSuccess>${hello}${attributes}</cas:authenticationSuccess>`)),
      );
      await signIn();
      expect(({} as Record<string, unknown>).admin).to.equal(undefined);
    });

    it('are read also when an attribute has XML attributes of its own', async () => {
      const attributes =
        '<cas:attributes><cas:email type="work">alice@example.org</cas:email><cas:email>b@example.org</cas:email></cas:attributes>';
      cas.server.misbehave((response) =>
        response.end(inside(`<cas:authenticationSuccess>${hello}${attributes}</cas:authenticationSuccess>`)),
      );
      expect(await signIn()).to.include({ email: 'alice@example.org' });
    });

    it('are refused with the status 401', async () => {
      cas.server.misbehave((response, answer) => response.writeHead(401).end(answer));
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
      ['a success status other than 200', (response, answer) => response.writeHead(203).end(answer)],
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
        cas.server.misbehave(misbehaviour);
        expect(await refusal(signIn(alice, withShortTimeLimit))).to.equal(unavailable);
        expect(cas.lines[0]?.message).to.equal('CAS server unavailable');
        expect(cas.lines[0]?.facts?.reason).to.be.a('string').that.is.not.equal('');
      });
    }

    it('is not waited for without end', async () => {
      cas.server.misbehave(() => undefined);
      expect(await refusal(signIn())).to.equal(unavailable);
      expect(cas.lines[0]?.facts?.reason).to.equal('no answer in time');
    });

    it('is noticed at once when it is down', async () => {
      const gone = await startCasServer();
      cas.settings = gone.settings();
      await gone.stop();
      expect(await refusal(signIn())).to.equal(unavailable);
    });

    it('is noticed when it does not speak HTTP', async () => {
      const nonsense = await startBrokenServer((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'));
      cas.settings = cas.server.settings({ serverUrl: `http://127.0.0.1:${nonsense.port}/cas` });
      expect(await refusal(signIn())).to.equal(unavailable);
      await nonsense.stop();
    });

    it('keeps no connection open afterwards', async () => {
      const silent: Promise<unknown>[] = [];
      const nonsense = await startBrokenServer((socket) => {
        socket.resume();
        silent.push(once(socket, 'close'));
      });
      cas.settings = cas.server.settings({ serverUrl: `http://127.0.0.1:${nonsense.port}/cas` });
      expect(await refusal(signIn(alice, withShortTimeLimit))).to.equal(unavailable);
      await Promise.all(silent);
      expect(silent).to.have.length(1);
      await nonsense.stop();
    });

    it('does not put the ticket into the log', async () => {
      cas.server.misbehave((response) => response.destroy());
      const ticket = cas.server.ticket(alice, service);
      await refusal(cas.method.authenticate({ ticket }));
      expect(JSON.stringify(cas.lines)).not.to.contain(ticket);
    });
  });

  describe('over https', () => {
    const certificate = createCertificate();
    let secure: CasServer;
    before(async () => {
      secure = await startCasServer(certificate);
    });
    after(() => secure.stop());
    const enter = () => cas.method.authenticate({ ticket: secure.ticket(alice, service) });

    it('a self-signed certificate is refused', async () => {
      cas.settings = secure.settings();
      expect(await refusal(enter())).to.equal(unavailable);
      expect(secure.requests).to.have.length(0);
    });

    it('a self-signed certificate is accepted when the settings contain it', async () => {
      cas.settings = secure.settings({ ca: certificate.cert });
      expect(await enter()).to.include({ login: 'alice' });
    });

    it('a self-signed certificate is accepted when the settings switch the check off', async () => {
      cas.settings = secure.settings({ strictSSL: false });
      expect(await enter()).to.include({ login: 'alice' });
    });
  });
});
