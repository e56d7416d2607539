/**
 * Answers that several resources share: schemas and the types that follow from them. None of them contains passwords,
 * salts, hashes, session keys or author tokens of other people. The page imports the types only.
 */
import * as z from 'zod';
import type { EffectiveSettings, GroupAbilities, PadAbilities } from '../model/access/permissions';
import { type ErrorKey, errorStatus } from '../model/errors';
import { methodNames } from '../model/signin/methods';
import { memberLists, visibilities } from '../model/store/entities';

export const success = z.literal(true);
/** Milliseconds since 1970. */
export const time = z.int().meta({ format: 'int64' }).describe('Milliseconds since 1970');
export const ids = z.array(z.string());
export const errorKey = z.enum(Object.keys(errorStatus) as [ErrorKey, ...ErrorKey[]]);

export const successAnswer = z.strictObject({ success });
export type SuccessAnswer = z.infer<typeof successAnswer>;

/** Answer of calls that remove something: what was removed. */
export const keyAnswer = z.strictObject({ success, key: z.string() });

/** The body of every error answer. */
export const errorAnswer = z.strictObject({
  error: errorKey,
  field: z.string().optional().describe('The input that caused the error'),
  key: z.string().optional().describe('The record or setting that caused the error'),
  retryAfter: z.int().optional().describe('Seconds until another try may succeed'),
  reason: z
    .string()
    .optional()
    .describe(
      'A sentence for administrators: why settings of a sign-in service are refused, or what the mail server said to a test email',
    ),
  scope: z.string().optional().describe('What the API token does not allow'),
  most: z.int().optional().describe('The limit that was exceeded'),
  limit: z.string().optional().describe('What of a ZIP is too large'),
  name: z.string().optional().describe('Which file of a ZIP is refused'),
});
export type ErrorAnswer = z.infer<typeof errorAnswer>;

const ownUserFields = z.strictObject({
  _id: z.string(),
  login: z.string(),
  email: z.string(),
  pendingEmail: z.string().optional().describe('Becomes the address when it is confirmed'),
  firstname: z.string(),
  lastname: z.string(),
  organization: z.string(),
  color: z.string(),
  padNickname: z.string(),
  lang: z.string(),
  active: z.boolean(),
  useLoginAndColorInPads: z.boolean(),
  hideHelp: z.boolean(),
  singleKeys: z.boolean().describe('Whether single keys are shortcuts in the app'),
  mailWhenAdded: z.boolean().describe('Whether the person gets an email when others add them to a group'),
  passwordAt: z
    .enum(['here', 'directory', 'none'])
    .describe(
      'Where the password of the account is checked: here, or by a directory (LDAP). `none`: single sign-on confirms the person, so no `currentPassword` is needed',
    ),
  ctime: time,
  bookmarks: z.strictObject({ groups: ids, pads: ids }),
  groups: ids,
});

/** The caller's own account. */
export const ownUser = ownUserFields.meta({ id: 'OwnUser' });
export type OwnUser = z.infer<typeof ownUser>;

/** One way to sign in. */
export const signInMethod = z
  .strictObject({
    method: z.enum(methodNames),
    proof: z
      .enum(['typed', 'redirect', 'header'])
      .describe(
        '`typed`: send username and password to `auth/login`. `redirect`: open `url` in the browser. `header`: send `{}` to `auth/login/header`, through the proxy that has authenticated the person',
      ),
    provider: z.string().optional().describe('Which of several services of this method'),
    name: z.string().optional().describe('The name of the service, for people'),
    url: z.string().optional().describe('Where a browser begins to sign in'),
    passkeys: z.literal(true).optional().describe('`auth/login/passkey` signs in with a passkey too'),
  })
  .meta({ id: 'SignInMethod' });
export type SignInMethodAnswer = z.infer<typeof signInMethod>;

/** An account for those who may change it. Only server administrators get the last three fields. */
export const account = ownUserFields
  .extend({
    closed: z
      .boolean()
      .optional()
      .describe('Not active, because an administrator or a sync has closed the account'),
    unconfirmed: z
      .boolean()
      .optional()
      .describe('Not active, because the person has not confirmed their address yet'),
    addressTaken: z.boolean().optional().describe('Another account has the same address'),
  })
  .meta({ id: 'Account' });
export type Account = z.infer<typeof account>;

/** Another person. Only administrators of a group that the person is in get names and e-mail address. */
export const person = z
  .strictObject({
    _id: z.string(),
    login: z.string(),
    color: z.string(),
    firstname: z.string().optional(),
    lastname: z.string().optional(),
    email: z.string().optional(),
  })
  .meta({ id: 'Person' });
export type Person = z.infer<typeof person>;

/** What the caller may do with a group. */
export const groupAbilities = z.strictObject({
  edit: z.boolean(),
  remove: z.boolean(),
  invite: z.boolean(),
  share: z.boolean(),
  link: z.boolean().describe('May make links to the group and its pads'),
  leave: z.boolean(),
  createPad: z.boolean(),
  bookmark: z.boolean(),
  export: z.boolean().describe('May get the group as a file'),
  seePeople: z.boolean(),
}) satisfies z.ZodType<GroupAbilities>;

