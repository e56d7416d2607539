import * as z from 'zod';
import { visibilities } from '../../model/entities';
import { limits } from '../../model/limits';
import { byIds, group, lockedGroup, pad, person, success } from '../answers';
import { answerOf } from '../middleware/answer';
import type { InputSchema } from '../middleware/validate';
import type { GroupAnswer, GroupSavedAnswer, GroupsAnswer, InviteAnswer } from '../wire';

/** An id in a path. What is longer is nobody's. */
export const params = z.strictObject({ id: z.string().min(1).max(limits.id) });
export const id = z.string().min(1).max(limits.id);
export const name = z.string().trim().min(1).max(limits.name);
/** Any length counts; `''` and `null`: none given. */
export const password = z.string().max(limits.password).nullish();
/** An id in a body never chooses the record. */
export const noId = z.never().optional();
/** What clients send back of a whole record and we pass over. */
export const passedOver = z.unknown().optional();
const people = z.array(id).max(limits.people).optional();

const fields = {
  description: z.string().max(limits.description).optional(),
  visibility: z.enum(visibilities).optional(),
  password,
  readonly: z.boolean().optional(),
  archived: z.boolean().optional(),
  allowUsersToCreatePads: z.boolean().optional(),
  tags: z.array(z.string().trim().min(1).max(limits.tag)).max(limits.tags).optional(),
  admins: people,
  users: people,
};

export const errors = {
  id: 'BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND',
  _id: 'BACKEND.ERROR.TYPE.ID_STR',
  name: 'BACKEND.ERROR.TYPE.PARAM_STR',
  admin: 'BACKEND.ERROR.TYPE.PARAM_STR',
  password: 'BACKEND.ERROR.TYPE.PASSWORD_STR',
} as const;

export const byId = { params, errors } satisfies InputSchema;

/** `GET group/:id`, `GET pad/:id`: the password in Base64, as links and programs carry it. */
export const reading = {
  ...byId,
  query: z.object({ password: z.string().optional() }),
} satisfies InputSchema;

/** `POST group/:id/unlock`, `POST pad/:id/unlock`: the password as it was typed. */
export const unlocking = {
  ...byId,
  body: z.strictObject({ password: z.string().max(limits.password) }),
} satisfies InputSchema;

/** `POST group`. `admin`: for whom a server administrator makes the group; passed over for people. */
export const creation = {
  body: z.strictObject({ ...fields, name, admin: id.optional(), _id: noId }),
  errors,
} satisfies InputSchema;

/** `PUT group/:id`. What is not sent stays. */
export const change = {
  ...byId,
  body: z.strictObject({
    ...fields,
    name: name.optional(),
    _id: id.optional(),
    admin: passedOver,
    pads: passedOver,
    ctime: passedOver,
    abilities: passedOver,
    hasPassword: passedOver,
  }),
} satisfies InputSchema;

/** `POST group/invite`. `invite` true: who are the users; false: who are the admins. */
export const invitation = {
  body: z.strictObject({
    gid: id.optional(),
    invite: z.boolean(),
    loginsOrEmails: z.array(z.string().max(300)).max(limits.people),
  }),
  errors: {
    gid: 'BACKEND.ERROR.TYPE.GID_STR',
    invite: 'BACKEND.ERROR.TYPE.INVITE_BOOL',
    loginsOrEmails: 'BACKEND.ERROR.TYPE.LOGINS_ARR',
  },
} satisfies InputSchema;

/** `POST group/resign` */
export const resignation = {
  body: z.strictObject({ gid: id }),
  errors: { gid: 'BACKEND.ERROR.TYPE.ID_STR' },
} satisfies InputSchema;

/** `GET group` */
export const groupsAnswer = answerOf<GroupsAnswer>()(
  z.strictObject({
    value: z.strictObject({
      groups: byIds(group),
      pads: byIds(pad),
      users: byIds(person),
      admins: byIds(person),
      bookmarks: z.strictObject({ groups: byIds(group), pads: byIds(pad) }),
    }),
  }),
);

/** `GET group/:id`, `POST group/:id/unlock` */
export const groupAnswer = answerOf<GroupAnswer>()(
  z.strictObject({
    key: z.string(),
    value: z.union([group, lockedGroup]),
    pads: byIds(pad).optional(),
    users: byIds(person).optional(),
    token: z.string().optional(),
  }),
);

/** `POST group`, `PUT group/:id`, `POST group/resign` */
export const groupSavedAnswer = answerOf<GroupSavedAnswer>()(
  z.strictObject({ success, key: z.string(), value: group }),
);

/** `POST group/invite` */
export const inviteAnswer = answerOf<InviteAnswer>()(
  z.strictObject({
    success,
    value: group,
    users: byIds(person),
    present: z.array(z.string()),
    absent: z.array(z.string()),
  }),
);
