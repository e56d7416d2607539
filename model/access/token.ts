/**
 * Tokens that name a session: HS256, signed with a secret of 32 random bytes that is stored in the database, so that a
 * restart signs nobody out. Each token is valid for exactly one audience.
 */
import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import jsonwebtoken from 'jsonwebtoken';
import { keys, type Store } from '../store/store';

/** `user`, `admin`, `guest`: API calls. `entry`: the cookie that opens pads, and nothing else. */
export type Audience = 'user' | 'admin' | 'guest' | 'entry';

/** Our tokens have about 250 characters; longer ones are not parsed. */
const maxLength = 1_000;

/** Tokens whose signature is known to be right. Checking it takes 0.1 ms, and people send theirs with every call. */
const maxKnown = 1_000;

/** A key object, because the library tries to parse a plain buffer as a public key first, which is slow. */
async function loadSecret(store: Store): Promise<KeyObject> {
  const record = await store.update<{ base64: string }>(keys.tokenSecret, (current) =>
    current ? undefined : { base64: randomBytes(32).toString('base64') },
  );
  const secret = Buffer.from(record?.base64 ?? '', 'base64');
  if (secret.length < 32) throw new Error('the token secret in the database is damaged');
  return createSecretKey(secret);
}

export async function createTokens(context: { store: Store; now: () => number }) {
  const secret = await loadSecret(context.store);
  const shortSignature = (text: string): string =>
    createHmac('sha256', secret).update(text).digest('base64url').slice(0, 32);
  const seconds = (): number => Math.floor(context.now() / 1000);
  const known = new Map<string, string | jsonwebtoken.JwtPayload>();
  /** What a token says. Throws if it is not signed by us. `verify` checks whether it has expired. */
  const claimsOf = (token: string): string | jsonwebtoken.JwtPayload => {
    const before = known.get(token);
    if (before !== undefined) return before;
    const claims = jsonwebtoken.verify(token, secret, { algorithms: ['HS256'], ignoreExpiration: true });
    if (known.size >= maxKnown) known.clear();
    known.set(token, claims);
    return claims;
  };
  return {
    /** `expires` in milliseconds since 1970. */
    sign: (sessionId: string, audience: Audience, expires: number): string =>
      jsonwebtoken.sign({ iat: seconds(), exp: Math.floor(expires / 1000) }, secret, {
        algorithm: 'HS256',
        audience,
        jwtid: sessionId,
      }),
    /**
     * The secret by which Etherpad knows an author of an account, in the form of its own author tokens. The same
     * account and number always give the same token. `number`: see hooks/authorTokens.ts.
     */
    ofAuthor: (user: string, number: number): string =>
      // No session token has this text: theirs have no spaces.
      `t.${shortSignature(`author ${number} of ${user}`)}`,
    /** The secret of a link to a folder or pad: 32 characters. The same seed always gives the same. */
    ofLink: (seed: string): string => shortSignature(`link ${seed}`),
    /** The token of an invitation: 32 characters. The same seed always gives the same. */
    ofInvitation: (seed: string): string => shortSignature(`invitation ${seed}`),
    /** A name for an email address that does not tell it: 32 characters. */
    ofAddress: (address: string): string => shortSignature(`address ${address}`),
    /** Signs the name of an address: 32 characters. */
    ofRefusal: (name: string): string => shortSignature(`refusal ${name}`),
    /** The secret of an authenticator app: 20 bytes in hexadecimal. The same seed always gives the same. */
    ofTotp: (seed: string): string =>
      createHmac('sha256', secret).update(`totp ${seed}`).digest('hex').slice(0, 40),
    /** Signs facts about a browser. The same facts always give the same 22 characters. */
    ofDevice: (facts: readonly string[]): string =>
      createHmac('sha256', secret)
        .update(`device ${JSON.stringify(facts)}`)
        .digest('base64url')
        .slice(0, 22),
    /** Session and audience of the token; `undefined` when it is not ours, expired, or for another audience. */
    verify(
      token: string,
      audiences: readonly Audience[],
    ): { sessionId: string; audience: Audience } | undefined {
      if (token.length > maxLength) return undefined;
      try {
        const claims = claimsOf(token);
        if (typeof claims === 'string' || typeof claims.exp !== 'number' || claims.exp <= seconds())
          return undefined;
        const audience = audiences.find((one) => one === claims.aud);
        if (audience === undefined || typeof claims.jti !== 'string') return undefined;
        return { sessionId: claims.jti, audience };
      } catch {
        return undefined;
      }
    },
  };
}

export type Tokens = Awaited<ReturnType<typeof createTokens>>;
