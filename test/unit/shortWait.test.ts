import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { createShortWait } from '../../cluster/shortWait';

describe('the wait of a call for other processes', () => {
  it('ends although they do not answer, and no later call waits until they do', async () => {
    const answers: (() => void)[] = [];
    const wait = createShortWait(() => new Promise<void>((answer) => answers.push(answer)));
    await wait();
    expect(wait()).to.equal(undefined);
    expect(answers).to.have.length(1);
    answers[0]?.();
    await nextTurn();
    const next = wait();
    answers[1]?.();
    await next;
    expect(answers).to.have.length(2);
  });
});
