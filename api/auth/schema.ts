import * as z from 'zod';
import { limits } from '../../model/limits';
import { ownUser, success } from '../answers';
import { answerOf } from '../middleware/answer';
import type { InputSchema } from '../middleware/validate';
import type { AdminLoginAnswer, LoginAnswer } from '../wire';

/** Logins of the earlier generation have no limit of their own. */
const loginOrEmail = z.string().min(1).max(300);
const password = z.string().min(1).max(limits.password);

const errors = {
  login: 'BACKEND.ERROR.TYPE.LOGIN_STR',
  password: 'BACKEND.ERROR.TYPE.PASSWORD_STR',
} as const;

/** `POST auth/login`, `POST auth/admin/login`, `POST auth/check` */
export const credentials = {
  body: z.strictObject({ login: loginOrEmail, password }),
  errors,
} satisfies InputSchema;

/** `POST auth/login/cas`: what the sign-on server added to the address of our sign-in page. */
export const ticket = {
  body: z.strictObject({ ticket: z.string().min(1).max(4_000) }),
  errors: { ticket: 'BACKEND.ERROR.AUTHENTICATION.CAS_NO_TICKET' },
} satisfies InputSchema;

/** `POST auth/login`, `POST auth/login/cas` */
export const loginAnswer = answerOf<LoginAnswer>()(
  z.strictObject({ success, token: z.string(), user: ownUser }),
);

/** `POST auth/admin/login/host`: nothing to say. */
export const nothing = { body: z.strictObject({}) } satisfies InputSchema;

/** `POST auth/admin/login`, `POST auth/admin/login/host` */
export const adminLoginAnswer = answerOf<AdminLoginAnswer>()(z.strictObject({ success, token: z.string() }));
