/**
 * The settings: for each key its default, its valid values and their old spellings, who sees it, and its meaning.
 * Types, the API and its description, the tables in docs/configuration.md and the forms of the administration are all
 * derived from this table.
 */
import type * as z from 'zod';
import { languageCodes, languages } from '../languages';
import { limits } from '../limits';
import { casToStore, withoutLoginPage } from '../signin/casSettings';
import { headerToStore } from '../signin/headerSettings';
import { ldapSecrets, ldapToStore } from '../signin/ldapSettings';
import { methodNames } from '../signin/methods';
import { oidcSecrets, oidcToStore } from '../signin/oidcSettings';
import { linkMakers } from '../store/entities';
import { firstSteps } from './firstSteps';
import {
  address,
  choice,
  choices,
  email,
  flag,
  folder,
  html,
  integer,
  type Kind,
  list,
  name,
  positive,
  secret,
  service,
  someOf,
  steps,
  text,
  texts,
} from './kinds';

/** `everybody`: the page needs it before anybody has signed in. `nobody`: no answer contains it. */
export type SeenBy = 'everybody' | 'administrators' | 'nobody';

export interface Setting extends Kind {
  /** The default; `undefined`: none. */
  initial: unknown;
  /** The default if the database comes from ep_mypads 1.x. */
  initialFrom1x?: unknown;
  seenBy: SeenBy;
  /** Paths inside the value that no answer contains. */
  secrets?: readonly string[];
  /** Built in: cannot be changed, a stored value is ignored. */
  fixed?: true;
  /** An access rule reads it, so open editors are checked again after a change. */
  decidesAccess?: true;
  /** Only changes what the page shows. The server refuses nothing because of it. */
  onlyShown?: true;
  /** For docs/configuration.md and the API description, in Markdown. */
  means: string;
}

/** `initial`: the default; `undefined`: none. The page needs these before anybody has signed in. */
const forEverybody = <const Of extends Kind, const Initial>(kind: Of, initial: Initial) =>
  ({ ...kind, initial, seenBy: 'everybody' }) as const;

const forAdministrators = <const Of extends Kind, const Initial>(kind: Of, initial: Initial) =>
  ({ ...kind, initial, seenBy: 'administrators' }) as const;

const languageNames = Object.fromEntries(languageCodes.map((code) => [code, languages[code].name]));

const general = {
  title: {
    ...forEverybody(name, 'MyPads'),
    means: 'Name of this server: in the title of the page, and in the sender’s name and subject of emails.',
  },
  rootUrl: {
    ...forAdministrators(address, ''),
    means:
      'Where people reach Etherpad, for example `https://pads.example.org` or `https://example.org/pads`; a slash at the end is removed. Links in emails and the return addresses for single sign-on start with it. Needed for email, for passkeys, and for single sign-on (CAS, OpenID Connect).',
  },
  defaultLanguage: {
    ...forEverybody(choice(languageCodes), 'en'),
    means:
      'Language of the page and of emails for people who have not chosen one, if their browser’s language is not available.',
  },
  languages: {
    ...forEverybody(texts, languageNames),
    fixed: true,
    means: 'Languages that people can choose, with their names.',
  },
  trustProxy: {
    ...forAdministrators(flag, false),
    means:
      'On: there is a proxy in front of Etherpad, and its headers are trusted: the caller’s address (`X-Forwarded-For`), and scheme and path of the cookie that opens pads (`X-Forwarded-Proto`, `X-Forwarded-Prefix`). See [install.md](install.md#behind-a-proxy).',
  },
} as const satisfies Record<string, Setting>;

