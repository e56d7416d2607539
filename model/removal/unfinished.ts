/** Removals and imports that have not ended: those that are jobs, and removals on the lists of an earlier version. */
import { readJobs } from '../jobs/jobList';
import { texts } from '../store/records';
import { keys, type Store } from '../store/store';

export const removalKinds = ['pads', 'groups', 'vanished', 'chats'] as const;

/** `vanished`: pads that Etherpad removed by itself. `chats`: pads with old messages in the database. */
export type RemovalKind = (typeof removalKinds)[number];

/** Ids, by what is removed. */
export type Unfinished = Record<RemovalKind | 'accounts', string[]> & {
  /** Pads on their way into the trash, or out of it. */
  trash: string[];
  /** When the first of the imports began that make pads, in milliseconds since 1970; `Infinity` if there is none. */
  importsSince: number;
  /** True when notes of ep_mypads 1.x, which are on no list, have been searched for. */
  searched: boolean;
};

/** Without accounts. The doctor adds what it finds to this list; a start makes jobs of it. */
export type EarlierRemovals = Omit<Unfinished, 'accounts' | 'trash' | 'importsSince'>;

export function readEarlier(stored: unknown): EarlierRemovals {
  const lists = (stored ?? {}) as Partial<Record<RemovalKind | 'searched', unknown>>;
  const [pads = [], groups = [], vanished = [], chats = []] = removalKinds.map((kind) => texts(lists[kind]));
  return { pads, groups, vanished, chats, searched: lists.searched === true };
}

const isText = (value: unknown): value is string => typeof value === 'string';

export async function readUnfinished(store: Pick<Store, 'getMany'>): Promise<Unfinished> {
  const [list, lists] = await store.getMany<unknown>([keys.jobs, keys.pendingJobs]);
  const earlier = readEarlier(lists);
  const jobs = Object.values(readJobs(list));
  const factsOf = (type: string) =>
    jobs.filter((job) => job.type === type).map(({ facts }) => (facts ?? {}) as Record<string, unknown>);
  const idsOf = (type: string, field: string) => factsOf(type).map((facts) => facts[field]);
  return {
    pads: [...earlier.pads, ...idsOf('removePads', 'pads').flatMap(texts)],
    groups: [...earlier.groups, ...idsOf('removeGroup', 'group').filter(isText)],
    vanished: [...new Set([...earlier.vanished, ...idsOf('vanishedPads', 'pads').flatMap(texts)])],
    chats: [...earlier.chats, ...idsOf('removeChat', 'pad').filter(isText)],
    accounts: [
      ...idsOf('removeAccount', '_id').filter(isText),
      ...factsOf('cleanUpAccounts').flatMap((facts) => Object.keys(facts)),
    ],
    trash: [...idsOf('trashPad', 'pad'), ...idsOf('restorePad', 'pad')].filter(isText),
    importsSince: Math.min(...jobs.filter(({ type }) => type === 'padImport').map(({ begun }) => begun)),
    searched: earlier.searched,
  };
}
