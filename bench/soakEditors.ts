/**
 * Simulates people who have pads open, in a process of their own. Some type at a human pace, some reload the page. It
 * measures how long each change takes to the other editors of the pad.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { inParallel } from './dataset';
import { Editor } from './editor';
import type { Loss } from './soakLosses';

export interface Seat {
  pad: string;
  cookie: string | undefined;
}

export interface CrowdOptions {
  url: string;
  major: number;
  seats: Seat[];
  /** Share of the people who type at any time. */
  typing: number;
  /** Average number of seconds between two changes of a person. */
  pace: number;
  /** Seconds between two page reloads by any person. Without it, nobody reloads, or comes back after a loss. */
  reloadInterval?: number;
}

export interface CrowdReport {
  /** Milliseconds until each change arrived, since the last report. */
  arrivals: number[];
  /** Changes that nobody received within ten seconds. */
  vanished: number;
  open: number;
  /** Connections that ended without being closed here. */
  lost: Loss[];
  /** Milliseconds since 1970 when the last of them ended. */
  lastLost: number;
  /** Event loop delay of this process in milliseconds, 99th percentile. */
  late: number;
}

export type Order = { open: CrowdOptions } | { hold: boolean } | 'report';

const longestText = 2_000;
const between = (least: number, most: number): number => least + Math.random() * (most - least);

/** A person who has a pad open. */
class Person {
  private editor: Editor | undefined;

  constructor(
    private readonly crowd: Crowd,
    private readonly seat: Seat,
  ) {}

  get open(): boolean {
    return this.editor !== undefined;
  }

  async come(): Promise<void> {
    const { url, major } = this.crowd.options;
    this.editor = await Editor.open(
      { url, major, ...this.seat },
      {
        inserted: (text) => this.crowd.arrived(text),
        lost: (reason, author) => {
          this.editor = undefined;
          this.crowd.lost.push({ reason, author });
          this.crowd.lastLost = Date.now();
          if (this.crowd.options.reloadInterval !== undefined) void pause(2_000).then(() => this.comeAgain());
        },
      },
    );
  }

  private async comeAgain(): Promise<void> {
    try {
      await this.come();
    } catch (error) {
      this.crowd.lost.push({ reason: `could not come back: ${String(error)}`, author: '' });
      await pause(5_000);
      void this.comeAgain();
    }
  }

  /** Closes and reopens the connection, like a reload of the page. */
  async reload(): Promise<void> {
    const { editor } = this;
    if (editor === undefined || editor.busy) return;
    this.editor = undefined;
    editor.close();
    await pause(between(500, 2_000));
    await this.comeAgain();
  }

  /** Shortens the text. Only one person of each pad does it: two would remove the same text. */
  async shorten(): Promise<void> {
    const { editor } = this;
    if (editor === undefined || editor.busy || editor.textLength < longestText) return;
    await editor.remove(longestText / 2).catch(() => undefined);
  }

  /** Types a few words. */
  async type(): Promise<void> {
    for (let words = between(3, 15); words > 0; words -= 1) {
      const { editor } = this;
      if (!this.crowd.held && editor !== undefined && !editor.busy) {
        try {
          await editor.insert(this.crowd.mark());
        } catch {
          // The connection has ended, which `lost` has reported already.
        }
      }
      await pause(between(0.4, 1.6) * this.crowd.options.pace * 1_000);
    }
  }
}

/** All people of this process, and what was measured. */
class Crowd {
  readonly lost: Loss[] = [];
  lastLost = 0;
  /** Nobody types or reloads the page while this is true. */
  held = false;
  private arrivals: number[] = [];
  private vanished = 0;
  private made = 0;
  /** Sent changes by their text: the time, and whether anybody has received them. */
  private readonly sent = new Map<string, { at: number; seen: boolean }>();
  private readonly people: Person[];
  /** The first person of each pad. */
  private readonly shortening: Person[];
  private readonly late = monitorEventLoopDelay({ resolution: 5 });

  constructor(readonly options: CrowdOptions) {
    this.people = options.seats.map((seat) => new Person(this, seat));
    const pads = options.seats.map(({ pad }) => pad);
    this.shortening = this.people.filter((_, index) => pads.indexOf(pads[index] ?? '') === index);
    this.late.enable();
  }

  /** Returns a text that is unique in this run. */
  mark(): string {
    this.made += 1;
    const text = `${process.pid.toString(36)}${this.made.toString(36)} `;
    this.sent.set(text, { at: performance.now(), seen: false });
    return text;
  }

  arrived(text: string): void {
    const found = this.sent.get(text);
    if (found === undefined) return;
    found.seen = true;
    this.arrivals.push(performance.now() - found.at);
  }

  report(): CrowdReport {
    const { arrivals, vanished } = this;
    const report = {
      arrivals,
      vanished,
      open: this.people.filter(({ open }) => open).length,
      lost: this.lost.splice(0),
      lastLost: this.lastLost,
      late: Math.max(0, this.late.percentile(99) / 1e6 - 5),
    };
    this.arrivals = [];
    this.vanished = 0;
    this.late.reset();
    return report;
  }

  private forget(): void {
    const oldest = performance.now() - 10_000;
    for (const [text, { at, seen }] of this.sent) {
      if (at > oldest) return;
      if (!seen) this.vanished += 1;
      this.sent.delete(text);
    }
  }

  private any(): Person | undefined {
    return this.people[Math.floor(Math.random() * this.people.length)];
  }

  async open(): Promise<void> {
    await inParallel(this.people, (person) => person.come());
    const typists = Math.round(this.people.length * this.options.typing);
    for (let typist = 0; typist < typists; typist += 1) void this.typeForEver();
    const { reloadInterval } = this.options;
    if (reloadInterval !== undefined) void this.comeAndGoForEver(reloadInterval);
    setInterval(() => this.forget(), 1_000);
    setInterval(() => {
      if (!this.held) for (const person of this.shortening) void person.shorten();
    }, 20_000);
  }

  private async typeForEver(): Promise<never> {
    await pause(between(0, this.options.pace * 1_000));
    for (;;) await this.any()?.type();
  }

  private async comeAndGoForEver(reloadInterval: number): Promise<never> {
    for (;;) {
      await pause(reloadInterval * 1_000);
      if (!this.held) void this.any()?.reload();
    }
  }
}

let crowd: Crowd | undefined;

process.on('message', (order: Order) => {
  if (order === 'report') process.send?.(crowd?.report());
  else if ('hold' in order) {
    if (crowd) crowd.held = order.hold;
  } else {
    crowd = new Crowd(order.open);
    crowd.open().then(
      () => process.send?.('ready'),
      (error: unknown) => {
        console.error('The editors:', error);
        process.exit(1);
      },
    );
  }
});
process.on('disconnect', () => process.exit(0));
