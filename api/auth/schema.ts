import * as z from 'zod';
import { limits } from '../../model/limits';
import { ownUser, success } from '../answers';
import { ignoredField } from '../group/schema';
import type { InputSchema, Sent } from '../middleware/route';

/** Longer than a new login may be: ep_mypads 1.x had no limit. */
const loginOrEmail = z.string().min(1).max(300);
const password = z.string().min(1).max(limits.password);

const errors = {
  login: 'BACKEND.ERROR.TYPE.LOGIN_STR',
  password: 'BACKEND.ERROR.TYPE.PASSWORD_STR',
} as const;

/** `POST auth/admin/login`, `POST auth/check` */
export const credentials = {
  body: z.strictObject({ login: loginOrEmail, password }),
  errors,
} satisfies InputSchema;
export type Credentials = Sent<typeof credentials>;

/** `POST auth/login`. The page of 1.x sends the whole registration form when it signs a new account in. */
export const signIn = {
  body: z.strictObject({
    login: loginOrEmail,
    password,
    passwordConfirm: ignoredField,
    email: ignoredField,
    firstname: ignoredField,
    lastname: ignoredField,
    organization: ignoredField,
    padNickname: ignoredField,
    color: ignoredField,
    lang: ignoredField,
    hideHelp: ignoredField,
    useLoginAndColorInPads: ignoredField,
    key: ignoredField,
  }),
  errors,
} satisfies InputSchema;

/** `POST auth/login/cas`: the ticket that the CAS server added to the URL of the sign-in page. */
export const ticket = {
  body: z.strictObject({ ticket: z.string().min(1).max(4_000) }),
  errors: { ticket: 'BACKEND.ERROR.AUTHENTICATION.CAS_NO_TICKET' },
} satisfies InputSchema;

/** `POST auth/login`, `POST auth/login/cas` */
export const loginAnswer = z.strictObject({ success, token: z.string(), user: ownUser });
export type LoginAnswer = z.infer<typeof loginAnswer>;

/** `POST auth/admin/login/host`: an empty object. */
export const emptyBody = { body: z.strictObject({}) } satisfies InputSchema;

/** `POST auth/admin/login`, `POST auth/admin/login/host` */
export const adminLoginAnswer = z.strictObject({ success, token: z.string() });
export type AdminLoginAnswer = z.infer<typeof adminLoginAnswer>;
