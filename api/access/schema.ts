/** Calls about who can open a group or a pad, and about sharing a pad alone with people. */
import * as z from 'zod';
import { limits } from '../../model/limits';
import { grantRoles, visibilities } from '../../model/store/entities';
import { absent, byIds, keyAnswer, pad, person, present, success, time } from '../answers';
import { details, type InputSchema } from '../declaration';
import { byId, errors as groupErrors, loginOrEmail } from '../group/schema';

/** `POST pad/:id/people` */
const sharing = {
  ...byId,
  body: z.strictObject({
    loginsOrEmails: z.array(loginOrEmail).min(1).max(limits.padPeople),
    role: z.enum(grantRoles).describe('`reader`: may read. `writer`: may also write'),
  }),
  errors: { ...groupErrors, loginsOrEmails: 'BACKEND.ERROR.TYPE.LOGINS_ARR' },
} satisfies InputSchema;

const unsharedAnswer = z.strictObject({ success, key: z.string(), value: pad });

/** One way into a group or a pad. */
export const accessRow = z
  .strictObject({
    why: z
      .enum(['member', 'directory', 'pad', 'link', 'invited', 'password', 'everybody', 'signedIn'])
      .describe(
        '`member`: of the group. `directory`: of the group, by a rule of the server. `pad`: the pad alone is shared with this person. `invited`: an address without an account, once they accept. `password`: who knows it. `everybody`: it is public. `signedIn`: everybody who signs in',
      ),
    role: z.enum(['manager', ...grantRoles]),
    user: z.string().optional().describe('Id of an account, with `member`, `directory` and `pad`'),
    address: z.string().optional().describe('With `invited`'),
    needsPassword: z
      .boolean()
      .optional()
      .describe('They need the password of the pad: a member, or who is invited to be one'),
    pad: z
      .strictObject({ _id: z.string(), name: z.string() })
      .optional()
      .describe('The pad alone that it opens'),
    link: z.strictObject({ _id: z.string(), label: z.string(), ends: time.nullable() }).optional(),
  })
  .meta({ id: 'AccessRow' });
export type AccessRowShown = z.infer<typeof accessRow>;

export const accessAnswer = z.strictObject({
  value: z.array(accessRow),
  users: byIds(person),
  visibility: z.enum(visibilities),
  readonly: z.boolean().describe('Whether nobody can write now'),
});
export type AccessAnswer = z.infer<typeof accessAnswer>;

const accountAccessAnswer = z.strictObject({
  groups: z.array(
    z.strictObject({
      _id: z.string(),
      name: z.string(),
      role: z.enum(['manager', ...grantRoles]),
      alone: z.boolean().describe('No other account that is open manages the group'),
    }),
  ),
  pads: z
    .array(z.strictObject({ _id: z.string(), name: z.string(), group: z.string(), role: z.enum(grantRoles) }))
    .describe('Pads that are shared alone with the person'),
});
export type AccountAccessAnswer = z.infer<typeof accountAccessAnswer>;

export const share = details({
  input: sharing,
  answer: z.strictObject({ success, key: z.string(), value: pad, present, absent }),
  errors: ['BACKEND.ERROR.MEMBER.TOO_MANY', 'BACKEND.ERROR.PERMISSION.TOO_MANY'],
  example: { body: { loginsOrEmails: ['bob', 'carol@example.org'], role: 'writer' } },
});
export const unshare = details({
  input: {
    params: z.object({ id: byId.params.shape.id, login: loginOrEmail }),
  },
  answer: unsharedAnswer,
});
export const leave = details({ input: byId, answer: keyAnswer });
export const ofGroup = details({ input: byId, answer: accessAnswer });
export const ofPad = details({ input: byId, answer: accessAnswer });
export const ofAccount = details({
  input: { params: z.object({ login: loginOrEmail }) },
  answer: accountAccessAnswer,
});
