/** Every setting of section 3 of the specification: default, limits, who sees it, and the effect of a change. */
import { expect } from 'chai';
import { errorStatus } from '../../model/errors';
import type { ConfigurationKey } from '../../model/settings/configuration';
import { startApp, type TestApp, useTestApp } from '../support/app';
import { type Call, callerOf } from '../support/caller';
import { checkEach } from '../support/cases';
import {
  buildApiToken,
  buildGroup,
  buildPad,
  buildUser,
  signIn,
  signInAsAdmin,
  type TestUser,
} from '../support/factories';
import { openMailFixture, person, tokenIn } from '../support/mailFixture';
import { type SettingRow, settings } from '../support/settings';
import { casSettings } from '../support/signInServices';
import type { TestSmtpServer } from '../support/smtpServer';

type Key = keyof typeof settings;
const rows = Object.entries(settings) as [Key, SettingRow][];

describe('the setting', () => {
  const app = useTestApp();
  let admin: Call;
  let user: TestUser;
  before(async () => {
    admin = callerOf(app, await signInAsAdmin(app));
    user = await buildUser(app);
  });

  const put = (key: string, value: unknown) => admin('put', `configuration/${key}`, { value });
  const shown = async (key: string) => (await admin('get', `configuration/${key}`)).body.value as unknown;
  const publicly = async (token?: string) =>
    (await callerOf(app, token)('get', 'configuration')).body.value as Record<string, unknown>;

  const errorOf = (key: string): string => (key.startsWith('SMTP') ? 'SMTP_CONFIG' : 'PARAM_INVALID');

  it('has its default, and is visible to those whom it concerns', () =>
    checkEach(rows, async ({ initial, seenBy }, key) => {
      expect(await shown(key)).to.deep.equal(initial);
      const all = (await admin('get', 'configuration')).body.value as object;
      expect(Object.hasOwn(all, key)).to.equal(initial !== undefined);
      for (const token of [undefined, user.token]) {
        const seen = await publicly(token);
        expect(Object.hasOwn(seen, key)).to.equal(seenBy === 'everybody');
        if (seenBy === 'everybody' && key !== 'authCasSettings') expect(seen[key]).to.deep.equal(initial);
        const refused = await callerOf(app, token)('get', `configuration/${key}`);
        expect(refused.status).to.equal(401);
        expect(refused.body).to.deep.equal({ error: 'BACKEND.ERROR.AUTHENTICATION.ADMIN' });
      }
    }));

  it('accepts valid values, refuses others, and has its default again as soon as it is reset (B7)', () =>
    checkEach(rows, async ({ initial, seenBy, good, bad, meant = [] }, key) => {
      const secret = seenBy === 'nobody';
      for (const [sent, kept] of [...good.map((value) => [value, value]), ...meant]) {
        const saved = await put(key, sent);
        expect(saved.status, `${JSON.stringify(sent).slice(0, 80)}: ${saved.text}`).to.equal(200);
        expect(saved.body.value).to.deep.equal(secret ? undefined : kept);
        expect(await shown(key)).to.deep.equal(secret ? undefined : kept);
        const seen = (await publicly())[key];
        if (seenBy === 'everybody' && key !== 'authCasSettings') expect(seen).to.deep.equal(kept);
        else if (seenBy !== 'everybody') expect(seen).to.equal(undefined);
      }
      const before = await shown(key);
      for (const value of bad) {
        const refused = await put(key, value);
        expect(refused.status, JSON.stringify(value)).to.equal(400);
        expect(refused.body.error).to.match(new RegExp(`TYPE\\.(${errorOf(key)}|PASSWORD_SIZE)$`));
        expect(refused.body.key).to.equal(key);
      }
      expect(await shown(key)).to.deep.equal(before);
      expect((await admin('delete', `configuration/${key}`)).status).to.equal(200);
      expect(await shown(key)).to.deep.equal(initial);
    }));

  it('is not changed by somebody who has read another value, but by whoever does not say what they have read', () => {
    const changeable = rows.filter(([, { good }]) => good.length > 0);
    return checkEach(changeable, async ({ initial, seenBy, good: [first, second = first] }, key) => {
      const putRead = (value: unknown, was: unknown) =>
        admin('put', `configuration/${key}`, { value, was: { value: was } });
      const read = await shown(key);
      await putRead(first, read).expect(200);
      const changed = await shown(key);
      // Nobody can read a secret, so nobody can know that it was changed.
      if (seenBy !== 'nobody' && JSON.stringify(changed) !== JSON.stringify(initial)) {
        const refused = await putRead(second, read);
        expect(refused.status, refused.text).to.equal(409);
        expect(refused.body).to.deep.equal({ error: 'BACKEND.ERROR.CONFIGURATION.CHANGED', key });
        expect(await shown(key)).to.deep.equal(changed);
      }
      await putRead(second, changed).expect(200);
      await put(key, first).expect(200);
      await admin('delete', `configuration/${key}`).expect(200);
    });
  });

  it('cannot be broken by any value', () =>
    checkEach(rows, async ({ initial }, key) => {
      const invalid = errorOf(key);
      const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
      const send = (text: string, type = 'application/json') =>
        admin('put', `configuration/${key}`).set('Content-Type', type).send(text);
      for (const [value, error] of [
        ['{"__proto__":{"x":1}}', 'PARAM_UNKNOWN'],
        ['{"a":{"constructor":1}}', 'PARAM_UNKNOWN'],
        [`{"a":${deep(20_000)}}`, invalid],
        [deep(20_000), invalid],
        [JSON.stringify('x'.repeat(101 * 1024)), 'TOO_LARGE'],
        ['undefined', 'JSON'],
        ['1e999', `(${invalid}|JSON)`],
      ] as const) {
        const { status, body, text } = await send(`{"value":${value}}`);
        expect(status, `${value.slice(0, 40)}: ${text}`).to.be.within(400, 413);
        expect(body.error, value.slice(0, 40)).to.match(new RegExp(`TYPE\\.${error}$`));
      }
      expect((await send('{"value":true}', 'text/plain')).body.error).to.match(/TYPE\.JSON$/);
      expect((await send('value=true', 'application/x-www-form-urlencoded')).body.error).to.match(
        /TYPE\.JSON$/,
      );
      expect((await send('{}')).body.error).to.match(/TYPE\.VALUE_REQUIRED$/);
      expect(await shown(key)).to.deep.equal(initial);
    }));

  for (const [key, value] of [
    ['languages', { xx: 'X' }],
    ['availableAuthMethods', ['internal']],
  ] as const) {
    it(`${key} is built in`, async () => {
      const before = await shown(key);
      expect((await put(key, value)).status).to.equal(400);
      expect(await shown(key)).to.deep.equal(before);
    });
  }
});

