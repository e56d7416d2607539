/**
 * Meaning of each setting, in the order and under the headings of docs/configuration.md. The type requires an entry for
 * every setting.
 */
import type { ConfigurationKey } from '../model/settings/configuration';

const general = {
  title: 'Name of this server: in the title of the page, and in the sender’s name and subject of mails.',
  rootUrl:
    'Where people reach Etherpad, as `https://pads.example.org` or `https://example.org/pads`; a slash at the end is removed. Links in mails and the return address for CAS start with it. Needed for mail (unless `trustProxy` is on) and for CAS.',
  allowEtherPads:
    'On: pads without a folder can be opened. Off: they are refused, and Etherpad’s start page redirects to `/mypads/`.',
  allPadsPublicsAuthentifiedOnly:
    'On: everybody who is signed in can open every pad, and guests can open none. Visibility and passwords have no effect. Read-only pads stay read-only.',
  trustProxy:
    'On: there is a proxy in front of Etherpad, and its headers are trusted: the caller’s address (`X-Forwarded-For`), and the public URL (`X-Forwarded-Proto`, `X-Forwarded-Host`, `X-Forwarded-Prefix`), which links in mails then start with. See [install.md](install.md#behind-a-proxy).',
  deleteJobQueue:
    'On: a call that removes pads answers at once, and their texts are removed in the background. Off: it answers when they are removed. In both cases the pads are closed immediately.',
};

const accounts = {
  openRegistration: 'Whether people may create their own account. Only with `authMethod` `internal`.',
  checkMails:
    'On: a new account or a changed address becomes active after the person has opened the link in a mail. See [mail.md](mail.md).',
  tokenDuration: 'Minutes for which a link in a mail is valid.',
  passwordMin: 'Minimum length of passwords of accounts. Must not exceed `passwordMax`.',
  passwordMax:
    'Maximum length of passwords of accounts. 30 if the database comes from ep_mypads 1.x and has no own value.',
  insensitiveMailMatch:
    'On: letter case of e-mail addresses does not count at sign-in, for recovery and in invitations. (In any case, two accounts cannot have addresses that differ only in case.)',
  authMethod:
    'Where passwords are checked: here (`internal`), by a directory ([ldap.md](ldap.md)) or by a sign-on server ([cas.md](cas.md)).',
  authLdapSettings:
    'Checked, and tried against the directory, before it is stored. Its secrets (`bindCredentials`, and `key`, `pfx`, `passphrase` of `tlsOptions`) are never shown. A secret that is not sent keeps its value.',
  authCasSettings:
    'Checked before it is stored. Everybody can see the URLs that browsers are sent to, and nothing else.',
  availableAuthMethods: 'Possible values of `authMethod`.',
};

const mail = {
  SMTPHost: 'Name or address of the mail server. See [mail.md](mail.md).',
  SMTPPort: 'Port of the mail server. Default: 465 with `SMTPSSL`, 587 with `SMTPTLS`, otherwise 25.',
  SMTPSSL: 'On: the connection uses TLS from the start. If `SMTPTLS` is on too, `SMTPSSL` counts.',
  SMTPTLS:
    'On: STARTTLS; nothing is sent before the connection is encrypted. If this and `SMTPSSL` are off: no encryption.',
  SMTPUser: 'Login at the mail server. Empty or not set: no login.',
  SMTPPass: 'Password at the mail server. The API says whether it is set, but never its value.',
  SMTPEmailFrom: 'E-mail address of the sender.',
  mailContact: 'Address for replies to mails (`Reply-To`), which somebody should read.',
};

const page = {
  languages: 'Languages that people can choose, with their names.',
  defaultLanguage:
    'Language of the page and of mails for people who have not chosen one, if their browser’s language is not available.',
  loginMsg:
    'HTML above the sign-in and registration forms, by language; English if a language has none. Paragraphs, lists, headings, emphasis and links are kept; of other elements only the text.',
  HTMLExtraHead:
    'HTML that is added unchanged to the end of the page’s head. Scripts run, also from other servers and those that scripts load. Styles, images, fonts and connections are not restricted. The page’s content security policy blocks `onclick="…"` and the like, `javascript:` links, `<base>`, plug-ins (`<object>`), and frames and forms of other servers.',
  hideHelpBlocks: 'Hides the hints below fields, except where something is wrong.',
  useFirstLastNameInPads: 'On: people appear in pads with first and last name instead of nickname or login.',
  disableLogoutButton: 'Hides the sign-out in the menu.',
  disableLangageSelect: 'Hides the choice of language. (The spelling of the key comes from ep_mypads 1.x.)',
  disableUserList: 'Hides user lists in the menu. The API still has them.',
  disableUserProfile: 'Hides the account screen. The API still changes accounts.',
  userLoginsAsAdmin:
    'Logins of the people who see the link to the administration. If empty, everybody sees it. It gives no rights.',
  firstSteps:
    'Steps of the screen “First steps” that are finished or left out. The administration leads to the screen while there are others. All four in a database of ep_mypads 1.x.',
};

type Meanings = Record<ConfigurationKey, string>;

const everything: Meanings = { ...general, ...accounts, ...mail, ...page };

/** By heading. */
export const settingMeanings: Readonly<Record<string, Partial<Meanings>>> = {
  General: general,
  'Accounts and sign-in': accounts,
  Mail: mail,
  'The page': page,
};

/** All settings that are documented. */
export const documentedSettings = Object.keys(everything);
