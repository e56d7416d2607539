import * as z from 'zod';
import { adminActions, adminObjects } from '../../model/access/adminLog';
import { checkIds, findingNames } from '../../model/checkup/findings';
import { limits } from '../../model/limits';
import { visibilities } from '../../model/store/entities';
import { person, success, time } from '../answers';
import { answerOf } from '../middleware/answer';
import { wholeNumber, yesOrNo } from '../middleware/query';
import type { InputSchema } from '../middleware/validate';
import type {
  AdminGroupsAnswer,
  AdminLogAnswer,
  AdminNumbersAnswer,
  AdminPadsAnswer,
  AdminSettingsAnswer,
  AdminUsersAnswer,
  CheckupAnswer,
  CheckupCookieAnswer,
  TestMailAnswer,
} from '../wire';

const most = 1_000_000_000;
const latest = Number.MAX_SAFE_INTEGER;
const text = z.string().max(limits.email).optional();
const whose = z.string().min(1).max(300).optional();

/** The page: `limit` rows, starting with row `offset`. */
const page = {
  offset: wholeNumber(0, most),
  limit: wholeNumber(1, limits.adminPage).describe(`Default: ${limits.page}`),
};

/** `GET admin/users` */
export const userFilters = {
  query: z.strictObject({
    text: text.describe('Part of login, address or name. Letter case and accents do not count'),
    active: yesOrNo().describe('Whether the account is active'),
    closed: yesOrNo().describe('Whether an administrator has closed the account'),
    unconfirmed: yesOrNo().describe('Whether the person has not confirmed their address yet'),
    addressTaken: yesOrNo().describe('Whether another account has the same address'),
    ...page,
  }),
} satisfies InputSchema;

const places = {
  text: text.describe('Part of the id, the name or a tag. Letter case and accents do not count'),
  name: z.string().max(limits.text).optional().describe('The exact name'),
  visibility: z.enum(visibilities).optional(),
  archived: yesOrNo(),
  admin: whose.describe('Login, address or id of an administrator of the folder'),
  member: whose.describe('Login, address or id of a member of the folder, in any role'),
  changedAfter: wholeNumber(0, latest).describe('Milliseconds since 1970, inclusive'),
  changedBefore: wholeNumber(0, latest).describe('Milliseconds since 1970, exclusive'),
  ...page,
};

/** `GET admin/groups` */
export const groupFilters = { query: z.strictObject(places) } satisfies InputSchema;

/** `GET admin/pads`. `visibility`: the effective one. */
export const padFilters = {
  query: z.strictObject({ ...places, group: z.string().min(1).max(limits.id).optional() }),
} satisfies InputSchema;

const count = z.int().describe('The number of all matches');

export const adminUsersAnswer = answerOf<AdminUsersAnswer>()(
  z.strictObject({
    users: z.array(
      z.strictObject({
        _id: z.string(),
        login: z.string(),
        email: z.string(),
        firstname: z.string(),
        lastname: z.string(),
        ctime: time,
        active: z.boolean(),
        closed: z.boolean(),
        unconfirmed: z.boolean(),
        addressTaken: z.boolean(),
      }),
    ),
    count,
  }),
);

export const adminGroupsAnswer = answerOf<AdminGroupsAnswer>()(
  z.strictObject({
    groups: z.array(
      z.strictObject({
        _id: z.string(),
        name: z.string(),
        visibility: z.enum(visibilities),
        readonly: z.boolean(),
        archived: z.boolean(),
        tags: z.array(z.string()),
        ctime: time,
        lastUpdate: time,
        admins: z.array(person),
        memberCount: z.int(),
        padCount: z.int(),
      }),
    ),
    count,
  }),
);

export const adminPadsAnswer = answerOf<AdminPadsAnswer>()(
  z.strictObject({
    pads: z.array(
      z.strictObject({
        _id: z.string(),
        name: z.string(),
        group: z.string(),
        groupName: z.string(),
        visibility: z.enum(visibilities),
        readonly: z.boolean(),
        archived: z.boolean(),
        ctime: time,
        lastUpdate: time.nullable(),
      }),
    ),
    count,
  }),
);