describe('a setting that settings.json presets', () => {
  const presets = Object.fromEntries(
    rows.map(([key, { good, initial }]) => [
      key,
      good[0] ?? { ...(initial as object), bindCredentials: 'x' },
    ]),
  );
  let app: TestApp;
  let admin: Call;
  before(async () => {
    // Without this, the preset `authMethod` would keep people from signing in.
    app = await startApp({ plugin: { ...presets, authMethod: 'internal' } });
    admin = callerOf(app, await signInAsAdmin(app));
  });
  after(() => app.close());

  it('is shown as preset', async () => {
    const { locked, secrets } = (await admin('get', 'configuration')).body;
    expect(locked).to.have.members(Object.keys(presets));
    expect(secrets).to.have.members(['SMTPPass', 'authLdapSettings.bindCredentials']);
  });

  it('is locked', () =>
    checkEach(rows, async ({ initial, seenBy }, key) => {
      const expected =
        key === 'authMethod' ? 'internal' : key === 'authLdapSettings' ? initial : presets[key];
      const { value } = (await admin('get', `configuration/${key}`)).body;
      expect(value).to.deep.equal(seenBy === 'nobody' ? undefined : expected);
      for (const answer of [
        await admin('put', `configuration/${key}`, { value: initial ?? 'x' }),
        await admin('post', 'configuration', { key, value: initial ?? 'x' }),
        await admin('delete', `configuration/${key}`),
      ]) {
        expect(answer.status).to.equal(403);
        expect(answer.body).to.deep.equal({ error: 'BACKEND.ERROR.CONFIGURATION.LOCKED', key });
      }
    }));
});

