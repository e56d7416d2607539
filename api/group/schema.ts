import * as z from 'zod';
import { limits } from '../../model/limits';
import { visibilities } from '../../model/store/entities';
import {
  absent,
  byIds,
  errorKey,
  group,
  groupAbilities,
  groupSummary,
  guestToken,
  keyAnswer,
  lockedGroup,
  made,
  named,
  pad,
  padSummary,
  person,
  present,
  success,
} from '../answers';
import { memberErrors, unlockErrors } from '../commonErrors';
import { details, type InputSchema, type Sent } from '../declaration';
import { ignored, ignoredFields } from '../middleware/ignoredFields';
import { yesOrNo } from '../middleware/query';

export const id = z.string().min(1).max(limits.id);
const params = z.strictObject({ id });
export const name = z.string().trim().min(1).max(limits.name);
/** Not trimmed. `''` and `null` mean that no password is given. */
export const password = z.string().max(limits.password).nullish();
/** The id comes from the path; a body must not contain one. */
export const noId = ignored(z.never().optional());
const people = z.array(id).max(limits.people).optional();

const tags = z.array(z.string().trim().min(1).max(limits.tag)).max(limits.tags);

const fields = {
  description: z.string().max(limits.description).optional(),
  visibility: z.enum(visibilities).optional(),
  password,
  readonly: z.boolean().optional(),
  archived: z.boolean().optional(),
  allowUsersToCreatePads: z.boolean().optional(),
  tags: tags.optional(),
  admins: people,
  users: people,
  readers: people,
};

export const errors = {
  id: 'BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND',
  _id: 'BACKEND.ERROR.TYPE.ID_STR',
  name: 'BACKEND.ERROR.TYPE.PARAM_STR',
  admin: 'BACKEND.ERROR.TYPE.PARAM_STR',
  password: 'BACKEND.ERROR.TYPE.PASSWORD_STR',
} as const;

export const byId = { params, errors } satisfies InputSchema;

/** `DELETE pad/:id`, `DELETE group/:id` */
export const removal = {
  ...byId,
  query: z.strictObject({
    permanent: yesOrNo().describe('Deletes for good at once, past the trash'),
  }),
} satisfies InputSchema;

/** `GET group/:id`, `GET pad/:id`: the password is Base64, as in links of ep_mypads 1.x. */
export const passwordInQuery = {
  ...byId,
  query: z.object({ password: z.string().optional() }),
} satisfies InputSchema;

/** `POST group/:id/unlock`, `POST pad/:id/unlock`: the password as it was typed. */
export const passwordInBody = {
  ...byId,
  body: z.strictObject({ password: z.string().max(limits.password) }),
} satisfies InputSchema;

/**
 * `POST group`. `admin`: the person for whom a server administrator creates the group; ignored in other people's calls.
 */
export const creation = {
  body: z.strictObject({
    ...fields,
    name,
    admin: id
      .optional()
      .describe('For server administrators: username, email address or id of the group’s manager'),
    _id: noId,
    ifExists: z
      .enum(['refuse', 'answer'])
      .optional()
      .describe(
        'For server administrators: with `answer`, a group of this name that `admin` manages is answered, and none is created',
      ),
    ...ignoredFields('pads', 'ctime', 'abilities', 'hasPassword', 'byRule'),
  }),
  errors,
} satisfies InputSchema;
export type GroupCreation = Sent<typeof creation>;

/** `PUT group/:id`. Fields that are not sent keep their values. */
export const change = {
  ...byId,
  body: z.strictObject({
    ...fields,
    name: name.optional(),
    _id: ignored(id.optional()),
    ...ignoredFields('admin', 'pads', 'ctime', 'abilities', 'hasPassword', 'byRule'),
  }),
} satisfies InputSchema;
export type GroupChange = Sent<typeof change>;

/** A username or an email address, as it was typed. Longer than new ones may be: ep_mypads 1.x had no limit. */
export const loginOrEmail = z.string().min(1).max(300);

const receiver = z.strictObject({ to: loginOrEmail.describe('Username or email address of the account') });

const handedOverAnswer = z.strictObject({
  success,
  groups: z.array(named).describe('The groups'),
});

const entries = z.array(loginOrEmail).max(limits.people).default([]);

/** `PUT group/:id/members` */
export const roleChange = {
  params,
  body: z.strictObject({
    admins: entries.describe('Become managers of the group'),
    users: entries.describe('Become members of the group, even if they are managers now'),
    readers: entries.describe('May only read from now on'),
    removed: entries.describe('Are removed from the group'),
  }),
  errors: {
    id: 'BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND',
    admins: 'BACKEND.ERROR.TYPE.LOGINS_ARR',
    users: 'BACKEND.ERROR.TYPE.LOGINS_ARR',
    readers: 'BACKEND.ERROR.TYPE.LOGINS_ARR',
    removed: 'BACKEND.ERROR.TYPE.LOGINS_ARR',
  },
} satisfies InputSchema;
export type Roles = Sent<typeof roleChange>;

