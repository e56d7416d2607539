import * as z from 'zod';
import { limits } from '../../model/limits';
import { ownUser, success } from '../answers';
import { ignored } from '../middleware/ignoredFields';
import type { InputSchema } from '../middleware/route';
import { anyValue, oneSetting, publicSchemas, shownSettings } from './settings';

const name = z.string().min(1).max(limits.text);
const value = z.unknown().refine((sent) => sent !== undefined);

/** `GET configuration/:key`, `DELETE configuration/:key` */
export const byKey = {
  params: z.strictObject({ key: name }),
  errors: { key: 'BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND' },
} satisfies InputSchema;

/** `PUT configuration/:key`. model/settings/configuration.ts checks the value. */
export const valueByKey = {
  params: z.strictObject({ key: name }),
  body: z.strictObject({ value: value.meta({ anyOf: anyValue }), key: ignored(name.optional()) }),
  errors: { key: 'BACKEND.ERROR.CONFIGURATION.KEY_NOT_FOUND', value: 'BACKEND.ERROR.TYPE.VALUE_REQUIRED' },
} satisfies InputSchema;

/** `POST configuration` */
export const keyAndValue = {
  body: z.strictObject({ key: name, value }).meta({ oneOf: oneSetting(true) }),
  errors: { key: 'BACKEND.ERROR.TYPE.KEY_STR', value: 'BACKEND.ERROR.TYPE.VALUE_REQUIRED' },
} satisfies InputSchema;

/** `GET configuration/public/allpadspublicsauthentifiedonly` */
export const padOfQuery = {
  query: z.object({ pid: z.string().max(limits.id).optional() }),
  errors: { pid: 'BACKEND.ERROR.TYPE.PARAM_INVALID' },
} satisfies InputSchema;

const names = z.array(z.string());

/** Not a setting: it follows from `authMethod`, `rootUrl` and the settings of mail. */
const passwordRecovery = {
  type: 'boolean',
  description: 'Whether `POST passrecover` can send mails: accounts have passwords here, and mail is set up',
} as const;

/** Administrators also get every other setting, and the stored `authCasSettings`. */
const published = z
  .object({
    ...publicSchemas,
    /** The pages of the CAS server. `''` if they are not known: CAS is off, or `rootUrl` is not set. */
    authCasSettings: z.object({ serverUrl: z.string(), loginUrl: z.string(), logoutUrl: z.string() }),
    passwordRecovery: z.boolean(),
  })
  .meta({
    id: 'Configuration',
    properties: { ...shownSettings, passwordRecovery },
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
export const settingAnswer = z
  .strictObject({ key: z.string(), value: z.unknown().optional() })
  .meta({ oneOf: oneSetting(false) });
export type SettingAnswer = z.infer<typeof settingAnswer>;

/** `POST configuration`, `PUT configuration/:key`. Without `value` if the setting is a secret. */
export const settingSavedAnswer = z
  .strictObject({ success, key: z.string(), value: z.unknown().optional() })
  .meta({ oneOf: oneSetting(false) });
export type SettingSavedAnswer = z.infer<typeof settingSavedAnswer>;

/** `GET configuration/public/usefirstlastname` */
export const useFirstLastNameAnswer = z.strictObject({ success, usefirstlastname: z.boolean() });
export type UseFirstLastNameAnswer = z.infer<typeof useFirstLastNameAnswer>;

/**
 * `GET configuration/public/allpadspublicsauthentifiedonly`. `group`: the group of the pad `pid`. Guests do not get it.
 */
export const authentifiedOnlyAnswer = z.strictObject({
  success,
  allpadspublicsauthentifiedonly: z.boolean(),
  group: z.string().optional(),
});
export type AuthentifiedOnlyAnswer = z.infer<typeof authentifiedOnlyAnswer>;
