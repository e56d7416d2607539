/** Pieces of answers that are kept in memory. Lists are counted by their bytes, so nothing else may be kept with them. */
import { randomBytes } from 'node:crypto';
import { brotliCompressSync } from 'node:zlib';
import { expect } from 'chai';
import { jsonPart, keepable } from '../../api/serialisedAnswer';

describe('what is kept of an answer', () => {
  it('has its own memory and keeps no larger block', () => {
    const compressed = brotliCompressSync(randomBytes(300));
    for (const bytes of [jsonPart('{"name":"Minutes"}').bytes, keepable(compressed)]) {
      expect(bytes.buffer.byteLength).to.equal(bytes.length);
    }
    expect(keepable(compressed).equals(compressed)).to.equal(true);
    expect(jsonPart('"ü"').bytes.toString()).to.equal('"ü"');
  });
});
