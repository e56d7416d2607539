/**
 * Finds words in the texts of pads. It has a file of its own, which may be deleted at any time. Every 15 seconds it
 * reads what was written since and has been quiet for a minute; so it needs no queue, and misses nothing after a crash.
 * It does not know who may see what: the caller names the pads.
 */

import { setTimeout as pause } from 'node:timers/promises';
import { isError, MyPadsError } from '../errors';
import { isDiskFull, ReplaceableFile } from '../index/indexFile';
import type { RecordIndex } from '../index/recordIndex';
import type { EditorPads, OpenIndex, SqlStatement, SqlValue } from '../ports';
import { SharedRuns } from '../sharedRuns';
import type { Basics } from '../store/basics';
import { nextSlice, sliceUsed } from '../store/timeSlice';
import { markedExcerpt } from './excerpt';
import { type ExcerptPart, excerptOf, indexedText, searchedParts } from './textQuery';

const schema = `
  -- time: of the last change of the text that was read, in milliseconds since 1970. Texts are as indexedText makes them.
  CREATE TABLE texts(number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, time INTEGER NOT NULL);
  -- In many scripts, such as that of Hindi, vowels are marks (Mn, Mc) and part of a word. Accents of letters are not.
  CREATE VIRTUAL TABLE words USING fts5(
    text, tokenize="unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'"
  );
  -- What was removed is not left in the file.
  INSERT INTO words(words, rank) VALUES ('secure-delete', 1);
  CREATE TRIGGER textRemoved AFTER DELETE ON texts BEGIN
    DELETE FROM words WHERE rowid = old.number;
  END;
`;

/** Milliseconds. */
const times = {
  /** Between two rounds. */
  round: 15_000,
  /** A text is read when nobody has written in it for so long. */
  quiet: 60_000,
  /** Changes are noticed although their record was written so much later. */
  late: 10 * 60_000,
  /** Between two rounds that look at all pads. */
  all: 60 * 60_000,
  /** Between two batches of texts. */
  pause: 60,
} as const;

const padsAtOnce = 500;
const textsAtOnce = 5;
/** SQLite takes 4 ms for each thousand pads that it is told. Of more, all that match are compared with them here. */
const mostNamed = 1_000;

/** Which of these pads (a JSON list) have what is searched for. */
const findTexts = `SELECT id FROM words JOIN texts ON texts.number = words.rowid
  WHERE words MATCH ? AND id IN (SELECT value FROM json_each(?))`;

/** Matches that are read at once, when all are read: to parse a list of 50,000 holds up edits. */
export const matchesAtOnce = 5_000;

/** A JSON list of pads that have what is searched for: the first ones after a number, and the number of the last. */
export const findNextTexts = `SELECT json_group_array(id) AS ids, max(number) AS last FROM (
    SELECT id, number FROM words JOIN texts ON texts.number = words.rowid
    WHERE words MATCH ? AND words.rowid > ? ORDER BY words.rowid LIMIT ${matchesAtOnce}
  )`;

/** The beginnings of these texts (a JSON list), for excerpts. */
export const textsForExcerpts = `SELECT id, substr(text, 1, 100000) AS text
  FROM words JOIN texts ON texts.number = words.rowid WHERE id IN (SELECT value FROM json_each(?))`;

interface TextContext extends Pick<Basics, 'events' | 'log' | 'now' | 'schedule'> {
  openIndex: OpenIndex;
  /** Of the database, so that the file of another one is not used. */
  databaseId: string;
  recordIndex: Pick<RecordIndex, 'changedPads' | 'existingPads'>;
  pads: Pick<EditorPads, 'text'>;
  /** Whether texts are searched here. */
  isOn: () => boolean;
}

const removal = (id: string): SqlStatement => ({ sql: 'DELETE FROM texts WHERE id = ?', values: [id] });

/** `indexed`: as `indexedText` makes it. */
const rowsOf = (id: string, time: number, indexed: string): SqlStatement[] => [
  removal(id),
  { sql: 'INSERT INTO texts(id, time) VALUES (?, ?)', values: [id, time] },
  {
    sql: 'INSERT INTO words(rowid, text) VALUES ((SELECT number FROM texts WHERE id = ?), ?)',
    values: [id, indexed],
  },
];

interface ChangedPad {
  id: string;
  changed: number;
}