const accounts = {
  openRegistration: {
    ...forEverybody(flag, true),
    means: 'Whether people may create their own account. Only where passwords are stored here (`internal`).',
  },
  checkMails: {
    ...forAdministrators(flag, false),
    means:
      'On: a new account or a changed address becomes active after the person has opened the link in an email. See [mail.md](mail.md).',
  },
  tokenDuration: {
    ...forAdministrators(positive(10_080), 60),
    means: 'Minutes for which a link in an email is valid.',
  },
  invitationsCreateAccounts: {
    ...forAdministrators(flag, false),
    means:
      'On: people who were invited to a folder by email may create an account with this address, also if `openRegistration` is off. Only where passwords are stored here (`internal`).',
  },
  passwordMin: {
    ...forEverybody(integer(1, limits.password), 8),
    means: 'Minimum length of passwords of accounts. Must not exceed `passwordMax`.',
  },
  passwordMax: {
    ...forEverybody(integer(1, limits.password), 128),
    initialFrom1x: 30,
    means:
      'Maximum length of passwords of accounts. 30 if the database comes from ep_mypads 1.x and has no value of its own.',
  },
  apiTokens: {
    ...forEverybody(flag, true),
    means:
      'On: people and server administrators can make API tokens for programs, see [tokens.md](tokens.md). Off: no call accepts one. Those that exist work again when it is on.',
  },
  secondFactor: {
    ...forAdministrators(choice(['optional', 'managers', 'everybody']), 'optional'),
    means:
      'Who must confirm a sign-in with an authenticator app, a passkey or a recovery code: whoever wants to (`optional`), managers of folders, or everyone, see [second-factor.md](second-factor.md). Only people whose password is here.',
  },
  insensitiveMailMatch: {
    ...forAdministrators(flag, false),
    means:
      'On: letter case of email addresses does not count at sign-in, for recovery and in invitations. (In any case, two accounts cannot have addresses that differ only in case.)',
  },
} as const satisfies Record<string, Setting>;

const casService = service('cas.md', casToStore(languageCodes));

const signIn = {
  authMethod: {
    ...forEverybody(choice(methodNames), 'internal'),
    means:
      'How people sign in first of all: with a password that is checked here (`internal`) or by a directory ([ldap.md](ldap.md)), or by single sign-on ([cas.md](cas.md), [oidc.md](oidc.md), [proxy-sign-in.md](proxy-sign-in.md)). The settings of the service must be stored first. `authMethods` can offer others beside it.',
  },
  authMethods: {
    ...forEverybody(someOf(methodNames), []),
    means:
      'All ways to sign in that are offered, in their order; `authMethod` is the first in any case. If empty, only `authMethod`. The settings of each service must be stored first.',
  },
  autoSignIn: {
    ...forEverybody(flag, false),
    onlyShown: true,
    means:
      'On: if the first way to sign in asks for no password here, the sign-in screen begins it at once, as it does where this is the only way. The address `?/login&auto=no` shows all ways, and `?/login&auto=<method>` begins one.',
  },
  availableAuthMethods: {
    ...forAdministrators(choices(methodNames), methodNames),
    fixed: true,
    means: 'Possible values of `authMethod` and `authMethods`.',
  },
  authLdapSettings: {
    ...forAdministrators(service('ldap.md', ldapToStore(languageCodes)), {
      url: 'ldaps://ldap.example.org',
      bindDN: 'uid=ldap,ou=users,dc=example,dc=org',
      bindCredentials: '',
      searchBase: 'ou=users,dc=example,dc=org',
      searchFilter: '(uid={{username}})',
      tlsOptions: { rejectUnauthorized: true },
      properties: { login: 'uid', email: 'mail', firstname: 'givenName', lastname: 'sn' },
      defaultLang: 'en',
    }),
    secrets: ldapSecrets,
    means:
      'Checked, and tried against the directory, before it is stored. Its secrets (`bindCredentials`, and `key`, `pfx`, `passphrase` of `tlsOptions`) are never shown. A secret that is not sent keeps its value.',
  },
  directorySync: {
    ...forAdministrators(flag, false),
    means:
      'On: each night, accounts and [roles by rules](groups.md#every-night) are brought up to date with the LDAP directory. Only with `ldap` among the ways to sign in.',
  },
  directorySyncLimit: {
    ...forAdministrators(integer(0, 100_000), 20),
    means:
      'If more people would lose roles or be deactivated in one run, nothing is taken from anyone until an administrator confirms it.',
  },
  directorySyncDays: {
    ...forAdministrators(integer(0, 3_650), 0),
    means:
      'Days after which an account is deactivated whose owner is gone from the LDAP directory, or disabled there. 0: never.',
  },
  authCasSettings: {
    // Only the URLs that browsers are sent to: api/configuration/routes.ts.
    ...forEverybody(casService, {
      serverUrl: 'https://cas.example.org/cas',
      protocolVersion: 3,
      properties: { login: 'user', email: 'email', firstname: 'firstname', lastname: 'lastname' },
      defaultLang: 'en',
    }),
    value: casService.value.overwrite(withoutLoginPage),
    // The server of a database of 1.x may be at an address that ends with it.
    stored: casService.value,
    means:
      'Checked before it is stored. Everyone can see the URLs that browsers are sent to, and nothing else.',
  },
  authOidcSettings: {
    ...forAdministrators(service('oidc.md', oidcToStore(languageCodes)), { providers: {} }),
    secrets: oidcSecrets,
    means:
      'Providers of OpenID Connect. Checked before it is stored. Their secrets (`clientSecret`, `privateKey`) are never shown. A secret that is not sent keeps its value.',
  },
  authHeaderSettings: {
    ...forAdministrators(service('proxy-sign-in.md', headerToStore(languageCodes)), { proxies: [] }),
    means:
      'Headers in which a proxy says who is signed in there, and the addresses of the proxies that may say so. Checked before it is stored.',
  },
} as const satisfies Record<string, Setting>;

