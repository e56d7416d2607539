/**
 * Makes folders and pads of a ZIP, as a job. Each folder and pad has an id that follows from the import and its place
 * in the ZIP. So a run that was interrupted finds what it has made, and makes nothing twice.
 */

import { createHash } from 'node:crypto';
import { access } from 'node:fs/promises';
import pLimit from 'p-limit';
import { type Actor, groupAbilities, mayCreateGroup, type Policy } from '../access/permissions';
import type { Users } from '../accounts/user';
import { actingAs, asPartOf, type EventActor } from '../actor';
import { isError, isRefused, MyPadsError } from '../errors';
import type { Groups } from '../folders/group';
import type { Pads } from '../folders/pad';
import { idFrom, randomText } from '../ids';
import type { JobRun, Jobs } from '../jobs/types';
import type { EditorPads, ImportSource } from '../ports';
import type { Removals } from '../removal/removals';
import type { Basics } from '../store/basics';
import type { GroupRecord, PadRecord } from '../store/entities';
import { keys } from '../store/store';
import { nextSlice } from '../store/timeSlice';
import { type FileFault, type PadFormat, sourceOf } from './files';
import { type Plan, type PlanChoices, type PlannedPad, planImport, type SkippedFile } from './plan';
import { createUploads, type Uploads } from './uploads';
import { openZip, type Zip, type ZipEntry } from './zip';

/** `denied`: the person lost the right. `interrupted`: the server stopped, and cannot continue. */
export const importStates = ['running', 'done', 'cancelled', 'denied', 'interrupted'] as const;

/** The last import of a person. */
export interface ImportRecord {
  _id: string;
  state: (typeof importStates)[number];
  begun: number;
  /** Files that are done, of `total`. */
  done: number;
  total: number;
  groups: { _id: string; name: string }[];
  pads: { _id: string; name: string; group: string }[];
  failed: SkippedFile[];
}

/** A plan, after all files were read. */
export interface Examined extends Omit<Plan, 'pads'> {
  /** Those that will be made, and of what. */
  pads: (PlannedPad & { format: PadFormat })[];
  /** How many files the job goes through. */
  total: number;
}

/** Who imports. `by` is the actor of the events. */
export interface Importer {
  id: string;
  by: EventActor;
}

export interface PadImportContext extends Pick<Basics, 'store' | 'log' | 'now'> {
  jobs: Jobs;
  groups: Groups;
  pads: Pads;
  users: Pick<Users, 'get'>;
  removals: Removals;
  editorPads: EditorPads;
  policy: () => Policy;
  uploadFolders: readonly string[];
}

interface Facts {
  id: string;
  importer: Importer;
  choices: PlanChoices;
  file: string;
  /** Secret, so that nobody can guess the ids of the pads. */
  seed: string;
  /** Number of this run. */
  attempt: number;
}

/** A file that makes the server exit must not do so at each start. */
const mostAttempts = 5;
/** Milliseconds between two writes of the progress. */
const saveEvery = 1_000;
/** ZIPs that are examined at the same time. */
const examinedAtOnce = 2;

/** The person has lost the right, has deleted the folder, or their account was closed. */
class Denied extends Error {}

/** `undefined` if it has too many bytes. */
async function contentOf(zip: Zip, entry: ZipEntry): Promise<Buffer | undefined> {
  try {
    return await zip.read(entry);
  } catch (error) {
    if (error instanceof MyPadsError && error.details.limit === 'entry') return undefined;
    throw error;
  }
}

/** The best file that can be read, and its content. */
async function choose(
  { editorPads }: Pick<PadImportContext, 'editorPads'>,
  zip: Zip,
  { files }: PlannedPad,
  own: readonly string[],
): Promise<{ source: ImportSource; format: PadFormat } | { fault: FileFault }> {
  let first: FileFault | undefined;
  for (const { entry, format } of files) {
    const bytes = await contentOf(zip, entry);
    const source = bytes ? sourceOf(entry.path, format, bytes) : 'tooLarge';
    const fault = typeof source === 'string' ? source : await editorPads.checkImport(source, own);
    if (typeof source !== 'string' && fault === undefined) return { source, format };
    first ??= fault;
  }
  return { fault: first ?? 'missing' };
}

