/** Calls that arrive at once begin in several turns of the event loop. */
import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import type { Request, Response } from 'express';
import { deferCall } from '../../api/middleware/deferCall';
import { sliceUsed } from '../../model/store/timeSlice';

describe('calls that arrive at once', () => {
  it('begin at once while there is time in this turn of the event loop, otherwise in later turns', async () => {
    const begun: string[] = [];
    const begin = (name: string): void =>
      void deferCall({} as Request, {} as Response, () => void begun.push(name));
    await turn();
    begin('first');
    expect(begun).to.deep.equal(['first']);
    while (!sliceUsed());
    for (const name of ['second', 'third', 'fourth']) begin(name);
    expect(begun).to.deep.equal(['first']);
    const after: string[][] = [];
    while (begun.length < 4) {
      await turn();
      after.push([...begun]);
    }
    expect(begun).to.deep.equal(['first', 'second', 'third', 'fourth']);
    const steps = after.map(({ length }, index) => length - (after[index - 1]?.length ?? 1));
    expect(Math.max(...steps), 'in one turn').to.equal(1);
  });
});
