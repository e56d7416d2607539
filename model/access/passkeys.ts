/**
 * Passkeys (WebAuthn). The protocol is that of @simplewebauthn/server. Each names our host and our address, which come
 * from the setting `rootUrl` alone: whoever makes a call chooses the host in its headers.
 */

import { isIP } from 'node:net';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { MyPadsError } from '../errors';
import { lifetimes } from '../limits';
import type { Coordination, Log } from '../ports';
import { sha256 } from '../sha256';
import type { PasskeyRecord, UserRecord } from '../store/entities';
import type { Factors } from './factors';

/** Loaded at its first use: it prepares the parts of certificates, a fifth of the time that all our code takes. */
const protocol = () => import('@simplewebauthn/server');

/** The answer of a browser to the options for a new passkey, and to those for a sign-in. */
export type NewPasskeyAnswer = RegistrationResponseJSON;
export type PasskeyAnswer = AuthenticationResponseJSON;
export type NewPasskeyOptions = PublicKeyCredentialCreationOptionsJSON;
export type PasskeyOptions = PublicKeyCredentialRequestOptionsJSON;

/** Where passkeys are used. */
interface Place {
  rpID: string;
  origin: string;
}

/** Browsers have passkeys only for names, and only at addresses that nobody can listen to. */
function placeOf(rootUrl: string): Place | undefined {
  if (!URL.canParse(rootUrl)) return undefined;
  const { protocol, hostname, origin } = new URL(rootUrl);
  const isSecure = protocol === 'https:' || hostname === 'localhost';
  return isSecure && isIP(hostname.replace(/[[\]]/g, '')) === 0 ? { rpID: hostname, origin } : undefined;
}

export interface PasskeyContext {
  factors: Factors;
  rootUrl: () => string;
  coordination: Pick<Coordination, 'keep' | 'take'>;
  log: Log;
}

const nameOf = (challenge: string): string => `passkey:${challenge}`;
/** What is kept for a challenge: the account that gets a passkey, or nothing for a sign-in. */
interface Asked {
  newFor?: string;
}

export class Passkeys {
  constructor(private readonly context: PasskeyContext) {}

  /** Whether `rootUrl` allows passkeys. All other methods throw FACTOR.UNAVAILABLE if it does not. */
  arePossible(): boolean {
    return placeOf(this.context.rootUrl()) !== undefined;
  }

  /** `requester`: for the limit of what is kept. */
  async optionsForNew(
    user: Pick<UserRecord, '_id' | 'login'>,
    { site, requester }: { site: string; requester: string },
  ): Promise<NewPasskeyOptions> {
    const { passkeys } = await this.context.factors.of(user);
    const { generateRegistrationOptions } = await protocol();
    const options = await generateRegistrationOptions({
      rpName: site,
      rpID: this.place().rpID,
      userName: user.login,
      // One for all passkeys of the account. A device puts a new one in the place of one that was removed here, and
      // does not offer both.
      userID: new Uint8Array(Buffer.from(sha256(user._id), 'hex')),
      attestationType: 'none',
      excludeCredentials: passkeys.map(({ _id, transports }) => ({ id: _id, transports })),
      // Also without a username, and instead of the password.
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    await this.keep(options.challenge, { newFor: user._id }, requester);
    return options;
  }

  /** Throws FACTOR.PASSKEY. The log says why. */
  verifyNew(
    user: Pick<UserRecord, '_id'>,
    answer: NewPasskeyAnswer,
  ): Promise<Pick<PasskeyRecord, '_id' | 'publicKey' | 'counter' | 'transports'>> {
    const { rpID, origin } = this.place();
    return this.orRefuse(async () => {
      const { verifyRegistrationResponse } = await protocol();
      const { registrationInfo } = await verifyRegistrationResponse({
        response: answer,
        expectedChallenge: async (challenge) => (await this.take(challenge))?.newFor === user._id,
        expectedOrigin: origin,
        expectedRPID: rpID,
      });
      if (!registrationInfo) throw new Error('not verified');
      const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
      return { _id: id, publicKey: Buffer.from(publicKey).toString('base64url'), counter, transports };
    });
  }

  /** For any passkey of this site: the browser lets the person choose, and verifies who they are. */
  async options(requester: string): Promise<PasskeyOptions> {
    const { generateAuthenticationOptions } = await protocol();
    const options = await generateAuthenticationOptions({
      rpID: this.place().rpID,
      userVerification: 'required',
    });
    await this.keep(options.challenge, {}, requester);
    return options;
  }

  /** Throws FACTOR.PASSKEY unless this account has answered options with a passkey of its own. Each works once. */
  use(user: Pick<UserRecord, '_id'>, answer: PasskeyAnswer): Promise<void> {
    const { rpID, origin } = this.place();
    return this.orRefuse(() =>
      this.context.factors.acceptPasskey(user, answer.id, async ({ publicKey, ...passkey }) => {
        const { verifyAuthenticationResponse } = await protocol();
        const { verified, authenticationInfo } = await verifyAuthenticationResponse({
          response: answer,
          expectedChallenge: async (challenge) => {
            const asked = await this.take(challenge);
            return asked !== undefined && asked.newFor === undefined;
          },
          expectedOrigin: origin,
          expectedRPID: rpID,
          credential: {
            id: passkey._id,
            publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')),
            counter: passkey.counter,
          },
        });
        if (!verified) throw new Error('wrong signature');
        return authenticationInfo.newCounter;
      }),
    );
  }

  /** The library throws an Error for each answer that is wrong. */
  private async orRefuse<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof MyPadsError) throw error;
      this.context.log.info('passkey refused', { error: String(error).slice(0, 200) });
      throw new MyPadsError('BACKEND.ERROR.FACTOR.PASSKEY');
    }
  }

  private place(): Place {
    const place = placeOf(this.context.rootUrl());
    if (place === undefined) throw new MyPadsError('BACKEND.ERROR.FACTOR.UNAVAILABLE');
    return place;
  }

  private keep(challenge: string, asked: Asked, requester: string): Promise<void> {
    const terms = { milliseconds: lifetimes.secondStep, requester };
    return this.context.coordination.keep(nameOf(challenge), asked, terms);
  }

  private take = async (challenge: string): Promise<Asked | undefined> =>
    (await this.context.coordination.take(nameOf(challenge))) as Asked | undefined;
}
