/** All limits of the product. The API schemas and the forms of the page use the same constants. */
export const limits = {
  /** Characters of a group's, pad's and user list's name. */
  name: 40,
  /** Characters of a new login. Older logins may be longer and still work. */
  login: 40,
  /** Characters of any other single-line text kept in a record (first name, organisation, …). */
  text: 100,
  /** Characters of a group's description. */
  description: 2_000,
  /** Characters of one tag, and tags of one group. */
  tag: 40,
  tags: 50,
  /** Characters of an e-mail address (RFC 5321, 4.5.3.1.3). */
  email: 254,
  /** `#rrggbb`. */
  color: 7,
  /** Links of one group, with those of its pads. */
  links: 50,
  /** People with whom one pad alone is shared. */
  padPeople: 200,
  /** Links that one person keeps. The oldest are dropped. */
  keptLinks: 200,
  /** API tokens of one person, and the addresses to which one of them is limited. */
  apiTokens: 20,
  tokenAddresses: 20,
  /** Days until an API token ends, if its maker does not say, and at most. */
  tokenDays: 90,
  mostTokenDays: 1_095,
  /** Passkeys of one person, and how many recovery codes are made at once. */
  passkeys: 20,
  recoveryCodes: 10,
  /** Characters of the secret in a link; our own have 32. */
  linkSecret: 100,
  /** Open requests for access to one group and its pads. As many that were declined are kept. */
  requests: 100,
  /** Pending invitations of one group, and addresses that one call invites. */
  invitations: 200,
  invited: 20,
  /** Characters of what somebody writes to those whom they invite, or ask for access. */
  sentence: 300,
  /** Entries in one list of people (invitation, sharing, user list). */
  people: 1_000,
  /** User lists of one person. */
  userlists: 200,
  /**
   * People on all user lists of one person, counted once per list. The lists are part of the account record, so its
   * size must be limited.
   */
  listedPeople: 5_000,
  /** Characters of an id in a path or body. New ids have at most 50; ids of ep_mypads 1.x had no limit. */
  id: 255,
  /** Maximum characters of a password to hash. The configured maximum is lower. */
  password: 1_000,
  /** Characters of the answer of a provider of OpenID Connect. */
  providerAnswer: 10_000,
  /** Bytes of a JSON body. */
  body: 100 * 1024,
  /** Folders or pads that one call changes. */
  bulk: 500,
  /** Removed pads in each of the 256 records that remember them. */
  formerPads: 1_000,
  /** Pads that a person has opened last. */
  recent: 20,
  /** Minimum characters of a search in the list of groups. */
  search: 3,
  /** Rules for groups of a directory, characters of an attribute's name, and of its value. */
  groupRules: 300,
  attributeName: 100,
  attributeValue: 500,
  /** Values of one attribute that are kept for each person. */
  attributeValues: 500,
  /** People in each list of a preview. */
  previewed: 200,
  /** Rows on one page of a list. */
  page: 50,
  /** Rows on one page of a list for server administrators, on request. */
  adminPage: 1_000,
} as const;

/**
 * Limits for one message of an editor, because Etherpad processes it without yielding. Normal editors stay far below.
 * Etherpad's `socketIo.maxHttpBufferSize` limits the bytes of a message.
 */
export const editorLimits = {
  /** Characters of one changeset, with the text that it inserts. */
  changeset: 1_000_000,
  /** Operators (keep, insert, remove) in one changeset. */
  operators: 5_000,
  /** Attributes of one piece of text, for example bold and author. */
  attributesOfText: 50,
  /** The same for all pieces of one changeset together; repeated attributes count each time. */
  attributeUses: 10_000,
  /** Attributes sent with one changeset, and the characters of their names and values together. */
  attributes: 5_000,
  attributeText: 1_000_000,
  /** A pad with this many attributes gets no new ones. */
  padAttributes: 100_000,
  /** A change that makes the pad longer than this is refused. */
  padText: 2_000_000,
  /** Lines. Etherpad makes the files of an export from all of them in one go. */
  padLines: 50_000,
  /**
   * Above this many characters in `attribs`, a change may have few operators: Etherpad walks through all attributes at
   * each change.
   */
  padAttribs: 200_000,
  operatorsOfLargePad: 20,
  /** How many revisions a change may be behind the pad. Etherpad rebases it over each of them. */
  revisionsBehind: 2_000,
  /** Characters of all operators that Etherpad reads for it: those of the change and of the other at each revision. */
  rebasedOperators: 500_000,
  /** How many revisions an editor that reconnects may have missed. Etherpad sends each of them. */
  revisionsMissed: 1_000,
  /** Revisions combined in one step of the history; the timeslider asks for 1, 10 and 100. */
  granularity: 100,
  /** Operators of all changes that one request for the history is about. */
  historyOperators: 150_000,
  /** Waiting history requests of one editor. */
  historyRequests: 3,
  /** Characters of a chat message; Etherpad's own field takes 999. */
  chat: 10_000,
  /** Characters of a person's name in a pad. */
  editorName: 250,
  /** Characters of a person's colour in a pad: `#` and at most eight digits. */
  color: 9,
  /**
   * Characters of a browser's author token. Etherpad's keys in MySQL have at most 100 characters, with `token2author:`.
   */
  token: 87,
  /** Characters of the session ids that other programs gave to a browser. */
  sessionIds: 2_000,
  /** Characters, values and nesting depth of any other message, including messages of other plugins. */
  message: 100_000,
  messageValues: 10_000,
  messageDepth: 20,
} as const;

/**
 * Limits for an imported file, because Etherpad processes most of it without yielding. They are for people with large
 * documents: a report of a hundred pages has about 3,000 paragraphs.
 */
