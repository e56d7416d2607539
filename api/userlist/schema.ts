import * as z from 'zod';
import { limits } from '../../model/limits';
import { byIds, ids, success } from '../answers';
import { answerOf } from '../middleware/answer';
import { ignored } from '../middleware/ignoredFields';
import type { InputSchema } from '../middleware/validate';
import type { UserListRemovedAnswer, UserListSavedAnswer, UserListsAnswer } from '../wire';

const params = z.strictObject({ key: z.string().min(1).max(limits.id) });
const name = z.string().trim().min(1).max(limits.name);
const loginsOrEmails = z.array(z.string().max(300)).max(limits.people).optional();
/** Old clients send the id in the body too. */
const ulistid = ignored(z.string().max(limits.id).optional());

const errors = {
  key: 'BACKEND.ERROR.USER.USERLIST_NOT_FOUND',
  name: 'BACKEND.ERROR.TYPE.USERLIST_NAME',
  loginsOrEmails: 'BACKEND.ERROR.TYPE.LOGINS_ARR',
  ulistid: 'BACKEND.ERROR.TYPE.USERLIST_ID',
} as const;

/** `POST userlist` */
export const creation = { body: z.strictObject({ name, loginsOrEmails }), errors } satisfies InputSchema;

/** `PUT userlist/:key`. Fields that are not sent keep their values; an empty list removes everybody. */
export const change = {
  params,
  body: z.strictObject({ name: name.optional(), loginsOrEmails, ulistid }),
  errors,
} satisfies InputSchema;

/** `DELETE userlist/:key` */
export const removal = { params, body: z.strictObject({ ulistid }), errors } satisfies InputSchema;

const lists = byIds(
  z.strictObject({
    name: z.string(),
    uids: ids,
    users: z.array(
      z.strictObject({
        _id: z.string(),
        login: z.string(),
        firstname: z.string().optional(),
        lastname: z.string().optional(),
        email: z.string().optional(),
      }),
    ),
  }),
).meta({ id: 'UserLists' });

/** `GET userlist` */
export const userListsAnswer = answerOf<UserListsAnswer>()(
  z.strictObject({ value: lists, present: z.array(z.string()), absent: z.array(z.string()) }),
);

/** `POST userlist`, `PUT userlist/:key` */
export const userListSavedAnswer = answerOf<UserListSavedAnswer>()(
  z.strictObject({
    success,
    key: z.string(),
    value: lists,
    present: z.array(z.string()),
    absent: z.array(z.string()),
  }),
);

/** `DELETE userlist/:key` */
export const userListRemovedAnswer = answerOf<UserListRemovedAnswer>()(
  z.strictObject({ success, key: z.string(), value: lists }),
);
