import * as z from 'zod';
import { colorPattern, limits } from '../../model/limits';
import { account, keyAnswer, made, success, time } from '../answers';
import { mailErrors, passwordErrors } from '../commonErrors';
import { details, type InputSchema, type Sent } from '../declaration';
import { loginOrEmail, noId } from '../group/schema';
import { ignored, ignoredFields } from '../middleware/ignoredFields';
import { yesOrNo } from '../middleware/query';

const text = z.string().max(limits.text);

const profile = {
  firstname: text.optional(),
  lastname: text.optional(),
  organization: text.optional(),
  padNickname: text.optional(),
  color: z.string().max(limits.color).regex(colorPattern).optional(),
  lang: z.string().max(limits.text).optional(),
  hideHelp: z.boolean().optional(),
  singleKeys: z.boolean().optional(),
  mailWhenAdded: z.boolean().optional(),
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

/** `POST user`. model/accounts/user.ts checks the length of the password, which depends on settings. */
export const registration = {
  body: z.strictObject({
    login: z.string().trim().min(1).max(limits.login),
    password: password.min(1).optional(),
    passwordConfirm: password.optional(),
    email,
    ...profile,
    _id: noId,
    invitation: z
      .string()
      .max(200)
      .optional()
      .describe('Token of an invitation to this address, which confirms the address'),
    invite: z
      .boolean()
      .optional()
      .describe('For administrators, instead of a password: the person gets an email to choose one'),
    sync: z
      .literal(true)
      .optional()
      .describe(
        'For administrators: a sync of a file makes the account, and may deactivate it (`admin/import`)',
      ),
    ifExists: z
      .enum(['refuse', 'answer'])
      .optional()
      .describe(
        'For administrators: with `answer`, the call answers with the existing account of this username and address; with `refuse`, it fails',
      ),
  }),
  errors: {
    ...errors,
    login: 'BACKEND.ERROR.TYPE.PARAM_STR',
    password: 'BACKEND.ERROR.TYPE.PARAM_STR',
  },
} satisfies InputSchema;
export type Registration = Omit<Sent<typeof registration>, '_id'>;

const params = z.strictObject({ login: z.string().max(300) });

const byLogin = { params, errors: { login: 'BACKEND.ERROR.USER.NOT_FOUND' } } satisfies InputSchema;

/** `DELETE user/:login` */
const removalAnswer = keyAnswer.extend({
  preview: z.literal(true).optional().describe('Nothing was deleted: this would be'),
  removed: z.strictObject({
    groups: z
      .array(
        z.strictObject({
          _id: z.string(),
          name: z.string(),
          pads: z.int(),
          people: z.int().describe('Other people, who lose access'),
        }),
      )
      .describe('The groups that nobody else manages. They are deleted with their pads'),
    people: z.int().describe('All people who lose access to one of these groups, each once'),
    left: z.int().describe('The number of groups that stay, because others manage them'),
    trashed: z
      .array(z.strictObject({ _id: z.string(), name: z.string(), pads: z.int() }))
      .optional()
      .describe('Of a preview: groups in the trash that nobody else managed. They are deleted for good'),
  }),
});
export type RemovalAnswer = z.infer<typeof removalAnswer>;

/**
 * `PUT user/:login`. An empty password keeps the old one. Clients send back the fields from `_id` on as they got them:
 * `_id` and `login` must match the account, the others are ignored.
 */
export const profileChange = {
  params,
  body: z.strictObject({
    ...profile,
    email: email.optional(),
    password: password.optional(),
    passwordConfirm: password.optional(),
    currentPassword: password.optional(),
    /** The name of `currentPassword` in ep_mypads 1.x. */
    passwordCurrent: ignored(password.optional()),
    active: z.boolean().optional().describe('Ignored unless a server administrator sends it'),
    _id: ignored(z.string().min(1).max(limits.id).optional()),
    login: ignored(z.string().max(300).optional()),
    ...ignoredFields('groups', 'bookmarks', 'userlists', 'ctime', 'key'),
    ...ignoredFields('pendingEmail', 'closed', 'unconfirmed', 'addressTaken', 'passwordAt'),
  }),
  errors: {
    ...errors,
    login: 'BACKEND.ERROR.TYPE.PARAM_INVALID',
    currentPassword: 'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT',
    passwordCurrent: 'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT',
  },
} satisfies InputSchema;
export type ProfileChange = Sent<typeof profileChange>;

/**
 * `POST user`, `PUT user/:login`. If `value.active` is false, the person must first open the link in the mail that was
 * sent.
 */
export const registerAnswer = z.strictObject({ success, key: z.string(), value: account, made });
export type RegisterAnswer = z.infer<typeof registerAnswer>;

/** One browser or program that is signed in. */
const ownSession = z
  .strictObject({
    _id: z.string().describe('Names the session in `DELETE user/{login}/sessions/{session}`'),
    created: time,
    lastSeen: time.describe('When it was last used, accurate to five minutes'),
    browser: z.string().describe('The `User-Agent` header of the sign-in, cut to 200 characters'),
    current: z.boolean().describe('Whether the call was made with this session'),
  })
  .meta({ id: 'OwnSession' });
export type OwnSession = z.infer<typeof ownSession>;

export const register = details({
  input: registration,
  answer: registerAnswer,
  errors: [
    ...mailErrors,
    'BACKEND.ERROR.AUTHENTICATION.NO_REGISTRATION',
    'BACKEND.ERROR.AUTHENTICATION.NO_RECOVER',
    'BACKEND.ERROR.INVITATION.OTHER_ADDRESS',
    'BACKEND.ERROR.TOKEN.EXPIRED',
    'BACKEND.ERROR.TOKEN.INCORRECT',
    'BACKEND.ERROR.TYPE.LOGIN_STR',
    'BACKEND.ERROR.TYPE.PARAM_STR',
    'BACKEND.ERROR.TYPE.PASSWORD_SIZE',
    'BACKEND.ERROR.USER.ALREADY_EXISTS',
    'BACKEND.ERROR.USER.EMAIL_ALREADY_EXISTS',
    'BACKEND.ERROR.PERMISSION.TOO_MANY',
  ],
  example: {
    body: {
      login: 'alice',
      password: 'alices-password',
      email: 'alice@example.org',
      firstname: 'Alice',
      lang: 'en',
    },
  },
});

export const read = details({ input: byLogin, answer: z.strictObject({ key: z.string(), value: account }) });

export const save = details({
  input: profileChange,
  answer: registerAnswer,
  errors: [
    ...mailErrors,
    ...passwordErrors,
    'BACKEND.ERROR.AUTHENTICATION.NO_RECOVER',
    'BACKEND.ERROR.TYPE.PASSWORD_SIZE',
    'BACKEND.ERROR.USER.EMAIL_ALREADY_EXISTS',
  ],
  example: { body: { firstname: 'Alice', color: '#1a6b4a', lang: 'fr' } },
});

/** People who remove their own account must send `currentPassword`. */
export const remove = details({
  input: {
    ...byLogin,
    query: z.strictObject({
      preview: yesOrNo().describe('Only answers what would be deleted, and deletes nothing'),
    }),
    body: z.strictObject({
      currentPassword: password.optional(),
      folders: z
        .strictObject({
          to: loginOrEmail.describe('Username or email address of another account'),
        })
        .optional()
        .describe('The account that becomes a manager of the groups that nobody else manages'),
      groups: z
        .array(z.string().max(limits.id))
        .max(limits.people)
        .optional()
        .describe('The groups that may be deleted, as a preview named them. Refused if there are others now'),
    }),
    errors: { ...byLogin.errors, currentPassword: 'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT' },
  },
  answer: removalAnswer,
  errors: [...passwordErrors, 'BACKEND.ERROR.CONFIGURATION.CHANGED'],
  example: {
    body: { currentPassword: 'alices-password' },
    answer: {
      success: true,
      key: 'alice',
      removed: {
        groups: [{ _id: 'class-5a-x', name: 'Class 5a', pads: 12, people: 24 }],
        people: 24,
        left: 1,
      },
    },
  },
});

/** The last used one first. */
export const sessions = details({
  input: byLogin,
  answer: z.strictObject({ key: z.string(), value: z.array(ownSession) }),
});
export const endSession = details({
  input: {
    params: params.extend({ session: z.string().max(limits.id) }),
    errors: { ...byLogin.errors, session: 'BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND' },
  },
  answer: keyAnswer,
});
export const endSessions = details({ input: byLogin, answer: keyAnswer });
