import * as z from 'zod';
import { limits } from '../../model/limits';
import { absent, byIds, ids, present, success } from '../answers';
import { details, type InputSchema, type Sent } from '../declaration';
import { ignored } from '../middleware/ignoredFields';

const params = z.strictObject({ key: z.string().min(1).max(limits.id) });
const name = z.string().trim().min(1).max(limits.name);
const loginsOrEmails = z.array(z.string().max(300)).max(limits.people).optional();
const was = z
  .array(z.string().max(limits.id))
  .max(limits.listedPeople)
  .optional()
  .describe(
    'Ids of the people on the list when it was read. Then people who were added or removed since stay as they are now',
  );
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
export type UserListCreation = Sent<typeof creation>;

/** `PUT userlist/:key` */
const change = {
  params,
  body: z.strictObject({ name: name.optional(), loginsOrEmails, was, ulistid }),
  errors,
} satisfies InputSchema;
export type UserListChange = Sent<typeof change>;

/** A person on a user list. Names and e-mail as in `Person`; the e-mail also if the owner of the list typed it. */
const listedPerson = z.strictObject({
  _id: z.string(),
  login: z.string(),
  firstname: z.string().optional(),
  lastname: z.string().optional(),
  email: z.string().optional(),
});
export type ListedPerson = z.infer<typeof listedPerson>;

/** The caller's user lists by id, without accounts that no longer exist. */
const lists = byIds(z.strictObject({ name: z.string(), uids: ids, users: z.array(listedPerson) })).meta({
  id: 'UserLists',
});
export type UserLists = z.infer<typeof lists>;

/** `POST userlist`, `PUT userlist/:key`: the id of the saved list, and all lists. */
export const userListSavedAnswer = z.strictObject({
  success,
  key: z.string(),
  value: lists,
  present,
  absent,
});
export type UserListSavedAnswer = z.infer<typeof userListSavedAnswer>;

/** `DELETE userlist/:key` */
const userListRemovedAnswer = z.strictObject({ success, key: z.string(), value: lists });

/** `present` and `absent` are always empty here; programs of 1.x expect them. */
export const own = details({ answer: z.strictObject({ value: lists, present, absent }) });

export const create = details({
  input: creation,
  answer: userListSavedAnswer,
  errors: ['BACKEND.ERROR.TYPE.USERLIST_CRUD', 'BACKEND.ERROR.PERMISSION.TOO_MANY'],
  example: { body: { name: 'The board', loginsOrEmails: ['bob', 'carol@example.org'] } },
});

/** Fields that are not sent keep their values; an empty list removes everybody. */
export const save = details({
  input: change,
  answer: userListSavedAnswer,
  errors: [
    'BACKEND.ERROR.TYPE.USERLIST_SET_PARAMS',
    'BACKEND.ERROR.TYPE.USERLIST_CRUD',
    'BACKEND.ERROR.PERMISSION.TOO_MANY',
  ],
  example: { body: { name: 'The new board' } },
});

export const remove = details({
  input: { params, body: z.strictObject({ ulistid }), errors },
  answer: userListRemovedAnswer,
});
