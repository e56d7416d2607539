/**
 * Searches a database for damage from old versions, crashes and other programs, and repairs it on request. The server
 * tolerates all of it (model/store/records.ts). No server may use the database at the same time.
 */

import { createInProcessCoordination } from '../inProcessCoordination';
import type { Database, StoredPads } from '../ports';
import type { SettingsBlock } from '../settings/effectiveValues';
import { withUnreadable } from '../store/databaseGuard';
import { createStore, type Store } from '../store/store';
import {
  accountsWithoutPassword,
  danglingBookmarks,
  danglingUserLists,
  duplicateAccounts,
  expiredMailTokens,
  expiredSessions,
  staleGroupIndexes,
  staleIndexEntries,
  staleSharedPads,
} from './accounts';
import { type Facts, type Progress, readFacts } from './facts';
import { canRepair, type Finding, orphanKinds } from './findings';
import {
  danglingPeople,
  invalidRecords,
  lostInvitations,
  lostLinks,
  lostRemovals,
  staleFormerPads,
  unreachablePads,
  unusedFields,
  wrongPadLists,
} from './groupsAndPads';
import { contradictorySettings, unusableSettings } from './settings';

export interface Report {
  numbers: { users: number; groups: number; pads: number; orphans: number };
  findings: Finding[];
  /** Pads that the next start of the server removes. */
  waiting: number;
}

export interface RepairOptions {
  orphans: boolean;
  keep: (key: string, value: unknown) => Promise<void>;
  progress?: Progress;
}

/** A repair can reveal another finding: for example, a merged account is in a group twice. */
const maxRounds = 4;
/** Keys removed at the same time. */
const batchSize = 100;
/** Findings without changes that are repaired at the same time. */
const removalBatchSize = 20;

function check(facts: Facts, now: number): Finding[] {
  return [
    invalidRecords(facts),
    duplicateAccounts(facts),
    accountsWithoutPassword(facts),
    danglingPeople(facts),
    wrongPadLists(facts),
    unusedFields(facts),
    staleGroupIndexes(facts),
    staleSharedPads(facts),
    danglingBookmarks(facts),
    danglingUserLists(facts),
    unusableSettings(facts),
    contradictorySettings(facts),
    staleIndexEntries(facts),
    expiredSessions(facts, now),
    expiredMailTokens(facts, now),
    lostLinks(facts),
    lostInvitations(facts),
    lostRemovals(facts),
    staleFormerPads(facts, now),
    unreachablePads(facts),
  ].flat();
}

/** Changes and removes records, and keeps what they contained. */
class Repairs {
  constructor(
    private readonly store: Store,
    private readonly keep: RepairOptions['keep'],
  ) {}

  /**
   * Repairs the findings; calls `done` after each. Changes run one after the other, because findings may change the
   * same record. Removals run in parallel, because many databases need 100 ms for each.
   */
  async repairAll(findings: readonly Finding[], done: (finding: Finding) => void): Promise<void> {
    for (const finding of findings.filter(({ changes }) => changes)) {
      await this.repair(finding);
      done(finding);
    }
    const removals = findings.filter(({ changes }) => !changes);
    for (let start = 0; start < removals.length; start += removalBatchSize) {
      const part = removals.slice(start, start + removalBatchSize);
      await Promise.all(part.map((finding) => this.repair(finding)));
      part.forEach(done);
    }
  }

  private async repair({ changes = [], removes = [] }: Finding): Promise<void> {
    for (const { key, change } of changes) {
      const stored = await this.store.get<unknown>(key);
      const next = change(stored);
      if (stored !== undefined) await this.keep(key, stored);
      if (next === undefined) await this.store.remove(key);
      else await this.store.set(key, next);
    }
    for (const name of removes) await this.remove(name);
  }

  private async remove(name: string): Promise<void> {
    const found = await this.keysOf(name);
    for (let start = 0; start < found.length; start += batchSize) {
      const part = found.slice(start, start + batchSize);
      const values = await this.store.getMany<unknown>(part);
      for (const [index, key] of part.entries()) {
        if (values[index] !== undefined) await this.keep(key, values[index]);
      }
      await Promise.all(part.map((key) => this.store.remove(key)));
    }
  }

  /** `*` at the end means all keys with that prefix. */
  private async keysOf(name: string): Promise<string[]> {
    if (!name.endsWith('*')) return [name];
    const prefix = name.slice(0, -1);
    return (await this.store.scan(prefix)).filter((key) => key.startsWith(prefix));
  }
}

function reportOf(facts: Facts, findings: Finding[]): Report {
  const count = (records: Map<string, { record: unknown }>): number =>
    [...records.values()].filter(({ record }) => record !== undefined).length;
  // As in the lists of the administration: pads that people can reach.
  const pads = [...facts.pads].filter(
    ([id, { record }]) =>
      record && facts.groups.get(record.group)?.record !== undefined && !facts.padRemovals.has(id),
  );
  const lost = findings.filter(({ kind, of }) => kind === 'lostRemovals' && facts.padRemovals.has(of));
  return {
    numbers: {
      users: count(facts.users),
      groups: count(facts.groups),
      pads: pads.length,
      orphans: findings.filter(({ kind }) => orphanKinds.has(kind)).length,
    },
    findings,
    waiting: facts.padRemovals.size - facts.trash.pads.size - lost.length,
  };
}

export interface DoctorContext {
  database: Database;
  storedPads: (database: Database) => StoredPads;
  /** The block `ep_mypads` of Etherpad's settings file. Its settings replace those of the database. */
  presets?: SettingsBlock;
  now: () => number;
}

export function createDoctor(context: DoctorContext) {
  const { now, presets = {} } = context;
  /** Keys of records that cannot be read. */
  const unreadableKeys = new Set<string>();
  const database = withUnreadable(context.database, (key) => unreadableKeys.add(key));
  // Repairs are made while no Etherpad runs.
  const store = createStore(database, createInProcessCoordination({ now }));
  const storedPads = context.storedPads(database);

  /** Searches only; changes nothing. */
  async function examine(progress: Progress = () => {}): Promise<Report> {
    unreadableKeys.clear();
    const facts = await readFacts(store, { storedPads, presets, progress });
    // The pads of an unreadable group would look like orphans, so nothing else is checked.
    const findings =
      unreadableKeys.size > 0
        ? [...unreadableKeys].map((key): Finding => ({ kind: 'unreadable', of: key }))
        : check(facts, now());
    return reportOf(facts, findings);
  }

  /**
   * Repairs all findings that can be repaired, orphans only with `orphans`, including findings that a repair reveals.
   * `keep` gets each value before it is changed or removed. Returns what was repaired.
   */
  async function repair({ orphans, keep, progress = () => {} }: RepairOptions): Promise<Finding[]> {
    const repairs = new Repairs(store, keep);
    const repaired: Finding[] = [];
    for (let round = 0; round < maxRounds; round++) {
      const { findings } = await examine();
      const repairable = findings.filter((one) => canRepair(one) && (orphans || !orphanKinds.has(one.kind)));
      if (repairable.length === 0) break;
      // Merging accounts changes what the other findings are based on, so it comes first.
      const merges = repairable.filter(({ kind }) => kind === 'duplicateAccounts');
      const wanted = merges.length > 0 ? merges : repairable;
      let count = 0;
      await repairs.repairAll(wanted, (finding) => {
        repaired.push(finding);
        count += 1;
        progress('repairing', count, wanted.length);
      });
    }
    return repaired;
  }

  return { examine, repair };
}

export type Doctor = ReturnType<typeof createDoctor>;