/** Settings that only change the page. The first test of this file checks that the page gets them at once. */
const presentational = [
  'hideHelpBlocks',
  'loginMsg',
  'guide',
  'guidePage',
  'disableLogoutButton',
  'disableLangageSelect',
  'disableUserList',
  'disableUserProfile',
  'userLoginsAsAdmin',
  'autoSignIn',
  'firstSteps',
] as const;

/** Settings whose effect other test files check, with the page or with a directory. */
const elsewhere = [
  'HTMLExtraHead',
  'authLdapSettings',
  'authOidcSettings',
  'authHeaderSettings',
  'directorySync',
  'directorySyncLimit',
  'directorySyncDays',
  'SMTPSSL',
  'SMTPTLS',
  'SMTPUser',
  'SMTPPass',
] as const;

type Fixture = Awaited<ReturnType<typeof openMailFixture>>;
type Effect = (fixture: Fixture, user: TestUser) => Promise<void>;

/** Invites erin@example.org to a new group. Returns the token of the mail. */
async function invite(app: TestApp, mail: TestSmtpServer, user: TestUser): Promise<string> {
  const { _id } = await buildGroup(app, user);
  const body = { loginsOrEmails: ['erin@example.org'] };
  await callerOf(app, user.token)('post', `group/${_id}/invitations`, body).expect(200);
  return /\?\/invitation\/(\S+)/.exec((await mail.next()).text)?.[1] ?? '';
}

