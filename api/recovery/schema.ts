import * as z from 'zod';
import { limits } from '../../model/limits';
import { success } from '../answers';
import { answerOf } from '../middleware/answer';
import type { InputSchema } from '../middleware/validate';
import type { LinkUsedAnswer } from '../wire';

const password = z.string().max(limits.password);
/** The token of a mailed link. model/people/mailToken.ts checks it. */
const token = z.string().max(200);

/** `POST passrecover` */
export const request = {
  body: z.strictObject({ email: z.string().max(limits.email) }),
  errors: { email: 'BACKEND.ERROR.TYPE.MAIL' },
} satisfies InputSchema;

/** `PUT passrecover/:token` */
export const completion = {
  params: z.strictObject({ token }),
  body: z.strictObject({ password, passwordConfirm: password }),
  errors: {
    token: 'BACKEND.ERROR.TOKEN.INCORRECT',
    password: 'BACKEND.ERROR.TYPE.PASSWORD_STR',
    passwordConfirm: 'USER.ERR.PASSWORD_MISMATCH',
  },
} satisfies InputSchema;

/** `POST accountconfirm` */
export const confirmation = {
  body: z.strictObject({ token }),
  errors: { token: 'BACKEND.ERROR.TOKEN.INCORRECT' },
} satisfies InputSchema;

/** `PUT passrecover/:token`, `POST accountconfirm` */
export const linkUsedAnswer = answerOf<LinkUsedAnswer>()(z.strictObject({ success, login: z.string() }));
