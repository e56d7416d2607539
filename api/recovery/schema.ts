import * as z from 'zod';
import { limits } from '../../model/limits';
import { success, successAnswer } from '../answers';
import { laterMailErrors } from '../commonErrors';
import { details, type InputSchema, type Sent } from '../declaration';

const password = z.string().max(limits.password);
/** The token of a mailed link. model/people/mailToken.ts checks it. */
const token = z.string().max(200);

const params = z.strictObject({ token });

/** `PUT passrecover/:token` */
export const completion = {
  params,
  body: z.strictObject({ password, passwordConfirm: password }),
  errors: {
    token: 'BACKEND.ERROR.TOKEN.INCORRECT',
    password: 'BACKEND.ERROR.TYPE.PASSWORD_STR',
    passwordConfirm: 'USER.ERR.PASSWORD_MISMATCH',
  },
} satisfies InputSchema;
export type NewPassword = Sent<typeof completion>;

/** `PUT passrecover/:token`, `POST accountconfirm`: the account that the link belongs to. The call does not sign in. */
const linkUsedAnswer = z.strictObject({ success, login: z.string() });

export const recover = details({
  input: {
    body: z.strictObject({ email: z.string().max(limits.email) }),
    errors: { email: 'BACKEND.ERROR.TYPE.MAIL' },
  },
  answer: successAnswer,
  errors: [
    ...laterMailErrors,
    'BACKEND.ERROR.SERVER.MAIL_UNAVAILABLE',
    'BACKEND.ERROR.AUTHENTICATION.NO_RECOVER',
    'BACKEND.ERROR.PERMISSION.TOO_MANY',
  ],
  example: { body: { email: 'alice@example.org' }, answer: { success: true } },
});

export const checkLink = details({
  input: {
    params,
    errors: { token: 'BACKEND.ERROR.TOKEN.INCORRECT' },
  },
  answer: successAnswer,
  errors: ['BACKEND.ERROR.AUTHENTICATION.NO_RECOVER', 'BACKEND.ERROR.PERMISSION.TOO_MANY'],
});

export const choosePassword = details({
  input: completion,
  answer: linkUsedAnswer,
  errors: [
    'BACKEND.ERROR.AUTHENTICATION.NO_RECOVER',
    'BACKEND.ERROR.TYPE.PASSWORD_SIZE',
    'BACKEND.ERROR.PERMISSION.TOO_MANY',
  ],
  example: {
    body: { password: 'a-new-password', passwordConfirm: 'a-new-password' },
    answer: { success: true, login: 'alice' },
  },
});

export const confirm = details({
  input: {
    body: z.strictObject({ token }),
    errors: { token: 'BACKEND.ERROR.TOKEN.INCORRECT' },
  },
  answer: linkUsedAnswer,
  errors: [
    'BACKEND.ERROR.AUTHENTICATION.NO_RECOVER',
    'BACKEND.ERROR.USER.EMAIL_ALREADY_EXISTS',
    'BACKEND.ERROR.PERMISSION.TOO_MANY',
  ],
  example: { body: { token: '<the token of the link>' }, answer: { success: true, login: 'alice' } },
});
