/** The parts that answers of several resources are made of, as schemas; the types are those of api/wire.ts. */
import * as z from 'zod';
import { visibilities } from '../model/entities';
import { type ErrorKey, errorStatus } from '../model/errors';
import { answerOf } from './middleware/answer';
import type { ErrorAnswer, Group, KeyAnswer, LockedGroup, OwnUser, Pad, Person, SuccessAnswer } from './wire';

export const success = z.literal(true);
/** Milliseconds since 1970. */
export const time = z.number();
export const ids = z.array(z.string());
const entry = z.enum(['write', 'read', 'password', 'signIn', 'no']);

export const successAnswer = answerOf<SuccessAnswer>()(z.strictObject({ success }));

export const keyAnswer = answerOf<KeyAnswer>()(z.strictObject({ success, key: z.string() }));

export const errorAnswer = answerOf<ErrorAnswer>()(
  z.strictObject({
    error: z.enum(Object.keys(errorStatus) as [ErrorKey, ...ErrorKey[]]),
    field: z.string().optional().describe('The input that is meant'),
    key: z.string().optional().describe('The record or setting that is meant'),
    retryAfter: z.number().optional().describe('Seconds'),
    reason: z.string().optional(),
    most: z.number().optional().describe('How many there may be'),
  }),
);

export const ownUser = answerOf<OwnUser>()(
  z
    .strictObject({
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
    })
    .meta({ id: 'OwnUser' }),
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
      abilities: z.strictObject({
        edit: z.boolean(),
        remove: z.boolean(),
        invite: z.boolean(),
        share: z.boolean(),
        leave: z.boolean(),
        createPad: z.boolean(),
        bookmark: z.boolean(),
        seePeople: z.boolean(),
      }),
    })
    .meta({ id: 'Group' }),
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

/** Things by their ids. */
export const byIds = <Schema extends z.ZodType>(schema: Schema) => z.record(z.string(), schema);
