/** Hashing has a lower priority than editing. Only on Linux, where priorities are per thread. */
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { expect } from 'chai';
import { createHasher } from '../../model/passwords/hasher';

/** The priority (nice) of each thread of this process, by its id. */
function priorities(): Map<string, number> {
  const threads = readdirSync('/proc/self/task');
  return new Map(
    threads.map((id) => {
      const fields = readFileSync(`/proc/self/task/${id}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ');
      return [id, Number(fields[16])];
    }),
  );
}

describe('the hashing threads', () => {
  before(function () {
    // Priorities of threads are read from /proc.
    if (process.platform !== 'linux') this.skip();
  });

  it('have a lower priority than the event loop, which keeps its own', async () => {
    const own = getPriority(0);
    const before = priorities();
    const hasher = createHasher({ rounds: 4, workers: 2 });
    try {
      await Promise.all(['one', 'two', 'three', 'four'].map((text) => hasher.hash(text)));
      const now = priorities();
      const lowered = [...now].filter(([id, priority]) => !before.has(id) && priority > own);
      expect(lowered).to.have.length(2);
      expect(now.get(String(process.pid))).to.equal(own);
    } finally {
      await hasher.close();
    }
  });
});