const pads = {
  allowEtherPads: {
    ...forAdministrators(flag, true),
    decidesAccess: true,
    means:
      'On: pads without a folder can be opened, and a visit creates them, except for a year at the address of a deleted pad of a folder. Off: they are refused, and Etherpad’s start page redirects to `/mypads/`.',
  },
  allPadsPublicsAuthentifiedOnly: {
    ...forEverybody(flag, false),
    decidesAccess: true,
    means:
      'On: everyone who is signed in can open every pad, and guests can open none. Visibility and passwords have no effect. Read-only pads stay read-only.',
  },
  linksBy: {
    ...forAdministrators(choice(linkMakers), 'managers'),
    means:
      'Who makes links to folders and pads: their managers, also everyone who may write in a folder (`writers`), or nobody. Links that exist keep working, and managers can end them.',
  },
  linksMaxDays: {
    ...forEverybody(integer(0, 3_650), 0),
    means: 'How many days a new or changed link may last. 0: as long as people want, also without an end.',
  },
  allowRequests: {
    ...forEverybody(flag, true),
    means:
      'On: people who are refused can ask the managers of a folder for access, and readers for the right to write. No effect while `allPadsPublicsAuthentifiedOnly` is on.',
  },
  searchTexts: {
    ...forEverybody(flag, true),
    means:
      'On: people search in the texts of the pads that they can open. Each process keeps these texts in a file of its own beside Etherpad’s. Off: nothing is searched, and the file is emptied.',
  },
  templatesFolder: {
    ...forAdministrators(folder, ''),
    means:
      'A folder whose templates are for everyone who is signed in, by its id or address. Empty: a template is only for those who can open it.',
  },
  useFirstLastNameInPads: {
    ...forEverybody(flag, false),
    means:
      'On: people appear in pads with first and last name instead of nickname or username, and cannot change this name in the pad.',
  },
  trashDays: {
    ...forEverybody(integer(0, 3_650), 30),
    means:
      'Days for which deleted pads and folders stay in the trash, where their managers can restore them, see [trash.md](trash.md). 0: deleting is final, and what is in the trash is deleted within the hour.',
  },
  deleteJobQueue: {
    ...forAdministrators(flag, false),
    means:
      'On: a call that deletes pads answers at once, and their texts are deleted in the background. Off: it answers when they are deleted. In both cases the pads are closed immediately.',
  },
} as const satisfies Record<string, Setting>;

const mail = {
  SMTPHost: {
    ...forAdministrators(text, undefined),
    means: 'Name or address of the mail server. See [mail.md](mail.md).',
  },
  SMTPPort: {
    ...forAdministrators(positive(65_535), undefined),
    means: 'Port of the mail server. Default: 465 with `SMTPSSL`, 587 with `SMTPTLS`, otherwise 25.',
  },
  SMTPSSL: {
    ...forAdministrators(flag, false),
    means: 'On: the connection uses TLS from the start. If `SMTPTLS` is on too, `SMTPSSL` counts.',
  },
  SMTPTLS: {
    ...forAdministrators(flag, true),
    means:
      'On: STARTTLS; nothing is sent before the connection is encrypted. If this and `SMTPSSL` are off: no encryption.',
  },
  SMTPUser: {
    ...forAdministrators(text, undefined),
    means: 'Username at the mail server. Empty or not set: no sign-in.',
  },
  SMTPPass: {
    ...secret,
    initial: undefined,
    seenBy: 'nobody',
    means: 'Password at the mail server. The API says whether it is set, but never its value.',
  },
  SMTPEmailFrom: {
    ...forAdministrators(email, undefined),
    means: 'Email address of the sender.',
  },
  mailContact: {
    ...forAdministrators(email, undefined),
    means: 'Address for replies to emails (`Reply-To`), which someone should read.',
  },
  mailWhenAdded: {
    ...forAdministrators(flag, true),
    means:
      'On: people get an email when someone else adds them to a folder or shares a pad with them, unless they have switched it off in their account. Without a mail server, nobody gets one.',
  },
  invitationDays: {
    ...forAdministrators(integer(1, 90), 14),
    means: 'Days for which an invitation by email is valid.',
  },
} as const satisfies Record<string, Setting>;

