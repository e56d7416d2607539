/** Every setting of section 3 of the specification: its default, valid and invalid values, who sees it. */
import { languageCodes } from '../../model/languages';
import type { ConfigurationKey } from '../../model/settings/configuration';

export interface SettingRow {
  /** `undefined`: none. */
  initial: unknown;
  seenBy: 'everybody' | 'administrators' | 'nobody';
  /** Valid values, with the smallest and the largest. */
  good: unknown[];
  bad: unknown[];
  /** What forms of the earlier generation send, and what is meant. */
  meant?: [sent: unknown, kept: unknown][];
}

const flag = (initial: boolean, seenBy: SettingRow['seenBy']): SettingRow => ({
  initial,
  seenBy,
  good: [!initial, initial],
  bad: ['true', 0, 1, null, [], {}],
});
const forEverybody = (initial: boolean) => flag(initial, 'everybody');
const forAdministrators = (initial: boolean) => flag(initial, 'administrators');

const text = (longest: number, seenBy: SettingRow['seenBy'], initial?: string): SettingRow => ({
  initial,
  seenBy,
  good: ['x', 'ü'.repeat(longest), ''],
  bad: ['x'.repeat(longest + 1), 5, null, ['x'], { text: 'x' }],
});

const ldap = { url: 'ldaps://directory.example.org', searchBase: '', searchFilter: '(uid={{username}})' };
const oidc = { name: 'School', issuer: 'https://id.example.org', clientId: 'pads', clientSecret: 'x' };
const header = { name: 'Authelia', proxies: ['10.0.0.2'] };
const cas = { serverUrl: 'https://cas.example.org/cas' };

