/**
 * People as sign-in services describe them. `authenticate` reads the settings at each call. It throws TYPE.USER_INVALID
 * (no usable login), AUTHENTICATION.LDAP_NO_VALID_MAIL (no valid address), AUTHENTICATION.DIRECTORY_UNAVAILABLE (down,
 * slow or invalid; the log tells which) within `externalTimeLimit`.
 */
import type { ExternalIdentity } from '../externalIdentity';

/** A person as the directory describes them. Texts are trimmed and have at most `limits.text` characters. */
export interface Profile {
  /** As the directory writes it, which may differ from what was typed. Never empty. */
  login: string;
  /** Always a valid address. */
  email: string;
  /** It was made of the login, which people can often choose themselves. */
  emailMade?: true;
  /** `''` when the directory has none; also `lastname`. */
  firstname: string;
  lastname: string;
  /** Language of new accounts, if configured. */
  lang?: string;
}

/** Values by the name of an attribute; `null`: the service sends nothing about it. */
export type Attributes = Readonly<Record<string, readonly string[] | null>>;

/** A person whom a service has confirmed. */
export interface ConfirmedPerson extends Profile {
  identity: ExternalIdentity;
  /** Only the attributes that rules name. */
  attributes: Attributes;
}

/** Milliseconds after which a directory or sign-on server counts as unavailable. */
export const externalTimeLimit = 5_000;
