/** What people do with their accounts: registering, signing in, mailed links, leaving. */
import { ExportMail } from '../exports/exportMail';
import { ExportRecords } from '../exports/exportRecords';
import { Exports } from '../exports/exports';
import { createGroupRecords } from '../folders/groupRecords';
import { createMailer, type Mailer } from '../mail/mailer';
import { createAccessRequests } from '../people/accessRequests';
import { AccountMail } from '../people/accountMail';
import { createAddedMail } from '../people/addedMail';
import { DirectorySync } from '../people/directorySync';
import { createFileSync } from '../people/fileSync';
import { createInvitationMail } from '../people/invitationMail';
import { InvitationSweep } from '../people/invitationSweep';
import { createInvitations } from '../people/invitations';
import { createMailTokens, type MailTokens } from '../people/mailToken';
import { createOwnAccount } from '../people/ownAccount';
import { createPersonSignIn } from '../people/personSignIn';
import { createRegistration } from '../people/registration';
import { SecondStep } from '../people/secondStep';
import { createUnconfirmed } from '../people/unconfirmed';
import { createUserLists } from '../people/userlist';
import type { Ports } from '../ports';
import { AccountRemoval } from '../removal/accountRemoval';
import { GroupRules } from '../rules/groupRules';
import { createCasSignIn } from '../signin/cas';
import { createHeaderSignIn } from '../signin/header';
import { createLdapSignIn } from '../signin/ldap';
import { OidcSignIn } from '../signin/oidc';
import { readProviders } from '../signin/oidcSettings';
import type { AccessParts } from './accessParts';
import type { FolderParts } from './folderParts';
import type { Foundation } from './foundation';

type Earlier = Foundation & AccessParts & FolderParts;

function createMailParts(earlier: Earlier) {
  const { configuration } = earlier;
  const mailer = createMailer({ settings: configuration.get, log: earlier.log });
  const mailTokens = createMailTokens({
    ...earlier,
    tokenDuration: () => configuration.get('tokenDuration'),
  });
  const senderContext = { ...earlier, tokens: mailTokens, mailer, settings: configuration.get };
  const accountMail = new AccountMail(senderContext);
  const invitationParts = createInvitationParts(earlier, mailer, mailTokens);
  return {
    mailer,
    mailTokens,
    accountMail,
    accessRequests: createAccessRequests({ ...senderContext, ...invitationParts }),
    ...invitationParts,
  };
}

function createInvitationParts(earlier: Earlier, mailer: Mailer, mailTokens: MailTokens) {
  const { configuration, tokens: secrets } = earlier;
  const records = createGroupRecords(earlier);
  const context = { ...earlier, secrets, records, mailer, tokens: mailTokens, settings: configuration.get };
  const mails = createInvitationMail(context);
  return {
    invitations: createInvitations({ ...context, mails, days: () => configuration.get('invitationDays') }),
    invitationSweep: new InvitationSweep({ ...context, mails }),
    addedMail: createAddedMail({ ...context, isWanted: () => configuration.get('mailWhenAdded') }),
  };
}

function createSignInParts(earlier: Earlier, timeLimit: number | undefined) {
  const { configuration, log } = earlier;
  const rules = new GroupRules({
    ...earlier,
    records: createGroupRecords(earlier),
    providers: () => readProviders(configuration.get('authOidcSettings')).map(({ id }) => id),
  });
  const ldap = createLdapSignIn({
    settings: () => configuration.get('authLdapSettings'),
    wanted: () => rules.wanted({ source: 'ldap' }),
    log,
    timeLimit,
    pageTimeLimit: timeLimit,
  });
  const cas = createCasSignIn({
    settings: () => configuration.get('authCasSettings'),
    rootUrl: () => configuration.get('rootUrl'),
    wanted: () => rules.wanted({ source: 'cas' }),
    log,
  });
  const oidc = new OidcSignIn({
    ...earlier,
    settings: () => configuration.get('authOidcSettings'),
    isOffered: () => earlier.methods.offers('oidc'),
    rootUrl: () => configuration.get('rootUrl'),
    wanted: (provider) => rules.wanted({ source: 'oidc', provider }),
    timeLimit,
  });
  const directorySync = new DirectorySync({
    ...earlier,
    ldap,
    rules,
    isOn: () => configuration.get('directorySync'),
    limit: () => configuration.get('directorySyncLimit'),
    days: () => configuration.get('directorySyncDays'),
  });
  const header = createHeaderSignIn({
    settings: () => (earlier.methods.offers('header') ? configuration.get('authHeaderSettings') : undefined),
    wanted: () => rules.wanted({ source: 'header' }),
    log,
  });
  return {
    ldap,
    oidc,
    header,
    groupRules: rules,
    directorySync,
    signIn: createPersonSignIn({ ...earlier, ldap, cas, header, rules }),
  };
}

function createExportParts(
  earlier: Earlier,
  mail: ReturnType<typeof createMailParts>,
  { padReader, exportFiles }: Pick<Ports, 'padReader' | 'exportFiles'>,
) {
  const { writes, store, now } = earlier;
  const settings = earlier.configuration.get;
  const records = new ExportRecords(store, now);
  const exportMail = new ExportMail({ ...earlier, ...mail, tokens: mail.mailTokens, records, settings });
  const userLists = createUserLists(earlier);
  const exports = new Exports({
    ...earlier,
    padReader,
    exportFiles,
    userLists,
    settings,
    records,
    mail: exportMail,
  });
  writes.onWritten((key, value, failed) => {
    if (!failed) exports.recordWritten(key, value);
  });
  return { exports, exportMail, userLists };
}

export function createPeopleParts(
  earlier: Earlier,
  ports: Pick<Ports, 'authors' | 'directoryTimeLimit' | 'padReader' | 'exportFiles'>,
) {
  const mail = createMailParts(earlier);
  const signInParts = createSignInParts(earlier, ports.directoryTimeLimit);
  const exportParts = createExportParts(earlier, mail, ports);
  const { authors } = ports;
  const accountRemoval = new AccountRemoval({
    ...earlier,
    ...mail,
    ...signInParts,
    ...exportParts,
    authors,
  });
  return {
    ...mail,
    ...signInParts,
    ...exportParts,
    secondStep: new SecondStep({
      ...earlier,
      ...mail,
      rule: () => earlier.configuration.get('secondFactor'),
      title: () => earlier.configuration.get('title'),
    }),
    registration: createRegistration({ ...earlier, ...mail }),
    ownAccount: createOwnAccount({ ...earlier, ...mail }),
    accountRemoval,
    unconfirmed: createUnconfirmed({
      ...earlier,
      remove: async (id) => void (await accountRemoval.remove(id)),
    }),
    fileSync: createFileSync({ ...earlier, records: createGroupRecords(earlier) }),
  };
}

export type PeopleParts = ReturnType<typeof createPeopleParts>;
