import * as z from 'zod';
import { adminActions, adminObjects } from '../../model/adminLog/adminLogEntry';
import { checkIds, findingNames } from '../../model/checkup/findings';
import { limits } from '../../model/limits';
import { settingSections } from '../../model/settings/definitions';
import { kindNames } from '../../model/settings/kinds';
import { accountSortings, groupSortings, padSortings } from '../../model/sortings';
import { visibilities } from '../../model/store/entities';
import { limitTable } from '../../web/rateLimit';
import { groupOutline, keyAnswer, person, success, successAnswer, time } from '../answers';
import { mailErrors } from '../commonErrors';
import { details, type InputSchema } from '../declaration';
import { wholeNumber, yesOrNo } from '../middleware/query';

const maxOffset = 1_000_000_000;
const maxTime = Number.MAX_SAFE_INTEGER;
const text = z.string().max(limits.email).optional();
const accountName = z.string().min(1).max(300).optional();

/** The page: `limit` rows, starting with row `offset`. */
const page = {
  offset: wholeNumber(0, maxOffset),
  limit: wholeNumber(1, limits.adminPage).describe(`Default: ${limits.page}`),
};
const sortedPage = { descending: yesOrNo().describe('Reverses the order'), ...page };

const byId = '`changed`: by the time of the last change, the oldest first. Default: by id';

/** Filters for folders, and for pads by their folder. */
const filters = {
  text: text.describe(
    'Parts of the id, the name or a tag, as words in any order. Letter case and accents do not count',
  ),
  name: z.string().max(limits.text).optional().describe('The exact name'),
  visibility: z.enum(visibilities).optional(),
  archived: yesOrNo(),
  admin: accountName.describe('Username, address or id of a manager of the folder'),
  member: accountName.describe('Username, address or id of a member of the folder, in any role'),
  changedAfter: wholeNumber(0, maxTime).describe('Milliseconds since 1970, inclusive'),
  changedBefore: wholeNumber(0, maxTime).describe('Milliseconds since 1970, exclusive'),
  ...sortedPage,
};

const count = z.int().describe('The number of all matches');

/** `GET admin/users`: one page of accounts by login. */
export const adminUsersAnswer = z.strictObject({
  users: z.array(
    z.strictObject({
      _id: z.string(),
      login: z.string(),
      email: z.string(),
      firstname: z.string(),
      lastname: z.string(),
      ctime: time,
      active: z.boolean(),
      closed: z.boolean().describe('Not active, because an administrator or a sync has closed the account'),
      unconfirmed: z.boolean().describe('The person has not confirmed their address yet'),
      addressTaken: z.boolean().describe('Another account has the same address'),
      external: z.boolean().describe('A directory or single sign-on that is offered knows the person'),
      secondFactor: z.boolean().describe('Whether the account has a second factor'),
      manager: z.boolean().describe('Whether the account manages a folder'),
    }),
  ),
  count,
});
export type AdminUsersAnswer = z.infer<typeof adminUsersAnswer>;

const adminGroup = z.strictObject({
  ...groupOutline,
  ctime: time,
  lastUpdate: time.describe('When one of its pads last changed, or when it was created'),
  admins: z.array(person),
  memberCount: z.int().describe('Members who are not managers'),
  padCount: z.int(),
});
export type AdminGroup = z.infer<typeof adminGroup>;

/** `GET admin/groups`: one page of folders by id. */
export const adminGroupsAnswer = z.strictObject({ groups: z.array(adminGroup), count });
export type AdminGroupsAnswer = z.infer<typeof adminGroupsAnswer>;

/** With its effective `visibility` and `readonly`: the pad's own or those of its folder. */
const adminPad = z.strictObject({
  _id: z.string(),
  name: z.string(),
  group: z.string(),
  groupName: z.string(),
  visibility: z.enum(visibilities),
  readonly: z.boolean(),
  archived: z.boolean().describe('Whether its folder is archived'),
  ctime: time,
  lastUpdate: time.nullable().describe('`null` if nobody has written in the pad yet'),
  lastEditor: person
    .nullable()
    .optional()
    .describe('Who changed the text last, `null` for a guest. Missing if it is not known'),
});
export type AdminPad = z.infer<typeof adminPad>;