/** `authLdapSettings` has no valid value here, because no directory answers. test/ldap tests it with a directory. */
export const settings: Record<Exclude<ConfigurationKey, 'languages' | 'availableAuthMethods'>, SettingRow> = {
  title: {
    initial: 'MyPads',
    seenBy: 'everybody',
    good: ['x', 'ü'.repeat(100)],
    bad: ['', '  ', '\u200b', '\n\0', 'x'.repeat(101), 5, null],
    meant: [[' Pads\n\tof\0us\u2028', 'Pads of us']],
  },
  rootUrl: {
    initial: '',
    seenBy: 'administrators',
    good: ['https://pads.example.org/sub', 'http://[::1]:9001', `http://x.org/${'x'.repeat(287)}`, ''],
    bad: [
      'pads.example.org',
      'ftp://x.org',
      'javascript:alert(1)',
      'https://x.org/a b',
      'https:x.org',
      'https://x.org/?a',
      'https://x.org/#a',
      'https://me:secret@x.org',
      `http://x.org/${'x'.repeat(288)}`,
      5,
      null,
    ],
    meant: [[' https://pads.example.org/sub// ', 'https://pads.example.org/sub']],
  },
  allowEtherPads: forAdministrators(true),
  allowRequests: forEverybody(true),
  passwordMin: {
    initial: 8,
    seenBy: 'everybody',
    good: [1, 128],
    bad: [0, -1, 1.5, 129, 'eight', '', null, [8], true],
    meant: [['12', 12]],
  },
  passwordMax: {
    initial: 128,
    seenBy: 'everybody',
    good: [8, 1_000],
    bad: [0, 7, 1_001, 1e9, '30 or so', '1e2', '', null],
    meant: [['64', 64]],
  },
  defaultLanguage: {
    initial: 'en',
    seenBy: 'everybody',
    good: languageCodes,
    bad: ['', 'xx', 'EN', 'constructor', 5, null],
  },
  checkMails: forAdministrators(false),
  invitationsCreateAccounts: forAdministrators(false),
  mailWhenAdded: forAdministrators(true),
  invitationDays: {
    initial: 14,
    seenBy: 'administrators',
    good: [1, 90],
    bad: [0, -1, 91, 1.5, 'a week', null],
    meant: [['7', 7]],
  },
  directorySync: forAdministrators(false),
  directorySyncLimit: {
    initial: 20,
    seenBy: 'administrators',
    good: [0, 100_000],
    bad: [-1, 100_001, 1.5, 'many', null],
    meant: [['50', 50]],
  },
  directorySyncDays: {
    initial: 0,
    seenBy: 'administrators',
    good: [0, 3_650],
    bad: [-1, 3_651, 1.5, 'a week', null],
    meant: [['30', 30]],
  },
  tokenDuration: {
    initial: 60,
    seenBy: 'administrators',
    good: [1, 10_080],
    bad: [0, -5, 10_081, 1.5, 'an hour', null],
    meant: [['90', 90]],
  },
  SMTPHost: text(300, 'administrators'),
  SMTPPort: {
    initial: undefined,
    seenBy: 'administrators',
    good: [1, 65_535],
    bad: [0, -1, 65_536, 25.5, 'smtp', '', null],
    meant: [['587', 587]],
  },
  SMTPSSL: forAdministrators(false),
  SMTPTLS: forAdministrators(true),
  SMTPUser: text(300, 'administrators'),
  SMTPPass: text(300, 'nobody'),
  mailContact: {
    initial: undefined,
    seenBy: 'administrators',
    good: ['help@example.org', ''],
    bad: ['help', 'a@b.org, c@d.org', 'a@b.org\nBcc: c@d.org', 5, null],
  },
  SMTPEmailFrom: {
    initial: undefined,
    seenBy: 'administrators',
    good: ['pads@example.org', ''],
    bad: ['pads', 'a@b.org, c@d.org', 'a@b.org\nBcc: c@d.org', `${'x'.repeat(250)}@b.org`, 5, null],
  },
  HTMLExtraHead: text(50_000, 'everybody', ''),
  openRegistration: forEverybody(true),
  hideHelpBlocks: forEverybody(false),
  useFirstLastNameInPads: forEverybody(false),
  searchTexts: forEverybody(true),
  templatesFolder: {
    initial: '',
    seenBy: 'administrators',
    good: ['', 'templates-x2k3v9'],
    bad: [
      'x'.repeat(301),
      'nowhere-x2k3v9',
      5,
      null,
      'https://pads.example.org/mypads/?/mypads/group/%zz/view',
    ],
    meant: [
      ['https://pads.example.org/mypads/?/mypads/group/templates-x2k3v9/view', 'templates-x2k3v9'],
      ['https://x.org/mypads/?/admin/pads&group=templates-x2k3v9&name=Templates', 'templates-x2k3v9'],
    ],
  },
  linksBy: {
    initial: 'managers',
    seenBy: 'administrators',
    good: ['writers', 'nobody', 'managers'],
    bad: ['', 'readers', 'everybody', 5, null],
  },
  linksMaxDays: {
    initial: 0,
    seenBy: 'everybody',
    good: [0, 30, 3_650],
    bad: [-1, 3_651, 1.5, 'a week', null],
    meant: [['7', 7]],
  },
  trashDays: {
    initial: 30,
    seenBy: 'everybody',
    good: [0, 1, 3_650],
    bad: [-1, 3_651, 1.5, 'a week', null],
    meant: [['7', 7]],
  },
  apiTokens: forEverybody(true),
  secondFactor: {
    initial: 'optional',
    seenBy: 'administrators',
    good: ['managers', 'everybody', 'optional'],
    bad: ['', 'nobody', true, null],
  },
  insensitiveMailMatch: forAdministrators(false),
  authMethod: {
    initial: 'internal',
    seenBy: 'everybody',
    // test/unit/configurationSignIn.test.ts has the others, which need their settings first.
    good: ['internal'],
    bad: ['', 'none', 'LDAP', 5, null],
  },
  autoSignIn: forEverybody(false),
  authMethods: {
    initial: [],
    seenBy: 'everybody',
    // test/unit/configurationSignIn.test.ts has the others, which need their settings first.
    good: [['internal'], []],
    bad: ['internal', ['none'], ['internal', 'internal'], 5, null],
  },
  authLdapSettings: {
    initial: {
      url: 'ldaps://ldap.example.org',
      bindDN: 'uid=ldap,ou=users,dc=example,dc=org',
      searchBase: 'ou=users,dc=example,dc=org',
      searchFilter: '(uid={{username}})',
      tlsOptions: { rejectUnauthorized: true },
      properties: { login: 'uid', email: 'mail', firstname: 'givenName', lastname: 'sn' },
      defaultLang: 'en',
    },
    seenBy: 'administrators',
    good: [],
    bad: [null, '{}', [], 5, {}, { ...ldap, url: 'https://x.org' }, { ...ldap, searchFilter: '(uid=ada)' }],
  },
  authOidcSettings: {
    initial: { providers: {} },
    seenBy: 'administrators',
    good: [{ providers: {} }],
    bad: [
      null,
      '{}',
      [],
      5,
      {},
      { providers: [] },
      { providers: { 'My School': oidc } },
      ...[
        { issuer: 'http://id.example.org' },
        { issuer: 'id.example.org' },
        { clientSecret: '' },
        { scopes: 'email' },
        { responseMode: 'fragment' },
        { allow: { claim: 'groups', values: [] } },
        { linkDomains: ['*'] },
        { surprise: 1 },
      ].map((change) => ({ providers: { school: { ...oidc, ...change } } })),
    ],
  },
  authHeaderSettings: {
    initial: { proxies: [] },
    seenBy: 'administrators',
    good: [
      header,
      { ...header, proxies: ['10.0.0.0/8', '::1', 'fd00::/64'] },
      { ...header, headers: { login: 'X-Remote_User', groups: 'Remote-Groups' }, emailDomain: 'example.org' },
    ],
    bad: [
      null,
      [],
      {},
      { proxies: ['10.0.0.2'] },
      ...['localhost', '10.0.0', '10.0.0.0/33', '0.0.0.0/0', '::/0', '10.0.0.2/', '10.0.0.0/8/8', ''].map(
        (one) => ({
          ...header,
          proxies: [one],
        }),
      ),
      { ...header, proxies: [] },
      { ...header, proxies: '10.0.0.2' },
      { ...header, headers: { login: 'Cookie' } },
      { ...header, headers: { groups: 'Cookie' } },
      { ...header, headers: { login: 'X-Forwarded-For' } },
      { ...header, headers: { email: 'a header' } },
      { ...header, signOutUrl: 'javascript:alert(1)' },
      { ...header, surprise: 1 },
    ],
  },
  authCasSettings: {
    initial: {
      serverUrl: 'https://cas.example.org/cas',
      protocolVersion: 3,
      properties: { login: 'user', email: 'email', firstname: 'firstname', lastname: 'lastname' },
      defaultLang: 'en',
    },
    seenBy: 'everybody',
    good: [cas, { ...cas, protocolVersion: '2.0', logoutUrl: 'https://x.org/out', strictSSL: false }],
    bad: [null, '{}', [], 5, {}, { serverUrl: 'cas' }, { ...cas, protocolVersion: 4 }],
  },
  disableLogoutButton: forEverybody(false),
  allPadsPublicsAuthentifiedOnly: forEverybody(false),
  deleteJobQueue: forAdministrators(false),
  loginMsg: {
    initial: Object.fromEntries(languageCodes.map((code) => [code, ''])),
    seenBy: 'everybody',
    good: [{ en: '<p>Hello</p>', fr: '' }, { en: 'ü'.repeat(10_000) }, {}],
    bad: ['text', null, ['x'], { en: 5 }, { en: 'x'.repeat(10_001) }, { 'no language': 'x' }],
  },
  guide: forEverybody(true),
  guidePage: {
    initial: {},
    seenBy: 'everybody',
    good: [{ en: '<p>Ask Ada.</p>', fr: '' }, { en: 'ü'.repeat(10_000) }, {}],
    bad: ['text', null, ['x'], { en: 5 }, { en: 'x'.repeat(10_001) }, { 'no language': 'x' }],
  },
  disableLangageSelect: forEverybody(false),
  disableUserList: forEverybody(false),
  disableUserProfile: forEverybody(false),
  firstSteps: {
    initial: [],
    seenBy: 'administrators',
    good: [['address'], ['address', 'mail', 'accounts', 'folder'], []],
    bad: ['address', null, {}, ['nothing'], ['mail', 'mail'], [5]],
  },
  userLoginsAsAdmin: {
    initial: [],
    seenBy: 'everybody',
    good: [['ada', 'x'.repeat(300)], Array.from({ length: 1_000 }, (_, number) => `login ${number}`), []],
    bad: [
      5,
      null,
      {},
      ['ada', 5],
      ['x'.repeat(301)],
      Array.from({ length: 1_001 }, (_, number) => `l${number}`),
    ],
    meant: [
      [' ada , grace,,ada', ['ada', 'grace']],
      ['', []],
    ],
  },
  trustProxy: forAdministrators(false),
};
