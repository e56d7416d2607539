/** Every setting of section 3 of the specification: default, limits, who sees it, and the effect of a change. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { type TestApp, useTestApp } from '../support/app';
import { callerOf } from '../support/caller';
import { checkEach } from '../support/cases';
import {
  buildApiToken,
  buildGroup,
  buildPad,
  buildUser,
  signInAsAdmin,
  type TestUser,
} from '../support/factories';
import { openMailFixture, person } from '../support/mailFixture';
import { useAdmin, usePerson } from '../support/people';
import { type SettingRow, settings } from '../support/settings';
import type { TestSmtpServer } from '../support/smtpServer';

type Key = keyof typeof settings;
const rows = Object.entries(settings) as [Key, SettingRow][];

describe('the setting', () => {
  const app = useTestApp();
  const { user } = usePerson(app, before);
  const admin = useAdmin(app, before);
  // The one that a good value names.
  before(() =>
    app.ports.database.set('mypads:group:templates-x2k3v9', {
      ...{ _id: 'templates-x2k3v9', name: 'Templates', visibility: 'restricted', pads: [], users: [] },
      admins: [user.id],
    }),
  );

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
        expect(refused.body).to.deep.equal({ error: 'BACKEND.ERROR.CONFIGURATION.CHANGED', key });
        const reset = await admin('delete', `configuration/${key}`, { was: { value: read } });
        expect(reset.body).to.deep.equal(refused.body);
        expect(await shown(key)).to.deep.equal(changed);
      }
      // Two administrators want the same, or the answer to the first attempt was lost.
      await putRead(first, read).expect(200);
      await putRead(second, changed).expect(200);
      await put(key, first).expect(200);
      await admin('delete', `configuration/${key}`, { was: { value: await shown(key) } }).expect(200);
    });
  });

  // Other bad bodies never reach a setting: test/api/badInput.test.ts.
  it('cannot be broken by a deep or endless value', () =>
    checkEach(rows, async ({ initial }, key) => {
      const deep = '['.repeat(20_000) + ']'.repeat(20_000);
      for (const value of [`{"a":${deep}}`, deep, '1e999']) {
        const send = admin('put', `configuration/${key}`).set('Content-Type', 'application/json');
        const { status, body } = await send.send(`{"value":${value}}`);
        expect(status, value.slice(0, 40)).to.equal(400);
        expect(body.error, value.slice(0, 40)).to.match(new RegExp(`TYPE\\.(${errorOf(key)}|JSON)$`));
      }
      expect((await admin('put', `configuration/${key}`, {})).body.error).to.match(/TYPE\.VALUE_REQUIRED$/);
      expect(await shown(key)).to.deep.equal(initial);
    }));

  it('authMethod is refused while the service of it is not set up', async () => {
    const { status, body } = await put('authMethod', 'ldap');
    expect([status, body.error]).to.deep.equal([400, 'BACKEND.ERROR.CONFIGURATION.SIGN_IN_NOT_CONFIGURED']);
  });

  it('is not changed so that nobody could sign in by the service that is in use', async () => {
    const provider = {
      name: 'School',
      issuer: 'https://id.example.org',
      clientId: 'mypads',
      clientSecret: 's',
    };
    const set = async (key: string, value: unknown) => put(key, value).expect(200);
    await set('rootUrl', 'https://pads.example.org');
    await set('authOidcSettings', { providers: { school: provider } });
    await set('authMethod', 'oidc');
    for (const [key, value] of [
      ['authOidcSettings', { providers: {} }],
      ['rootUrl', ''],
    ] as const) {
      const before = await shown(key);
      for (const refused of [await put(key, value), await admin('delete', `configuration/${key}`)]) {
        expect(refused.body.error, key).to.equal('BACKEND.ERROR.CONFIGURATION.SIGN_IN_NOT_CONFIGURED');
        expect(await shown(key)).to.deep.equal(before);
      }
    }
    await set('rootUrl', 'https://other.example.org');
    await set('authOidcSettings', { providers: { other: provider } });
    await set('authMethod', 'internal');
    await set('authOidcSettings', { providers: {} });
    await admin('delete', 'configuration/rootUrl').expect(200);
  });

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
  // Without this, the preset `authMethod` would keep people from signing in.
  const app = useTestApp({ plugin: { ...presets, authMethod: 'internal' } });
  const admin = useAdmin(app, before);

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

/** Settings whose change other test files make, with one of these files. */
const elsewhere = {
  rootUrl: 'network/mail',
  allowEtherPads: 'host/visits',
  allowRequests: 'api/requests',
  secondFactor: 'api/secondFactor',
  checkMails: 'api/mailRegistration',
  invitationsCreateAccounts: 'api/invitations',
  mailWhenAdded: 'api/mailWhenAdded',
  tokenDuration: 'api/mailEmailChangeEnds',
  SMTPHost: 'api/mailFailures',
  SMTPPort: 'api/mailFailures',
  SMTPUser: 'api/mailFailures',
  SMTPPass: 'api/mailFailures',
  SMTPEmailFrom: 'api/mailFailures',
  SMTPSSL: 'unit/mailEncryption',
  SMTPTLS: 'unit/mailEncryption',
  openRegistration: 'api/user',
  searchTexts: 'api/search',
  templatesFolder: 'api/templates',
  useFirstLastNameInPads: 'api/padTicket',
  insensitiveMailMatch: 'api/oldAccounts',
  authMethod: 'api/sideBySide',
  authMethods: 'api/sideBySide',
  authCasSettings: 'network/cas',
  authLdapSettings: 'ldap/signIn',
  authOidcSettings: 'browser/oidc',
  authHeaderSettings: 'network/header',
  directorySync: 'ldap/directorySync',
  directorySyncLimit: 'ldap/directorySync',
  directorySyncDays: 'ldap/directorySync',
  allPadsPublicsAuthentifiedOnly: 'api/padReading',
  linksBy: 'api/links',
  trashDays: 'api/trash',
  trustProxy: 'network/page',
  HTMLExtraHead: 'network/page',
} as const;

