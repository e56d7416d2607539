/** A certificate, made anew for each run: nothing to keep secret, nothing that expires. */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

export interface Certificate {
  /** PEM. The certificate signs itself, so it is also the authority to trust. */
  cert: string;
  key: string;
}

function der(tag: number, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const length =
    body.length < 0x80
      ? Buffer.from([body.length])
      : body.length < 0x100
        ? Buffer.from([0x81, body.length])
        : Buffer.from([0x82, body.length >> 8, body.length & 0xff]);
  return Buffer.concat([Buffer.from([tag]), length, body]);
}

const sequence = (...content: Buffer[]): Buffer => der(0x30, ...content);
const objectId = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const octets = (content: Buffer): Buffer => der(0x04, content);
const time = (date: Date): Buffer =>
  der(0x17, Buffer.from(`${date.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`));

const ecdsaWithSha256 = sequence(objectId('2a8648ce3d040302'));
const commonName = objectId('550403');
const basicConstraints = objectId('551d13');
const subjectAltName = objectId('551d11');
const day = 24 * 3600_000;

/** A certificate for `host`; for `localhost`, also for 127.0.0.1. */
export function createCertificate(host = 'localhost'): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from(host)))));
  const validity = sequence(time(new Date(Date.now() - day)), time(new Date(Date.now() + day)));
  const address = host === 'localhost' ? [der(0x87, Buffer.from([127, 0, 0, 1]))] : [];
  const alternatives = sequence(der(0x82, Buffer.from(host)), ...address);
  const extensions = sequence(
    sequence(basicConstraints, octets(sequence(der(0x01, Buffer.from([0xff]))))),
    sequence(subjectAltName, octets(alternatives)),
  );
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  );
  const signature = sign('sha256', content, privateKey);
  const whole = sequence(content, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature));
  const lines = whole.toString('base64').replace(/.{64}(?=.)/g, '$&\n');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}
