/**
 * Every number that a rule of the product rests on, in one place. The schemas of the API and the forms of the page read
 * the same constants, so that they cannot disagree. Where a number comes from: sections 5 and 9 of the specification.
 */
export const limits = {
  /** Characters of a group's, pad's and user list's name. */
  name: 40,
  /** Characters of a login at registration and sign-in. Older logins may be longer and still sign in. */
  login: 40,
  /** Characters of any other single-line text kept in a record (first name, organisation, …). */
  text: 100,
  /** Characters of a group's description. */
  description: 2_000,
  /** Characters of one tag, and tags of one group. */
  tag: 40,
  tags: 50,
  /** Characters of an e-mail address (RFC 5321, 4.5.3.1.3). */
  email: 254,
  /** `#rrggbb`. */
  color: 7,
  /** Entries of one list of people (invitation, sharing, user list). */
  people: 1_000,
  /** User lists of one person. */
  userlists: 200,
  /** People on all of them together, somebody on two lists counted twice. They stand in the account's record. */
  listed: 5_000,
  /** Characters of an id in a path or a body. Ours have at most 50; those of the earlier generation had no limit. */
  id: 255,
  /** Characters of a password that we are willing to hash at all; the configured maximum is lower. */
  password: 1_000,
  /** Bytes of a JSON body. */
  body: 100 * 1024,
  /** Fewest characters of a search in the list of groups. */
  search: 3,
  /** Rows on one page of a list. */
  page: 50,
} as const;

/** How long things live, in milliseconds. */
export const lifetimes = {
  /** A session of a person: from sign-in, and since it was last used. */
  session: 90 * 24 * 3600_000,
  sessionIdle: 30 * 24 * 3600_000,
  /** A guest's browser that has proved a password. */
  guestSession: 24 * 3600_000,
  /** A server administrator's session. */
  adminSession: 12 * 3600_000,
  /** The same, of an account that only an authentication plugin of the host knows: nobody can be asked again in between. */
  vouchedAdminSession: 2 * 3600_000,
  /** An account that nobody confirmed, counted from the end of its last link: as long as that is called old and not unknown. */
  unconfirmed: 7 * 24 * 3600_000,
  /** A ticket that lets a frame enter one pad once. */
  ticket: 60_000,
} as const;

/**
 * What a form takes for an e-mail address: the whole text, one `@`, a domain with a dot. The server looks closer (`mailAddress` of
 * model/mail.ts), and takes nothing that this refuses.
 */
export const emailPattern = /^[^\s@<>()[\]\\,;:"]+@[\p{L}\p{N}\p{M}-]+(\.[\p{L}\p{N}\p{M}-]+)+$/u;

/**
 * What a new login may be: nothing that cannot be seen or that turns what stands beside it around, but for the joiners that some scripts
 * are written with between letters; and no name that a browser takes out of a path. In the composed form of Unicode (NFC), so that two that look the same are the same.
 */
export const loginPattern =
  /^(?!\.{1,2}$)(?:[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?<=[\p{L}\p{M}])(?<!\p{scx=Latn})[\u200c\u200d](?=\p{L}))+$/u;

/** `#rrggbb`, or nothing. */
export const colorPattern = /^(#[0-9a-fA-F]{6})?$/;
