import { expect } from 'chai';
import type { ConfigurationKey } from '../../model/configuration';
import { startApp, type TestApp } from '../support/app';
import { buildUser, signIn, signInAsAdmin } from '../support/factories';
import { insideOnly } from '../support/network';
import {
  closedPort,
  type ReceivedLetter,
  type SmtpServerOptions,
  startSmtpServer,
  type TestSmtpServer,
} from '../support/smtpServer';

const root = 'https://pads.example.org/etherpad';
const unavailable = { error: 'BACKEND.ERROR.SERVER.MAIL_UNAVAILABLE' };

describe('mail about accounts, over HTTP', () => {
  let app: TestApp;
  const servers: TestSmtpServer[] = [];
  beforeEach(async () => {
    app = await startApp();
    await set({ rootUrl: root });
  });
  afterEach(async () => {
    await app.model.accountMail.idle();
    for (const server of servers.splice(0)) await server.close();
    await app.close();
  });

  async function set(values: Partial<Record<ConfigurationKey, unknown>>): Promise<void> {
    for (const [key, value] of Object.entries(values)) await app.model.configuration.set(key, value);
  }

  const pointMailAt = (SMTPPort: number): Promise<void> =>
    set({ SMTPHost: '127.0.0.1', SMTPPort, SMTPTLS: false, SMTPEmailFrom: 'pads@example.org' });

  async function startMail(options: SmtpServerOptions = {}): Promise<TestSmtpServer> {
    const server = await startSmtpServer(options);
    servers.push(server);
    await pointMailAt(server.port);
    return server;
  }

  function tokenIn(letter: ReceivedLetter, action: 'passrecover' | 'accountconfirm', base = root): string {
    const start = `${base}/mypads/index.html?/${action}/`;
    const line = letter.text.split('\n').find((one) => one.startsWith(start)) ?? '';
    expect(line, letter.text).to.match(/\/[0-9a-f]{64}$/);
    return line.slice(start.length);
  }

  const person = (login: string, fields: object = {}): object => ({
    login,
    password: `secret of ${login}`,
    email: `${login}@example.org`,
    ...fields,
  });
  const register = (body: object) => app.agent.post('/api/user').send(body);
  const login = (name: string, password: string) =>
    app.agent.post('/api/auth/login').send({ login: name, password });
  const confirm = (token: unknown) => app.agent.post('/api/accountconfirm').send({ token });
  const recover = (email: unknown) => app.agent.post('/api/passrecover').send({ email });
  const complete = (token: string, password: string, passwordConfirm = password) =>
    app.agent.put(`/api/passrecover/${token}`).send({ password, passwordConfirm });
  const logged = (): string => JSON.stringify(app.ports.lines);

  describe('registering where addresses are confirmed', () => {
    beforeEach(() => set({ checkMails: true }));

    it('sends a link, and only that opens the account', async () => {
      const mail = await startMail();
      const answer = await register(person('ada', { lang: 'fr' }));
      expect(answer.status).to.equal(200);
      expect(answer.body).to.deep.include({ success: true, key: 'ada' });
      expect(answer.body.value).to.include({ login: 'ada', email: 'ada@example.org', active: false });
      const early = await login('ada', 'secret of ada');
      expect(early.status).to.equal(401);
      expect(early.body.error).to.equal('BACKEND.ERROR.AUTHENTICATION.ACTIVATION_NEEDED');
      const letter = await mail.next();
      expect(letter.to).to.deep.equal(['ada@example.org']);
      expect(letter.headers['content-language']).to.equal('fr');
      const token = tokenIn(letter, 'accountconfirm');
      expect((await confirm(token)).body).to.deep.equal({ success: true, login: 'ada' });
      expect((await login('ada', 'secret of ada')).status).to.equal(200);
      const again = await confirm(token);
      expect(again.status).to.equal(400);
      expect(again.body).to.deep.equal({ error: 'BACKEND.ERROR.TOKEN.INCORRECT' });
    });

    it('is told at once when mail is not set up, and leaves no account', async () => {
      const answer = await register(person('half'));
      expect(answer.status).to.equal(501);
      expect(answer.body).to.deep.equal({ error: 'BACKEND.ERROR.CONFIGURATION.MAIL_NOT_CONFIGURED' });
      await startMail();
      await set({ rootUrl: '' });
      const rootless = await register(person('half'));
      expect(rootless.status).to.equal(501);
      expect(rootless.body.error).to.equal('BACKEND.ERROR.CONFIGURATION.ROOTURL_NOT_CONFIGURED');
      expect(await app.model.users.find('half')).to.equal(undefined);
    });

    it('is told that mail is down, leaves nothing behind, and works when tried again', async () => {
      await pointMailAt(await closedPort());
      const before = await app.ports.database.findKeys('mypads:*', null);
      const answer = await register(person('half'));
      expect(answer.status).to.equal(503);
      expect(answer.body).to.deep.equal(unavailable);
      const after = await app.ports.database.findKeys('mypads:*', null);
      expect(after.filter((key) => !before.includes(key))).to.deep.equal([]);
      const mail = await startMail();
      expect((await register(person('half'))).status).to.equal(200);
      await confirm(tokenIn(await mail.next(), 'accountconfirm'));
      expect((await login('half', 'secret of half')).status).to.equal(200);
    });

    it('is told that the mail server does not know the address', async () => {
      await startMail({ refuse: { at: 'recipient', code: 550, reply: '5.1.1 nobody' } });
      const answer = await register(person('half'));
      expect(answer.body).to.deep.equal({ error: 'BACKEND.ERROR.TYPE.TO_MAIL' });
      expect(await app.model.users.find('half')).to.equal(undefined);
    });

    it('by an administrator opens the account at once, without mail', async () => {
      const admin = await signInAsAdmin(app);
      const made = await register({ ...person('given'), auth_token: admin });
      expect(made.body.value.active).to.equal(true);
      expect((await login('given', 'secret of given')).status).to.equal(200);
    });

    describe('with an address that has an account', () => {
      /** A person with an open account, and the address in another letter case. */
      async function known(mail: TestSmtpServer): Promise<string> {
        await register(person('victim', { lang: 'de' }));
        await confirm(tokenIn(await mail.next(), 'accountconfirm'));
        return 'Victim@Example.org';
      }
      const shapeOf = (answer: { status: number; body: { value: Record<string, unknown> } }): unknown => ({
        status: answer.status,
        ...answer.body,
        value: { ...answer.body.value, _id: typeof answer.body.value._id, ctime: 0 },
      });

      it('answers as for any other, and tells the owner by mail', async () => {
        const mail = await startMail();
        const email = await known(mail);
        const taken = await register(person('curious', { email }));
        const letter = await mail.next();
        const free = await register(person('curious2', { email: 'free@example.org' }));
        await mail.next();
        const same = (text: string): string =>
          text.replace(/curious2/g, 'curious').replace('free@example.org', email);
        expect(JSON.parse(same(JSON.stringify(shapeOf(free))))).to.deep.equal(shapeOf(taken));
        expect(letter.to).to.deep.equal(['victim@example.org']);
        expect(letter.headers['content-language']).to.equal('de');
        expect(letter.subject).to.include('Sie haben schon ein Konto');
        expect(letter.text)
          .to.include('„victim“')
          .and.to.include(`\n${root}/mypads/index.html?/passrecover\n`);
        expect(letter.text).not.to.include('curious');
      });

      insideOnly.it(
        'does the same work before it answers, so that the time tells nothing either',
        async () => {
          const mail = await startMail();
          const email = await known(mail);
          const { hasher } = app.ports;
          const { hash } = hasher;
          let hashes = 0;
          hasher.hash = (text) => {
            hashes += 1;
            return hash(text);
          };
          const work = async (body: object): Promise<[number, number]> => {
            const before = [hashes, mail.connections()] as const;
            expect((await register(body)).status).to.equal(200);
            return [hashes - before[0], mail.connections() - before[1]];
          };
          expect(await work(person('curious', { email }))).to.deep.equal([1, 1]);
          expect(await work(person('curious2', { email: 'free@example.org' }))).to.deep.equal([1, 1]);
        },
      );

      it('can be given another address by an administrator, and counts as any other then', async () => {
        const mail = await startMail();
        await register(person('curious', { email: await known(mail) }));
        const admin = await signInAsAdmin(app);
        const changed = await app.agent
          .put('/api/user/curious')
          .query({ auth_token: admin })
          .send({ email: 'curious@example.org', active: true });
        expect(changed.status).to.equal(200);
        expect((await login('curious@example.org', 'secret of curious')).status).to.equal(200);
        expect(await app.model.users.get(changed.body.value._id)).not.to.have.property('addressTaken', true);
        expect((await login('victim@example.org', 'secret of victim')).status).to.equal(200);
      });

      it('behaves afterwards as any account that waits for its mail', async () => {
        const mail = await startMail();
        const email = await known(mail);
        await register(person('curious', { email }));
        await register(person('curious2', { email: 'free@example.org' }));
        for (const name of ['curious', 'curious2']) {
          const entered = await login(name, `secret of ${name}`);
          expect(entered.body.error).to.equal('BACKEND.ERROR.AUTHENTICATION.ACTIVATION_NEEDED');
          expect((await register(person(name, { email: 'other@example.org' }))).body.error).to.equal(
            'BACKEND.ERROR.USER.ALREADY_EXISTS',
          );
        }
        const answers = await Promise.all([
          register(person('third', { email })),
          register(person('fourth', { email: 'free@example.org' })),
        ]);
        expect(answers.map(({ status }) => status)).to.deep.equal([200, 200]);
      });

      it('changes nothing for its owner', async () => {
        const mail = await startMail();
        const email = await known(mail);
        const before = await app.model.users.findByEmail('victim@example.org');
        await register(person('curious', { email, password: 'of the curious' }));
        await mail.next();
        expect(await app.model.users.findByEmail('victim@example.org')).to.deep.equal(before);
        expect((await login('victim@example.org', 'of the curious')).status).to.equal(400);
        expect((await login('victim@example.org', 'secret of victim')).status).to.equal(200);
        await recover('victim@example.org');
        await complete(tokenIn(await mail.next(), 'passrecover'), 'a new secret');
        expect((await login('victim', 'a new secret')).status).to.equal(200);
      });

      it('tells the same when mail is down', async () => {
        const mail = await startMail();
        const email = await known(mail);
        await pointMailAt(await closedPort());
        for (const [name, address] of [
          ['curious', email],
          ['curious2', 'free@example.org'],
        ] as const) {
          expect((await register(person(name, { email: address }))).body).to.deep.equal(unavailable);
          expect(await app.model.users.find(name)).to.equal(undefined);
        }
      });

      it('still tells that a login is taken', async () => {
        const mail = await startMail();
        const email = await known(mail);
        const answer = await register(person('victim', { email }));
        expect(answer.status).to.equal(400);
        expect(answer.body).to.deep.equal({ error: 'BACKEND.ERROR.USER.ALREADY_EXISTS', field: 'login' });
      });

      it('is not told through the login either', async () => {
        const mail = await startMail();
        const email = await known(mail);
        for (const name of [email, 'victim@example.org', 'free@example.org']) {
          const answer = await register(person('x', { login: name }));
          expect(answer.body).to.deep.equal({ error: 'BACKEND.ERROR.TYPE.LOGIN_STR', field: 'login' });
        }
      });

      it('can get its account by asking for a new password, when the first mail was lost', async () => {
        const mail = await startMail();
        await register(person('waiting'));
        await mail.next();
        await register(person('second', { email: 'waiting@example.org' }));
        expect((await mail.next()).text).to.include('“waiting”');
        await recover('waiting@example.org');
        await complete(tokenIn(await mail.next(), 'passrecover'), 'a new secret');
        expect((await login('waiting', 'a new secret')).status).to.equal(200);
      });
    });
  });

  describe('a forgotten password', () => {
    it('is replaced through a mailed link, once, which ends every session', async () => {
      const mail = await startMail();
      const user = await buildUser(app);
      expect((await recover(user.email)).body).to.deep.equal({ success: true });
      const token = tokenIn(await mail.next(), 'passrecover');
      const answer = await complete(token, 'a new secret');
      expect(answer.status).to.equal(200);
      expect(answer.body).to.deep.equal({ success: true, login: user.login });
      expect(await app.model.sessions.read(user.token, ['user'])).to.equal(undefined);
      expect((await login(user.login, user.password)).status).to.equal(400);
      await signIn(app, user.login, 'a new secret');
      expect((await complete(token, 'a third secret')).body.error).to.equal('BACKEND.ERROR.TOKEN.INCORRECT');
    });

    it('of an address that nobody has gets the same answer, and no mail', async () => {
      const mail = await startMail();
      const answer = await recover('nobody@example.org');
      expect(answer.status).to.equal(200);
      expect(answer.body).to.deep.equal({ success: true });
      await app.model.accountMail.idle();
      expect(mail.letters).to.deep.equal([]);
    });

    it('tells everybody when mail is down or not set up', async () => {
      const user = await buildUser(app);
      for (const email of [user.email, 'nobody@example.org']) {
        expect((await recover(email)).status).to.equal(501);
      }
      await pointMailAt(await closedPort());
      for (const email of [user.email, 'nobody@example.org']) {
        const answer = await recover(email);
        expect(answer.status).to.equal(503);
        expect(answer.body).to.deep.equal(unavailable);
      }
    });

    it('can be tried again after two passwords that differ or one of the wrong size', async () => {
      const mail = await startMail();
      const user = await buildUser(app);
      await recover(user.email);
      const token = tokenIn(await mail.next(), 'passrecover');
      expect((await complete(token, 'a new secret', 'another')).body.error).to.equal(
        'USER.ERR.PASSWORD_MISMATCH',
      );
      expect((await complete(token, 'short')).body.error).to.equal('BACKEND.ERROR.TYPE.PASSWORD_SIZE');
      expect((await complete(token, 'x'.repeat(129))).body.error).to.equal(
        'BACKEND.ERROR.TYPE.PASSWORD_SIZE',
      );
      expect((await complete(token, 'a new secret')).status).to.equal(200);
    });

    it('has a link that ends after the configured minutes', async () => {
      const mail = await startMail();
      await set({ tokenDuration: 5 });
      const user = await buildUser(app);
      await recover(user.email);
      const token = tokenIn(await mail.next(), 'passrecover');
      app.ports.advance(5 * 60_000);
      const late = await complete(token, 'a new secret');
      expect(late.status).to.equal(400);
      expect(late.body).to.deep.equal({ error: 'BACKEND.ERROR.TOKEN.EXPIRED' });
    });

    it('cannot be had where accounts live elsewhere', async () => {
      await startMail();
      await set({ authMethod: 'ldap' });
      for (const answer of [
        await recover('ada@example.org'),
        await complete('0'.repeat(64), 'a new secret'),
        await confirm('0'.repeat(64)),
      ]) {
        expect(answer.status).to.equal(400);
        expect(answer.body.error).to.equal('BACKEND.ERROR.AUTHENTICATION.NO_RECOVER');
      }
    });
  });

  it('takes no link for another purpose, and none that was made up', async () => {
    const mail = await startMail();
    const user = await buildUser(app);
    await recover(user.email);
    const recovery = tokenIn(await mail.next(), 'passrecover');
    for (const token of [recovery, '0'.repeat(64), 'x', '', '__proto__', 5, null, ['x'], 'x'.repeat(300)]) {
      const answer = await confirm(token);
      expect(answer.status).to.equal(400);
      expect(answer.body.error).to.equal('BACKEND.ERROR.TOKEN.INCORRECT');
    }
    expect((await complete('constructor', 'a new secret')).body.error).to.equal(
      'BACKEND.ERROR.TOKEN.INCORRECT',
    );
  });

  it('says what is wrong with an address', async () => {
    await startMail();
    for (const email of [
      '',
      'ada',
      '<b>a@b.org</b>',
      'a@b.org\r\nBcc: c@d.org',
      'a@b.org,c@d.org',
      5,
      null,
    ]) {
      const answer = await recover(email);
      expect(answer.status).to.equal(400);
      expect(answer.body).to.deep.equal({ error: 'BACKEND.ERROR.TYPE.MAIL', field: 'email' });
    }
  });

  it('keeps registration, recovery and mail agreeing on what an address is', async () => {
    const mail = await startMail();
    await buildUser(app, { email: "o'neil@example.org" });
    await recover("o'neil@example.org");
    expect((await mail.next()).to).to.deep.equal(["o'neil@example.org"]);
    for (const email of ['a..b@example.org', '.a@example.org', 'a@-b.org', 'a@b', 'a@1.2']) {
      expect((await register(person('odd', { email }))).body.error, email).to.equal(
        'BACKEND.ERROR.TYPE.MAIL',
      );
      expect((await recover(email)).body.error, email).to.equal('BACKEND.ERROR.TYPE.MAIL');
    }
  });

  describe('the address in a link', () => {
    const ask = async (headers: Record<string, string>): Promise<string> => {
      const mail = await startMail();
      const user = await buildUser(app);
      await app.agent.post('/api/passrecover').set(headers).send({ email: user.email });
      return (await mail.next()).text;
    };
    const forwarded = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'public.example.net:8443' };

    it('is the configured one, whatever the request says', async () => {
      expect(await ask({ ...forwarded, Host: 'evil.example.org' })).to.include(`\n${root}/mypads/`);
    });

    it('is what a trusted proxy says, where the setting tells to trust it', async () => {
      await set({ trustProxy: true, rootUrl: '' });
      expect(await ask(forwarded)).to.include('\nhttps://public.example.net:8443/mypads/index.html?/');
    });

    it('keeps the path below which we are served', async () => {
      await set({ trustProxy: true });
      expect(await ask(forwarded)).to.include('\nhttps://public.example.net:8443/etherpad/mypads/index.html');
      expect(await ask({ ...forwarded, 'X-Forwarded-Prefix': '/other/' })).to.include(
        '\nhttps://public.example.net:8443/other/mypads/index.html',
      );
    });

    it('is not made of a host that is none', async () => {
      await set({ trustProxy: true });
      expect(await ask({ 'X-Forwarded-Host': 'evil.example.org/"><script>' })).to.include(
        `\n${root}/mypads/`,
      );
    });
  });

  it('answers 429 to somebody who asks too often, known or not', async () => {
    const strict = await startApp({ limitFactor: 1 });
    const ask = (email: string) => strict.agent.post('/api/passrecover').send({ email });
    const user = await buildUser(strict);
    for (const email of [user.email, 'nobody@example.org']) {
      const answers = [];
      for (let count = 0; count < 6; count += 1) answers.push(await ask(email));
      expect(answers.map(({ status }) => status)).to.deep.equal([501, 501, 501, 501, 501, 429]);
      const last = answers.at(-1);
      expect(last?.body.error).to.equal('BACKEND.ERROR.PERMISSION.TOO_MANY');
      expect(Number(last?.headers['retry-after'])).to.be.within(1, 3600);
    }
    const guesses = await Promise.all(
      Array.from({ length: 51 }, (_, index) =>
        strict.agent.post('/api/accountconfirm').send({ token: String(index).padStart(64, '0') }),
      ),
    );
    expect(guesses.filter(({ status }) => status === 429)).to.have.length(1);
    await strict.close();
  });

  it('puts no link, token, address or password into the log', async () => {
    const mail = await startMail();
    await set({ checkMails: true });
    await register(person('ada'));
    const confirmation = tokenIn(await mail.next(), 'accountconfirm');
    await confirm(confirmation);
    await recover('ada@example.org');
    const recovery = tokenIn(await mail.next(), 'passrecover');
    await complete(recovery, 'a new secret', 'mismatch');
    await complete(recovery, 'a new secret');
    await complete(recovery, 'a new secret');
    for (const secret of [confirmation, recovery, 'ada@example.org', 'a new secret', 'secret of ada']) {
      expect(logged()).not.to.include(secret);
    }
  });
});
