/**
 * Who has pads open in other processes, for the lists of this one. Each process tells the others what has changed since
 * the last time, and everything once a minute, because messages may be lost.
 */
import { randomUUID } from 'node:crypto';
import type { Coordination, Messages, PeopleInPad, Schedule } from '../model/ports';

/** In milliseconds. */
export const peopleTimes = { tellEvery: 3_000, tellAllEvery: 60_000, forgetAfter: 90_000 };

const nobody: PeopleInPad = { people: [], guests: 0 };
const isEmpty = ({ people, guests }: PeopleInPad): boolean => people.length === 0 && guests === 0;

/** Pads that people have open, and who they are. */
type PeopleInPads = Iterable<[string, PeopleInPad]>;

interface Context {
  coordination: Pick<Coordination, 'publish' | 'onMessage'>;
  schedule: Schedule;
  /** Without pads that nobody has open here. */
  peopleInPads(): PeopleInPads;
}

/** What other processes have reported. Reports expire, because a process can end without withdrawing its own. */
class PeopleElsewhere {
  private readonly known = new Map<string, PeopleInPad & { from: string; until: number }>();
  private readonly own = randomUUID();
  /** What this process has reported, as JSON. */
  private reported = new Map<string, string>();
  private reportedAllAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly context: Context) {}

  *all(): PeopleInPads {
    const now = performance.now();
    for (const [padId, { people, guests, named, until }] of this.known) {
      if (until > now) yield [padId, { people, guests, named }];
    }
  }

  learn({ from, pads }: Messages['peopleInPads']): void {
    const now = performance.now();
    for (const [padId, found] of Object.entries(pads)) {
      if (!isEmpty(found)) this.known.set(padId, { ...found, from, until: now + peopleTimes.forgetAfter });
      // The pad may have moved, and its new process may have told first.
      else if (this.known.get(padId)?.from === from) this.known.delete(padId);
    }
  }

  tell(): void {
    const now = performance.now();
    const all = now - this.reportedAllAt >= peopleTimes.tellAllEvery;
    if (all) {
      this.reportedAllAt = now;
      for (const [padId, { until }] of this.known) if (until <= now) this.known.delete(padId);
    }
    const before = this.reported;
    this.reported = new Map();
    const changed: Record<string, PeopleInPad> = {};
    for (const [padId, found] of this.context.peopleInPads()) {
      const text = JSON.stringify(found);
      this.reported.set(padId, text);
      if (all || before.get(padId) !== text) changed[padId] = found;
    }
    for (const padId of before.keys()) if (!this.reported.has(padId)) changed[padId] = nobody;
    if (Object.keys(changed).length === 0) return;
    const report = { from: this.own, pads: changed };
    this.context.coordination.publish('peopleInPads', report);
  }
}

/** Returns who has pads open, in this process or in another one. `close` ends the exchange with the others. */
export function sharePeopleInPads(context: Context): {
  peopleInPads(): PeopleInPads;
  close(): void;
} {
  const elsewhere = new PeopleElsewhere(context);
  const ends = [
    context.schedule.every('tell who has pads open', peopleTimes.tellEvery, () => elsewhere.tell()),
    context.coordination.onMessage('peopleInPads', (report) => elsewhere.learn(report)),
  ];
  return {
    peopleInPads: () => new Map([...elsewhere.all(), ...context.peopleInPads()]),
    close() {
      for (const end of ends) end();
    },
  };
}