class Run {
  private record: ImportRecord;
  private savedAt = 0;
  private readonly actor: Actor;
  /** By their place in the plan; those that were made or found in this run. */
  private readonly folders = new Map<number, string>();

  constructor(
    private readonly context: PadImportContext,
    private readonly facts: Facts,
    record: ImportRecord,
    private readonly own: readonly string[],
  ) {
    this.record = record;
    this.actor = { kind: 'user', id: facts.importer.id, unlocked: () => false };
  }

  /** Makes what is left. Returns how it has ended. */
  async work(zip: Zip, plan: Plan, signal: AbortSignal): Promise<ImportRecord['state']> {
    try {
      for (const [place, pad] of plan.pads.entries()) {
        if (place < this.record.done) continue;
        signal.throwIfAborted();
        await this.makePad(zip, plan, place, pad);
        this.record = { ...this.record, done: place + 1 };
        // Also when the clock was put back.
        const isDue = Math.abs(this.context.now() - this.savedAt) >= saveEvery;
        const state = isDue ? await this.save('running') : 'running';
        if (state !== 'running') return state;
        await nextSlice();
      }
    } catch (error) {
      if (!(error instanceof Denied)) throw error;
      return this.save('denied');
    }
    return this.save('done');
  }

  /** Returns the state that is stored then: another one if the person has cancelled it. */
  async save(state: ImportRecord['state']): Promise<ImportRecord['state']> {
    this.savedAt = this.context.now();
    let now: ImportRecord['state'] = 'cancelled';
    await this.context.store.update<ImportRecord>(keys.padImport(this.facts.importer.id), (stored) => {
      if (stored?._id !== this.facts.id) return undefined;
      now = stored.state === 'running' ? state : stored.state;
      return { ...this.record, state: now };
    });
    return now;
  }

  private idOf(name: string, what: string): string {
    const digest = createHash('sha256').update(`${this.facts.seed} ${what}`).digest();
    return idFrom(name, digest);
  }

  private async makePad(zip: Zip, plan: Plan, place: number, pad: PlannedPad): Promise<void> {
    const path = pad.files[0]?.entry.path ?? pad.name;
    if (this.facts.attempt > 0 && (await this.wasMade(place, pad))) return;
    const chosen = await choose(this.context, zip, pad, this.own);
    const fault = 'fault' in chosen ? chosen.fault : await this.write(plan, place, pad, chosen.source);
    if (fault === undefined) return;
    this.record = { ...this.record, failed: [...this.record.failed, { path, fault }] };
  }

  private async write(
    plan: Plan,
    place: number,
    pad: PlannedPad,
    source: ImportSource,
  ): Promise<FileFault | undefined> {
    // A closed account keeps its roles in folders.
    if (!(await this.context.users.get(this.facts.importer.id))?.active) throw new Denied();
    const group = await this.folderOf(plan, pad.folder);
    let fault: FileFault | undefined;
    const id = this.idOf(pad.name, `pad ${place} ${this.facts.attempt}`);
    const fill = async (): Promise<void> => {
      fault = await this.context.editorPads.import(id, source, this.own).catch((error: unknown) => {
        // The database may refuse what is in this file each time, and not the others.
        if (this.facts.attempt < mostAttempts - 1) throw error;
        return 'invalid' as const;
      });
      if (fault !== undefined) throw new MyPadsError('BACKEND.ERROR.IMPORT.NOTHING');
    };
    const input = { name: pad.name, template: pad.template && this.mayEdit(group), filled: { id, fill } };
    try {
      const made = await this.asImporter(() => this.context.pads.create(group._id, input, this.check));
      this.note(made);
      return undefined;
    } catch (error) {
      // Otherwise what was begun could not be undone: the next attempt does.
      if (fault !== undefined && isError(error, 'BACKEND.ERROR.IMPORT.NOTHING')) return fault;
      // The folder is gone, or the person may not make pads in it any more.
      if (isRefused(error)) throw new Denied();
      throw error;
    }
  }

