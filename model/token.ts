/**
 * Tokens that name a session: HS256 and nothing else, signed with a secret of 32 random bytes that the database keeps, so that a
 * restart logs nobody out. The audience says what a token is good for; no token is good for two things.
 */
import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import jsonwebtoken from 'jsonwebtoken';
import { keys, type Store } from './store';

/** `user`, `admin`, `guest`: calls of the API. `entry`: the cookie that opens pads and nothing else. */
export type Audience = 'user' | 'admin' | 'guest' | 'entry';

export interface Tokens {
  /** `expires` in milliseconds since 1970. */
  sign(sessionId: string, audience: Audience, expires: number): string;
  /** What it names, `undefined` for anything that we did not sign for one of these audiences or that has expired. */
  verify(
    token: string,
    audiences: readonly Audience[],
  ): { sessionId: string; audience: Audience } | undefined;
}

/** Ours have some 250 characters; nothing longer is worth looking at. */
const longest = 1_000;

/** As a key object: of a mere buffer the library first tries to make a public key, which takes longer than all the rest. */
async function loadSecret(store: Store): Promise<KeyObject> {
  const record = await store.update<{ base64: string }>(keys.tokenSecret, (current) =>
    current ? undefined : { base64: randomBytes(32).toString('base64') },
  );
  const secret = Buffer.from(record?.base64 ?? '', 'base64');
  if (secret.length < 32) throw new Error('the secret of the tokens in the database is damaged');
  return createSecretKey(secret);
}

export async function createTokens(context: { store: Store; now: () => number }): Promise<Tokens> {
  const secret = await loadSecret(context.store);
  const seconds = (): number => Math.floor(context.now() / 1000);
  return {
    sign: (sessionId, audience, expires) =>
      jsonwebtoken.sign({ iat: seconds(), exp: Math.floor(expires / 1000) }, secret, {
        algorithm: 'HS256',
        audience,
        jwtid: sessionId,
      }),
    verify(token, audiences) {
      if (token.length > longest) return undefined;
      try {
        const claims = jsonwebtoken.verify(token, secret, {
          algorithms: ['HS256'],
          clockTimestamp: seconds(),
        });
        if (typeof claims === 'string' || typeof claims.exp !== 'number') return undefined;
        const audience = audiences.find((one) => one === claims.aud);
        if (audience === undefined || typeof claims.jti !== 'string') return undefined;
        return { sessionId: claims.jti, audience };
      } catch {
        return undefined;
      }
    },
  };
}
