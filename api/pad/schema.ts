import * as z from 'zod';
import { visibilities } from '../../model/store/entities';
import { guestToken, pad, person, success } from '../answers';
import { byId, errors as groupErrors, id, ignoredField, name, noId, password } from '../group/schema';
import { ignored } from '../middleware/ignoredFields';
import type { InputSchema, Sent } from '../middleware/route';

/** `null` and `''`, which an empty form field sends, stand for the setting of the group. */
const visibility = z
  .enum([...visibilities, ''])
  .nullish()
  .transform((value) => (value === '' ? null : value));

const fields = {
  visibility,
  password,
  readonly: z.boolean().nullish(),
  /** Sent by old clients; it never gave a right. */
  users: ignoredField,
  groupParams: ignoredField,
  moveGroup: ignoredField,
  ctime: ignoredField,
  lastUpdate: ignoredField,
  abilities: ignoredField,
  effective: ignoredField,
  hasPassword: ignoredField,
};

const errors = { ...groupErrors, group: 'BACKEND.ERROR.TYPE.PARAM_STR' } as const;

/** `POST pad` */
export const creation = {
  body: z.strictObject({ ...fields, name, group: id, _id: noId }),
  errors,
} satisfies InputSchema;
export type PadCreation = Sent<typeof creation>;

/** `POST pad/:id/duplicate` */
export const duplication = {
  params: byId.params,
  body: z.strictObject({ name }),
  errors,
} satisfies InputSchema;

/** `PUT pad/:id`. Fields that are not sent keep their values; another `group` moves the pad. */
export const change = {
  params: byId.params,
  body: z.strictObject({
    ...fields,
    name: name.optional(),
    group: id.optional(),
    _id: ignored(id.optional()),
  }),
  errors,
} satisfies InputSchema;
export type PadChange = Sent<typeof change>;

/** Who has a pad open now. */
const present = z
  .strictObject({
    count: z.int().describe('People who have the pad open now'),
    people: z
      .array(person)
      .describe('Of these, the people of the pad’s group whom the caller may see. At most 20'),
  })
  .describe('May be a second old');
export type Present = z.infer<typeof present>;

/** `GET pad/:id`, `POST pad/:id/unlock` */
export const padAnswer = z.strictObject({
  key: z.string(),
  value: pad,
  present,
  token: guestToken,
});
export type PadAnswer = z.infer<typeof padAnswer>;

/** `POST pad`, `POST pad/:id/duplicate`, `PUT pad/:id` */
export const padSavedAnswer = z.strictObject({ success, key: z.string(), value: pad });
export type PadSavedAnswer = z.infer<typeof padSavedAnswer>;

/** `GET pad/ispublic/:id`. The same for a pad that is not public and for one that does not exist. */
export const publicPadAnswer = z.strictObject({ success, key: z.string(), ispublic: z.boolean() });
export type PublicPadAnswer = z.infer<typeof publicPadAnswer>;

/** `POST pad/:id/ticket`: the parameters of the frame's URL. */
export const padTicketAnswer = z.strictObject({
  success,
  key: z.string(),
  ticket: z.string().describe('Valid once, for this pad, for one minute. Goes into the URL as `auth_token`'),
  userName: z.string().describe('If empty, leave it out of the URL'),
  userColor: z.string().describe('If empty, leave it out of the URL'),
  mode: z.enum(['write', 'read']),
});
export type PadTicketAnswer = z.infer<typeof padTicketAnswer>;