export const group = z
  .strictObject({
    _id: z.string(),
    name: z.string(),
    description: z.string(),
    visibility: z.enum(visibilities),
    hasPassword: z.boolean(),
    readonly: z.boolean(),
    archived: z.boolean(),
    allowUsersToCreatePads: z.boolean(),
    tags: z.array(z.string()),
    admins: ids.describe('Ids of accounts. Empty if `abilities.seePeople` is false'),
    users: ids.describe('Ids of accounts. Empty if `abilities.seePeople` is false'),
    readers: ids.describe(
      'Ids of accounts that may read everything and write nothing. Empty if `abilities.seePeople` is false',
    ),
    byRule: z
      .record(z.string(), z.enum(memberLists))
      .optional()
      .describe(
        'By id of the account: the list on which a rule of the server keeps this person at least. Only for those who may change roles',
      ),
    pads: ids.describe('Ids of the pads that are listed for the caller'),
    ctime: time,
    abilities: groupAbilities,
  })
  .meta({ id: 'Group' });
export type Group = z.infer<typeof group>;

/** What every list shows of a group. */
export const groupOutline = {
  _id: z.string(),
  name: z.string(),
  visibility: z.enum(visibilities),
  readonly: z.boolean(),
  archived: z.boolean(),
  tags: z.array(z.string()),
};

const lastEditor = z
  .string()
  .nullable()
  .optional()
  .describe(
    'Who changed the text last: the id of an account in the pad’s group, `null` for a guest. Missing if it is not known, or if the caller may not see the people of the group',
  );

/** Id and name of a group or pad. */
export const named = z.strictObject({ _id: z.string(), name: z.string() });
export type Named = z.infer<typeof named>;

/** A group in a list of groups: without its pads. */
export const groupSummary = z
  .strictObject({
    ...groupOutline,
    admins: ids.describe('Ids of accounts. Empty if the ability `seePeople` is false'),
    users: ids.describe('Ids of accounts. Empty if the ability `seePeople` is false'),
    readers: ids.describe('Ids of accounts. Empty if the ability `seePeople` is false'),
    padCount: z.int().describe('How many pads are listed for the caller'),
    ctime: time,
    lastUpdate: time.describe('When one of these pads last changed, or when the group was created'),
    lastEditor: lastEditor.describe(
      'Who made this change, as in a pad. Missing also if no pad changed after the group was created',
    ),
    templates: z
      .array(named)
      .optional()
      .describe('Pads with whose text new ones can begin. Only if there are any'),
    abilities: z.string().describe('A key of `abilities` in the answer'),
  })
  .meta({ id: 'GroupSummary' });
export type GroupSummary = z.infer<typeof groupSummary>;

/** A private group whose password the caller has not proved. */
export const lockedGroup = z
  .strictObject({ name: z.string(), visibility: z.literal('private') })
  .meta({ id: 'LockedGroup' });
export type LockedGroup = z.infer<typeof lockedGroup>;

const effective = z.strictObject({
  visibility: z.enum(visibilities),
  passwordOf: z.enum(['pad', 'group']).nullable(),
  readonly: z.boolean(),
}) satisfies z.ZodType<EffectiveSettings>;

/** What the caller may do with a pad. */
const padAbilities = z.strictObject({
  enter: z.enum(['write', 'read', 'password', 'signIn', 'no']),
  edit: z.boolean(),
  remove: z.boolean(),
  removeChatHistory: z.boolean(),
  move: z.boolean(),
  bookmark: z.boolean(),
  askToWrite: z.boolean().describe('May ask the managers of the group for the right to write'),
}) satisfies z.ZodType<PadAbilities>;

/** The id contains the name of the group. */
const groupOfPad = z.string().nullable().describe('`null` if the caller does not see the group');

export const pad = z
  .strictObject({
    _id: z.string(),
    name: z.string(),
    group: groupOfPad,
    visibility: z.enum(visibilities).nullable().describe('The pad’s own; `null`: that of its group'),
    readonly: z.boolean().nullable().describe('The pad’s own; `null`: that of its group'),
    hasPassword: z.boolean(),
    ctime: time,
    lastUpdate: time
      .nullable()
      .describe('`null` if nobody has written in the pad yet, or if it is not known'),
    lastEditor,
    template: z.literal(true).optional().describe('New pads can begin with its text'),
    effective,
    abilities: padAbilities,
  })
  .meta({ id: 'Pad' });
export type Pad = z.infer<typeof pad>;

/** A pad in a list. */
export const padSummary = z
  .strictObject({
    _id: z.string(),
    name: z.string(),
    group: groupOfPad,
    visibility: z
      .enum(visibilities)
      .describe('The effective visibility: the pad’s own, or that of its group'),
    ctime: time,
    lastUpdate: time.nullable(),
    lastEditor,
  })
  .meta({ id: 'PadSummary' });
export type PadSummary = z.infer<typeof padSummary>;

/** In answers that prove a password. Missing for signed-in people. */
export const guestToken = z
  .string()
  .optional()
  .describe('For a guest who has just proved the password: the token to send with later calls');

/** For calls that add people. */
export const present = z.array(z.string()).describe('The entries that have an account, as they were sent');
export const absent = z.array(z.string()).describe('The entries without an account, as they were sent');

/** For calls of administrators that create something. */
export const made = z.boolean().optional().describe('With `ifExists`: whether this call created it');

/** The schema of an object that has values of `schema` by id. */
export const byIds = <Schema extends z.ZodType>(schema: Schema) => z.record(z.string(), schema);