/** `GET group` */
export const groupsAnswer = z.strictObject({
  value: z.strictObject({
    groups: byIds(group),
    pads: byIds(pad),
    users: byIds(person).describe('The people in these groups whom the caller may see'),
    admins: byIds(person).describe('Those of `users` who manage at least one of these groups'),
    bookmarks: z
      .strictObject({ groups: byIds(group), pads: byIds(pad) })
      .describe('Also of groups that the caller does not belong to'),
  }),
});
export type GroupsAnswer = z.infer<typeof groupsAnswer>;

/** `GET overview` */
export const overviewAnswer = z.strictObject({
  value: z.strictObject({
    groups: byIds(groupSummary),
    bookmarks: z
      .strictObject({ groups: byIds(groupSummary), pads: byIds(padSummary) })
      .describe('Also of groups that the caller does not belong to'),
    shared: z
      .strictObject({ groups: byIds(groupSummary), pads: byIds(padSummary) })
      .describe('Pads that are shared alone with the caller, and what links open that they keep'),
    abilities: z
      .record(z.string(), groupAbilities)
      .describe('Sets of abilities; groups with the same abilities share one'),
    users: byIds(person).describe('The people in these groups whom the caller may see'),
    templates: z
      .array(named)
      .optional()
      .describe('Templates for everyone: those of the group in the setting `templatesFolder`'),
    requests: z.int().describe('How many people ask for access to groups that the caller manages'),
  }),
});
export type OverviewAnswer = z.infer<typeof overviewAnswer>;

/** `GET overview/pads`: the pads that are listed for the caller. */
export const padNamesAnswer = z.strictObject({
  value: z.record(z.string(), z.array(named)).describe('By the id of the group'),
});
export type PadNamesAnswer = z.infer<typeof padNamesAnswer>;

/** `GET overview/recent`: the latest first. */
export const recentPadsAnswer = z.strictObject({ value: z.array(padSummary) });
export type RecentPadsAnswer = z.infer<typeof recentPadsAnswer>;

/** `GET group/:id`, `POST group/:id/unlock`. Without `pads` and `users` if the group is locked for the caller. */
export const groupAnswer = z.strictObject({
  key: z.string(),
  value: z.union([group, lockedGroup]),
  pads: byIds(pad).optional(),
  users: byIds(person).optional(),
  token: guestToken,
});
export type GroupAnswer = z.infer<typeof groupAnswer>;

const presentIds = z.strictObject({
  count: z.int(),
  people: z
    .array(z.string())
    .describe('Ids of people in `users` of the group who use their name in pads, 20 at most'),
});
export type PresentIds = z.infer<typeof presentIds>;

/** `GET group/:id/present`, `GET overview/present` */
export const presentAnswer = z.strictObject({
  value: byIds(presentIds).describe(
    'By pad or group. Without those that nobody has open. May be a second old',
  ),
});
export type PresentAnswer = z.infer<typeof presentAnswer>;

/** `POST group`, `PUT group/:id`, `POST group/resign` */
export const groupSavedAnswer = z.strictObject({ success, key: z.string(), value: group, made });
export type GroupSavedAnswer = z.infer<typeof groupSavedAnswer>;

/** Tags to add to a group and to remove from it. */
const changedTags = z.strictObject({
  group: z.string(),
  add: z.array(z.string()),
  remove: z.array(z.string()),
});
export type TagChange = z.infer<typeof changedTags>;

/** `POST group/tags` */
const tagsAnswer = z.strictObject({
  success,
  changed: z
    .array(changedTags)
    .describe('What was really added and removed. With `add` and `remove` exchanged, it undoes the call'),
  failed: z
    .array(z.strictObject({ group: z.string(), error: errorKey }))
    .describe('The groups that stay as they were, and why'),
});

/** `POST group/invite`, `POST group/:id/members`, `PUT group/:id/members` */
export const inviteAnswer = z.strictObject({
  success,
  value: group,
  users: byIds(person),
  present,
  absent,
});
export type InviteAnswer = z.infer<typeof inviteAnswer>;

const sampleGroup = 'minutes-of-the-board-x2k3v9';

export const own = details({ answer: groupsAnswer });
export const overview = details({ answer: overviewAnswer });
export const padNames = details({ answer: padNamesAnswer });
export const recent = details({ answer: recentPadsAnswer });
export const presentInOwn = details({ answer: presentAnswer });

