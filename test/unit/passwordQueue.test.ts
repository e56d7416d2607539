import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { MyPadsError } from '../../model/errors';
import { runInPasswordQueue } from '../../web/passwordQueue';
import { heldWork } from '../support/waiting';

/** Work that lasts until `end` is called. */
function held() {
  const { held: ended, release: end } = heldWork();
  let begun = false;
  const work = async (): Promise<void> => {
    begun = true;
    await ended;
  };
  return { work, end, begun: () => begun };
}

describe('calls that carry a password', () => {
  it('run ten at a time for one address, in their order, whatever other addresses do', async () => {
    const calls = Array.from({ length: 15 }, held);
    const done = calls.map(({ work }) => runInPasswordQueue('sign-in', { keys: ['one'] }, work));
    const begun = (): number => calls.filter((call) => call.begun()).length;
    await turn();
    expect(begun()).to.equal(10);
    const other = held();
    const elsewhere = runInPasswordQueue('sign-in', { keys: ['other'] }, other.work);
    await turn();
    expect(other.begun(), 'from another address').to.equal(true);
    other.end();
    await elsewhere;
    for (const [index, call] of calls.entries()) {
      expect(call.begun(), `call ${index}`).to.equal(true);
      expect(begun()).to.equal(Math.min(15, index + 10));
      call.end();
      await done[index];
    }
  });

  it('let the next call run when they fail', async () => {
    const fail = (): never => {
      throw new Error('broken');
    };
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () => runInPasswordQueue('sign-in', { keys: ['failing'] }, fail)),
    );
    expect(results.every(({ status }) => status === 'rejected')).to.equal(true);
    expect(await runInPasswordQueue('sign-in', { keys: ['failing'] }, () => 'done')).to.equal('done');
  });

  it('wait in a queue of at most two hundred; one more is refused', async () => {
    const call = held();
    const done = Array.from({ length: 210 }, () =>
      runInPasswordQueue('sign-in', { keys: ['full'] }, call.work),
    );
    const error = await runInPasswordQueue('sign-in', { keys: ['full'] }, call.work).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).to.be.instanceOf(MyPadsError);
    expect((error as MyPadsError).key).to.equal('BACKEND.ERROR.SERVER.BUSY');
    call.end();
    await Promise.all(done);
    expect(await runInPasswordQueue('sign-in', { keys: ['full'] }, () => 'done')).to.equal('done');
  });
});
