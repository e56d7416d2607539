import { expect } from 'chai';
import { MyPadsError } from '../../model/errors';
import { createMailer } from '../../model/mail/mailer';
import { createModel } from '../../model/model';
import { type AccountMail, type AccountMailUsers, createAccountMail } from '../../model/people/accountMail';
import { createMailTokens } from '../../model/people/mailToken';
import type { ConfigurationKey } from '../../model/settings/configuration';
import type { UserRecord } from '../../model/store/entities';
import { createTestPorts } from '../support/app';
import {
  closedPort,
  type ReceivedLetter,
  type SmtpServerOptions,
  startBadSmtpServer,
  startSmtpServer,
  type TestSmtpServer,
} from '../support/smtpServer';

const incorrect = 'BACKEND.ERROR.TOKEN.INCORRECT';
const unavailable = 'BACKEND.ERROR.SERVER.MAIL_UNAVAILABLE';
const noRecover = 'BACKEND.ERROR.AUTHENTICATION.NO_RECOVER';
const root = 'https://pads.example.org/etherpad';

async function startWorld() {
  const { closeDatabase, ...ports } = await createTestPorts();
  const model = await createModel(ports);
  const { users, configuration, store, log, now } = model;
  await users.ready;
  const mailer = createMailer({
    settings: (name) => configuration.get(name),
    log,
    times: { start: 1_000, step: 1_000, total: 3_000 },
  });
  const tokens = createMailTokens({
    store,
    users,
    tokenDuration: () => configuration.get('tokenDuration'),
    schedule: ports.schedule,
    log,
    now,
  });
  const build = (own: AccountMailUsers): AccountMail =>
    createAccountMail({ users: own, tokens, mailer, settings: (name) => configuration.get(name), log, now });
  return {
    model,
    ports,
    accountMail: build(users),
    /** With accounts that answer as the test wants. */
    build,
    async close() {
      tokens.close();
      mailer.close();
      await model.close();
      await closeDatabase();
    },
  };
}

async function errorOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof MyPadsError) return error.key;
    throw error;
  }
  return 'no error';
}

/** The token in a letter; the plain text and the HTML must agree on it. */
function tokenIn(letter: ReceivedLetter, action: 'passrecover' | 'accountconfirm'): string {
  const link = new RegExp(
    `https://pads\\.example\\.org/etherpad/mypads/index\\.html\\?/${action}/([0-9a-f]{64})`,
    'g',
  );
  const found = [letter.text, letter.html].flatMap((text) =>
    [...text.matchAll(link)].map(([, token]) => token),
  );
  expect(found.length).to.be.at.least(2);
  expect(new Set(found).size).to.equal(1);
  return found[0] ?? '';
}

