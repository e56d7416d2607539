import * as z from 'zod';
import { visibilities } from '../../model/store/entities';
import { guestToken, keyAnswer, pad, person, success } from '../answers';
import { unlockErrors } from '../commonErrors';
import { details, type InputSchema, type Sent } from '../declaration';
import {
  byId,
  errors as groupErrors,
  id,
  name,
  noId,
  password,
  passwordInBody,
  passwordInQuery,
  removal,
} from '../group/schema';
import { ignored, ignoredFields } from '../middleware/ignoredFields';

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
  ...ignoredFields('users'),
  ...ignoredFields('groupParams', 'moveGroup', 'ctime', 'lastUpdate'),
  ...ignoredFields('abilities', 'effective', 'hasPassword'),
};

const errors = { ...groupErrors, group: 'BACKEND.ERROR.TYPE.PARAM_STR' } as const;

/** `POST pad` */
export const creation = {
  body: z.strictObject({
    ...fields,
    name,
    group: id,
    template: id.optional().describe('Begins with the text of this template'),
    _id: noId,
  }),
  errors: { ...errors, template: 'BACKEND.ERROR.TYPE.PARAM_STR' },
} satisfies InputSchema;
export type PadCreation = Sent<typeof creation>;

/** `PUT pad/:id`. Fields that are not sent keep their values; another `group` moves the pad. */
export const change = {
  params: byId.params,
  body: z.strictObject({
    ...fields,
    name: name.optional(),
    group: id.optional(),
    template: z.boolean().optional().describe('Whether new pads of the group can begin with its text'),
    _id: ignored(id.optional()),
  }),
  errors,
} satisfies InputSchema;
export type PadChange = Sent<typeof change>;

const present = z
  .strictObject({
    count: z.int().describe('People who have the pad open now'),
    people: z
      .array(person)
      .describe('Of these, the people of the pad’s group whom the caller may see. At most 20'),
    guests: z
      .array(z.strictObject({ name: z.string(), link: z.string().describe('What the link is for') }))
      .optional()
      .describe('Guests who gave a name with a link, for those who see the people of the group. At most 20'),
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

export const create = details({
  input: creation,
  answer: padSavedAnswer,
  errors: ['BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT', 'BACKEND.ERROR.PERMISSION.TOO_MANY'],
  example: { body: { name: 'First meeting', group: 'minutes-of-the-board-x2k3v9' } },
});

export const duplicate = details({
  input: {
    params: byId.params,
    body: z.strictObject({ name }),
    errors,
  },
  answer: padSavedAnswer,
  errors: ['BACKEND.ERROR.PERMISSION.TOO_MANY'],
  example: { body: { name: 'Second meeting' } },
});

export const read = details({ input: passwordInQuery, answer: padAnswer, errors: unlockErrors });

export const unlock = details({
  input: passwordInBody,
  answer: padAnswer,
  errors: unlockErrors,
  example: { body: { password: 'hémi' } },
});

/** The same for a pad that is not public and for one that does not exist. */
export const isPublic = details({
  input: byId,
  answer: z.strictObject({ success, key: z.string(), ispublic: z.boolean() }),
});
export const ticket = details({ input: byId, answer: padTicketAnswer });

export const save = details({
  input: change,
  answer: padSavedAnswer,
  errors: ['BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT'],
  example: { body: { name: 'First meeting of the year', readonly: true } },
});

export const removeChat = details({ input: byId, answer: keyAnswer });

export const remove = details({
  input: removal,
  answer: keyAnswer,
  example: { answer: { success: true, key: 'first-meeting-h5t8s1' } },
});
