import * as z from 'zod';
import { limits } from '../../model/limits';
import { keyAnswer, ownUser, signInMethod, success } from '../answers';
import { details, type InputSchema } from '../declaration';
import { ignored } from '../middleware/ignoredFields';
import { anyValue, oneSetting, publicSchemas, shownSettings } from './settings';

const name = z.string().min(1).max(limits.text);
const value = z.custom<NonNullable<unknown> | null>((sent) => sent !== undefined);
const was = z
  .strictObject({ value: z.unknown().optional() })
  .optional()
  .describe('The setting as it was read. If it has changed since, the call is refused and stores nothing');

/** `GET configuration/:key`, and with a body `DELETE configuration/:key` */
const byKey = {
  params: z.strictObject({ key: name }),
  errors: { key: 'BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND' },
} satisfies InputSchema;

const names = z.array(z.string());

/** Not a setting: it follows from `authMethod`, `rootUrl` and the settings of mail. */
const passwordRecovery = {
  type: 'boolean',
  description:
    'Whether `POST passrecover` can send emails: accounts have passwords here, and email is set up',
} as const;

const storesPasswords = {
  type: 'boolean',
  description: 'Whether accounts can have a password here',
} as const;

const shownMethods = {
  type: 'array',
  items: { $ref: '#/components/schemas/SignInMethod' },
  description: 'The ways to sign in, as `GET auth/methods` returns them',
} as const;

/** Administrators also get every other setting, and the stored `authCasSettings`. */
const published = z
  .object({
    ...publicSchemas,
    /** The pages of the CAS server. `''` if they are not known: CAS is off, or `rootUrl` is not set. */
    authCasSettings: z.object({ serverUrl: z.string(), loginUrl: z.string(), logoutUrl: z.string() }),
    passwordRecovery: z.boolean(),
    storesPasswords: z.boolean(),
    signInMethods: z.array(signInMethod),
  })
  .meta({
    // Not `Configuration`: generated clients in Python have a class of their own with this name.
    id: 'ServerSettings',
    properties: { ...shownSettings, passwordRecovery, storesPasswords, signInMethods: shownMethods },
    additionalProperties: false,
  });

export type PublicConfiguration = z.infer<typeof published>;

/** `GET configuration`. For administrators, `value` holds every setting. */
export const configurationAnswer = z.strictObject({
  value: published,
  locked: names.optional().describe('For administrators: the settings that the settings file fixes'),
  secrets: names
    .optional()
    .describe('For administrators: names of the secrets that are set. Their values are never sent'),
  auth: z.boolean().describe('Whether the token belongs to a valid session of a person or an administrator'),
  user: ownUser.optional(),
  hostAdministrator: z
    .string()
    .optional()
    .describe(
      'Who is signed in as an administrator at Etherpad itself in this browser. Not sent to administrators',
    ),
});
export type ConfigurationAnswer = z.infer<typeof configurationAnswer>;

/** `GET configuration/:key`. Without `value` if the setting is a secret. */
const settingAnswer = z
  .strictObject({ key: z.string(), value: z.unknown().optional() })
  .meta({ oneOf: oneSetting(false) });

/** `POST configuration`, `PUT configuration/:key`. Without `value` if the setting is a secret. */
export const settingSavedAnswer = z
  .strictObject({ success, key: z.string(), value: z.unknown().optional() })
  .meta({ oneOf: oneSetting(false) });
export type SettingSavedAnswer = z.infer<typeof settingSavedAnswer>;

/**
 * `GET configuration/public/allpadspublicsauthentifiedonly`. `group`: the group of the pad `pid`. Guests do not get it.
 */
export const authentifiedOnlyAnswer = z.strictObject({
  success,
  allpadspublicsauthentifiedonly: z.boolean(),
  group: z.string().optional(),
});
export type AuthentifiedOnlyAnswer = z.infer<typeof authentifiedOnlyAnswer>;

/** model/settings checks the value, and tries settings of sign-in services. */
const changeErrors = [
  'BACKEND.ERROR.CONFIGURATION.LOCKED',
  'BACKEND.ERROR.CONFIGURATION.SIGN_IN_NOT_CONFIGURED',
  'BACKEND.ERROR.CONFIGURATION.UNABLE_TO_BIND_TO_LDAP',
  'BACKEND.ERROR.AUTHENTICATION.DIRECTORY_UNAVAILABLE',
  'BACKEND.ERROR.TYPE.PARAM_INVALID',
  'BACKEND.ERROR.TYPE.SMTP_CONFIG',
  'BACKEND.ERROR.TYPE.PASSWORD_SIZE',
] as const;

export const read = details({ answer: configurationAnswer });
export const useFirstLastName = details({
  answer: z.strictObject({ success, usefirstlastname: z.boolean() }),
  deprecated: true,
});
export const authentifiedOnly = details({
  input: {
    query: z.object({ pid: z.string().max(limits.id).optional() }),
    errors: { pid: 'BACKEND.ERROR.TYPE.PARAM_INVALID' },
  },
  answer: authentifiedOnlyAnswer,
  deprecated: true,
});
export const readOne = details({ input: byKey, answer: settingAnswer });

export const saveByBody = details({
  input: {
    body: z.strictObject({ key: name, value }).meta({ oneOf: oneSetting(true) }),
    errors: { key: 'BACKEND.ERROR.TYPE.KEY_STR', value: 'BACKEND.ERROR.TYPE.VALUE_REQUIRED' },
  },
  answer: settingSavedAnswer,
  errors: changeErrors,
  deprecated: true,
  example: { body: { key: 'title', value: 'Our pads' } },
});

/** model/settings/configuration.ts checks the value. */
export const save = details({
  input: {
    params: z.strictObject({ key: name }),
    body: z.strictObject({
      value: value.meta({ anyOf: anyValue }),
      was,
      key: ignored(name.optional()),
    }),
    errors: { key: 'BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND', value: 'BACKEND.ERROR.TYPE.VALUE_REQUIRED' },
  },
  answer: settingSavedAnswer,
  errors: [...changeErrors, 'BACKEND.ERROR.CONFIGURATION.CHANGED'],
  example: { body: { value: 'Our pads' } },
});

export const reset = details({
  input: { ...byKey, body: z.strictObject({ was }) },
  answer: keyAnswer,
  errors: [
    'BACKEND.ERROR.CONFIGURATION.LOCKED',
    'BACKEND.ERROR.CONFIGURATION.SIGN_IN_NOT_CONFIGURED',
    'BACKEND.ERROR.CONFIGURATION.CHANGED',
    'BACKEND.ERROR.TYPE.PASSWORD_SIZE',
  ],
});