export const importLimits = {
  /** Bytes of a text file. Its characters are limited by `padText`. */
  text: 8_000_000,
  /** Bytes of an HTML file. */
  html: 1_000_000,
  htmlElements: 10_000,
  /** Etherpad compares each comment with those after it. A document of Word has about a hundred. */
  htmlComments: 1_000,
  /** Attributes of one element. Etherpad's parser compares each with all others. */
  htmlAttributes: 200,
  /**
   * The depths of all elements added up, where the depth is 1 at the top. In documents it is about ten for each
   * element. It also bounds how often a browser's rules repeat an element that is not closed.
   */
  htmlSumOfDepths: 150_000,
  /** Bytes of a file in Etherpad's own format, which contains every revision of a pad. */
  etherpad: 20_000_000,
  /** Characters of the attributes of a text, and of the operators of one revision. 100 of them take about 30 µs. */
  attribs: 400_000,
  /** Characters of a plugin's key without the pad's id. MySQL and PostgreSQL take keys of 100 with it. */
  pluginKey: 50,
} as const;

/** Limits of exports. */
export const exportLimits = {
  /** Pads in one export. */
  pads: 5_000,
  /** Bytes of the whole ZIP file. */
  archive: 1_000_000_000,
  /** Bytes of one file in it, before it is compressed. One at a time is in memory. */
  file: 50_000_000,
  /** Exports of one person that are kept. A new one above it removes the oldest. */
  kept: 5,
  /** Milliseconds for which an export can be downloaded. */
  lifetime: 24 * 3600_000,
  /**
   * Milliseconds after which a download ends that nobody reads. Long, because proxies and operating systems hold
   * megabytes for a slow line, and take nothing more until a part of them was read.
   */
  idle: 10 * 60_000,
} as const;

/** Limits for a ZIP from which folders and pads are made. `importLimits` hold for each file in it. */
export const zipLimits = {
  /** Bytes of the ZIP. The examples for nginx in docs/install.md let through as many. */
  upload: 50_000_000,
  /** Milliseconds after which an upload ends of which nothing arrives: it takes the place of another one. */
  idle: 60_000,
  /** Files and folders in it. */
  entries: 5_000,
  /** Bytes of all files that are read, unpacked. */
  unpacked: 200_000_000,
  /** Bytes of one of them. */
  entry: 20_000_000,
  /** Bytes of the index of an export. */
  index: 5_000_000,
  /** How often larger than packed a file may be that has more than `unsuspicious` bytes. */
  ratio: 200,
  unsuspicious: 1_000_000,
  /** Characters of a path. */
  path: 1_000,
  /** Pads and folders that are made. */
  pads: 1_000,
  folders: 100,
  /** Bytes of an office document, and of the ZIP that it is, unpacked. Etherpad 3.x unpacks it without yielding. */
  document: 5_000_000,
  documentUnpacked: 10_000_000,
} as const;

/** Lifetimes in milliseconds. */
export const lifetimes = {
  /** A person's session: since sign-in, and since the last use. */
  session: 90 * 24 * 3600_000,
  sessionIdle: 30 * 24 * 3600_000,
  /** A session of a guest who has proved a password. */
  guestSession: 24 * 3600_000,
  /** A server administrator's session. */
  adminSession: 12 * 3600_000,
  /**
   * A session of an administrator whom only a plugin confirmed. It is short because a plugin cannot be asked again
   * without the password.
   */
  pluginAdminSession: 2 * 3600_000,
  /** A link to choose the first password of an account that an administrator created. */
  invitation: 7 * 24 * 3600_000,
  /** When somebody who was invited to a folder and has not answered gets a reminder. */
  untilReminder: 3 * 24 * 3600_000,
  /** Time between two emails of one invitation. */
  betweenInvitations: 3600_000,
  /**
   * Time until an unconfirmed account is removed, counted from the end of its last link. During that time, the link is
   * reported as expired, and not as unknown.
   */
  unconfirmed: 7 * 24 * 3600_000,
  /** How long the id of a removed pad creates no new pad. */
  formerPad: 365 * 24 * 3600_000,
  /** How long the same request for access is not shown again after it was declined. */
  declinedRequest: 7 * 24 * 3600_000,
  /** The shortest time between two emails to the managers of a group about requests. */
  requestMail: 3600_000,
  /** How long a browser is known in which the right password was typed. */
  device: 180 * 24 * 3600_000,
  /** How long a browser needs no second step, if the person wants that. */
  confirmedBrowser: 30 * 24 * 3600_000,
  /** How long somebody may take for the second step of a sign-in, or to set up a factor. */
  secondStep: 10 * 60_000,
  /** A ticket, which opens one pad in a frame once. */
  ticket: 60_000,
} as const;

/**
 * The characters of a new login (NFC): no invisible ones, none that change the writing direction, no blank except
 * U+0020; joiners only between letters of scripts that need them. Not `.` or `..`, which browsers remove from paths.
 * Logins of mixed scripts are refused by model/accounts/accountNames.ts.
 */
export const hasLoginCharacters = (login: string): boolean =>
  /^(?!\.{1,2}$)(?: |[^\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]|(?<=[\p{L}\p{M}])(?<!\p{scx=Latn})[\u200c\u200d](?=\p{L}))+$/u.test(
    login,
  );

/**
 * Whether a login that a person or an administrator chooses could be a web address. Directories and older accounts may
 * have such logins.
 */
export const looksLikeLink = (login: string): boolean => /[/:]/.test(login.normalize('NFKC'));

/** `#rrggbb` or `''`. */
export const colorPattern = /^(#[0-9a-fA-F]{6})?$/;
