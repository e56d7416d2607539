/**
 * Exports: what people ask for is stored, a job makes the file, and who has asked downloads it within a day. The file
 * belongs to the process that made it. A process that is asked for one that it does not have makes it again, so nothing
 * depends on which process the proxy chooses, and none is lost by a restart.
 */

import type { Readable } from 'node:stream';
import pLimit from 'p-limit';
import { type ErrorKey, isError, isRefused, MyPadsError, recordNotFound } from '../errors';
import { newId } from '../ids';
import type { JobQueue, JobRun, Jobs } from '../jobs/types';
import { exportLimits } from '../limits';
import type { Basics } from '../store/basics';
import type { Store } from '../store/store';
import type { ExportMail } from './exportMail';
import {
  type ExportOwner,
  type ExportRecord,
  type ExportRecords,
  type ExportRequest,
  keyOf,
  readExports,
} from './exportRecords';
import { type Made, Making, type MakingContext } from './making';

/** An export as who has asked for it sees it. */
export interface OwnExport extends ExportRecord {
  progress?: { done: number; total: number };
}

export { type ExportOwner, type ExportSubject, endOf } from './exportRecords';

export interface ExportsContext extends MakingContext, Pick<Basics, 'log' | 'schedule'> {
  store: Store;
  records: ExportRecords;
  jobs: Pick<Jobs, 'define' | 'list' | 'signal'>;
  mail: ExportMail;
}

interface ExportFacts {
  owner: ExportOwner;
  id: string;
  /** The account that it is about. */
  account?: string | undefined;
  /** Failures so far. */
  failures?: number;
}

/** A file of this process. */
interface Kept {
  key: string;
  until: number;
}

/** A failure that may pass, of the database for example, is tried so often. */
const maxFailures = 3;
/** Files that one process makes at the same time. */
const parallel = 2;
/** Milliseconds. */
const lookEvery = 10 * 60_000;
/** Seconds until a file that is made again may be there. */
const retryAfter = 3;

const fileOf = (id: string): string => `${id}.zip`;

/** The error that people see; `undefined` if another try may succeed. */
const lasting = (error: unknown): ErrorKey | undefined =>
  isRefused(error) || isError(error, 'BACKEND.ERROR.EXPORT.NOT_STORED') ? error.key : undefined;

export class Exports {
  private readonly queue: JobQueue<ExportFacts, void, ExportRequest>;
  private readonly limit = pLimit(parallel);
  private readonly kept = new Map<string, Kept>();
  /** Files that are made again in this process; with the failure if that has ended. */
  private readonly again = new Map<string, { failure?: unknown }>();
  private readonly endLooking: () => void;

  constructor(private readonly context: ExportsContext) {
    this.queue = context.jobs.define<ExportFacts, void, ExportRequest>({
      type: 'makeExport',
      parallel,
      canCancel: true,
      first: (facts, _run, request) => this.enter(facts, request),
      run: (facts, run) => this.run(facts, run),
    });
    this.endLooking = context.schedule.every('remove files of exports', lookEvery, () => this.removeOld());
  }

  /**
   * Stores the request and begins to make the file. Throws EXPORT.RUNNING while another one of the same owner is being
   * made, EXPORT.NOT_STORED when no file can be written.
   */
  async ask(owner: ExportOwner, request: ExportRequest): Promise<string> {
    if (!(await this.context.exportFiles.usable())) throw new MyPadsError('BACKEND.ERROR.EXPORT.NOT_STORED');
    const id = newId('export');
    const { subject } = request;
    const account = subject.kind === 'account' ? subject.id : undefined;
    await this.queue.begin({ owner, id, account }, { name: id, given: request });
    return id;
  }

  /** The ids of exports whose job has not ended or failed, with the progress of each. */
  private async working(): Promise<Map<string, OwnExport['progress']>> {
    const jobs = (await this.context.jobs.list()).filter(
      ({ type, failed }) => type === 'makeExport' && !failed,
    );
    return new Map(jobs.map(({ facts, progress }) => [(facts as ExportFacts).id, progress]));
  }

