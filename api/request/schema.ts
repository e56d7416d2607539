/** Calls about requests for access to a folder or a pad. */
import * as z from 'zod';
import { limits } from '../../model/limits';
import { grantRoles } from '../../model/store/entities';
import { keyAnswer, named, person, successAnswer, time } from '../answers';
import { details, type InputSchema, type Sent } from '../declaration';
import { byId } from '../group/schema';

/** An id of a request contains that of its group. */
const params = z.strictObject({
  id: z
    .string()
    .min(1)
    .max(limits.id + 20),
});

const answering = {
  params,
  body: z
    .strictObject({
      role: z
        .enum(grantRoles)
        .optional()
        .describe(
          'Gives access to the group, or to the pad alone. `reader`: may read. `writer`: may also write',
        ),
      declined: z.literal(true).optional().describe('Instead of `role`'),
    })
    .refine(({ role, declined }) => (role === undefined) === (declined === true), { path: ['role'] }),
  errors: byId.errors,
} satisfies InputSchema;
export type RequestReply = Sent<typeof answering>;

export const accessRequest = z
  .strictObject({
    _id: z.string(),
    user: person,
    group: named,
    pad: named.nullable().describe('`null`: the request is about the group'),
    isReader: z.boolean().describe('The person may read already'),
    text: z.string().describe('What the person says; empty if nothing'),
    created: time,
  })
  .meta({ id: 'AccessRequest' });
export type AccessRequest = z.infer<typeof accessRequest>;

const listAnswer = z.strictObject({ value: z.array(accessRequest) });
export type RequestsAnswer = z.infer<typeof listAnswer>;

const asksErrors = [
  'BACKEND.ERROR.REQUEST.OFF',
  'BACKEND.ERROR.REQUEST.NOT_NEEDED',
  'BACKEND.ERROR.PERMISSION.TOO_MANY',
  'BACKEND.ERROR.SERVER.BUSY',
] as const;

export const ask = details({
  input: {
    ...byId,
    body: z.strictObject({
      text: z.string().max(limits.sentence).optional().describe('A sentence for the managers'),
    }),
  },
  answer: successAnswer,
  errors: asksErrors,
  example: { body: { text: 'I am the new teacher of 5b.' } },
});
export const list = details({ answer: listAnswer });
export const answer = details({
  input: answering,
  answer: keyAnswer,
  errors: ['BACKEND.ERROR.MEMBER.TOO_MANY'],
  example: { body: { role: 'reader' } },
});
