import * as z from 'zod';
import { limits } from '../../model/limits';
import type { InputSchema } from '../middleware/validate';

const params = z.strictObject({ key: z.string().min(1).max(limits.id) });
const name = z.string().trim().min(1).max(limits.name);
const loginsOrEmails = z.array(z.string().max(300)).max(limits.people).optional();
/** What old clients send beside the path. */
const ulistid = z.string().max(limits.id).optional();

const errors = {
  key: 'BACKEND.ERROR.USER.USERLIST_NOT_FOUND',
  name: 'BACKEND.ERROR.TYPE.USERLIST_NAME',
  loginsOrEmails: 'BACKEND.ERROR.TYPE.LOGINS_ARR',
  ulistid: 'BACKEND.ERROR.TYPE.USERLIST_ID',
} as const;

/** `POST userlist` */
export const creation = { body: z.strictObject({ name, loginsOrEmails }), errors } satisfies InputSchema;

/** `PUT userlist/:key`. What is not sent stays; an empty list empties. */
export const change = {
  params,
  body: z.strictObject({ name: name.optional(), loginsOrEmails, ulistid }),
  errors,
} satisfies InputSchema;

/** `DELETE userlist/:key` */
export const removal = { params, body: z.strictObject({ ulistid }), errors } satisfies InputSchema;
