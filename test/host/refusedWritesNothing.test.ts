/** A refused visitor leaves nothing in the database, by whatever route. Otherwise outsiders could fill it. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import type { Credentials, Person } from '../support/hostFixture';
import { readDirty } from '../support/legacy';
import { outcomesFor, tryRoutes } from '../support/padRoutes';
import { PadClient } from '../support/socketClient';
import { useEtherpad } from '../support/useEtherpad';

describe('a refused visit writes nothing into the database', function () {
  this.timeout(300_000);
  const { etherpad, fixture, owner } = useEtherpad({ settings: { editOnly: false } });
  let outsider: Person;
  let restricted: string;
  let readOnlyId: string;

  before(async () => {
    outsider = await fixture.person('outsider');
    restricted = await fixture.pad(owner, await fixture.group(owner));
    readOnlyId = await PadClient.readOnlyIdOf(etherpad, owner.cookie, restricted);
    await fixture.configure('allowEtherPads', false);
  });

  /** The keys in the database file. The wait is long enough for anything that a refused visit writes by mistake. */
  async function keys(): Promise<string[]> {
    await wait(1_500);
    return [...readDirty(etherpad.databaseFile).keys()].sort();
  }

  async function leavesNothing(target: { pad: string; readOnlyId: string }, who: Credentials) {
    const before = await keys();
    // `open`, the pad from which some routes start, is refused too, so no connection ever has access.
    const outcomes = await tryRoutes(etherpad, { ...target, open: target.pad }, who);
    expect(outcomes).to.deep.equal(outcomesFor(etherpad, 'refused'));
    expect((await keys()).filter((key) => !before.includes(key))).to.deep.equal([]);
  }

  it('at a pad of somebody else, as a guest', async () => {
    await leavesNothing({ pad: restricted, readOnlyId }, {});
  });

  it('at a pad of somebody else, signed in', async () => {
    await leavesNothing({ pad: restricted, readOnlyId }, outsider);
  });

  it('at pads that do not exist, where Etherpad’s own are switched off', async () => {
    await leavesNothing({ pad: 'invented-1', readOnlyId: 'r.00112233445566778899aabbccddeeff' }, {});
    await leavesNothing({ pad: 'invented-2', readOnlyId: 'r.invented' }, owner);
  });

  it('at names that are not valid for pads', async () => {
    const before = await keys();
    for (const id of ['a:b', ' ', '$', 'x'.repeat(300), `${restricted}:revs:0`, '__proto__', 'g.x$y']) {
      const client = await PadClient.connect(etherpad);
      client.ask(id);
      // Names such as `__proto__` get no answer.
      await wait(100);
      client.close();
      await etherpad.get(`/p/${encodeURIComponent(id)}`, { accept: 'text/html' });
      await etherpad.get(`/ro/${encodeURIComponent(id)}`, { accept: 'text/html' });
    }
    expect((await keys()).filter((key) => !before.includes(key))).to.deep.equal([]);
  });
});
