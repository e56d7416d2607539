/**
 * Looks through a whole database for damage that old versions, crashes and other programs have left, and mends it when asked to. The
 * server itself tolerates all of it (model/records.ts); this is for those who want it gone. No server may run on the database meanwhile.
 */
import { withUnreadable } from '../databaseGuard';
import type { Database } from '../ports';
import { createStore } from '../store';
import {
  accountsWithoutPassword,
  bookmarks,
  doubledAccounts,
  groupIndexes,
  indexEntries,
  junkAccounts,
  listsOfPeople,
  mailTokens,
  sessions,
} from './accounts';
import { type Facts, type Progress, readFacts } from './facts';
import { type Finding, orphanKinds } from './findings';
import { fields, junkPlaces, lostRemovals, padLists, people, unreachable } from './places';
import { contradictorySettings, unusableSettings } from './settings';

export interface Report {
  numbers: { users: number; groups: number; pads: number; orphans: number };
  findings: Finding[];
  /** Pads that wait for their removal: the next start of the server removes them. */
  waiting: number;
}

export interface Doctor {
  /** Changes nothing. */
  examine(progress?: Progress): Promise<Report>;
  /**
   * Mends what a report says can be mended, orphans only with `orphans`; what mending brings to light is mended too. Every value is
   * handed to `keep` before it changes or goes. Returns what was mended.
   */
  repair(options: RepairOptions): Promise<Finding[]>;
}

export interface RepairOptions {
  orphans: boolean;
  keep: (key: string, value: unknown) => Promise<void>;
  progress?: Progress;
}

/** One repair brings the next to light: a merged account is in a group twice. */
const mostRounds = 4;
/** Keys that are removed at once. */
const slice = 100;
/** Findings without changes that are mended at once. */
const together = 20;

export const canMend = ({ changes, removes }: Finding): boolean => Boolean(changes ?? removes);

function check(facts: Facts, now: number): Finding[] {
  return [
    junkAccounts(facts),
    junkPlaces(facts),
    doubledAccounts(facts),
    accountsWithoutPassword(facts),
    people(facts),
    padLists(facts),
    fields(facts),
    groupIndexes(facts),
    bookmarks(facts),
    listsOfPeople(facts),
    unusableSettings(facts),
    contradictorySettings(facts),
    indexEntries(facts),
    sessions(facts, now),
    mailTokens(facts, now),
    lostRemovals(facts),
    unreachable(facts),
  ].flat();
}

export function createDoctor(context: { database: Database; now: () => number }): Doctor {
  const { now } = context;
  /** Keys of records that cannot be read. */
  const riddles = new Set<string>();
  const database = withUnreadable(context.database, (key) => riddles.add(key));
  const store = createStore(database);

  async function examine(progress: Progress = () => {}): Promise<Report> {
    riddles.clear();
    const facts = await readFacts(store, database, progress);
    // Without a group that cannot be read its pads would seem to be nobody's.
    const findings =
      riddles.size > 0
        ? [...riddles].map((key): Finding => ({ kind: 'unreadable', of: key }))
        : check(facts, now());
    const count = (records: Map<string, { record: unknown }>): number =>
      [...records.values()].filter(({ record }) => record !== undefined).length;
    return {
      numbers: {
        users: count(facts.users),
        groups: count(facts.groups),
        pads: count(facts.pads),
        orphans: findings.filter(({ kind }) => orphanKinds.has(kind)).length,
      },
      findings,
      waiting: facts.doomed.size,
    };
  }

  async function keysOf(name: string): Promise<string[]> {
    if (!name.endsWith('*')) return [name];
    const prefix = name.slice(0, -1);
    return (await store.scan(prefix)).filter((key) => key.startsWith(prefix));
  }

  async function remove(name: string, keep: RepairOptions['keep']): Promise<void> {
    const found = await keysOf(name);
    for (let start = 0; start < found.length; start += slice) {
      const part = found.slice(start, start + slice);
      const values = await store.getMany<unknown>(part);
      for (const [index, key] of part.entries()) {
        if (values[index] !== undefined) await keep(key, values[index]);
      }
      await Promise.all(part.map((key) => store.remove(key)));
    }
  }

  async function mend({ changes = [], removes = [] }: Finding, keep: RepairOptions['keep']): Promise<void> {
    for (const { key, change } of changes) {
      const stored = await store.get<unknown>(key);
      const next = change(stored);
      if (stored !== undefined) await keep(key, stored);
      if (next === undefined) await store.remove(key);
      else await store.set(key, next);
    }
    for (const name of removes) await remove(name, keep);
  }

  async function repair({ orphans, keep, progress = () => {} }: RepairOptions): Promise<Finding[]> {
    const mended: Finding[] = [];
    for (let round = 0; round < mostRounds; round++) {
      const { findings } = await examine();
      const mendable = findings.filter((one) => canMend(one) && (orphans || !orphanKinds.has(one.kind)));
      if (mendable.length === 0) break;
      // Merging accounts rewrites what the other findings were made from.
      const merges = mendable.filter(({ kind }) => kind === 'twinAccounts');
      const wanted = merges.length > 0 ? merges : mendable;
      let left = wanted.length;
      const done = (finding: Finding): void => {
        mended.push(finding);
        left -= 1;
        progress('mending', wanted.length - left, wanted.length);
      };
      // Findings may change the same record, one after another. What only goes, goes together: many databases answer every 100 ms.
      for (const finding of wanted.filter(({ changes }) => changes)) {
        await mend(finding, keep);
        done(finding);
      }
      const removals = wanted.filter(({ changes }) => !changes);
      for (let start = 0; start < removals.length; start += together) {
        const part = removals.slice(start, start + together);
        await Promise.all(part.map((finding) => mend(finding, keep)));
        part.forEach(done);
      }
    }
    return mended;
  }

  return { examine, repair };
}