/** `GET admin/pads`: one page of pads by id. */
export const adminPadsAnswer = z.strictObject({ pads: z.array(adminPad), count });
export type AdminPadsAnswer = z.infer<typeof adminPadsAnswer>;

/** A setting with what a form needs to know about it. */
const adminSetting = z.strictObject({
  key: z.string(),
  section: z.enum(settingSections),
  kind: z.enum(kindNames).describe('Which input fits'),
  value: z.unknown().optional().describe('Missing if it has no value, and for secrets'),
  default: z.unknown().optional().describe('Missing if there is none'),
  schema: z
    .record(z.string(), z.unknown())
    .describe('JSON Schema of valid values. The server may refuse more'),
  locked: z.boolean().describe('The settings file presets it. It cannot be changed through the API'),
});
export type AdminSetting = z.infer<typeof adminSetting>;

/** `GET admin/settings`: the settings that can be changed, in the order of docs/configuration.md. */
export const adminSettingsAnswer = z.strictObject({
  settings: z.array(adminSetting),
  secrets: z.array(z.string()).describe('Names of the secrets that are set. Their values are never sent'),
  administrator: z.string().describe('The caller’s name at Etherpad'),
});
export type AdminSettingsAnswer = z.infer<typeof adminSettingsAnswer>;

/** `POST admin/testMail`: which mail server has accepted the mail, and its reply. */
const testMailAnswer = z.strictObject({
  success,
  host: z.string(),
  port: z.int(),
  encryption: z.enum(['tls', 'starttls', 'none']),
  reply: z.string().describe('What the mail server said when it accepted the email'),
});

/** `GET admin/checkup` */
export const checkupAnswer = z.strictObject({
  time,
  // The page completes `address` and `proxy`, and adds `cookies` and `websocket`.
  checks: z.array(
    z
      .strictObject({
        id: z.enum(checkIds),
        state: z.enum(['ok', 'warning', 'error', 'unknown']),
        finding: z.string().meta({ enum: [...findingNames] }),
        facts: z
          .record(z.string(), z.union([z.string(), z.int()]))
          .describe('Values for the text about the finding'),
      })
      .meta({ id: 'Check' }),
  ),
  cookie: z.string().describe('Value of a cookie that came with this answer, for `GET admin/checkup/cookie`'),
  etherpad: z.string().nullable().describe('Version of Etherpad; `null` if it is not known'),
});
export type CheckupAnswer = z.infer<typeof checkupAnswer>;

/** `GET admin/checkup/cookie`: whether the browser has sent the cookie with this value. */
const checkupCookieAnswer = z.strictObject({ received: z.boolean() });

/** Something that a server administrator did. */
const adminLogEntry = z.strictObject({
  time: time.describe('For several refused sign-ins: the time of the last one'),
  action: z.enum(adminActions),
  by: z.string().nullable().describe('Name at Etherpad; `null` if no administrator has it'),
  token: z.string().nullable().describe('Name of the API token with which it was done'),
  object: z
    .strictObject({
      kind: z.enum(adminObjects),
      id: z.string().nullable().describe('The id; for a setting, its key'),
      name: z
        .string()
        .nullable()
        .describe('For an account, its username. `null` if it was deleted and its name is not known'),
    })
    .nullable(),
  changed: z.array(z.string()).describe('Names of the fields that were changed'),
  count: z
    .int()
    .describe('The number of refused sign-ins within an hour, or of changes by one import; otherwise 1'),
});
export type AdminLogEntry = z.infer<typeof adminLogEntry>;

/** `GET admin/log`: one page, newest first. */
export const adminLogAnswer = z.strictObject({ entries: z.array(adminLogEntry), count });
export type AdminLogAnswer = z.infer<typeof adminLogAnswer>;