type Fixture = Awaited<ReturnType<typeof openMailFixture>>;
type Effect = (fixture: Fixture, user: TestUser) => Promise<void>;

/** Invites erin@example.org to a new group. Returns the token of the mail. */
async function invite(app: TestApp, mail: TestSmtpServer, user: TestUser): Promise<string> {
  const { _id } = await buildGroup(app, user);
  const body = { loginsOrEmails: ['erin@example.org'] };
  await callerOf(app, user.token)('post', `group/${_id}/invitations`, body).expect(200);
  return /\?\/invitation\/(\S+)/.exec((await mail.next()).text)?.[1] ?? '';
}

const effects: Record<Exclude<Key, (typeof presentational)[number] | keyof typeof elsewhere>, Effect> = {
  async title({ app, set, startMail, recover }, user) {
    const mail = await startMail();
    await set({ title: 'Pads of us' });
    await recover(user.email);
    expect((await mail.next()).subject).to.include('Pads of us');
    expect((await app.agent.get('/api/configuration')).body.value.title).to.equal('Pads of us');
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
  async invitationDays({ app, set, startMail }, user) {
    await set({ invitationDays: 2 });
    const token = await invite(app, await startMail(), user);
    const show = () => app.agent.post('/api/invitations/show').send({ token });
    expect((await show()).status).to.equal(200);
    app.ports.advance(2 * 24 * 3600_000);
    expect((await show()).body.error).to.equal('BACKEND.ERROR.TOKEN.EXPIRED');
  },
  async mailContact({ startMail, recover, set }, user) {
    const mail = await startMail();
    await set({ mailContact: 'Help <help@example.org>' });
    await recover(user.email);
    expect((await mail.next()).headers['reply-to']).to.equal('help@example.org');
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

  it('that of each other setting is in the test file that this file says', () =>
    checkEach(Object.entries(elsewhere), (place, key) => {
      const text = readFileSync(path.join(__dirname, '..', `${place}.test.ts`), 'utf8');
      expect(text.includes(key), `test/${place}.test.ts`).to.equal(true);
    }));

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
