/** A device that makes passkeys, as browsers answer for it. Each of its answers can be falsified. */
import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import type { NewPasskeyAnswer, PasskeyAnswer } from '../../model/access/passkeys';

export interface Falsified {
  origin?: string;
  rpID?: string;
  /** Whether the device has verified who the person is. */
  verified?: boolean;
  counter?: number;
  challenge?: string;
}

const digest = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
const encode = (data: Uint8Array | string): string => Buffer.from(data).toString('base64url');

/** The public key as a CBOR map: an elliptic curve key (ES256). */
function coseOf(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'));
  return Buffer.from(
    isoCBOR.encode(
      new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, bytes(x)],
        [-3, bytes(y)],
      ]),
    ),
  );
}

/** `origin`: of the page on which the device is used. */
export function createAuthenticator(origin: string) {
  const id = randomBytes(16);
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  let uses = 0;

  function answerTo(type: string, challenge: string, falsified: Falsified) {
    const client = { type, challenge: falsified.challenge ?? challenge, origin: falsified.origin ?? origin };
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(falsified.counter ?? uses);
    const isNew = type === 'webauthn.create';
    const flags = 0x01 | (falsified.verified === false ? 0 : 0x04) | (isNew ? 0x40 : 0);
    const place = digest(falsified.rpID ?? new URL(origin).hostname);
    return {
      clientDataJSON: Buffer.from(JSON.stringify(client)),
      head: Buffer.concat([place, Buffer.from([flags]), counter]),
    };
  }

  const credential = {
    id: encode(id),
    rawId: encode(id),
    type: 'public-key' as const,
    clientExtensionResults: {},
  };

  return {
    id: credential.id,
    make({ challenge }: { challenge: string }, falsified: Falsified = {}): NewPasskeyAnswer {
      const { clientDataJSON, head } = answerTo('webauthn.create', challenge, falsified);
      const length = Buffer.from([0, id.length]);
      const authData = Buffer.concat([head, Buffer.alloc(16), length, id, coseOf(publicKey)]);
      const attestation = isoCBOR.encode(
        new Map<string, string | Uint8Array | Map<string, string>>([
          ['fmt', 'none'],
          ['attStmt', new Map<string, string>()],
          ['authData', new Uint8Array(authData)],
        ]),
      );
      const response = {
        clientDataJSON: encode(clientDataJSON),
        attestationObject: encode(attestation),
        transports: ['internal' as const],
      };
      return { ...credential, response };
    },
    signIn({ challenge }: { challenge: string }, falsified: Falsified = {}): PasskeyAnswer {
      uses += 1;
      const { clientDataJSON, head } = answerTo('webauthn.get', challenge, falsified);
      const signature = createSign('sha256')
        .update(Buffer.concat([head, digest(clientDataJSON)]))
        .sign(privateKey);
      const response = {
        clientDataJSON: encode(clientDataJSON),
        authenticatorData: encode(head),
        signature: encode(signature),
      };
      return { ...credential, response };
    },
  };
}