const effects: Record<Exclude<Key, (typeof presentational)[number] | (typeof elsewhere)[number]>, Effect> = {
  async title({ app, set, startMail, recover }, user) {
    const mail = await startMail();
    await set({ title: 'Pads of us' });
    await recover(user.email);
    expect((await mail.next()).subject).to.include('Pads of us');
    expect((await app.agent.get('/api/configuration')).body.value.title).to.equal('Pads of us');
  },
  async rootUrl({ set, startMail, recover }, user) {
    const mail = await startMail();
    await set({ rootUrl: 'https://elsewhere.example.org/deep/' });
    await recover(user.email);
    tokenIn(await mail.next(), 'passrecover', 'https://elsewhere.example.org/deep');
  },
  async allowEtherPads({ app, set }) {
    const { url, close } = await app.listen();
    const open = async () => (await fetch(`${url}/p/somebodys-pad`)).status;
    expect(await open()).to.equal(200);
    await set({ allowEtherPads: false });
    expect(await open()).to.equal(errorStatus['BACKEND.ERROR.PERMISSION.UNEXPECTED']);
    await close();
  },
  async allowRequests({ app, set }, user) {
    const ask = () =>
      app.agent.post('/api/group/unknown/requests').set('Authorization', `Bearer ${user.token}`).send({});
    expect((await ask()).status).to.equal(200);
    await set({ allowRequests: false });
    expect((await ask()).body.error).to.equal('BACKEND.ERROR.REQUEST.OFF');
  },
  async apiTokens({ app, set }, user) {
    const token = await buildApiToken(app, user);
    const own = async () => (await callerOf(app, token)('get', 'group')).status;
    expect(await own()).to.equal(200);
    await set({ apiTokens: false });
    expect(await own()).to.equal(401);
    const body = { name: 'Another', scopes: ['read'] };
    const refused = await callerOf(app, user.token)('post', `user/${user.login}/tokens`, body);
    expect(refused.body.error).to.equal('BACKEND.ERROR.API_TOKEN.OFF');
    await set({ apiTokens: true });
    expect(await own()).to.equal(200);
  },
  async secondFactor({ app, set, login }, user) {
    await buildGroup(app, user);
    const member = await buildUser(app);
    const mustSetUp = async ({ login: name, password }: TestUser) =>
      (await login(name, password)).body.setUp !== undefined;
    const both = async () => [await mustSetUp(user), await mustSetUp(member)];
    expect(await both()).to.deep.equal([false, false]);
    await set({ secondFactor: 'managers' });
    expect(await both()).to.deep.equal([true, false]);
    await set({ secondFactor: 'everybody' });
    expect(await both()).to.deep.equal([true, true]);
  },
  async passwordMin({ set, register }) {
    await set({ passwordMin: 20 });
    const { body } = await register(person('ada', { password: 'x'.repeat(19) }));
    expect(body.error).to.equal('BACKEND.ERROR.TYPE.PASSWORD_SIZE');
    expect((await register(person('ada', { password: 'x'.repeat(20) }))).status).to.equal(200);
  },
  async passwordMax({ set, register }) {
    await set({ passwordMax: 10 });
    const { body } = await register(person('ada', { password: 'x'.repeat(11) }));
    expect(body.error).to.equal('BACKEND.ERROR.TYPE.PASSWORD_SIZE');
    expect((await register(person('ada', { password: 'x'.repeat(10) }))).status).to.equal(200);
  },
  async defaultLanguage({ set, register }) {
    await set({ defaultLanguage: 'es' });
    expect((await register(person('ada'))).body.value.lang).to.equal('es');
  },
  async checkMails({ set, startMail, register, login }) {
    await startMail();
    await set({ checkMails: true });
    expect((await register(person('ada'))).body.value.active).to.equal(false);
    expect((await login('ada', 'secret of ada')).body.error).to.match(/ACTIVATION_NEEDED$/);
  },
  async invitationsCreateAccounts({ app, set, startMail, register }, user) {
    const token = await invite(app, await startMail(), user);
    await set({ openRegistration: false });
    const erin = person('erin', { invitation: token });
    expect((await register(erin)).body.error).to.match(/NO_REGISTRATION$/);
    await set({ invitationsCreateAccounts: true });
    expect((await register(erin)).status).to.equal(200);
  },
  async invitationDays({ app, set, startMail }, user) {
    await set({ invitationDays: 2 });
    const token = await invite(app, await startMail(), user);
    const show = () => app.agent.post('/api/invitations/show').send({ token });
    expect((await show()).status).to.equal(200);
    app.ports.advance(2 * 24 * 3600_000);
    expect((await show()).body.error).to.equal('BACKEND.ERROR.TOKEN.EXPIRED');
  },
  async mailWhenAdded({ app, set, startMail }, user) {
    const mail = await startMail();
    const add = async () => buildGroup(app, user, { users: [(await buildUser(app)).id] });
    await set({ mailWhenAdded: false });
    await add();
    await set({ mailWhenAdded: true });
    const { name } = await add();
    expect((await mail.next()).text).to.include(name);
    expect(mail.received).to.have.length(1);
  },
  async tokenDuration({ app, set, startMail, recover, complete }, user) {
    const mail = await startMail();
    await set({ tokenDuration: 2 });
    await recover(user.email);
    const token = tokenIn(await mail.next(), 'passrecover');
    app.ports.advance(3 * 60_000);
    expect((await complete(token, 'a new secret')).body.error).to.equal('BACKEND.ERROR.TOKEN.EXPIRED');
  },
  async SMTPHost({ set, startMail, recover }, user) {
    await startMail();
    await set({ SMTPHost: '' });
    const { body } = await recover(user.email);
    expect(body.error).to.equal('BACKEND.ERROR.CONFIGURATION.MAIL_NOT_CONFIGURED');
  },
  async SMTPPort({ startMail, recover, set }, user) {
    const [first, second] = [await startMail(), await startMail()];
    await recover(user.email);
    await second.next();
    await set({ SMTPPort: first.port });
    await recover(user.email);
    await first.next();
    expect(second.received).to.have.length(1);
  },
  async SMTPEmailFrom({ startMail, recover, set }, user) {
    const mail = await startMail();
    await set({ SMTPEmailFrom: 'other@example.org' });
    await recover(user.email);
    expect((await mail.next()).from).to.equal('other@example.org');
  },
  async mailContact({ startMail, recover, set }, user) {
    const mail = await startMail();
    await set({ mailContact: 'Help <help@example.org>' });
    await recover(user.email);
    expect((await mail.next()).headers['reply-to']).to.equal('help@example.org');
  },
  async openRegistration({ set, register }) {
    await set({ openRegistration: false });
    expect((await register(person('ada'))).body.error).to.match(/NO_REGISTRATION$/);
  },
  async searchTexts({ app, set }, user) {
    const search = async () => (await callerOf(app, user.token)('get', 'search?text=word')).status;
    expect(await search()).to.equal(200);
    await set({ searchTexts: false });
    expect(await search()).to.equal(404);
  },
  async templatesFolder({ app, set }, user) {
    const owner = await buildUser(app);
    const folder = await buildGroup(app, owner);
    const { _id, name } = await buildPad(app, owner, folder);
    await callerOf(app, owner.token)('put', `pad/${_id}`, { template: true }).expect(200);
    const templates = async () => (await callerOf(app, user.token)('get', 'overview')).body.value.templates;
    expect(await templates()).to.equal(undefined);
    await set({ templatesFolder: folder._id });
    expect(await templates()).to.deep.equal([{ _id, name }]);
  },
  async useFirstLastNameInPads({ app, set }, user) {
    const pad = await buildPad(app, user, await buildGroup(app, user));
    const call = callerOf(app, user.token);
    await call('put', `user/${user.login}`, { firstname: 'Ada', lastname: 'Lovelace' });
    const name = async () => (await call('post', `pad/${pad._id}/ticket`, {})).body.userName as string;
    expect(await name()).to.equal(user.login);
    await set({ useFirstLastNameInPads: true });
    expect(await name()).to.equal('Ada Lovelace');
  },
  async insensitiveMailMatch({ set, login }, user) {
    const shouted = user.email.toUpperCase();
    expect((await login(shouted, user.password)).status).to.equal(400);
    await set({ insensitiveMailMatch: true });
    expect((await login(shouted, user.password)).status).to.equal(200);
  },
  async authMethod({ set, login, recover }, user) {
    await set({ rootUrl: 'https://pads.example.org', authCasSettings: casSettings, authMethod: 'cas' });
    expect((await login(user.login, user.password)).body.error).to.match(/CAS_NO_TICKET$/);
    expect((await recover(user.email)).body.error).to.match(/NO_RECOVER$/);
    await set({ authMethod: 'internal' });
    expect((await login(user.login, user.password)).status).to.equal(200);
  },
  async authMethods({ app, set, login }, user) {
    await set({ rootUrl: 'https://pads.example.org', authCasSettings: casSettings, authMethods: ['cas'] });
    const { value } = (await app.agent.get('/api/auth/methods')).body;
    expect(value.map(({ method }: { method: string }) => method)).to.deep.equal(['internal', 'cas']);
    expect((await login(user.login, user.password)).status).to.equal(200);
  },
  async authCasSettings({ app, set }) {
    const rootUrl = 'https://pads.example.org';
    await set({ rootUrl, authCasSettings: { serverUrl: 'https://sso.example.org' }, authMethod: 'cas' });
    const { value } = (await app.agent.get('/api/configuration')).body;
    expect(value.authCasSettings.loginUrl).to.match(/^https:\/\/sso\.example\.org\/login\?service=https%3A/);
    await set({ authCasSettings: { serverUrl: 'https://other.example.org/cas' } });
    const changed = (await app.agent.get('/api/configuration')).body.value;
    expect(changed.authCasSettings.loginUrl).to.match(/^https:\/\/other\.example\.org\/cas\/login/);
  },
  async allPadsPublicsAuthentifiedOnly({ app, set }, user) {
    const other = await buildUser(app);
    const group = await buildGroup(app, user, { visibility: 'public' });
    const pad = await buildPad(app, user, group);
    const status = async (token?: string) => (await callerOf(app, token)('get', `pad/${pad._id}`)).status;
    expect(await status()).to.equal(200);
    await set({ allPadsPublicsAuthentifiedOnly: true });
    expect(await status()).to.equal(401);
    expect(await status(other.token)).to.equal(200);
  },
  async deleteJobQueue({ app, set }, user) {
    const pad = await buildPad(app, user, await buildGroup(app, user));
    await set({ deleteJobQueue: true });
    await app.inject({ fault: 'block', calls: ['remove'], keys: 'pad:' });
    const answer = await callerOf(app, user.token)('delete', `pad/${pad._id}?permanent=true`, {});
    expect(answer.status, 'answers before the text is gone').to.equal(200);
    expect(await app.ports.pads.exists(pad._id)).to.equal(true);
    await app.inject({ fault: 'none' });
    await app.idle();
    expect(await app.ports.pads.exists(pad._id)).to.equal(false);
  },
  async linksBy({ app, set }, user) {
    const member = await buildUser(app);
    const group = await buildGroup(app, user, { users: [member.id] });
    const make = async (by: TestUser) =>
      (await callerOf(app, by.token)('post', `group/${group._id}/links`, {})).status;
    await set({ linksBy: 'writers' });
    expect([await make(user), await make(member)]).to.deep.equal([200, 200]);
    await set({ linksBy: 'nobody' });
    expect([await make(user), await make(member)]).to.deep.equal([401, 401]);
  },
  async linksMaxDays({ app, set }, user) {
    const group = await buildGroup(app, user);
    const make = async (ends: number | null) =>
      (await callerOf(app, user.token)('post', `group/${group._id}/links`, { ends })).status;
    const day = 24 * 3_600_000;
    await set({ linksMaxDays: 7 });
    const now = app.ports.now();
    expect([await make(null), await make(now + 8 * day), await make(now + 7 * day)]).to.deep.equal([
      400, 400, 200,
    ]);
  },
  async trashDays({ app, set }, user) {
    const call = callerOf(app, user.token);
    const kept = async () => {
      const pad = await buildPad(app, user, await buildGroup(app, user));
      await call('delete', `pad/${pad._id}`).expect(200);
      return (await call('post', `trash/${pad._id}/restore`, {})).status;
    };
    expect(await kept()).to.equal(200);
    await set({ trashDays: 0 });
    expect(await kept()).to.equal(404);
  },
  async trustProxy({ app, set }, user) {
    const cookie = async () => {
      const answer = await app.agent
        .post('/api/auth/login')
        .set('X-Forwarded-Proto', 'https')
        .send({ login: user.login, password: user.password });
      const cookies = [answer.headers['set-cookie'] ?? []].flat().map(String);
      // The host has a cookie of its own.
      return cookies.find((one) => one.startsWith('mypads_entry='));
    };
    expect(await cookie()).not.to.match(/Secure/);
    await set({ trustProxy: true });
    expect(await cookie()).to.match(/Secure/);
  },
};