  /** Whether an earlier run has made it. What it has left unfinished is removed. */
  private async wasMade(place: number, { name }: PlannedPad): Promise<boolean> {
    const { store, groups, removals } = this.context;
    for (let attempt = 0; attempt < this.facts.attempt; attempt += 1) {
      const id = this.idOf(name, `pad ${place} ${attempt}`);
      const [pad, note] = await store.getMany<PadRecord>([keys.pad(id), keys.deletePad(id)]);
      const group = pad && (await groups.find(pad.group));
      const isListed = pad !== undefined && group?.pads.includes(id) === true;
      if (isListed) this.note(pad);
      // Somebody has put it into the trash.
      if (isListed || (note !== undefined && 'trashed' in note)) return true;
      // Somebody has put the folder into the trash with it.
      if (pad && !group && (await store.get(keys.deleteGroup(pad.group))) !== undefined) throw new Denied();
      if (pad) await asPartOf('failedCreation', () => removals.removePad(id));
    }
    return false;
  }

  private async folderOf(plan: Plan, place: number): Promise<GroupRecord> {
    const id = this.folders.get(place) ?? this.facts.choices.target;
    const known = id === undefined ? undefined : await this.context.groups.find(id);
    if (id !== undefined && !known) throw new Denied();
    return known ?? this.makeFolder(plan, place);
  }

  private async makeFolder({ folders }: Plan, place: number): Promise<GroupRecord> {
    const { groups, store } = this.context;
    const { name, description, tags } = folders[place] ?? { name: 'Import', description: '', tags: [] };
    const id = this.idOf(name, `folder ${place}`);
    const made = await groups.find(id);
    // Somebody has deleted it since.
    if (!made && (await store.get(keys.deleteGroup(id))) !== undefined) throw new Denied();
    if (!mayCreateGroup(this.actor)) throw new Denied();
    const input = { name, description, tags };
    const group = made ?? (await this.asImporter(() => groups.create(this.facts.importer.id, input, id)));
    this.folders.set(place, id);
    if (!this.record.groups.some(({ _id }) => _id === id))
      this.record = { ...this.record, groups: [...this.record.groups, { _id: id, name: group.name }] };
    return group;
  }

  private mayEdit = (group: GroupRecord): boolean =>
    groupAbilities(this.actor, group, this.context.policy()).edit;

  private check = (group: GroupRecord): void => {
    if (groupAbilities(this.actor, group, this.context.policy()).createPad) return;
    throw new MyPadsError('BACKEND.ERROR.AUTHENTICATION.DENIED', { key: group._id });
  };

  private asImporter = <T>(work: () => Promise<T>): Promise<T> => actingAs(this.facts.importer.by, work);

  private note({ _id, name, group }: PadRecord): void {
    if (this.record.pads.some((pad) => pad._id === _id)) return;
    this.record = { ...this.record, pads: [...this.record.pads, { _id, name, group }] };
  }

  get numbers(): { pads: number; failed: number } {
    return { pads: this.record.pads.length, failed: this.record.failed.length };
  }
}

export class PadImports implements Uploads {
  private readonly uploads: Uploads;
  private readonly queue;
  private readonly examining = pLimit(examinedAtOnce);

  constructor(private readonly context: PadImportContext) {
    const { jobs, now, uploadFolders } = context;
    this.queue = jobs.define<Facts>({
      type: 'padImport',
      parallel: 2,
      run: (facts, run) => this.run(facts, run),
    });
    const needed = async () => (await this.queue.open()).map(({ file }) => file);
    this.uploads = createUploads(uploadFolders, { needed, now });
  }

  newFile = (): Promise<string> => this.uploads.newFile();
  remove = (file: string): Promise<void> => this.uploads.remove(file);
  sweep = (): Promise<void> => this.uploads.sweep();

