import { expect } from 'chai';
import { createLocks } from '../../model/coordination/inProcess';

describe('the locks of one process', () => {
  it('go from one caller to the next, also when they are released twice, and to nobody else meanwhile', async () => {
    const { lock, tryLock } = createLocks();
    const release = await lock('key');
    const waiting = lock('key');
    release();
    const releaseNext = await waiting;
    expect(await tryLock('key')).to.equal(undefined);
    release();
    expect(await tryLock('key')).to.equal(undefined);
    releaseNext();
    expect(await tryLock('key')).to.be.a('function');
  });
});
