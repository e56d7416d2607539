/** What each setting does, in the order and under the headings of docs/configuration.md. A setting that is missing does not compile. */
import type { ConfigurationKey } from '../model/configuration';

const general = {
  title: 'Name of this place: in the page’s title, and the sender’s name and subject of mails.',
  rootUrl:
    'Where people reach Etherpad, as `https://pads.example.org` or `https://example.org/pads`; a slash at the end is dropped. Mailed links and the way back from CAS are made of it. Needed for mail (unless `trustProxy` is on) and for CAS.',
  allowEtherPads:
    'May pads exist that belong to no folder? Off: Etherpad’s own pads are refused, and its start page leads to `/mypads/`.',
  allPadsPublicsAuthentifiedOnly:
    'Whoever is signed in may enter every pad, and nobody else: visibility and passwords do not count. Read-only pads stay read-only.',
  trustProxy:
    'One proxy stands before Etherpad and is believed: who calls (`X-Forwarded-For`), and under which address people came (`X-Forwarded-Proto`, `X-Forwarded-Host`, `X-Forwarded-Prefix`), which mailed links are made of then. See [install.md](install.md#behind-a-proxy).',
  deleteJobQueue:
    'On: a call that removes pads answers at once, and their texts go in the background. Off: it answers when they are gone. The pads are closed from the first moment either way.',
};

const accounts = {
  openRegistration: 'May people make themselves an account? Only with `authMethod` `internal`.',
  checkMails:
    'New accounts work, and another address of one’s own counts, once the link in a mail has been opened. See [mail.md](mail.md).',
  tokenDuration: 'Minutes that a mailed link works.',
  passwordMin: 'Fewest characters of an account’s password. Must not exceed `passwordMax`.',
  passwordMax:
    'Most characters of an account’s password. 30 where the database comes from ep_mypads 1.x and has no value of its own.',
  insensitiveMailMatch:
    'Letter case of e-mail addresses does not count at sign-in, for recovery and in invitations. (No two accounts get the same address in different case either way.)',
  authMethod:
    'Where passwords are checked: here, by a directory ([ldap.md](ldap.md)) or by a sign-on server ([cas.md](cas.md)).',
  authLdapSettings:
    'Looked into and tried out before it is stored. Its secrets (`bindCredentials`, and `key`, `pfx`, `passphrase` of `tlsOptions`) are never shown and are kept when they are left out.',
  authCasSettings:
    'Looked into before it is stored. Everybody sees only the addresses that browsers are sent to.',
  availableAuthMethods: 'What `authMethod` can be.',
};

const mail = {
  SMTPHost: 'Name or address of the mail server. See [mail.md](mail.md).',
  SMTPPort: 'Its port. Not set: 465 with `SMTPSSL`, 587 with `SMTPTLS`, 25 with neither.',
  SMTPSSL: 'Encrypted from the first byte. Goes before `SMTPTLS`.',
  SMTPTLS:
    'STARTTLS: nothing is sent before the connection is encrypted. Off (and `SMTPSSL` off): no encryption.',
  SMTPUser: 'Empty or not set: the mail server asks for no name.',
  SMTPPass: 'Whether one is set is told, what it is never.',
  SMTPEmailFrom: 'The sender’s address.',
};

const page = {
  languages: 'Languages that an account can have, and their names.',
  defaultLanguage:
    'Of people who have chosen none and whose browser asks for none that is there; of mails to them.',
  loginMsg:
    'HTML above the sign-in and registration forms, by language; English where one has none. Paragraphs, lists, headings, emphasis and links count; of anything else only the text.',
  HTMLExtraHead:
    'HTML at the end of the page’s head, as it is. Its scripts run, those of other servers too, and what they fetch themselves; styles, pictures, fonts and connections are free. `onclick="…"` and the like, `javascript:` links, `<base>`, plug-ins (`<object>`), and frames of and forms to other servers are stopped by the page’s content security policy.',
  hideHelpBlocks: 'Hides the explanations in the page.',
  useFirstLastNameInPads: 'People are called by first and last name in pads, not by nickname or login.',
  disableLogoutButton: 'No sign-out in the menu.',
  disableLangageSelect: 'No choice of language. (The name is spelt so.)',
  disableUserList: 'No user lists in the menu. The calls of the API stay.',
  disableUserProfile: 'No profile in the menu. The calls of the API stay.',
  userLoginsAsAdmin:
    'Logins of people who are shown the link to administration; an empty list shows it to everybody. It gives no right.',
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

/** Every setting that is told. */
export const toldSettings = Object.keys(everything);