export const create = details({
  input: creation,
  answer: groupSavedAnswer,
  errors: ['BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT', ...memberErrors],
  example: {
    body: { name: 'Minutes of the board', visibility: 'private', password: 'hémi', tags: ['board'] },
  },
});

export const read = details({ input: passwordInQuery, answer: groupAnswer, errors: unlockErrors });

export const unlock = details({
  input: passwordInBody,
  answer: groupAnswer,
  errors: unlockErrors,
  example: { body: { password: 'hémi' } },
});

export const presentIn = details({ input: byId, answer: presentAnswer });

export const save = details({
  input: change,
  answer: groupSavedAnswer,
  errors: ['BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT', ...memberErrors],
  example: { body: { description: 'Of the board', archived: false } },
});

export const remove = details({
  input: removal,
  answer: keyAnswer,
  example: { answer: { success: true, key: sampleGroup } },
});

export const tag = details({
  input: {
    body: z.strictObject({
      changes: z
        .array(z.strictObject({ group: id, add: tags.default([]), remove: tags.default([]) }))
        .min(1)
        .max(limits.bulk)
        .describe('At most one for each group'),
    }),
    errors: {},
  },
  answer: tagsAnswer,
  example: {
    body: { changes: [{ group: sampleGroup, add: ['board'], remove: ['draft'] }] },
    answer: {
      success: true,
      changed: [{ group: sampleGroup, add: ['board'], remove: [] }],
      failed: [],
    },
  },
});

/** `invite` true sets the users, false sets the administrators. */
export const invite = details({
  input: {
    body: z
      .strictObject({
        gid: id.optional(),
        invite: z.boolean(),
        loginsOrEmails: z.array(z.string().max(300)).max(limits.people),
      })
      // Optional in the schema, because the handler answers a missing `gid` with an error key of its own.
      .meta({ required: ['gid', 'invite', 'loginsOrEmails'] }),
    errors: {
      gid: 'BACKEND.ERROR.TYPE.GID_STR',
      invite: 'BACKEND.ERROR.TYPE.INVITE_BOOL',
      loginsOrEmails: 'BACKEND.ERROR.TYPE.LOGINS_ARR',
    },
  },
  answer: inviteAnswer,
  errors: ['BACKEND.ERROR.TYPE.PARAMS_REQUIRED', ...memberErrors],
  example: { body: { gid: sampleGroup, invite: true, loginsOrEmails: ['bob', 'carol@example.org'] } },
});

export const addMembers = details({
  input: {
    params,
    body: z.strictObject({
      loginsOrEmails: z.array(loginOrEmail).min(1).max(limits.people),
      role: z
        .enum(['manager', 'writer', 'reader'])
        .optional()
        .describe('As managers of the group, as members (without `role`), or as people who only read'),
      admin: z.boolean().optional().describe('true: as `role` `manager`. For older programs'),
    }),
    errors: {
      id: 'BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND',
      loginsOrEmails: 'BACKEND.ERROR.TYPE.LOGINS_ARR',
    },
  },
  answer: inviteAnswer,
  errors: ['BACKEND.ERROR.PERMISSION.TOO_MANY'],
  example: { body: { loginsOrEmails: ['bob'], admin: false } },
});

export const changeRoles = details({
  input: roleChange,
  answer: inviteAnswer,
  errors: ['BACKEND.ERROR.GROUP.RESIGN_UNIQUE_ADMIN', 'BACKEND.ERROR.PERMISSION.TOO_MANY'],
  example: { body: { admins: ['bob'], users: ['carol'], removed: ['dave'] } },
});

export const removeMember = details({
  input: {
    params: z.strictObject({ id, login: loginOrEmail }),
    errors: {
      id: 'BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND',
      login: 'BACKEND.ERROR.GROUP.NOT_USER',
    },
  },
  answer: groupSavedAnswer,
  errors: ['BACKEND.ERROR.GROUP.RESIGN_UNIQUE_ADMIN'],
});

export const leave = details({
  input: {
    body: z.strictObject({ gid: id }),
    errors: { gid: 'BACKEND.ERROR.TYPE.ID_STR' },
  },
  answer: groupSavedAnswer,
  example: { body: { gid: sampleGroup } },
});

export const handOver = details({
  input: { ...byId, body: receiver },
  answer: groupSavedAnswer,
  errors: ['BACKEND.ERROR.USER.NOT_FOUND', ...memberErrors],
  example: { body: { to: 'bob' } },
});

export const handOverAll = details({
  input: {
    params: z.strictObject({ login: loginOrEmail }),
    body: receiver,
  },
  answer: handedOverAnswer,
  example: {
    body: { to: 'bob' },
    answer: { success: true, groups: [{ _id: sampleGroup, name: 'Class 5a' }] },
  },
});
