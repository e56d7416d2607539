/**
 * Signing in through somebody else: credentials in, profile out. What becomes of the profile (a new account, an updated one, a
 * session) is decided by the caller; nothing here knows accounts.
 */

/** Who the directory or the sign-on server says this is. Every text is trimmed and at most `limits.text` characters long. */
export interface Profile {
  /** As the other side writes it, which may differ from what was typed. Never empty. */
  login: string;
  /** Always a valid address. */
  email: string;
  /** `''` when the other side has none; the same for `lastname`. */
  firstname: string;
  lastname: string;
  /** The language of new accounts, when the settings name one. */
  lang?: string;
}

export interface PasswordCredentials {
  login: string;
  password: string;
}

export interface TicketCredentials {
  /** What the sign-on server added to the address of our sign-in page. */
  ticket: string;
}

/**
 * One way to sign in. Reads its settings at each call and keeps nothing between calls. Both ways throw TYPE.USER_INVALID (the
 * other side does not say a usable login), AUTHENTICATION.LDAP_NO_VALID_MAIL (no valid address) and
 * AUTHENTICATION.DIRECTORY_UNAVAILABLE (down, slow, or answering nonsense; the log says which), within `externalTimeLimit`.
 */
export interface SignInMethod<Credentials> {
  authenticate(credentials: Credentials): Promise<Profile>;
}

/** Milliseconds until a directory or sign-on server that does not answer is given up. */
export const externalTimeLimit = 5_000;
