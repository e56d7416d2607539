import * as z from 'zod';
import { visibilities } from '../../model/entities';
import { pad, success } from '../answers';
import { byId, errors as groupErrors, id, name, noId, passedOver, password } from '../group/schema';
import { answerOf } from '../middleware/answer';
import type { InputSchema } from '../middleware/validate';
import type { PadAnswer, PadSavedAnswer, PadTicketAnswer, PublicPadAnswer } from '../wire';

/** `null`, and the `''` of an empty choice: as the group. */
const visibility = z
  .enum([...visibilities, ''])
  .nullish()
  .transform((value) => (value === '' ? null : value));

const fields = {
  visibility,
  password,
  readonly: z.boolean().nullish(),
  /** Of old clients; gave no right and gives none. */
  users: passedOver,
};

const errors = { ...groupErrors, group: 'BACKEND.ERROR.TYPE.PARAM_STR' } as const;

/** `POST pad` */
export const creation = {
  body: z.strictObject({ ...fields, name, group: id, _id: noId }),
  errors,
} satisfies InputSchema;

/** `PUT pad/:id`. What is not sent stays; another `group` moves the pad. */
export const change = {
  params: byId.params,
  body: z.strictObject({
    ...fields,
    name: name.optional(),
    group: id.optional(),
    _id: id.optional(),
    ctime: passedOver,
    lastUpdate: passedOver,
    abilities: passedOver,
    effective: passedOver,
    hasPassword: passedOver,
    moveGroup: passedOver,
  }),
  errors,
} satisfies InputSchema;

/** `GET pad/:id`, `POST pad/:id/unlock` */
export const padAnswer = answerOf<PadAnswer>()(
  z.strictObject({ key: z.string(), value: pad, token: z.string().optional() }),
);

/** `POST pad`, `PUT pad/:id` */
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