  /** Says what would be made of a ZIP. Throws IMPORT.*. */
  examine = (file: string, importer: Importer, choices: PlanChoices): Promise<Examined> =>
    this.examining(async () => {
      const own = (await this.context.users.get(importer.id))?.authors ?? [];
      const zip = await openZip(file);
      try {
        const plan = await planImport(zip, choices, this.context.editorPads.convertible());
        const pads: Examined['pads'] = [];
        const skipped = [...plan.skipped];
        for (const pad of plan.pads) {
          const chosen = await choose(this.context, zip, pad, own);
          if ('fault' in chosen) skipped.push({ path: pad.files[0]?.entry.path ?? '', fault: chosen.fault });
          else pads.push({ ...pad, format: chosen.format });
          await nextSlice();
        }
        return { ...plan, pads, skipped, total: plan.pads.length };
      } finally {
        zip.close();
      }
    });

  /** Begins to make it, and takes over the file. Resolves to the id. Throws IMPORT.RUNNING. */
  async begin(
    upload: { file: string; isTaken: boolean },
    importer: Importer,
    choices: PlanChoices,
    total: number,
  ): Promise<string> {
    const { store, now } = this.context;
    const id = randomText(24);
    const record: ImportRecord = {
      ...{ _id: id, state: 'running', begun: now(), done: 0, total },
      ...{ groups: [], pads: [], failed: [] },
    };
    // Two calls of one person must not both begin.
    await store.locked([keys.creationFor(importer.id)], async () => {
      if ((await this.find(importer.id))?.state === 'running')
        throw new MyPadsError('BACKEND.ERROR.IMPORT.RUNNING');
      await store.locked([keys.padImport(importer.id)], () => store.set(keys.padImport(importer.id), record));
      const facts = { id, importer, choices, file: upload.file, seed: randomText(32), attempt: 0 };
      upload.isTaken = true;
      await this.queue.begin(facts, { name: id });
    });
    return id;
  }

  /** The last import of a person. */
  async find(user: string): Promise<ImportRecord | undefined> {
    const record = await this.context.store.get<ImportRecord>(keys.padImport(user));
    if (record?.state !== 'running') return record;
    const isOpen = (await this.queue.open()).some(({ id }) => id === record._id);
    // The server stopped before it had stored the job, or the job has failed for good.
    return isOpen ? record : { ...record, state: 'interrupted' };
  }

  /** What was made stays. */
  async cancel(user: string): Promise<void> {
    await this.context.store.update<ImportRecord>(keys.padImport(user), (stored) =>
      stored?.state === 'running' ? { ...stored, state: 'cancelled' } : undefined,
    );
  }

  private async run(before: Facts, run: JobRun): Promise<void> {
    const facts = run.isRepeated ? { ...before, attempt: before.attempt + 1 } : before;
    if (run.isRepeated) await run.keep(facts);
    const { id, importer, file } = facts;
    const { store, users, log } = this.context;
    const user = await users.get(importer.id);
    const record = await store.get<ImportRecord>(keys.padImport(importer.id));
    // Otherwise the person has cancelled it, or their account is gone.
    if (user && record?._id === id && record.state === 'running') {
      const work = new Run(this.context, facts, record, user.authors ?? []);
      const state = user.active ? await this.runOnce(facts, work, run.signal) : await work.save('cancelled');
      log.info('import of pads ended', { import: id, by: importer.id, state, ...work.numbers });
    }
    await this.remove(file);
  }

  private async runOnce({ file, choices, attempt }: Facts, work: Run, signal: AbortSignal) {
    // After a crash, another machine may continue, or the folder for uploads may be gone.
    const isThere = await access(file).then(
      () => true,
      () => false,
    );
    if (!isThere || attempt >= mostAttempts) return work.save('interrupted');
    const zip = await openZip(file);
    try {
      const plan = await planImport(zip, choices, this.context.editorPads.convertible());
      return await work.work(zip, plan, signal);
    } finally {
      zip.close();
    }
  }
}
