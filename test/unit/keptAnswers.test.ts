/** Pieces of answers that are cached. The cache counts their bytes, so they must not keep any other memory. */
import { randomBytes } from 'node:crypto';
import { brotliCompressSync } from 'node:zlib';
import { expect } from 'chai';
import { jsonPart, withOwnMemory } from '../../api/serialisedAnswer';

describe('a cached answer', () => {
  it('has memory of its own and does not keep a larger block alive', () => {
    const compressed = brotliCompressSync(randomBytes(300));
    for (const bytes of [jsonPart('{"name":"Minutes"}').bytes, withOwnMemory(compressed)]) {
      expect(bytes.buffer.byteLength).to.equal(bytes.length);
    }
    expect(withOwnMemory(compressed).equals(compressed)).to.equal(true);
    expect(jsonPart('"ü"').bytes.toString()).to.equal('"ü"');
  });
});
