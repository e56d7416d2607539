/** Who a person is for a service by which they sign in. */
export interface ExternalIdentity {
  /** A name of model/signin/methods.ts. A later version may have stored others. */
  method: string;
  /** `''` for a method of which there is one service: moving it to another address must lock nobody out. */
  issuer: string;
  /** The person's name there, which never changes. */
  subject: string;
}

/** The same text for all spellings of a login that mean one person at a service: in any case, with any form of é. */
export const loginAtService = (login: string): string => login.toLowerCase().normalize();

/** Without an issuer it is a login, whose é some services send as one character and others as two. */
const comparableSubject = ({ issuer, subject }: ExternalIdentity): string =>
  issuer === '' ? subject.normalize() : subject;

export const isSameIdentity = (one: ExternalIdentity, other: ExternalIdentity): boolean =>
  one.method === other.method &&
  one.issuer === other.issuer &&
  comparableSubject(one) === comparableSubject(other);
