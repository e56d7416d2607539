import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect } from 'chai';
import { AsyncScope } from '../../model/asyncScope';

describe('a value for some work', () => {
  it('is seen by everything that the work awaits, and not by what runs beside it', async () => {
    const scope = new AsyncScope<string>();
    const seen = async (): Promise<string | undefined> => {
      await null;
      return scope.value;
    };
    const work = async () => [await seen(), await scope.run('inner', seen), await seen()];
    const [one, other, outside] = await Promise.all([
      scope.run('one', work),
      scope.run('other', work),
      seen(),
    ]);
    expect(one).to.eql(['one', 'inner', 'one']);
    expect(other).to.eql(['other', 'inner', 'other']);
    expect(outside).to.equal(undefined);
    expect(scope.value).to.equal(undefined);
  });

  it('ends when the work fails', async () => {
    const scope = new AsyncScope<string>();
    const failed = await scope.run('one', () => Promise.reject(new Error('no'))).catch(String);
    expect([failed, scope.value]).to.eql(['Error: no', undefined]);
  });

  it('slows down no promise afterwards', () => {
    // With hooks of promises, each turn has an id of its own. In a process of its own, because other tests have hooks.
    const script = `
      const { executionAsyncId } = require('node:async_hooks');
      const { AsyncScope } = require('./model/asyncScope');
      const id = async () => { await null; return executionAsyncId(); };
      setTimeout(async () => {
        await new AsyncScope().run('one', id);
        setTimeout(async () => console.log(await id()), 0);
      }, 0);`;
    const root = path.join(__dirname, '../..');
    const printed = execFileSync(process.execPath, ['--require', 'tsx/cjs', '--eval', script], { cwd: root });
    expect(String(printed).trim()).to.equal('0');
  });
});
