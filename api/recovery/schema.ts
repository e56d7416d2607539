import * as z from 'zod';
import { limits } from '../../model/limits';
import { success } from '../answers';
import type { InputSchema, Sent } from '../middleware/route';

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
export type NewPassword = Sent<typeof completion>;

/** `POST accountconfirm` */
export const confirmation = {
  body: z.strictObject({ token }),
  errors: { token: 'BACKEND.ERROR.TOKEN.INCORRECT' },
} satisfies InputSchema;

/** `PUT passrecover/:token`, `POST accountconfirm`: the account that the link belongs to. The call does not sign in. */
export const linkUsedAnswer = z.strictObject({ success, login: z.string() });
export type LinkUsedAnswer = z.infer<typeof linkUsedAnswer>;
