/** Sign-outs at a provider of OpenID Connect, and what its back channel says of them. */
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';

export interface ProviderLogout {
  issuer: string;
  /** Without it, `sid` alone says which sessions ended. */
  subject?: string;
  /** Without it, all sessions of the person ended. */
  sid?: string;
}

interface LogoutTerms {
  keys: JSONWebKeySet;
  issuer: string;
  audience: string;
  /** Seconds by which the clocks may differ. */
  clockDifference: number;
}

const event = 'http://schemas.openid.net/event/backchannel-logout';
/** Seconds after which a logout token is too old. A token that is sent again ends nothing that did not end before. */
const maxAge = 120;

/** Rejects if the token is not a logout token of the provider for us (OpenID Connect Back-Channel Logout 1.0, 2.6). */
export async function logoutFacts(token: string, terms: LogoutTerms): Promise<ProviderLogout> {
  const { payload } = await jwtVerify(token, createLocalJWKSet(terms.keys), {
    issuer: terms.issuer,
    audience: terms.audience,
    clockTolerance: terms.clockDifference,
    maxTokenAge: maxAge,
    requiredClaims: ['iat'],
    algorithms: [
      'RS256',
      'RS384',
      'RS512',
      'PS256',
      'PS384',
      'PS512',
      'ES256',
      'ES384',
      'ES512',
      'EdDSA',
      'Ed25519',
    ],
  });
  const { events, nonce, sub, sid } = payload;
  const isLogout = typeof events === 'object' && events !== null && Object.hasOwn(events, event);
  const session = typeof sid === 'string' ? { sid } : {};
  if (!isLogout || nonce !== undefined || (sub === undefined && session.sid === undefined))
    throw new Error('not a logout token');
  return { issuer: terms.issuer, ...(sub !== undefined && { subject: sub }), ...session };
}
