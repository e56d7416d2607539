/**
 * Who may make a call: `who` of calls.ts, checked before the input is read. The rules are in
 * model/access/permissions.ts; this file throws the error. records.ts checks what depends on a record, such as a
 * group's administrators.
 */
import type { Request } from 'express';
import type { Administrator } from '../../model/access/administrator';
import { type Actor, mayAdministrate, mayChangeAccount } from '../../model/access/permissions';
import { MyPadsError } from '../../model/errors';
import type { Scope, SessionRecord, UserRecord } from '../../model/store/entities';
import { allows, type Caller } from './caller';

export type PersonActor = Actor & { kind: 'user' };
export type AdminActor = Actor & { kind: 'admin' };

/** A person with a session or an API token. */
export interface SignedInPerson extends Caller {
  actor: PersonActor;
  user: UserRecord;
}

/** A server administrator with a session or an API token. */
export interface ServerAdministrator extends Caller {
  actor: AdminActor;
}

/** Every value of `who` that a route can declare, and the caller that its handler then gets. */
export interface Callers {
  /**
   * The caller is not checked, so an invalid token is no error. For signing in, and for answers that are the same for
   * everybody.
   */
  public: Caller;
  /**
   * Guests too; the handler decides what they get. A call with an invalid token is refused, not treated as a guest's
   * call.
   */
  everybody: Caller;
  /** A person, or a guest whose token proves that they know passwords of folders or pads. */
  visitor: Caller & { session: SessionRecord };
  person: SignedInPerson;
  /** A person or a server administrator. */
  signedIn: SignedInPerson | ServerAdministrator;
  /** The person whose login is in the path, or a server administrator. */
  oneself: SignedInPerson | ServerAdministrator;
  administrator: ServerAdministrator;
  /** Somebody who is signed in as an administrator at Etherpad itself, in the same browser. */
  hostAdministrator: Caller & { host: Administrator };
}

export type Who = keyof Callers;

const administrator = 'server administrator';

/** The callers in words, for the API description. A route whose handler decides more says it in `openTo`. */
export const callersInWords: Readonly<Record<Who, string>> = {
  public: 'everyone',
  everybody: 'everyone',
  visitor: 'person, guest with a token',
  person: 'person',
  signedIn: `person, ${administrator}`,
  oneself: `the account’s owner, ${administrator}`,
  administrator,
  hostAdministrator: 'an administrator who is signed in at Etherpad’s `/admin` in the same browser',
};

const isPerson = (caller: Caller): caller is SignedInPerson =>
  caller.actor.kind === 'user' && caller.user !== undefined;

const isAdministrator = (caller: Caller): caller is ServerAdministrator => mayAdministrate(caller.actor);

function requirePerson(caller: Caller): SignedInPerson {
  if (!isPerson(caller)) throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.NOT_AUTH');
  return caller;
}

function requireAdministrator(caller: Caller): ServerAdministrator {
  if (!isAdministrator(caller)) throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.ADMIN');
  return caller;
}

const checks: { [Name in Who]: (caller: Caller, request: Request) => Callers[Name] } = {
  public: (caller) => caller,
  everybody(caller) {
    if (caller.tokenRefused) throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.NOT_AUTH');
    return caller;
  },
  visitor(caller) {
    const { session } = caller;
    if (!session || session.kind === 'admin') throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.NOT_AUTH');
    return { ...caller, session };
  },
  person: requirePerson,
  signedIn: (caller) => (isAdministrator(caller) ? caller : requirePerson(caller)),
  oneself(caller, request) {
    const known = checks.signedIn(caller, request);
    const own = request.params.login === caller.user?.login ? caller.user?._id : undefined;
    if (!mayChangeAccount(caller.actor, own)) throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.DENIED');
    return known;
  },
  administrator: requireAdministrator,
  hostAdministrator(caller) {
    const { host } = caller;
    if (!host) throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.ADMIN');
    return { ...caller, host };
  },
};

/** Throws API_TOKEN.SCOPE if the call was made with an API token that does not allow it. `null`: none does. */
export function requireScope(scope: Scope | null, { mypads: caller }: Request): void {
  if (allows(caller, scope)) return;
  throw new MyPadsError('BACKEND.ERROR.API_TOKEN.SCOPE', scope === null ? {} : { scope });
}

/** Returns the caller as the type that the route declared. Throws NOT_AUTH, DENIED or ADMIN for any other caller. */
export function requireCaller<Name extends Who>(who: Name, request: Request): Callers[Name] {
  return checks[who](request.mypads, request);
}