/** `GET admin/settings` */
export const adminSettingsAnswer = answerOf<AdminSettingsAnswer>()(
  z.strictObject({
    settings: z.array(
      z.strictObject({
        key: z.string(),
        value: z.unknown().optional(),
        default: z.unknown().optional(),
        schema: z.record(z.string(), z.unknown()),
        locked: z.boolean(),
      }),
    ),
    secrets: z.array(z.string()),
  }),
);

/** `POST admin/testMail` */
export const testMail = {
  body: z.strictObject({
    to: z.string().max(limits.email).describe('Any e-mail address'),
    lang: z
      .string()
      .max(limits.text)
      .optional()
      .describe('Language of the mail, as `fr`. Without it, the default language'),
  }),
  errors: { to: 'BACKEND.ERROR.TYPE.MAIL' },
} satisfies InputSchema;

export const testMailAnswer = answerOf<TestMailAnswer>()(
  z.strictObject({
    success,
    host: z.string(),
    port: z.int(),
    encryption: z.enum(['tls', 'starttls', 'none']),
    reply: z.string().describe('What the mail server said when it accepted the mail'),
  }),
);

/** `GET admin/checkup` */
export const checkupAnswer = answerOf<CheckupAnswer>()(
  z.strictObject({
    time,
    checks: z.array(
      z
        .strictObject({
          id: z.enum(checkIds),
          state: z.enum(['ok', 'warning', 'error', 'unknown']),
          finding: z.string().meta({ enum: [...findingNames] }),
          facts: z.record(z.string(), z.union([z.string(), z.int()])).describe('Values for a text'),
        })
        .meta({ id: 'Check' }),
    ),
    cookie: z.string(),
    etherpad: z.string().nullable().describe('Version of Etherpad'),
  }),
);

/** `GET admin/checkup/cookie` */
export const checkupCookie = {
  query: z.strictObject({ value: z.string().min(1).max(limits.text).describe('`cookie` of the checkup') }),
} satisfies InputSchema;

export const checkupCookieAnswer = answerOf<CheckupCookieAnswer>()(z.strictObject({ received: z.boolean() }));

/** `GET admin/log` */
export const logPage = { query: z.strictObject(page) } satisfies InputSchema;

export const adminLogAnswer = answerOf<AdminLogAnswer>()(
  z.strictObject({
    entries: z.array(
      z.strictObject({
        time,
        action: z.enum(adminActions),
        by: z.string().nullable().describe('Name at Etherpad; `null` if no administrator has it'),
        object: z
          .strictObject({
            kind: z.enum(adminObjects),
            id: z.string().nullable(),
            name: z.string().nullable(),
          })
          .nullable(),
        changed: z.array(z.string()).describe('Names of the fields that were changed'),
        count: z.int().describe('How many refused sign-ins within an hour; otherwise 1'),
      }),
    ),
    count,
  }),
);

/** `GET admin/numbers` */
export const adminNumbersAnswer = answerOf<AdminNumbersAnswer>()(
  z.strictObject({
    days: z.array(
      z.strictObject({
        day: z.string().describe('In UTC, as `2026-11-22`'),
        users: z.int(),
        active: z.int().describe('Accounts that can be used: confirmed, and not closed'),
        signedIn: z.int().nullable().describe('People with a session that was used within 30 days'),
        groups: z.int(),
        pads: z.int(),
      }),
    ),
  }),
);

/** Settings of sign-in services. */
export const testableSettings = ['authLdapSettings', 'authCasSettings'] as const;

/** `POST admin/testSetting`. model/settings/configuration.ts checks the value. */
export const testSetting = {
  body: z.strictObject({
    key: z.enum(testableSettings),
    value: z
      .record(z.string(), z.unknown())
      .describe('As for `PUT configuration/{key}`; secrets that are left out are those that are stored'),
  }),
} satisfies InputSchema;