/** What is locked because a limit was reached. */
const adminLock = z.strictObject({
  id: z.string().describe('For `DELETE admin/locks/{id}`'),
  limit: z
    .string()
    .meta({ enum: Object.keys(limitTable) })
    .describe('A row of docs/limits.md'),
  address: z
    .string()
    .nullable()
    .describe('Internet address, for IPv6 its first 64 bits; `null` if the limit is for all addresses'),
  object: z
    .strictObject({
      kind: z.enum(['user', 'admin', 'group', 'pad']),
      id: z.string().nullable().describe('`null` if there is no such account'),
      name: z.string().nullable().describe('For an account, its username'),
    })
    .nullable()
    .describe('Account, folder or pad; `null` if the limit is for an address only'),
  knownBrowser: z.boolean().describe('The limit of one browser in which the password was right before'),
  tries: z.int().describe('Attempts, also those that were refused'),
  until: time.describe('When the next attempt is possible'),
});
export type AdminLock = z.infer<typeof adminLock>;

/** `GET admin/locks` */
const adminLocksAnswer = z.strictObject({ locks: z.array(adminLock), count: z.int() });
export type AdminLocksAnswer = z.infer<typeof adminLocksAnswer>;

/** `DELETE admin/locks/{id}` and calls for a job */
const byPath = {
  params: z.strictObject({ id: z.string().min(1).max(limits.id) }),
} satisfies InputSchema;

/** Work in the background that has begun and not ended. What it is about is never sent: it names people. */
const adminJob = z.strictObject({
  id: z.string().describe('For the other calls'),
  type: z.string().describe('A row of [docs/monitoring.md](monitoring.md#jobs)'),
  begun: time,
  next: time.describe('When it runs next. May be over for a running job'),
  running: z.boolean().describe('It runs, or does within a minute'),
  attempts: z.int().describe('How often it has failed'),
  error: z.string().nullable().describe('Why it failed last: the key of an error, or the text in the log'),
  failed: z.boolean().describe('It has failed as often as it may, and runs only on request'),
  progress: z.strictObject({ done: z.int(), total: z.int() }).nullable(),
  canCancel: z.boolean(),
});
export type AdminJob = z.infer<typeof adminJob>;

/** `GET admin/jobs` */
const adminJobsAnswer = z.strictObject({ jobs: z.array(adminJob), count: z.int() });
export type AdminJobsAnswer = z.infer<typeof adminJobsAnswer>;

/**
 * `GET admin/numbers`: one row for each day on which the server ran, oldest first. The last row has the current
 * numbers.
 */
export const adminNumbersAnswer = z.strictObject({
  days: z.array(
    z.strictObject({
      day: z.string().describe('In UTC, for example `2026-11-22`'),
      users: z.int(),
      active: z.int().describe('Accounts that can be used: confirmed, and not closed'),
      signedIn: z.int().nullable().describe('People with a session that was used within 30 days'),
      groups: z.int(),
      pads: z.int(),
    }),
  ),
});
export type AdminNumbersAnswer = z.infer<typeof adminNumbersAnswer>;

/** Settings of sign-in services. */
export const testableSettings = [
  'authLdapSettings',
  'authCasSettings',
  'authOidcSettings',
  'authHeaderSettings',
] as const;
export type TestableSetting = (typeof testableSettings)[number];