describe('a change takes effect at once:', () => {
  let fixture: Fixture;
  let user: TestUser;
  beforeEach(async () => {
    // Each caller has an address of their own.
    fixture = await openMailFixture({ limitFactor: 1 });
    user = await buildUser(fixture.app);
  });
  afterEach(() => fixture.close());

  for (const [key, effect] of Object.entries(effects)) {
    it(key, () => effect(fixture, user));
  }

  it('and so does a reset to the default', async () => {
    await fixture.set({ openRegistration: false });
    await fixture.app.model.configuration.remove('openRegistration' satisfies ConfigurationKey);
    expect((await fixture.register(person('ada'))).status).to.equal(200);
    await signIn(fixture.app, 'ada', 'secret of ada');
  });

  it('settings that only the page uses do not change the answers of the server', async () => {
    const admin = callerOf(fixture.app, await signInAsAdmin(fixture.app));
    for (const key of presentational) {
      const [value] = settings[key].good;
      expect((await admin('put', `configuration/${key}`, { value })).status).to.equal(200);
    }
    const call = callerOf(fixture.app, user.token);
    expect((await call('post', 'userlist', { name: 'Friends' })).status).to.equal(200);
    expect((await call('put', `user/${user.login}`, { lang: 'fr' })).status).to.equal(200);
    expect((await call('post', 'auth/logout', {})).status).to.equal(200);
  });
});
