import * as z from 'zod';
import { visibilities } from '../../model/store/entities';
import { pad, person, success } from '../answers';
import { byId, errors as groupErrors, id, ignoredField, name, noId, password } from '../group/schema';
import { answerOf } from '../middleware/answer';
import { ignored } from '../middleware/ignoredFields';
import type { InputSchema } from '../middleware/validate';
import type { PadAnswer, PadSavedAnswer, PadTicketAnswer, PublicPadAnswer } from '../wire';

/** `null`, or `''` from an empty form field: the setting of the group. */
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

/** `GET pad/:id`, `POST pad/:id/unlock` */
export const padAnswer = answerOf<PadAnswer>()(
  z.strictObject({
    key: z.string(),
    value: pad,
    present: z
      .strictObject({
        count: z.int().describe('People who have the pad open now'),
        people: z.array(person).describe('Those of its group whom the caller may see. At most 20'),
      })
      .describe('May be a second old'),
    token: z.string().optional(),
  }),
);

/** `POST pad`, `POST pad/:id/duplicate`, `PUT pad/:id` */
export const padSavedAnswer = answerOf<PadSavedAnswer>()(
  z.strictObject({ success, key: z.string(), value: pad }),
);

/** `GET pad/ispublic/:id` */
export const publicPadAnswer = answerOf<PublicPadAnswer>()(
  z.strictObject({ success, key: z.string(), ispublic: z.boolean() }),
);

/** `POST pad/:id/ticket` */
export const padTicketAnswer = answerOf<PadTicketAnswer>()(
  z.strictObject({
    success,
    key: z.string(),
    ticket: z.string(),
    userName: z.string(),
    userColor: z.string(),
    mode: z.enum(['write', 'read']),
  }),
);