const page = {
  loginMsg: {
    ...forEverybody(texts, Object.fromEntries(languageCodes.map((code) => [code, '']))),
    onlyShown: true,
    means:
      'HTML above the sign-in and registration forms, by language; English if a language has none. Paragraphs, lists, headings, emphasis and links are kept; of other elements only the text.',
  },
  guide: {
    ...forEverybody(flag, true),
    onlyShown: true,
    means:
      'On: the app has help for everyone at `/mypads/?/help`, with links to its pages. Off: it and its links are hidden; `guidePage` is still shown.',
  },
  guidePage: {
    ...forEverybody(texts, {}),
    onlyShown: true,
    means:
      'A page of your own, shown first in the help: whom to ask, the rules of your school, a link to your own guide. HTML by language, as in `loginMsg`.',
  },
  HTMLExtraHead: {
    ...forEverybody(html, ''),
    means:
      'HTML that is added unchanged to the end of the page’s head. Scripts run, also from other servers and those that scripts load. Styles, images, fonts and connections are not restricted. The page’s content security policy blocks `onclick="…"` and the like, `javascript:` links, `<base>`, plug-ins (`<object>`), and frames and forms of other servers.',
  },
  hideHelpBlocks: {
    ...forEverybody(flag, false),
    onlyShown: true,
    means: 'Hides the hints below fields, except where something is wrong.',
  },
  disableLangageSelect: {
    ...forEverybody(flag, false),
    onlyShown: true,
    means: 'Hides the choice of language. (The spelling of the key comes from ep_mypads 1.x.)',
  },
  disableUserProfile: {
    ...forEverybody(flag, false),
    onlyShown: true,
    means: 'Hides the account screen. The API still changes accounts.',
  },
  disableUserList: {
    ...forEverybody(flag, false),
    onlyShown: true,
    means: 'Hides people lists and their screens. The API still has them.',
  },
  disableLogoutButton: {
    ...forEverybody(flag, false),
    onlyShown: true,
    means: 'Hides the sign-out in the menu.',
  },
  userLoginsAsAdmin: {
    ...forEverybody(list, []),
    onlyShown: true,
    means:
      'Usernames of the people who see the link to the administration. If empty, everyone sees the link. The link gives no rights.',
  },
  firstSteps: {
    ...forAdministrators(steps(firstSteps), []),
    // A server with a database of 1.x is set up already.
    initialFrom1x: firstSteps,
    onlyShown: true,
    means:
      'Steps of the screen “First steps” that are finished or skipped. While there are others, the menu of the administration has this screen. With a database of ep_mypads 1.x, all four.',
  },
} as const satisfies Record<string, Setting>;

/** Sections of the administration and of docs/configuration.md with their settings, in their order. */
const sections = { general, accounts, signIn, pads, mail, page };
const everySetting = { ...general, ...accounts, ...signIn, ...pads, ...mail, ...page };

type Everything = typeof everySetting;

export type ConfigurationKey = keyof Everything;

/** The values by key, as `initial` and `value` of the definitions say. */
export type ConfigurationValues = {
  [Key in ConfigurationKey]:
    | z.output<Everything[Key]['value']>
    | (Everything[Key]['initial'] extends undefined ? undefined : never);
};

/** Keys of the settings that everybody may see. */
export type PublicKey = {
  [Key in ConfigurationKey]: Everything[Key]['seenBy'] extends 'everybody' ? Key : never;
}[ConfigurationKey];

export type ValueSchemas = { [Key in ConfigurationKey]: Everything[Key]['value'] };

/** All settings, in the order of the documentation and the administration. */
export const settings: Readonly<Record<ConfigurationKey, Setting>> = everySetting;

/** True for the name of a setting. Only own names count, so `constructor` is none. */
export function isConfigurationKey(candidate: string): candidate is ConfigurationKey {
  return Object.hasOwn(settings, candidate);
}

export const configurationKeys: readonly ConfigurationKey[] =
  Object.keys(settings).filter(isConfigurationKey);

export type SettingSection = keyof typeof sections;

export const settingSections = Object.keys(sections) as SettingSection[];

export const keysOfSection = (section: SettingSection): ConfigurationKey[] =>
  Object.keys(sections[section]).filter(isConfigurationKey);

export const isPublicKey = (key: ConfigurationKey): key is PublicKey => settings[key].seenBy === 'everybody';

export const isFixed = (key: ConfigurationKey): boolean => settings[key].fixed === true;