  /** Of several requests at the same time, one is stored. After a crash there is no request, so it is stored or not. */
  private async enter({ owner, id }: ExportFacts, request: ExportRequest | undefined): Promise<void> {
    if (request === undefined) return;
    const working = await this.working();
    await this.context.records.change(owner, (open) => {
      if (open.some(({ _id, state }) => state === 'working' && working.has(_id)))
        throw new MyPadsError('BACKEND.ERROR.EXPORT.RUNNING');
      const record: ExportRecord = { ...request, _id: id, created: this.context.now(), state: 'working' };
      return [...open, record].slice(-exportLimits.kept);
    });
  }

  private async stored(owner: ExportOwner, id: string): Promise<ExportRecord | undefined> {
    return (await this.context.records.of(owner)).find(({ _id }) => _id === id);
  }

  private change(owner: ExportOwner, id: string, fields: Partial<ExportRecord>): Promise<void> {
    return this.context.records.change(owner, (open) =>
      open.some(({ _id }) => _id === id)
        ? open.map((one) => (one._id === id ? { ...one, ...fields } : one))
        : open,
    );
  }

  private async run(facts: ExportFacts, run: JobRun): Promise<void> {
    const { owner, id, failures = 0 } = facts;
    const record = await this.stored(owner, id);
    if (record?.state !== 'working') return;
    try {
      const made = await this.make(owner, record, run);
      // Given up meanwhile, in another process perhaps, so that nothing has stopped this run.
      if (!(await this.working()).has(id)) return this.discard(id);
      // Before it is ready, and not after: a run that is repeated after a crash queues no second email.
      await this.context.mail.ready(owner, id);
      await this.finish(owner, record, made);
    } catch (error) {
      if (run.signal.aborted) throw error;
      const key = lasting(error);
      if (key === undefined && failures + 1 < maxFailures) {
        await run.keep({ ...facts, failures: failures + 1 });
        throw error;
      }
      await this.fail(owner, record, key ?? 'BACKEND.ERROR.EXPORT.FAILED', error);
    }
  }

  private async finish(owner: ExportOwner, { _id, subject }: ExportRecord, made: Made): Promise<void> {
    await this.change(owner, _id, { ...made, state: 'ready', ended: this.context.now() });
    this.context.log.info('export ready', { by: owner.name, of: subject.kind, ...made });
  }

  private async fail(owner: ExportOwner, record: ExportRecord, key: ErrorKey, error: unknown): Promise<void> {
    const reason = error instanceof MyPadsError ? (error.details.reason ?? error.key) : error;
    this.context.log.error('export failed', {
      by: owner.name,
      of: record.subject.kind,
      error: String(reason),
    });
    await this.change(owner, record._id, { state: 'failed', error: key, ended: this.context.now() });
  }

  /** Makes the file in this process. */
  private make(
    owner: ExportOwner,
    record: ExportRecord,
    { signal, progress }: Pick<JobRun, 'signal' | 'progress'>,
  ): Promise<Made> {
    return this.limit(async () => {
      signal.throwIfAborted();
      const made = await new Making(this.context, record, { owner, signal, progress }).make(
        fileOf(record._id),
      );
      const key = keyOf(owner);
      this.kept.set(record._id, { key, until: this.context.now() + exportLimits.lifetime });
      // It may have been removed meanwhile, before this process had a file to remove.
      this.recordWritten(key, await this.context.store.get(key));
      return made;
    });
  }

  /** The latest first. */
  async list(owner: ExportOwner): Promise<OwnExport[]> {
    const working = await this.working();
    return (await this.context.records.of(owner)).map((record) => {
      if (record.state !== 'working') return record;
      const progress = working.get(record._id);
      if (working.has(record._id)) return progress === undefined ? record : { ...record, progress };
      // Its job was given up.
      return { ...record, state: 'failed', error: 'BACKEND.ERROR.EXPORT.FAILED' };
    });
  }