const beginning: ChangedPad = { id: '', changed: -1 };

export class TextIndex {
  private readonly file: ReplaceableFile;
  /** Up to where changes have been read. */
  private last = beginning;
  /** The next round reads all texts: the file is new, or something was restored. */
  private again = true;
  private lastOfAll = 0;
  /** When the disk was full, in milliseconds since 1970. */
  private fullAt = Number.NEGATIVE_INFINITY;
  private complete = false;
  /** Pads removed since all were looked at. A round that began before may still have their texts to write. */
  private readonly removed = new Set<string>();
  private readonly closing = new AbortController();
  private readonly rounds = new SharedRuns(() => this.round());
  private updated: Promise<void> = Promise.resolve();
  private readonly stops: (() => void)[] = [];

  constructor(private readonly context: TextContext) {
    const { openIndex, databaseId } = context;
    this.file = new ReplaceableFile(
      (afresh) => openIndex({ name: 'texts', schema: `-- ${databaseId}\n${schema}`, afresh }),
      () => this.readAllAgain(),
    );
  }

  start(): void {
    const { schedule, events } = this.context;
    this.stops.push(
      schedule.every('read changed texts', times.round, () => void this.update()),
      events.on('pad', ({ what, id }) => {
        if (what === 'removed') {
          this.removed.add(id);
          void this.write([removal(id)]).catch(() => {});
        } else this.removed.delete(id);
        if (what === 'restored') this.again = true;
      }),
      events.on('group', ({ what }) => {
        if (what === 'restored') this.again = true;
      }),
    );
  }

  /** Reads what has changed. Resolves when that is done; never rejects. */
  update(): Promise<void> {
    this.updated = this.rounds.run().catch((error: unknown) => {
      // Busy: the index of the records is being built.
      if (this.closing.signal.aborted || isError(error, 'BACKEND.ERROR.SERVER.BUSY')) return;
      this.context.log.warn('reading texts for the search failed, retrying later', { error: String(error) });
    });
    return this.updated;
  }

  /** False until all texts have been read once. */
  isComplete = (): boolean => this.complete;

  /**
   * Those of the pads, by id, whose texts have what `match` of textQuery.ts says. Throws SERVER.BUSY without a usable
   * file.
   */
  async find<Pad>(match: string, pads: ReadonlyMap<string, Pad>): Promise<Pad[]> {
    if (pads.size > mostNamed) return this.findAmongAll(match, pads);
    const rows = await this.ask<{ id: string }>(findTexts, [match, JSON.stringify([...pads.keys()])]);
    return rows.flatMap(({ id }) => pads.get(id) ?? []);
  }

  /** Of what was searched for, by the id of the pad. Throws SERVER.BUSY. */
  async excerpts(searched: string, pads: readonly string[]): Promise<Map<string, ExcerptPart[]>> {
    const rows = await this.ask<{ id: string; text: string }>(textsForExcerpts, [JSON.stringify(pads)]);
    const parts = searchedParts(searched);
    const found = new Map<string, ExcerptPart[]>();
    for (const { id, text } of rows) found.set(id, excerptOf(await markedExcerpt(text, parts)));
    return found;
  }

  async close(): Promise<void> {
    this.closing.abort();
    for (const stop of this.stops) stop();
    await this.updated;
    await this.file.close();
  }

  private async findAmongAll<Pad>(match: string, pads: ReadonlyMap<string, Pad>): Promise<Pad[]> {
    // A text that is written meanwhile gets another number, and can be found once more.
    const found = new Set<Pad>();
    for (let last: number | null = 0; last !== null; ) {
      const [row]: { ids: string; last: number | null }[] = await this.ask(findNextTexts, [match, last]);
      const ids: string[] = JSON.parse(row?.ids ?? '[]');
      for (const id of ids) {
        const pad = pads.get(id);
        if (pad !== undefined) found.add(pad);
      }
      last = ids.length < matchesAtOnce ? null : (row?.last ?? null);
      if (sliceUsed()) await nextSlice();
    }
    return [...found];
  }

  // 1. The file

  private async write(statements: readonly SqlStatement[]): Promise<void> {
    if (this.closing.signal.aborted) return;
    await this.file.write(statements).catch((error: unknown) => {
      if (isDiskFull(error)) this.fullAt = this.context.now();
      throw error;
    });
  }

