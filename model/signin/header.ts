/**
 * Sign-in by headers: a proxy has authenticated the person, and says with each request who they are. Only the address
 * of the connection says that a request comes from the proxy: its headers could be sent by everybody.
 */
import { isIPv6 } from 'node:net';
import { MyPadsError } from '../errors';
import { loginAtService } from '../externalIdentity';
import type { Log } from '../ports';
import { type HeaderSettings, readHeaderSettings } from './headerSettings';
import { attributesOf, personOf } from './profile';
import type { ConfirmedPerson } from './signIn';

/** A request as it arrived. */
export interface Received {
  socket: { remoteAddress?: string | undefined };
  /** Names and values in turn, as Node has them. */
  rawHeaders: readonly string[];
}

export interface HeaderContext {
  /** `authHeaderSettings`, read at each call. `undefined` while the method is not offered. */
  settings(): unknown;
  /** `groups` if rules name groups. */
  wanted(): Promise<readonly string[]>;
  log: Log;
}

/** The connection's address: an IPv4 address also where the server listens for both, and without the interface. */
const peerOf = ({ socket }: Received): string =>
  (socket.remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Node gives each byte as a character. Older proxies send ISO 8859-1, as HTTP once said. */
function decoded(value: string): string {
  try {
    return utf8.decode(Buffer.from(value, 'latin1')).trim();
  } catch {
    return value.trim();
  }
}

const valuesOf = ({ rawHeaders }: Received, name: string): string[] =>
  rawHeaders
    .filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name)
    .map(decoded);

/** Whether a value says nothing. Apache writes `(null)` for a variable that is not set. */
const isNothing = (value: string | undefined): boolean => value === undefined || /^(\(null\))?$/.test(value);

const namesIn = ({ names, groups }: HeaderSettings): string[] =>
  [...Object.values(names), groups].filter((name) => name !== '').map((name) => name.toLowerCase());

const isFromProxy = (request: Received, { proxies }: HeaderSettings): boolean => {
  const peer = peerOf(request);
  return peer !== '' && proxies.check(peer, isIPv6(peer) ? 'ipv6' : 'ipv4');
};

const failed = (reason: string) => new MyPadsError('BACKEND.ERROR.AUTHENTICATION.HEADER_FAILED', { reason });

/** What the headers say, by their names in lower case. Throws AUTHENTICATION.HEADER_FAILED with the `reason`. */
function attributesIn(request: Received, settings: HeaderSettings): Record<string, string> {
  if (!isFromProxy(request, settings)) throw failed('the request comes from no proxy');
  const found = namesIn(settings).map((name) => [name, valuesOf(request, name)] as const);
  // A proxy that adds its header and leaves the one of the caller would let everybody in as anybody.
  const twice = found.find(([, values]) => values.length > 1);
  if (twice) throw failed(`two headers ${twice[0]}`);
  const attributes: Record<string, string> = Object.fromEntries(
    found.flatMap(([name, [value = '']]) => (isNothing(value) ? [] : [[name, value]])),
  );
  const login = attributes[settings.names.login.toLowerCase()];
  if (login === undefined) throw failed('the proxy names nobody');
  const { emailDomain } = settings;
  if (emailDomain !== undefined) attributes[settings.names.email.toLowerCase()] ??= `${login}@${emailDomain}`;
  return attributes;
}

/** `undefined` if the proxy says nothing about groups. */
function groupsIn(request: Received, { groups }: HeaderSettings): string[] | undefined {
  const [value] = valuesOf(request, groups.toLowerCase());
  return value === '(null)' ? undefined : value?.split(',');
}

export function createHeaderSignIn({ settings: stored, wanted, log }: HeaderContext) {
  let read: { of: unknown; settings: HeaderSettings | undefined } | undefined;
  /** `undefined` while nobody can sign in by headers. Nearly every request asks, so the settings are read once. */
  const settings = (): HeaderSettings | undefined => {
    const value = stored();
    if (read?.of !== value) read = { of: value, settings: readHeaderSettings(value) };
    return read?.settings;
  };

  return {
    settings,
    /** The headers that say who somebody is, if the request may not have them, because no proxy has sent it. */
    foreignHeaders(request: Received): readonly string[] {
      const current = settings();
      return current === undefined || isFromProxy(request, current) ? [] : namesIn(current);
    },
    /**
     * Whom the proxy names. Throws AUTHENTICATION.HEADER_FAILED (the log says why), TYPE.USER_INVALID,
     * AUTHENTICATION.LDAP_NO_VALID_MAIL.
     */
    async authenticate(request: Received): Promise<ConfirmedPerson> {
      const current = settings();
      try {
        if (current === undefined) throw failed('sign-in by headers is not offered');
        const person = personOf('header', attributesIn(request, current), current);
        return { ...person, attributes: attributesOf(await wanted(), () => groupsIn(request, current)) };
      } catch (error) {
        if (!(error instanceof MyPadsError)) throw error;
        const reason = error.details.reason ?? error.key;
        log.warn('header of the proxy refused, sign-in refused', { reason, peer: peerOf(request) });
        // Strangers do not learn what is set up here.
        throw error.details.reason === undefined ? error : new MyPadsError(error.key);
      }
    },
    /** Whether the proxy names somebody else than this person. A request without a name names nobody. */
    namesAnother(request: Received, subject: string): boolean {
      const current = settings();
      if (current === undefined || !isFromProxy(request, current)) return false;
      const [login, ...more] = valuesOf(request, current.names.login.toLowerCase());
      return more.length > 0 || (!isNothing(login) && loginAtService(login ?? '') !== subject.normalize());
    },
  };
}

export type HeaderSignIn = ReturnType<typeof createHeaderSignIn>;

/**
 * Tests settings with the request of an administrator. Returns the headers of the proxy and what they say. Throws as
 * `HeaderSignIn.authenticate`, with the `reason`.
 */
export function testHeader(value: unknown, request: Received): string[] {
  const settings = readHeaderSettings(value);
  if (settings === undefined) throw failed('the settings are not complete');
  if (!isFromProxy(request, settings))
    throw failed(`the request comes from ${peerOf(request)}, which is no proxy of the settings`);
  const attributes = attributesIn(request, settings);
  personOf('header', attributes, settings);
  return Object.entries(attributes).map(([name, text]) => `${name}: ${text}`);
}