  /** Throws KEY_NOT_FOUND: for everyone else it does not exist. */
  async find(owner: ExportOwner, id: string): Promise<OwnExport> {
    const found = (await this.list(owner)).find(({ _id }) => _id === id);
    if (found === undefined) throw recordNotFound(id);
    return found;
  }

  /** Who has asked knows now that it is ready. */
  async seen(owner: ExportOwner, id: string): Promise<void> {
    await this.change(owner, id, { seen: true });
  }

  /**
   * Throws KEY_NOT_FOUND, SERVER.BUSY while the file is being made or made again in this process, and the error of an
   * export that has failed.
   */
  async file(owner: ExportOwner, id: string): Promise<{ size: number; content: Readable }> {
    const record = await this.find(owner, id);
    if (record.state === 'failed') throw new MyPadsError(record.error ?? 'BACKEND.ERROR.EXPORT.FAILED');
    if (record.state === 'ready') {
      const found = this.kept.has(id) ? await this.context.exportFiles.read(fileOf(id)) : undefined;
      if (found) return found;
      this.makeAgain(owner, record);
    }
    throw new MyPadsError('BACKEND.ERROR.SERVER.BUSY', { retryAfter });
  }

  /** Throws the failure of the last time, once. */
  private makeAgain(owner: ExportOwner, record: ExportRecord): void {
    const { _id: id } = record;
    const before = this.again.get(id);
    if (before?.failure !== undefined) {
      this.again.delete(id);
      throw before.failure;
    }
    if (before !== undefined) return;
    const { log, jobs } = this.context;
    this.again.set(id, {});
    log.info('export made again, because this process does not have the file', { by: owner.name });
    this.make(owner, record, { signal: jobs.signal, progress: () => {} }).then(
      () => void this.again.delete(id),
      (error: unknown) => {
        if (!jobs.signal.aborted)
          log.error('export not made again', { by: owner.name, error: String(error) });
        const failure = error instanceof MyPadsError ? error : new MyPadsError('BACKEND.ERROR.EXPORT.FAILED');
        this.again.set(id, { failure });
      },
    );
  }

  /** Removes it, also one that is being made. Throws KEY_NOT_FOUND. */
  async remove(owner: ExportOwner, id: string): Promise<void> {
    if ((await this.stored(owner, id)) === undefined) throw recordNotFound(id);
    await this.queue.end((facts) => facts.id === id);
    await this.context.records.change(owner, (open) => open.filter(({ _id }) => _id !== id));
  }

  /** Removes what is about these accounts. */
  async forget(accounts: ReadonlySet<string>): Promise<void> {
    const isGone = (id: string | undefined): boolean => id !== undefined && accounts.has(id);
    await this.queue.end(
      ({ owner, account }) => isGone(account) || (owner.kind === 'user' && isGone(owner.name)),
    );
    await this.context.mail.forget(accounts);
    await this.context.records.forget(accounts);
  }

  /** Removes what is over. A regular job. */
  sweep(signal?: AbortSignal): Promise<void> {
    return this.context.records.sweep(signal);
  }

  /** Call it after each write to the database, of this process and of others. */
  recordWritten(key: string, value: unknown): void {
    const own = [...this.kept].filter(([, kept]) => kept.key === key);
    if (own.length === 0) return;
    const left = new Set(readExports(value).map(({ _id }) => _id));
    for (const [id] of own) if (!left.has(id)) this.discard(id);
  }

  private removeOld(): void {
    for (const [id, { until }] of this.kept) if (this.context.now() >= until) this.discard(id);
  }

  private discard(id: string): void {
    this.kept.delete(id);
    this.context.exportFiles.remove(fileOf(id)).catch((error: unknown) => {
      this.context.log.warn('file of an export not removed', { error: String(error) });
    });
  }

  async close(): Promise<void> {
    this.endLooking();
    await this.context.exportFiles.close();
  }
}