  private async ask<Row extends object>(sql: string, values: readonly SqlValue[]): Promise<Row[]> {
    try {
      return await this.file.read<Row>(sql, values);
    } catch (error) {
      this.context.log.warn('search in texts failed', { error: String(error) });
      throw new MyPadsError('BACKEND.ERROR.SERVER.BUSY');
    }
  }

  // 2. Reading texts

  private readAllAgain(): void {
    [this.again, this.complete] = [true, false];
  }

  private async round(): Promise<void> {
    const { isOn, now, recordIndex } = this.context;
    this.closing.signal.throwIfAborted();
    if (!isOn()) return this.forgetAll();
    // If the last file was lost, this opens an empty one, and all texts are read again.
    await this.file.opened();
    const time = now();
    // The file was deleted then, because others need the space more. The texts would fill the disk again.
    if (Math.abs(time - this.fullAt) < times.all) return;
    // Also when the clock was ahead.
    const ofAll = this.again || Math.abs(time - this.lastOfAll) >= times.all;
    this.again = false;
    if (ofAll) this.last = beginning;
    const until = time - times.quiet;
    try {
      for (;;) {
        const pads = await recordIndex.changedPads(this.last, until, padsAtOnce);
        await this.readTexts(await this.outdated(pads));
        this.last = pads.at(-1) ?? this.last;
        if (pads.length < padsAtOnce) break;
      }
      if (ofAll) await this.removeMissing();
    } catch (error) {
      this.again ||= ofAll;
      throw error;
    }
    if (ofAll && !this.again) {
      this.removed.clear();
      this.lastOfAll = time;
      this.complete = true;
    }
    this.last = { id: '', changed: Math.min(this.last.changed, until - times.late) };
  }

  private async outdated(pads: readonly ChangedPad[]): Promise<ChangedPad[]> {
    const rows = await this.file.read<{ id: string; time: number }>(
      'SELECT id, time FROM texts WHERE id IN (SELECT value FROM json_each(?))',
      [JSON.stringify(pads.map(({ id }) => id))],
    );
    const known = new Map(rows.map(({ id, time }) => [id, time]));
    // A later time too: the file knows what was written after the backup that was restored.
    return pads.filter(({ id, changed }) => known.get(id) !== changed);
  }

  /** A few of them at a time, with pauses: a batch holds up all questions to the thread of the index. */
  private async *inBatches<Item>(all: readonly Item[]): AsyncIterable<Item[]> {
    const { signal } = this.closing;
    for (let start = 0; start < all.length; start += textsAtOnce) {
      if (start > 0) await pause(times.pause, undefined, { signal });
      signal.throwIfAborted();
      yield all.slice(start, start + textsAtOnce);
    }
  }

  private async readTexts(pads: readonly ChangedPad[]): Promise<void> {
    for await (const batch of this.inBatches(pads)) {
      const rows = new Map<string, SqlStatement[]>();
      for (const { id, changed } of batch) {
        const text = await this.context.pads.text(id);
        rows.set(id, rowsOf(id, changed, await indexedText(text ?? '')));
        if (sliceUsed()) await nextSlice();
      }
      for (const id of this.removed) rows.delete(id);
      await this.write([...rows.values()].flat());
    }
  }

  private async removeMissing(): Promise<void> {
    for (let last = ''; ; ) {
      const rows = await this.file.read<{ id: string }>(
        `SELECT id FROM texts WHERE id > ? ORDER BY id LIMIT ${padsAtOnce}`,
        [last],
      );
      const ids = rows.map(({ id }) => id);
      const existing = new Set(await this.context.recordIndex.existingPads(ids));
      const missing = ids.filter((id) => !existing.has(id));
      for await (const batch of this.inBatches(missing)) await this.write(batch.map(removal));
      last = ids.at(-1) ?? '';
      if (ids.length < padsAtOnce) return;
    }
  }

  /** The setting is off: no text stays in the file. */
  private async forgetAll(): Promise<void> {
    const [{ texts } = { texts: 0 }] = await this.file.read<{ texts: number }>(
      'SELECT count(*) AS texts FROM texts',
    );
    this.readAllAgain();
    this.removed.clear();
    this.fullAt = Number.NEGATIVE_INFINITY;
    if (texts === 0) return;
    // Another file: to take all texts out of this one would hold up the thread for minutes.
    this.file.lose();
    await this.file.opened();
  }
}
