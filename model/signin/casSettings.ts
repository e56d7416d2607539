/** Reads and checks `authCasSettings`. */
import * as z from 'zod';
import { webAddress } from './casAddresses';
import { type AttributeNames, attributeNames } from './profile';
import { certificates, choice, flag, isTextOrTexts, properties, readSettings } from './settingsFault';

const versions = { 1: '1.0', 2: '2.0', 3: '3.0' } as const;

export interface CasSettings {
  serverUrl: string;
  version: (typeof versions)[keyof typeof versions];
  names: AttributeNames;
  lang: unknown;
  tls: { rejectUnauthorized: boolean; ca?: string | string[] };
}

const defaultNames: AttributeNames = {
  login: 'user',
  email: 'email',
  firstname: 'firstname',
  lastname: 'lastname',
};

const isNoServer = 'is not of the form https://host/path';

/** What sign-in needs. Stored settings may have anything else. */
const needed = z.looseObject(
  {
    serverUrl: z.preprocess(webAddress, z.string(isNoServer)),
    protocolVersion: z.preprocess(
      (version) => Number(version ?? 3),
      z.literal([1, 2, 3], 'is not 1, 2 or 3'),
    ),
  },
  'are not an object',
);

/**
 * Reads `authCasSettings`. `protocolVersion` may be a number or text (`"3"`, `"3.0"`). `strictSSL: false` accepts any
 * certificate; `ca` trusts one (PEM). Other keys are ignored. Throws a SettingsFault when something is unusable.
 */
export function readCasSettings(value: unknown): CasSettings {
  const settings = readSettings(needed, value);
  return {
    serverUrl: settings.serverUrl,
    version: versions[settings.protocolVersion],
    names: attributeNames(settings.properties, defaultNames),
    lang: settings.defaultLang,
    tls: {
      rejectUnauthorized: settings.strictSSL !== false,
      ...(isTextOrTexts(settings.ca) ? { ca: settings.ca } : {}),
    },
  };
}

/** `serverUrl` without the `/login` of the page from which people copy it. */
export function withoutLoginPage(settings: Record<string, unknown>): Record<string, unknown> {
  const { serverUrl } = settings;
  if (webAddress(serverUrl) === undefined) return settings;
  const { origin, pathname } = new URL(String(serverUrl));
  const path = /^(.*)\/login\/*$/.exec(pathname)?.[1];
  return path === undefined ? settings : { ...settings, serverUrl: `${origin}${path}` };
}

const isNoAddress = 'is not an http or https address';

/** Settings that may be stored; `languages` are the valid languages of accounts. */
export const casToStore = (languages: readonly string[]) =>
  needed.extend({
    // A path is appended to it, so it has no query, fragment or blank.
    serverUrl: z.preprocess(webAddress, z.string(isNoServer).regex(/^[^\s?#]*$/, isNoServer)),
    protocolVersion: choice([1, 2, 3, '1', '2', '3', '1.0', '2.0', '3.0']).optional(),
    properties: properties.optional(),
    defaultLang: choice(['', ...languages]).optional(),
    logoutUrl: z
      .string(isNoAddress)
      .refine((address) => address === '' || webAddress(address) !== undefined, isNoAddress)
      .optional(),
    strictSSL: flag.optional(),
    ca: certificates.optional(),
  });
