import * as z from 'zod';
import { colorPattern, limits } from '../../model/limits';
import { ownUser, success } from '../answers';
import { answerOf } from '../middleware/answer';
import type { InputSchema } from '../middleware/validate';
import type { RegisterAnswer, UserAnswer } from '../wire';

const text = z.string().max(limits.text);

const profile = {
  firstname: text.optional(),
  lastname: text.optional(),
  organization: text.optional(),
  padNickname: text.optional(),
  color: z.string().max(limits.color).regex(colorPattern).optional(),
  lang: z.string().max(limits.text).optional(),
  hideHelp: z.boolean().optional(),
  useLoginAndColorInPads: z.boolean().optional(),
};

const password = z.string().max(limits.password);
const email = z.string().max(limits.email);

const errors = {
  _id: 'BACKEND.ERROR.TYPE.ID_STR',
  email: 'BACKEND.ERROR.TYPE.MAIL',
  password: 'BACKEND.ERROR.TYPE.PASSWORD_STR',
  passwordConfirm: 'USER.ERR.PASSWORD_MISMATCH',
} as const;

/** `POST user`. The size of a password is a setting: model/user.ts checks it. */
export const registration = {
  body: z.strictObject({
    login: z.string().trim().min(1).max(limits.login),
    password: password.min(1),
    passwordConfirm: password.optional(),
    email,
    ...profile,
  }),
  errors: {
    ...errors,
    login: 'BACKEND.ERROR.TYPE.PARAM_STR',
    password: 'BACKEND.ERROR.TYPE.PARAM_STR',
  },
} satisfies InputSchema;

/** `:login` of a path; nobody has a longer one. */
const params = z.strictObject({ login: z.string().max(300) });

export const byLogin = { params, errors: { login: 'BACKEND.ERROR.USER.NOT_FOUND' } } satisfies InputSchema;

/** `DELETE user/:login`. Oneself needs the `currentPassword`. */
export const removal = {
  ...byLogin,
  body: z.strictObject({ currentPassword: password.optional() }),
  errors: { ...byLogin.errors, currentPassword: 'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT' },
} satisfies InputSchema;

/**
 * `PUT user/:login`. Empty passwords keep the old one. The last block is what clients send back of a whole account; `_id` and
 * `login` must be the account's own, the rest is passed over.
 */
export const profileChange = {
  params,
  body: z.strictObject({
    ...profile,
    email: email.optional(),
    password: password.optional(),
    passwordConfirm: password.optional(),
    currentPassword: password.optional(),
    active: z.boolean().optional(),
    _id: z.string().min(1).max(limits.id).optional(),
    login: z.string().max(300).optional(),
    groups: z.unknown().optional(),
    bookmarks: z.unknown().optional(),
    userlists: z.unknown().optional(),
    ctime: z.unknown().optional(),
    pendingEmail: z.unknown().optional(),
  }),
  errors: {
    ...errors,
    login: 'BACKEND.ERROR.TYPE.PARAM_INVALID',
    currentPassword: 'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT',
  },
} satisfies InputSchema;

/** `POST user`, `PUT user/:login` */
export const registerAnswer = answerOf<RegisterAnswer>()(
  z.strictObject({ success, key: z.string(), value: ownUser }),
);

/** `GET user/:login` */
export const userAnswer = answerOf<UserAnswer>()(z.strictObject({ key: z.string(), value: ownUser }));
