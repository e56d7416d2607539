/** Compression of answers while they are sent. Files of the page are compressed by the build. */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request } from 'express';

/** The best is first. */
const encodings = ['br', 'gzip'] as const;
export type Encoding = (typeof encodings)[number];

const encoders: Record<Encoding, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_QUALITY]: 5,
        [constants.BROTLI_PARAM_LGWIN]: 20,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 6 }),
};

/** `undefined`: the caller wants the answer as it is. */
export function acceptedEncoding(request: Request): Encoding | undefined {
  return encodings.find((encoding) => request.acceptsEncodings(encoding) === encoding);
}

export function compressed(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  return encoders[encoding](bytes);
}
