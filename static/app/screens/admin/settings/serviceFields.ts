import type { TextKey } from '../../../texts/i18n';

/** An object of settings as it is stored. */
export type ServiceValue = Readonly<Record<string, unknown>>;

/** A field of the form for LDAP or CAS. */
export interface ServiceField {
  /** Where the value is, such as `tlsOptions.ca`. */
  path: string;
  label: TextKey;
  help?: TextKey;
  /**
   * `lines`: one text, or several with one on each line. `secret`: a hidden text. `certificate`: a long text.
   * `on`, `off`: a switch; the name is its state if the value is missing. `language`, `scope`, `version`: a choice.
   */
  kind: 'text' | 'secret' | 'lines' | 'certificate' | 'off' | 'on' | 'language' | 'scope' | 'version';
  /** Shown while the field is empty: the default. */
  placeholder?: string;
}

const attributes = (names: readonly [string, string, string, string]): ServiceField[] => [
  { path: 'properties.login', label: 'admin.service.login', kind: 'text', placeholder: names[0] },
  { path: 'properties.email', label: 'admin.service.email', kind: 'text', placeholder: names[1] },
  { path: 'properties.firstname', label: 'admin.service.firstname', kind: 'text', placeholder: names[2] },
  { path: 'properties.lastname', label: 'admin.service.lastname', kind: 'text', placeholder: names[3] },
];

/** `authLdapSettings` */
export const ldapFields: readonly ServiceField[] = [
  { path: 'url', label: 'admin.ldap.url', help: 'admin.ldap.url.help', kind: 'lines' },
  { path: 'bindDN', label: 'admin.ldap.bindDN', help: 'admin.ldap.bindDN.help', kind: 'text' },
  { path: 'bindCredentials', label: 'admin.ldap.bindCredentials', kind: 'secret' },
  { path: 'searchBase', label: 'admin.ldap.searchBase', kind: 'text' },
  { path: 'searchScope', label: 'admin.ldap.searchScope', kind: 'scope' },
  {
    path: 'searchFilter',
    label: 'admin.ldap.searchFilter',
    help: 'admin.ldap.searchFilter.help',
    kind: 'text',
  },
  ...attributes(['uid', 'mail', 'givenName', 'sn']),
  { path: 'starttls', label: 'admin.ldap.starttls', help: 'admin.ldap.starttls.help', kind: 'off' },
  {
    path: 'tlsOptions.rejectUnauthorized',
    label: 'admin.service.verify',
    help: 'admin.service.verify.help',
    kind: 'on',
  },
  { path: 'tlsOptions.ca', label: 'admin.service.ca', help: 'admin.service.ca.help', kind: 'certificate' },
  { path: 'defaultLang', label: 'admin.service.lang', kind: 'language' },
];

/** `authCasSettings` */
export const casFields: readonly ServiceField[] = [
  { path: 'serverUrl', label: 'admin.cas.serverUrl', help: 'admin.cas.serverUrl.help', kind: 'text' },
  { path: 'protocolVersion', label: 'admin.cas.version', kind: 'version' },
  { path: 'logoutUrl', label: 'admin.cas.logoutUrl', help: 'admin.cas.logoutUrl.help', kind: 'text' },
  ...attributes(['user', 'email', 'firstname', 'lastname']),
  { path: 'strictSSL', label: 'admin.service.verify', help: 'admin.service.verify.help', kind: 'on' },
  { path: 'ca', label: 'admin.service.ca', help: 'admin.service.ca.help', kind: 'certificate' },
  { path: 'defaultLang', label: 'admin.service.lang', kind: 'language' },
];

function isObject(value: unknown): value is ServiceValue {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a path such as `properties.login`. */
export function valueAt(value: ServiceValue, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), value);
}

/** A copy with another value at a path. `undefined` removes it, so that its default applies. */
export function withValueAt(value: ServiceValue, path: string, next: unknown): ServiceValue {
  const [name = '', ...rest] = path.split('.');
  if (rest.length === 0) {
    const { [name]: _, ...others } = value;
    // The key keeps its position, so that the JSON view does not jump.
    return next === undefined ? others : { ...value, [name]: next };
  }
  const inner = value[name];
  const changed = withValueAt(isObject(inner) ? inner : {}, rest.join('.'), next);
  return { ...value, [name]: changed };
}

/** Parses the JSON view. `undefined` if it is no JSON object. */
export function parseService(text: string): ServiceValue | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