describe('mail about accounts', () => {
  let world: Awaited<ReturnType<typeof startWorld>>;
  const servers: { close(): Promise<void> }[] = [];
  beforeEach(async () => {
    world = await startWorld();
    await set({ rootUrl: root, title: 'Pads of the school' });
  });
  afterEach(async () => {
    await world.accountMail.idle();
    for (const server of servers.splice(0)) await server.close();
    await world.close();
  });

  async function set(values: Partial<Record<ConfigurationKey, unknown>>): Promise<void> {
    for (const [key, value] of Object.entries(values)) await world.model.configuration.set(key, value);
  }

  async function pointMailAt(SMTPPort: number): Promise<void> {
    await set({ SMTPHost: '127.0.0.1', SMTPPort, SMTPTLS: false, SMTPEmailFrom: 'pads@example.org' });
  }

  async function startMail(options: SmtpServerOptions = {}): Promise<TestSmtpServer> {
    const server = await startSmtpServer(options);
    servers.push(server);
    await pointMailAt(server.port);
    return server;
  }

  function register(login: string, more: { active?: boolean; lang?: string } = {}): Promise<UserRecord> {
    const account = { login, email: `${login}@example.org`, password: 'password-1', active: true };
    return world.model.users.register({ ...account, ...more });
  }

  /** The token of a recovery mail, asked for as a person does. */
  async function recoveryToken(mail: TestSmtpServer, login: string): Promise<string> {
    await world.accountMail.requestRecovery(`${login}@example.org`);
    return tokenIn(await mail.next(), 'passrecover');
  }

  const signIn = (login: string, password: string): Promise<string> =>
    errorOf(world.model.users.authenticate(login, password));
  const logged = (): string => JSON.stringify(world.ports.lines);
  const tokensInDatabase = (): Promise<string[]> => world.model.store.scan('mypads:mailtoken:');

  describe('asking for a recovery', () => {
    it('brings a mail with a link, in the language of the person', async () => {
      const mail = await startMail();
      await set({ tokenDuration: 120 });
      await register('ada', { lang: 'fr' });
      await world.accountMail.requestRecovery('ada@example.org');
      const letter = await mail.next();
      expect(letter.to).to.deep.equal(['ada@example.org']);
      expect(letter.subject).to.include('mot de passe').and.to.include('Pads of the school');
      expect(letter.headers['content-language']).to.equal('fr');
      for (const part of ['ada', 'Pads of the school', '2 heures']) {
        expect(letter.text.replace(/\u00a0/g, ' ')).to.include(part);
        expect(letter.html.replace(/\u00a0/g, ' ')).to.include(part);
      }
      tokenIn(letter, 'passrecover');
    });

    it('answers the same for an address that nobody has, and sends nothing', async () => {
      const mail = await startMail();
      expect(await world.accountMail.requestRecovery('nobody@example.org')).to.equal(undefined);
      await world.accountMail.idle();
      expect(mail.letters).to.deep.equal([]);
      expect(await tokensInDatabase()).to.deep.equal([]);
    });

    it('answers before it even looks for the account, so that the time tells nothing', async () => {
      await startMail();
      let asked = 0;
      let found = (_user: UserRecord | undefined): void => {};
      const slow = world.build({
        ...world.model.users,
        findByEmail() {
          asked++;
          return new Promise((resolve) => {
            found = resolve;
          });
        },
      });
      await slow.requestRecovery('ada@example.org');
      expect(asked).to.equal(0);
      await new Promise((resolve) => setImmediate(resolve));
      await new Promise((resolve) => setImmediate(resolve));
      expect(asked).to.equal(1);
      found(undefined);
      await slow.idle();
    });

    it('talks to the mail server in the same way before the answer, known or not', async () => {
      const mail = await startMail();
      await register('ada');
      await world.accountMail.requestRecovery('nobody@example.org');
      expect(mail.connections()).to.equal(1);
      await world.accountMail.idle();
      const before = mail.connections();
      await world.accountMail.requestRecovery('ada@example.org');
      expect(mail.connections()).to.equal(before);
      await mail.next();
    });

    it('is as busy behind the answer, known or not, as whoever calls again at once would notice', async () => {
      const mail = await startMail();
      await register('ada');
      const work = async (email: string): Promise<number> => {
        const before = mail.connections();
        await world.accountMail.requestRecovery(email);
        await world.accountMail.idle();
        return mail.connections() - before;
      };
      // The first also asks whether the server is there.
      expect(await work('first@example.org')).to.equal(2);
      expect(await work('nobody@example.org')).to.equal(1);
      expect(await work('ada@example.org')).to.equal(1);
      expect(mail.letters.map(({ to }) => to)).to.deep.equal([['ada@example.org']]);
    });

    it('goes to the address of the account, not to the one that was typed', async () => {
      const mail = await startMail();
      await set({ insensitiveMailMatch: true });
      await register('ada');
      await world.accountMail.requestRecovery('ADA@Example.org');
      expect((await mail.next()).to).to.deep.equal(['ada@example.org']);
    });

    it('does nothing for an account that an administrator closed', async () => {
      const mail = await startMail();
      const ada = await register('ada');
      await world.model.users.updateProfile(ada._id, { active: false });
      await world.accountMail.requestRecovery('ada@example.org');
      await world.accountMail.idle();
      expect(mail.letters).to.deep.equal([]);
    });

    it('passes over an old account whose address is none', async () => {
      const mail = await startMail();
      const ada = await register('ada');
      await world.model.users.update(ada._id, (user) => ({ ...user, email: '<b>x@y.org</b>' }));
      const strange = world.build({
        ...world.model.users,
        findByEmail: () => world.model.users.get(ada._id),
      });
      await strange.requestRecovery('ada@example.org');
      await strange.idle();
      expect(mail.letters).to.deep.equal([]);
      expect(await tokensInDatabase()).to.deep.equal([]);
    });

    for (const typed of [
      '',
      'ada',
      'ada@example.org, eve@example.org',
      'ada@example.org\r\nBcc: eve@example.org',
    ]) {
      it(`is refused for ${JSON.stringify(typed)}: no address`, async () => {
        await startMail();
        expect(await errorOf(world.accountMail.requestRecovery(typed))).to.equal('BACKEND.ERROR.TYPE.MAIL');
      });
    }

    it('says first what is wrong first', async () => {
      await set({ rootUrl: '', authMethod: 'ldap' });
      const ask = (email: string): Promise<string> => errorOf(world.accountMail.requestRecovery(email));
      expect(await ask('x')).to.equal(noRecover);
      await set({ authMethod: 'internal' });
      expect(await ask('x')).to.equal('BACKEND.ERROR.TYPE.MAIL');
      expect(await ask('x@example.org')).to.equal('BACKEND.ERROR.CONFIGURATION.ROOTURL_NOT_CONFIGURED');
      await set({ rootUrl: root });
      expect(await ask('x@example.org')).to.equal('BACKEND.ERROR.CONFIGURATION.MAIL_NOT_CONFIGURED');
      await startMail();
      expect(await ask('x@example.org')).to.equal('no error');
    });

    it('tells everybody that mail is down, known or not', async () => {
      await pointMailAt(await closedPort());
      await register('ada');
      for (const email of ['ada@example.org', 'nobody@example.org']) {
        expect(await errorOf(world.accountMail.requestRecovery(email))).to.equal(unavailable);
      }
      expect(await tokensInDatabase()).to.deep.equal([]);
    });

    it('tells everybody that mail is slow, in time', async () => {
      const bad = await startBadSmtpServer('silent');
      servers.push(bad);
      await pointMailAt(bad.port);
      const began = performance.now();
      expect(await errorOf(world.accountMail.requestRecovery('x@example.org'))).to.equal(unavailable);
      expect(performance.now() - began).to.be.below(15_000);
    });

    it('tells everybody to wait while accounts are being indexed', async () => {
      await startMail();
      const starting = world.build({ ...world.model.users, isReady: () => false });
      expect(await errorOf(starting.requestRecovery('x@example.org'))).to.equal('BACKEND.ERROR.SERVER.BUSY');
    });

    it('writes a failure after the answer to the log, without address or link, and leaves no token', async () => {
      const mail = await startMail({
        refuse: { at: 'recipient', code: 550, reply: '5.1.1 {address} unknown' },
      });
      await register('ada');
      await world.accountMail.requestRecovery('ada@example.org');
      await world.accountMail.idle();
      expect(mail.letters).to.deep.equal([]);
      expect(logged()).to.include('queued mail not sent');
      expect(logged()).not.to.match(/ada@|passrecover\/|[0-9a-f]{64}/);
      expect(await tokensInDatabase()).to.deep.equal([]);
    });

    it('survives a database that fails', async () => {
      await startMail();
      const broken = world.build({
        ...world.model.users,
        findByEmail: () => Promise.reject(new Error('the database is away')),
      });
      await broken.requestRecovery('ada@example.org');
      await broken.idle();
      expect(logged()).to.include('the database is away');
    });
  });

  describe('using a recovery link', () => {
    it('sets the password, once', async () => {
      const mail = await startMail();
      await register('ada');
      const token = await recoveryToken(mail, 'ada');
      const done = await world.accountMail.completeRecovery(token, 'new-password', 'new-password');
      expect(done).to.deep.equal({ login: 'ada' });
      expect(await signIn('ada', 'new-password')).to.equal('no error');
      expect(await signIn('ada', 'password-1')).to.equal('BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT');
      const again = world.accountMail.completeRecovery(token, 'third-password', 'third-password');
      expect(await errorOf(again)).to.equal(incorrect);
      expect(await signIn('ada', 'new-password')).to.equal('no error');
    });

    it('ends every session of the person and makes none', async () => {
      const mail = await startMail();
      const ada = await register('ada');
      const { sessions } = world.model;
      const open = [];
      for (const browser of ['one', 'two'])
        open.push(await sessions.create({ kind: 'user', owner: ada._id, browser }));
      const token = await recoveryToken(mail, 'ada');
      await world.accountMail.completeRecovery(token, 'new-password', 'new-password');
      for (const { session } of open) expect(await sessions.find(session._id)).to.equal(undefined);
      expect(await world.model.store.scan('mypads:session:')).to.deep.equal([]);
    });

    it('also opens an account whose address was not confirmed yet', async () => {
      const mail = await startMail();
      const ada = await register('ada', { active: false });
      const token = await recoveryToken(mail, 'ada');
      await world.accountMail.completeRecovery(token, 'new-password', 'new-password');
      expect((await world.model.users.get(ada._id))?.active).to.equal(true);
      expect(await signIn('ada', 'new-password')).to.equal('no error');
    });

    it('does not open an account that was closed meanwhile', async () => {
      const mail = await startMail();
      const ada = await register('ada');
      const token = await recoveryToken(mail, 'ada');
      await world.model.users.updateProfile(ada._id, { active: false });
      const late = world.accountMail.completeRecovery(token, 'new-password', 'new-password');
      expect(await errorOf(late)).to.equal(incorrect);
      expect((await world.model.users.get(ada._id))?.active).to.equal(false);
    });

    it('does not open an account that an administrator closes while the new password is hashed', async () => {
      const mail = await startMail();
      const ada = await register('ada');
      const token = await recoveryToken(mail, 'ada');
      const { hasher } = world.ports;
      const { hash } = hasher;
      hasher.hash = async (text) => {
        await world.model.users.updateProfile(ada._id, { active: false });
        return hash(text);
      };
      const late = world.accountMail.completeRecovery(token, 'new-password', 'new-password');
      expect(await errorOf(late)).to.equal(incorrect);
      const now = await world.model.users.get(ada._id);
      expect(now).to.include({ active: false, closed: true });
      expect(now?.password).to.deep.equal(ada.password);
    });

    it('ends the other links that were asked for, as every change of the password does', async () => {
      const mail = await startMail();
      await register('ada');
      const first = await recoveryToken(mail, 'ada');
      const second = await recoveryToken(mail, 'ada');
      await world.accountMail.completeRecovery(second, 'new-password', 'new-password');
      const late = world.accountMail.completeRecovery(first, 'third-password', 'third-password');
      expect(await errorOf(late)).to.equal(incorrect);
    });

    it('can be tried again after two passwords that differ, or one that is too short', async () => {
      const mail = await startMail();
      await register('ada');
      const token = await recoveryToken(mail, 'ada');
      const use = (password: string, confirm: string): Promise<string> =>
        errorOf(world.accountMail.completeRecovery(token, password, confirm));
      expect(await use('new-password', 'new-passwort')).to.equal('USER.ERR.PASSWORD_MISMATCH');
      expect(await use('short', 'short')).to.equal('BACKEND.ERROR.TYPE.PASSWORD_SIZE');
      expect(await use('', '')).to.equal('BACKEND.ERROR.TYPE.PASSWORD_SIZE');
      expect(await signIn('ada', 'password-1')).to.equal('no error');
      expect(await use('new-password', 'new-password')).to.equal('no error');
    });

    it('says first that a link is not good, and only then what is wrong with the passwords', async () => {
      await startMail();
      const use = world.accountMail.completeRecovery('0'.repeat(64), 'a', 'b');
      expect(await errorOf(use)).to.equal(incorrect);
    });

    it('comes too late after its time', async () => {
      const mail = await startMail();
      await register('ada');
      const token = await recoveryToken(mail, 'ada');
      world.ports.advance(60 * 60_000);
      const late = world.accountMail.completeRecovery(token, 'new-password', 'new-password');
      expect(await errorOf(late)).to.equal('BACKEND.ERROR.TOKEN.EXPIRED');
    });

    it('is not possible while accounts live in a directory', async () => {
      const mail = await startMail();
      await register('ada');
      const token = await recoveryToken(mail, 'ada');
      await set({ authMethod: 'ldap' });
      const use = world.accountMail.completeRecovery(token, 'new-password', 'new-password');
      expect(await errorOf(use)).to.equal(noRecover);
      expect(await errorOf(world.accountMail.confirm(token))).to.equal(noRecover);
    });
  });

  describe('confirming an address', () => {
    it('brings a mail whose link opens the account, once', async () => {
      const mail = await startMail();
      const ada = await register('ada', { active: false, lang: 'de' });
      await world.accountMail.requestConfirmation(ada);
      const letter = await mail.next();
      expect(letter.to).to.deep.equal(['ada@example.org']);
      expect(letter.subject).to.include('bestätigen');
      const token = tokenIn(letter, 'accountconfirm');
      expect(await signIn('ada', 'password-1')).to.equal('BACKEND.ERROR.AUTHENTICATION.ACTIVATION_NEEDED');
      expect(await world.accountMail.confirm(token)).to.deep.equal({ login: 'ada' });
      expect(await signIn('ada', 'password-1')).to.equal('no error');
      expect(await errorOf(world.accountMail.confirm(token))).to.equal(incorrect);
    });

    it('is in the default language for a person whose language is not there', async () => {
      const mail = await startMail();
      await set({ defaultLanguage: 'es' });
      const ada = await register('ada', { active: false });
      await world.accountMail.requestConfirmation({ ...ada, lang: 'eo' });
      expect((await mail.next()).headers['content-language']).to.equal('es');
    });

    it('does not open an account that an administrator closed', async () => {
      const mail = await startMail();
      const ada = await register('ada', { active: false });
      await world.accountMail.requestConfirmation(ada);
      const token = tokenIn(await mail.next(), 'accountconfirm');
      await world.model.users.updateProfile(ada._id, { active: false });
      expect(await errorOf(world.accountMail.confirm(token))).to.equal(incorrect);
      expect(await signIn('ada', 'password-1')).to.equal('BACKEND.ERROR.AUTHENTICATION.ACTIVATION_NEEDED');
    });

    it('is over when a recovery opened the account meanwhile', async () => {
      const mail = await startMail();
      const ada = await register('ada', { active: false });
      await world.accountMail.requestConfirmation(ada);
      const token = tokenIn(await mail.next(), 'accountconfirm');
      const recovery = await recoveryToken(mail, 'ada');
      await world.accountMail.completeRecovery(recovery, 'new-password', 'new-password');
      expect(await errorOf(world.accountMail.confirm(token))).to.equal(incorrect);
      expect(await signIn('ada', 'new-password')).to.equal('no error');
    });

    it('takes neither a recovery link, nor does a recovery take a confirmation link', async () => {
      const mail = await startMail();
      const ada = await register('ada', { active: false });
      const recovery = await recoveryToken(mail, 'ada');
      expect(await errorOf(world.accountMail.confirm(recovery))).to.equal(incorrect);
      await world.accountMail.requestConfirmation(ada);
      const token = tokenIn(await mail.next(), 'accountconfirm');
      const use = world.accountMail.completeRecovery(token, 'new-password', 'new-password');
      expect(await errorOf(use)).to.equal(incorrect);
    });

    it('with mail down tells the person, leaves no link, and works when asked again', async () => {
      await pointMailAt(await closedPort());
      const ada = await register('ada', { active: false });
      expect(await errorOf(world.accountMail.requestConfirmation(ada))).to.equal(unavailable);
      expect(await tokensInDatabase()).to.deep.equal([]);
      const mail = await startMail();
      await world.accountMail.requestConfirmation(ada);
      const token = tokenIn(await mail.next(), 'accountconfirm');
      expect(await world.accountMail.confirm(token)).to.deep.equal({ login: 'ada' });
    });

    it('with an address that the mail server does not know tells the person', async () => {
      await startMail({ refuse: { at: 'recipient', code: 550, reply: '5.1.1 unknown' } });
      const ada = await register('ada', { active: false });
      expect(await errorOf(world.accountMail.requestConfirmation(ada))).to.equal(
        'BACKEND.ERROR.TYPE.TO_MAIL',
      );
      expect(await tokensInDatabase()).to.deep.equal([]);
    });

    it('can be ruled out before an account is made', async () => {
      const { accountMail } = world;
      await set({ rootUrl: '' });
      expect(() => accountMail.mustBeConfigured()).to.throw('ROOTURL_NOT_CONFIGURED');
      await set({ rootUrl: root });
      expect(() => accountMail.mustBeConfigured()).to.throw('MAIL_NOT_CONFIGURED');
      await startMail();
      expect(() => accountMail.mustBeConfigured()).not.to.throw();
    });
  });

  describe('the link', () => {
    const addresses: [string, string][] = [
      ['https://pads.example.org', 'https://pads.example.org/mypads/index.html?/accountconfirm/'],
      ['https://pads.example.org/', 'https://pads.example.org/mypads/index.html?/accountconfirm/'],
      [
        'http://pads.example.org:9001/a/b//',
        'http://pads.example.org:9001/a/b/mypads/index.html?/accountconfirm/',
      ],
      [
        'https://user:secret@pads.example.org/?x#y',
        'https://pads.example.org/mypads/index.html?/accountconfirm/',
      ],
    ];
    for (const [given, expected] of addresses) {
      it(`begins with ${expected} where people reach us at ${given}`, async () => {
        const mail = await startMail();
        await world.accountMail.requestConfirmation(await register('ada', { active: false }), {
          rootUrl: given,
        });
        const letter = await mail.next();
        expect(letter.text).to.include(`\n${expected}`);
        expect(letter.html).to.include(`href="${expected}`);
      });
    }

    for (const given of [
      '',
      'pads.example.org',
      'javascript:alert(1)',
      'ftp://pads.example.org',
      '//pads.example.org',
    ]) {
      it(`is not made from ${JSON.stringify(given)}`, async () => {
        await startMail();
        const ask = world.accountMail.requestConfirmation(await register('ada', { active: false }), {
          rootUrl: given,
        });
        expect(await errorOf(ask)).to.equal('BACKEND.ERROR.CONFIGURATION.ROOTURL_NOT_CONFIGURED');
      });
    }
  });

  it('never puts a link, a token, an address or a password into the log', async () => {
    const mail = await startMail();
    const ada = await register('ada', { active: false });
    await world.accountMail.requestConfirmation(ada);
    const confirmation = tokenIn(await mail.next(), 'accountconfirm');
    await world.accountMail.confirm(confirmation);
    const recovery = await recoveryToken(mail, 'ada');
    await world.accountMail.completeRecovery(recovery, 'new-password', 'new-password');
    await errorOf(world.accountMail.completeRecovery(recovery, 'new-password', 'new-password'));
    expect(logged()).to.include(ada._id);
    for (const secret of [confirmation, recovery, 'ada@example.org', 'new-password', 'index.html']) {
      expect(logged()).not.to.include(secret);
    }
  });
});
