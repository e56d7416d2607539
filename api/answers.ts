/** Schemas that several answers share. Their types are in api/wire.ts. */
import * as z from 'zod';
import { type ErrorKey, errorStatus } from '../model/errors';
import { visibilities } from '../model/store/entities';
import { answerOf } from './middleware/answer';
import type {
  Account,
  ErrorAnswer,
  Group,
  GroupSummary,
  KeyAnswer,
  LockedGroup,
  OwnUser,
  Pad,
  PadSummary,
  Person,
  SuccessAnswer,
} from './wire';

export const success = z.literal(true);
/** Milliseconds since 1970. */
export const time = z.int().meta({ format: 'int64' }).describe('Milliseconds since 1970');
export const ids = z.array(z.string());
export const errorKey = z.enum(Object.keys(errorStatus) as [ErrorKey, ...ErrorKey[]]);
const entry = z.enum(['write', 'read', 'password', 'signIn', 'no']);

export const successAnswer = answerOf<SuccessAnswer>()(z.strictObject({ success }));

export const keyAnswer = answerOf<KeyAnswer>()(z.strictObject({ success, key: z.string() }));

export const errorAnswer = answerOf<ErrorAnswer>()(
  z.strictObject({
    error: errorKey,
    field: z.string().optional().describe('The input that caused the error'),
    key: z.string().optional().describe('The record or setting that caused the error'),
    retryAfter: z.int().optional().describe('Seconds until another try may succeed'),
    reason: z.string().optional(),
    most: z.int().optional().describe('The limit that was exceeded'),
  }),
);

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
  ctime: time,
  bookmarks: z.strictObject({ groups: ids, pads: ids }),
  groups: ids,
});

export const ownUser = answerOf<OwnUser>()(ownUserFields.meta({ id: 'OwnUser' }));

export const account = answerOf<Account>()(
  ownUserFields
    .extend({
      closed: z.boolean().optional().describe('Not active, because an administrator has closed the account'),
      unconfirmed: z
        .boolean()
        .optional()
        .describe('Not active, because the person has not confirmed their address yet'),
      addressTaken: z.boolean().optional().describe('Another account has the same address'),
    })
    .meta({ id: 'Account' }),
);

export const person = answerOf<Person>()(
  z
    .strictObject({
      _id: z.string(),
      login: z.string(),
      color: z.string(),
      firstname: z.string().optional(),
      lastname: z.string().optional(),
      email: z.string().optional(),
    })
    .meta({ id: 'Person' }),
);

export const groupAbilities = z.strictObject({
  edit: z.boolean(),
  remove: z.boolean(),
  invite: z.boolean(),
  share: z.boolean(),
  leave: z.boolean(),
  createPad: z.boolean(),
  bookmark: z.boolean(),
  seePeople: z.boolean(),
});

export const group = answerOf<Group>()(
  z
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
      admins: ids,
      users: ids,
      pads: ids,
      ctime: time,
      abilities: groupAbilities,
    })
    .meta({ id: 'Group' }),
);

export const groupSummary = answerOf<GroupSummary>()(
  z
    .strictObject({
      _id: z.string(),
      name: z.string(),
      visibility: z.enum(visibilities),
      readonly: z.boolean(),
      archived: z.boolean(),
      tags: z.array(z.string()),
      admins: ids,
      users: ids,
      padCount: z.int().describe('How many pads are listed for the caller'),
      ctime: time,
      lastUpdate: time.describe('When one of these pads last changed, or when the group was created'),
      abilities: z.string().describe('A key of `abilities` in the answer'),
    })
    .meta({ id: 'GroupSummary' }),
);

export const lockedGroup = answerOf<LockedGroup>()(
  z.strictObject({ name: z.string(), visibility: z.literal('private') }).meta({ id: 'LockedGroup' }),
);

export const pad = answerOf<Pad>()(
  z
    .strictObject({
      _id: z.string(),
      name: z.string(),
      group: z.string(),
      visibility: z.enum(visibilities).nullable(),
      readonly: z.boolean().nullable(),
      hasPassword: z.boolean(),
      ctime: time,
      lastUpdate: time.nullable(),
      effective: z.strictObject({
        visibility: z.enum(visibilities),
        passwordOf: z.enum(['pad', 'group']).nullable(),
        readonly: z.boolean(),
      }),
      abilities: z.strictObject({
        enter: entry,
        edit: z.boolean(),
        remove: z.boolean(),
        removeChatHistory: z.boolean(),
        move: z.boolean(),
        bookmark: z.boolean(),
      }),
    })
    .meta({ id: 'Pad' }),
);

export const padSummary = answerOf<PadSummary>()(
  z
    .strictObject({
      _id: z.string(),
      name: z.string(),
      group: z.string(),
      visibility: z
        .enum(visibilities)
        .describe('The effective visibility: the pad’s own, or that of its group'),
      ctime: time,
      lastUpdate: time.nullable(),
    })
    .meta({ id: 'PadSummary' }),
);

/** An object of such values by id. */
export const byIds = <Schema extends z.ZodType>(schema: Schema) => z.record(z.string(), schema);
