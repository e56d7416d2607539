import type { TextKey } from '../../../texts/i18n';

/** An object of settings as it is stored. */
export type ServiceValue = Readonly<Record<string, unknown>>;

/** A field of the form of a service. */
export interface ServiceField {
  /** Where the value is, such as `tlsOptions.ca`. */
  path: string;
  label: TextKey;
  help?: TextKey;
  /**
   * `lines`: one text, or several with one on each line. `list`: texts. `secret`: a hidden text.
   * `certificate`: a long text.
   * `on`, `off`: a switch; the name is its state if the value is missing. `language`, `scope`, `version`: a choice.
   */
  kind:
    | 'text'
    | 'secret'
    | 'lines'
    | 'list'
    | 'certificate'
    | 'off'
    | 'on'
    | 'language'
    | 'scope'
    | 'version';
  /** Shown while the field is empty: the default. */
  placeholder?: string;
  /** The value of a switch that is on, if it is not `true`. */
  chosen?: string;
}

/** `within`: the object with the names of the attributes. */
const attributes = (
  names: readonly [string, string, string, string?],
  within = 'properties',
): ServiceField[] => [
  { path: `${within}.login`, label: 'admin.service.login', kind: 'text', placeholder: names[0] },
  { path: `${within}.email`, label: 'admin.service.email', kind: 'text', placeholder: names[1] },
  { path: `${within}.firstname`, label: 'admin.service.firstname', kind: 'text', placeholder: names[2] },
  {
    path: `${within}.lastname`,
    label: 'admin.service.lastname',
    kind: 'text',
    ...(names[3] !== undefined && { placeholder: names[3] }),
  },
];

const language: ServiceField = { path: 'defaultLang', label: 'admin.service.lang', kind: 'language' };
const name: ServiceField = { path: 'name', label: 'admin.service.name', kind: 'text' };
const emailDomain: ServiceField = {
  path: 'emailDomain',
  label: 'admin.service.emailDomain',
  help: 'admin.service.emailDomain.help',
  kind: 'text',
};
/** With the names of CAS. */
const tls: readonly ServiceField[] = [
  { path: 'strictSSL', label: 'admin.service.verify', help: 'admin.service.verify.help', kind: 'on' },
  { path: 'ca', label: 'admin.service.ca', help: 'admin.service.ca.help', kind: 'certificate' },
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
  {
    path: 'activeFilter',
    label: 'admin.ldap.activeFilter',
    help: 'admin.ldap.activeFilter.help',
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
  language,
];

/** `authCasSettings` */
export const casFields: readonly ServiceField[] = [
  { path: 'serverUrl', label: 'admin.cas.serverUrl', help: 'admin.cas.serverUrl.help', kind: 'text' },
  { path: 'protocolVersion', label: 'admin.cas.version', kind: 'version' },
  { path: 'logoutUrl', label: 'admin.cas.logoutUrl', help: 'admin.cas.logoutUrl.help', kind: 'text' },
  ...attributes(['user', 'email', 'firstname', 'lastname']),
  ...tls,
  language,
];

/** `authHeaderSettings` */
export const headerFields: readonly ServiceField[] = [
  name,
  { path: 'proxies', label: 'admin.header.proxies', help: 'admin.header.proxies.help', kind: 'list' },
  ...attributes(['Remote-User', 'Remote-Email', 'Remote-Name'], 'headers'),
  { path: 'headers.groups', label: 'admin.header.groups', help: 'admin.header.groups.help', kind: 'text' },
  emailDomain,
  { path: 'signOutUrl', label: 'admin.cas.logoutUrl', kind: 'text' },
  language,
];

/** A provider in `authOidcSettings` */
export const providerFields: readonly ServiceField[] = [
  name,
  { path: 'issuer', label: 'admin.oidc.issuer', kind: 'text', placeholder: 'https://id.example.org' },
  { path: 'clientId', label: 'admin.oidc.clientId', kind: 'text' },
  { path: 'clientSecret', label: 'admin.oidc.clientSecret', kind: 'secret' },
  { path: 'allow.claim', label: 'admin.oidc.allow.claim', help: 'admin.oidc.allow.claim.help', kind: 'text' },
  { path: 'allow.values', label: 'admin.oidc.allow.values', kind: 'list' },
];

/** Those that are rarely needed. */
export const moreProviderFields: readonly ServiceField[] = [
  { path: 'scopes', label: 'admin.oidc.scopes', kind: 'text', placeholder: 'openid profile email' },
  ...attributes(['preferred_username', 'email', 'given_name', 'family_name'], 'claims'),
  emailDomain,
  { path: 'trustEmail', label: 'admin.oidc.trustEmail', help: 'admin.oidc.trustEmail.help', kind: 'off' },
  { path: 'linkDomains', label: 'admin.oidc.linkDomains', help: 'admin.oidc.linkDomains.help', kind: 'list' },
  { path: 'takenLogin', label: 'admin.oidc.takenLogin', kind: 'off', chosen: 'number' },
  { path: 'signOut', label: 'admin.oidc.signOut', kind: 'on' },
  ...tls,
  language,
];

export function isObject(value: unknown): value is ServiceValue {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a path such as `properties.login`. */
export function valueAt(value: ServiceValue, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), value);
}

/**
 * A copy with another value at a path. `undefined` removes it, so that its default applies, and with it an object that
 * is empty then.
 */
export function withValueAt(value: ServiceValue, path: string, next: unknown): ServiceValue {
  const [name = '', ...rest] = path.split('.');
  if (rest.length === 0) {
    const { [name]: _, ...others } = value;
    // The key keeps its position, so that the JSON view does not jump.
    return next === undefined ? others : { ...value, [name]: next };
  }
  const inner = value[name];
  const changed = withValueAt(isObject(inner) ? inner : {}, rest.join('.'), next);
  if (next === undefined && Object.keys(changed).length === 0) return withValueAt(value, name, undefined);
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
