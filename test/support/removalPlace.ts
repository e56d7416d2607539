/** A model whose database and editor stay when it is closed, so that removals can be interrupted and continued. */
import { createModel, type Model } from '../../model/model';
import type { Database, EditorPads } from '../../model/ports';
import { createSchedule } from '../../model/schedule';
import { createEditorPads, createTestPorts, plainHasher } from './ports';
import { createTestSchedule } from './schedule';

/** A database and an editor that stay when the model is closed, as in a restart. */
export class Place {
  readonly values = new Map<string, unknown>();
  /** The removals that the editor was asked for: `<pad>`, or `<pad>*` with leftovers. */
  readonly removed: string[] = [];
  scans: string[] = [];
  /** Chats whose old messages the editor was asked to remove, with the number of messages. */
  readonly chats: [string, number | undefined][] = [];
  /** Milliseconds by which the clock has been moved forward. */
  ahead = 0;
  readonly schedule = createTestSchedule(createSchedule());
  /** A removal in the editor lasts until this resolves. */
  patience: Promise<void> = Promise.resolve();
  /** The editor says whether a pad exists when this has resolved. */
  answers: Promise<void> = Promise.resolve();

  readonly database: Database = {
    get: async (key) => structuredClone(this.values.get(key)),
    set: async (key, value) => {
      this.values.set(key, structuredClone(value));
    },
    remove: async (key) => {
      this.values.delete(key);
    },
    findKeys: async (pattern) => {
      this.scans.push(pattern);
      return [...this.values.keys()].filter((key) => key.startsWith(pattern.replace(/\*$/, '')));
    },
  };

  private async untilDone(signal: AbortSignal | undefined): Promise<void> {
    await Promise.race([
      this.patience,
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    ]);
  }

  private readonly pads: EditorPads = {
    ...createEditorPads(this.database, Date.now),
    exists: async (padId) => {
      await this.answers;
      return this.values.has(`pad:${padId}`);
    },
    create: (padId) => this.database.set(`pad:${padId}`, {}),
    remove: async (padId, { leftovers, signal } = {}) => {
      this.removed.push(leftovers ? `${padId}*` : padId);
      await this.untilDone(signal);
      await this.database.remove(`pad:${padId}`);
    },
    emptyChat: async () => 7,
    removeOldChat: async (padId, { count, signal }) => {
      this.chats.push([padId, count]);
      await this.untilDone(signal);
    },
  };

  private started: Model | undefined;

  async start(): Promise<Model> {
    const connect = async () => ({ database: this.database, close: async () => {} });
    const { closeDatabase, ...ports } = await createTestPorts({ connect });
    this.started = await createModel({
      ...ports,
      pads: this.pads,
      hasher: plainHasher,
      schedule: this.schedule,
      now: () => Date.now() + this.ahead,
    });
    return this.started;
  }

  /** Closes the model that was started last. */
  async close(): Promise<void> {
    await this.started?.close();
  }
}

interface FolderOfPads {
  place: Place;
  model: Model;
  group: string;
  pads: string[];
}

/** One folder with three pads, of an account with the username `owner`. */
async function folderOfPads(): Promise<FolderOfPads> {
  const place = new Place();
  const model = await place.start();
  await model.users.ready;
  await model.jobs.idle();
  const { _id } = await model.users.register({
    login: 'owner',
    email: 'owner@example.org',
    password: 'long enough',
    active: true,
  });
  const group = (await model.groups.create(_id, { name: 'Group' }))._id;
  const pads: string[] = [];
  for (const name of ['One', 'Two', 'Three']) pads.push((await model.pads.create(group, { name }))._id);
  return { place, model, group, pads };
}

/** A new folder of pads for each test of a `describe`. */
export function useFolderOfPads(): FolderOfPads {
  const fixture = {} as FolderOfPads;
  beforeEach(async () => Object.assign(fixture, await folderOfPads()));
  afterEach(() => fixture.place.close());
  return fixture;
}
