/** Calls about invitations to folders by email. */
import * as z from 'zod';
import { limits } from '../../model/limits';
import { invitationMails } from '../../model/store/entities';
import { absent, byIds, group, keyAnswer, person, present, success, successAnswer, time } from '../answers';
import { laterMailErrors } from '../commonErrors';
import { details, type InputSchema, type Sent } from '../declaration';
import { byId } from '../group/schema';

const roles = ['manager', 'writer', 'reader'] as const;

const role = z
  .enum(roles)
  .optional()
  .describe('As managers of the group, as members, or as people who only read. Default: writer');
const sentence = z
  .string()
  .trim()
  .max(limits.sentence)
  .optional()
  .describe('What the caller writes to them. Line breaks become blanks');

const inviting = {
  params: byId.params,
  body: z.strictObject({
    loginsOrEmails: z.array(z.string().min(1).max(300)).min(1).max(limits.invited),
    role,
    pad: z
      .string()
      .optional()
      .describe(
        'A pad of the group: it alone is shared with them, as writers or readers. The group stays closed',
      ),
    sentence,
    lang: z.string().max(limits.text).optional().describe('Language of the email. Default: the server’s'),
  }),
  errors: { ...byId.errors, loginsOrEmails: 'BACKEND.ERROR.TYPE.LOGINS_ARR' },
} satisfies InputSchema;
export type InvitationFields = Sent<typeof inviting>;

const token = z.string().min(1).max(200);
const byToken = {
  body: z.strictObject({ token }),
  errors: { token: 'BACKEND.ERROR.TOKEN.INCORRECT' },
} satisfies InputSchema;

export const invitation = z
  .strictObject({
    _id: z.string(),
    address: z.string(),
    pad: z
      .strictObject({ _id: z.string(), name: z.string() })
      .nullable()
      .describe('The pad alone that they get; `null`: they join the group'),
    role: z.enum(roles),
    sentence: z.string(),
    lang: z.string(),
    by: z
      .string()
      .nullable()
      .describe(
        'Id of the account that invites; `null`: a server administrator, or an account that was deleted',
      ),
    created: time,
    expires: time,
    mail: z
      .enum(invitationMails)
      .describe(
        '`failed`: it could not be sent. It is tried again for about two hours, unless the mail server does not know the address. `refused`: its owner wants no invitations',
      ),
    mailed: time.nullable().describe('When the mail server accepted the last email'),
  })
  .meta({ id: 'Invitation' });
export type Invitation = z.infer<typeof invitation>;

export const invitationsAnswer = z.strictObject({
  value: z.array(invitation),
  canSend: z.boolean().describe('Whether the server can send email'),
  mailsAdded: z.boolean().describe('Whether people with an account get an email when they are added'),
});
export type InvitationsAnswer = z.infer<typeof invitationsAnswer>;

const invitingAnswer = z.strictObject({
  success,
  value: group,
  users: byIds(person),
  present: present.describe('The entries that name an account. These people were added at once'),
  absent: absent.describe('The entries that name no account and are no email address'),
  invited: z.array(z.string()).describe('The addresses that were invited'),
});
export type InvitingAnswer = z.infer<typeof invitingAnswer>;

const invitationAnswer = z.strictObject({ success, key: z.string(), value: invitation });

/** What a person sees before they sign in. */
const shownInvitation = z.strictObject({
  address: z.string(),
  group: z.strictObject({ name: z.string() }).nullable().describe('`null` with `pad`'),
  pad: z
    .strictObject({ name: z.string() })
    .nullable()
    .describe('The pad that is shared alone; `null`: they join the group'),
  by: z.string().nullable().describe('Name of the person who invites; `null` if it is not known'),
  role: z.enum(roles),
  sentence: z.string(),
  expires: time,
  mayRegister: z.boolean().describe('Whether an account with this address may be created now'),
});
const shownAnswer = z.strictObject({ value: shownInvitation });
export type ShownInvitation = z.infer<typeof shownInvitation>;

const tooMany = 'BACKEND.ERROR.PERMISSION.TOO_MANY';
const sampleToken = { token: 'mW5x2kq9Zr7bLc3vTn8dFh4jPs6yAe1g' };

export const list = details({ input: byId, answer: invitationsAnswer });
export const create = details({
  input: inviting,
  answer: invitingAnswer,
  errors: [...laterMailErrors, tooMany, 'BACKEND.ERROR.MEMBER.TOO_MANY'],
  example: {
    body: { loginsOrEmails: ['erin@example.org'], role: 'writer', sentence: 'The minutes are here.' },
  },
});
export const save = details({
  input: { ...byId, body: z.strictObject({ role, sentence }) },
  answer: invitationAnswer,
  example: { body: { role: 'reader' } },
});
export const withdraw = details({ input: byId, answer: keyAnswer });
export const resend = details({
  input: byId,
  answer: invitationAnswer,
  errors: [...laterMailErrors, tooMany],
});
export const show = details({
  input: byToken,
  answer: shownAnswer,
  errors: [tooMany],
  example: { body: sampleToken },
});
export const accept = details({
  input: byToken,
  answer: z.strictObject({
    success,
    key: z.string().describe('Id of the group, or of the pad that is shared alone'),
    isPad: z.boolean(),
  }),
  errors: [
    'BACKEND.ERROR.INVITATION.OTHER_ADDRESS',
    'BACKEND.ERROR.USER.EMAIL_ALREADY_EXISTS',
    'BACKEND.ERROR.MEMBER.TOO_MANY',
    tooMany,
  ],
  example: { body: sampleToken },
});
export const refuse = details({
  input: byToken,
  answer: successAnswer,
  errors: [tooMany],
  example: { body: sampleToken },
});
