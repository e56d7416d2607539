/** Calls about links that open a folder or a pad. */
import * as z from 'zod';
import { limits } from '../../model/limits';
import { grantRoles } from '../../model/store/entities';
import { guestToken, keyAnswer, success, time } from '../answers';
import { unlockErrors } from '../commonErrors';
import { details, type InputSchema, type Sent } from '../declaration';
import { byId } from '../group/schema';

/** The last moment of a date in JavaScript. Later numbers cannot be shown. */
const lastMoment = 8_640_000_000_000_000;

const fields = {
  role: z
    .enum(grantRoles)
    .optional()
    .describe('`reader`: may read. `writer`: may also write. Default: reader'),
  label: z.string().trim().max(limits.text).optional().describe('What the link is for'),
  ends: time
    .min(0)
    .max(lastMoment)
    .nullable()
    .optional()
    .describe('When it ends; `null`: it does not end by itself. Default: null'),
  password: z
    .string()
    .max(limits.password)
    .nullish()
    .describe('Asked when the link is opened. `null` or an empty text: none'),
  asksName: z.boolean().optional().describe('Guests give a name before the link opens. Default: false'),
};

const change = { ...byId, body: z.strictObject(fields) } satisfies InputSchema;
export type LinkFields = Sent<typeof change>;

export const link = z
  .strictObject({
    _id: z.string(),
    role: z.enum(grantRoles),
    label: z.string(),
    pad: z
      .string()
      .nullable()
      .describe('The pad that it opens; `null`: the group and the pads that have its visibility'),
    ends: time.nullable(),
    hasPassword: z.boolean(),
    asksName: z.boolean(),
    by: z
      .string()
      .nullable()
      .describe(
        'Id of the account that made it; `null`: a server administrator, or an account that was deleted',
      ),
    created: time,
    uses: z.int().describe('How often it was opened'),
    lastUse: time.nullable(),
    secret: z.string().describe('For the address `mypads/?/s/<secret>`'),
  })
  .meta({ id: 'Link' });
export type Link = z.infer<typeof link>;

export const linksAnswer = z.strictObject({ value: z.array(link) });
export type LinksAnswer = z.infer<typeof linksAnswer>;

const linkAnswer = z.strictObject({ success, key: z.string(), value: link });

const openedAnswer = z.strictObject({
  success,
  value: z.strictObject({
    group: z.string().nullable().describe('`null` for a link to a pad'),
    pad: z.string().nullable().describe('`null` for a link to a group'),
    role: z.enum(grantRoles),
    mayKeep: z.boolean().describe('Whether the link gives a person something that they can keep'),
  }),
  token: guestToken,
});
export type OpenedAnswer = z.infer<typeof openedAnswer>;

const sampleBody = { role: 'reader', label: 'Parents of 5b', ends: 1_798_761_600_000 } as const;

export const list = details({ input: byId, answer: linksAnswer });
export const create = details({
  input: { ...byId, body: z.strictObject(fields) },
  answer: linkAnswer,
  errors: ['BACKEND.ERROR.LINK.TOO_MANY'],
  example: { body: sampleBody },
});
export const save = details({ input: change, answer: linkAnswer, example: { body: { role: 'writer' } } });
export const end = details({ input: byId, answer: keyAnswer });
export const open = details({
  input: {
    body: z.strictObject({
      secret: z.string().min(1).max(limits.linkSecret),
      password: z.string().max(limits.password).nullish(),
      name: z.string().trim().max(limits.name).optional().describe('Of a guest, where the link asks for it'),
      keep: z
        .boolean()
        .optional()
        .describe('For people: keeps the link in their list, so that it stays open for all their sessions'),
    }),
    errors: { secret: 'BACKEND.ERROR.TYPE.PARAM_STR', password: 'BACKEND.ERROR.TYPE.PASSWORD_STR' },
  },
  answer: openedAnswer,
  errors: [
    'BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND',
    'BACKEND.ERROR.TYPE.GUEST_NAME_MISSING',
    'BACKEND.ERROR.TYPE.PASSWORD_MISSING',
    ...unlockErrors,
  ],
  example: { body: { secret: 'mW5x2kq9Zr7bLc3vTn8dFh4jPs6yAe1g' } },
});
