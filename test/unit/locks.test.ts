import { expect } from 'chai';
import { createLocks } from '../../model/inProcessCoordination';

describe('the locks of one process', () => {
  it('pass to the caller that waits, who keeps the lock even if the one before releases it twice', async () => {
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
