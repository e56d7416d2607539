import { expect } from 'chai';
import type { PadCore } from '../../host/padCore';
import { createPadRemoval } from '../../host/padRemoval';
import { socketsReady } from '../../host/sockets';

describe('what is left of pads that no longer exist', () => {
  it('is searched for one pad after the other, with pauses in which Etherpad answers', async () => {
    const begun: number[] = [];
    const database = {
      get: async () => undefined,
      remove: async () => {},
      async findKeys() {
        begun.push(performance.now());
        return [];
      },
    };
    const { remove } = createPadRemoval({ database, exists: async () => false } as unknown as PadCore);
    socketsReady.reach();
    const { signal } = new AbortController();
    await Promise.all(Array.from({ length: 4 }, (_, number) => remove(`pad-${number}`, true, signal)));
    const gaps = begun.slice(1).map((time, index) => time - (begun[index] ?? 0));
    expect(gaps).to.have.length(3);
    // A search among 400,000 keys of an embedded database takes 70 ms.
    expect(Math.min(...gaps)).to.be.greaterThan(140);
  });
});