export const settings = details({ answer: adminSettingsAnswer });
export const users = details({
  input: {
    query: z.strictObject({
      text: text.describe(
        'Parts of username, address or name, as words in any order. Letter case and accents do not count',
      ),
      active: yesOrNo().describe('Whether the account is active'),
      closed: yesOrNo().describe('Whether an administrator or a sync has closed the account'),
      unconfirmed: yesOrNo().describe('Whether the person has not confirmed their address yet'),
      addressTaken: yesOrNo().describe('Whether another account has the same address'),
      external: yesOrNo().describe('Whether a directory or single sign-on that is offered knows the person'),
      secondFactor: yesOrNo().describe('Whether the account has a second factor'),
      manager: yesOrNo().describe('Whether the account manages a folder'),
      sort: z.enum(accountSortings).optional().describe('`created`: the oldest first. Default: `login`'),
      ...sortedPage,
    }),
  },
  answer: adminUsersAnswer,
});
export const groups = details({
  input: {
    query: z.strictObject({
      ...filters,
      sort: z.enum(groupSortings).optional().describe(`\`pads\`: by their number. ${byId}`),
    }),
  },
  answer: adminGroupsAnswer,
  errors: ['BACKEND.ERROR.USER.NOT_FOUND'],
});
/** `visibility`: the effective one. */
export const pads = details({
  input: {
    query: z.strictObject({
      ...filters,
      group: z.string().min(1).max(limits.id).optional(),
      sort: z.enum(padSortings).optional().describe(byId),
    }),
  },
  answer: adminPadsAnswer,
  errors: ['BACKEND.ERROR.USER.NOT_FOUND'],
});
export const locks = details({ answer: adminLocksAnswer });
export const lift = details({ input: byPath, answer: keyAnswer });
export const cancelJob = details({ input: byPath, answer: keyAnswer });

const exampleJob: AdminJob = {
  id: '9c1185a5c5e9fc54612808977ee8f548',
  type: 'mailRecovery',
  begun: 1_790_000_000_000,
  next: 1_790_000_240_000,
  running: false,
  attempts: 2,
  error: 'BACKEND.ERROR.SERVER.MAIL_UNAVAILABLE',
  failed: false,
  progress: null,
  canCancel: true,
};
export const jobs = details({
  answer: adminJobsAnswer,
  example: { answer: { jobs: [exampleJob], count: 1 } },
});
export const runJob = details({
  input: byPath,
  answer: keyAnswer.extend({
    job: adminJob.nullable().describe('As it is now. `null` if it has ended'),
  }),
  example: { answer: { success: true, key: exampleJob.id, job: null } },
});
export const log = details({ input: { query: z.strictObject(page) }, answer: adminLogAnswer });
export const numbers = details({ answer: adminNumbersAnswer });
export const checkup = details({ answer: checkupAnswer });
export const cookie = details({
  input: {
    query: z.strictObject({
      value: z.string().min(1).max(limits.text).describe('`cookie` of the health check'),
    }),
  },
  answer: checkupCookieAnswer,
});
export const rebuildIndex = details({ answer: successAnswer });

export const sendTestMail = details({
  input: {
    body: z.strictObject({
      to: z.string().max(limits.email).describe('Any email address'),
      lang: z
        .string()
        .max(limits.text)
        .optional()
        .describe('Language of the email, for example `fr`. Without it, the default language'),
    }),
    errors: { to: 'BACKEND.ERROR.TYPE.MAIL' },
  },
  answer: testMailAnswer,
  errors: [...mailErrors, 'BACKEND.ERROR.PERMISSION.TOO_MANY'],
});

/** `POST admin/testSetting` */
const testSettingAnswer = z.strictObject({
  success,
  found: z
    .array(z.string())
    .optional()
    .describe('What the service says: the keys of each provider, or the headers of the proxy'),
});

/** model/settings/configuration.ts checks the value. */
export const trySetting = details({
  input: {
    body: z.strictObject({
      key: z.enum(testableSettings),
      value: z
        .record(z.string(), z.unknown())
        .describe('As for `PUT configuration/{key}`; secrets that are left out are those that are set'),
    }),
  },
  answer: testSettingAnswer,
  errors: [
    'BACKEND.ERROR.CONFIGURATION.SIGN_IN_NOT_CONFIGURED',
    'BACKEND.ERROR.CONFIGURATION.UNABLE_TO_BIND_TO_LDAP',
    'BACKEND.ERROR.CONFIGURATION.ROOTURL_NOT_CONFIGURED',
    'BACKEND.ERROR.AUTHENTICATION.CAS_FAILED',
    'BACKEND.ERROR.AUTHENTICATION.OIDC_FAILED',
    'BACKEND.ERROR.AUTHENTICATION.HEADER_FAILED',
    'BACKEND.ERROR.AUTHENTICATION.DIRECTORY_UNAVAILABLE',
    'BACKEND.ERROR.TYPE.PARAM_INVALID',
  ],
});
