/** Reads and checks `authCasSettings`. */
import { webAddress } from './casAddresses';
import { type AttributeNames, attributeNames, isSettings } from './profile';
import { flag, object, oneOf, propertiesFault, SettingsFault, shapeFault } from './settingsFault';

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

function isCertificates(value: unknown): value is string | string[] {
  return typeof value === 'string' || (Array.isArray(value) && value.every((one) => typeof one === 'string'));
}

/**
 * Reads `authCasSettings`. `protocolVersion` may be a number or text (`"3"`, `"3.0"`). `strictSSL: false` accepts any
 * certificate; `ca` trusts one (PEM). Other keys are ignored. Throws a SettingsFault when something is unusable.
 */
export function readCasSettings(value: unknown): CasSettings {
  if (!isSettings(value)) throw new SettingsFault('', 'the settings are not an object');
  const serverUrl = webAddress(value.serverUrl);
  if (serverUrl === undefined) {
    throw new SettingsFault('serverUrl', 'serverUrl is not of the form https://host/path');
  }
  const number = Number(value.protocolVersion ?? 3);
  if (number !== 1 && number !== 2 && number !== 3) {
    throw new SettingsFault('protocolVersion', 'protocolVersion is not 1, 2 or 3');
  }
  return {
    serverUrl,
    version: versions[number],
    names: attributeNames(value.properties, defaultNames),
    lang: value.defaultLang,
    tls: {
      rejectUnauthorized: value.strictSSL !== false,
      ...(isCertificates(value.ca) ? { ca: value.ca } : {}),
    },
  };
}

/** True for an address that a path can be appended to: no query, fragment or blank. */
const isPlain = (address: unknown): boolean => typeof address === 'string' && !/[\s?#]/.test(address);

const isPem = (value: unknown): boolean =>
  isCertificates(value) && [value].flat().every((one) => one.includes('-----BEGIN CERTIFICATE-----'));

/** Finds an error in settings that are to be stored; `languages` are the valid languages of accounts. */
export function casFault(
  settings: Record<string, unknown>,
  languages: readonly string[],
): SettingsFault | undefined {
  try {
    readCasSettings(settings);
  } catch (error) {
    if (error instanceof SettingsFault) return error;
    throw error;
  }
  if (!isPlain(settings.serverUrl)) {
    return new SettingsFault('serverUrl', 'serverUrl is not of the form https://host/path');
  }
  const versionShape = oneOf([1, 2, 3, '1', '2', '3', '1.0', '2.0', '3.0']);
  const logoutUrl = {
    is: 'an http or https address',
    valid: (value: unknown) => value === '' || webAddress(value) !== undefined,
  };
  const shapes = {
    protocolVersion: versionShape,
    properties: object,
    defaultLang: oneOf(['', ...languages]),
    logoutUrl,
    strictSSL: flag,
    ca: { is: 'one or several certificates as PEM', valid: isPem },
  };
  return shapeFault(settings, shapes) ?? propertiesFault(settings.properties);
}
