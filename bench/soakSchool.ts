/** The school of the load test: teachers, classes with folders and pads, and who has which pad open. */
import { countTo, Dataset, inParallel, type Person } from './dataset';
import type { School } from './soakCallers';
import type { Seat } from './soakEditors';
import type { Target } from './target';

export interface SchoolSize {
  /** Open editors. */
  editors: number;
  /** Editors for each pad. */
  perPad: number;
  /** Folders with 5 pads for each teacher. */
  folders: number;
}

export interface FilledSchool {
  school: School;
  seats: Seat[];
  /** A public pad for the hostile guests. */
  hostilePad: string;
}

const teachers = 12;

/** Creates teachers with their lists, classes with their pads, and guests. */
export async function createSchool(target: Target, size: SchoolSize): Promise<FilledSchool> {
  const { editors, perPad, folders } = size;
  const data = await Dataset.open(target);
  const owners = await inParallel(await data.people(teachers), (person) => data.signIn(person));
  const pupils = await inParallel(await data.people(teachers * perPad), (person) => data.signIn(person));
  const classes = countTo(teachers).map((index) => pupils.slice(index * perPad, (index + 1) * perPad));
  const idsOf = (people: readonly Person[] = []): string[] => people.map(({ id }) => id);
  const quietFolders = await inParallel(owners, (owner, index) =>
    data.filledFolder(owner, 100, { name: 'A quiet folder', users: idsOf(classes[index]) }),
  );
  await inParallel(
    owners.flatMap((owner, index) => countTo(folders).map(() => ({ owner, users: idsOf(classes[index]) }))),
    ({ owner, users }) => data.filledFolder(owner, 5, { users }),
  );
  const workingFolders = await inParallel(owners, (owner, index) =>
    data.folder(owner, { name: 'Class', users: idsOf(classes[index]) }),
  );
  const publicFolders = await inParallel(owners, (owner) =>
    data.folder(owner, { name: 'Open', visibility: 'public' }),
  );
  const publicPads: string[] = [];
  const seats: Seat[] = [];
  while (seats.length < editors) {
    const number = seats.length / perPad;
    const index = number % teachers;
    // Every sixth pad is used by guests.
    const guests = number % 6 === 5;
    const pad = await data.pad((guests ? publicFolders : workingFolders)[index] ?? '');
    if (guests) publicPads.push(pad);
    for (const { cookie } of classes[index] ?? []) seats.push({ pad, cookie: guests ? undefined : cookie });
  }
  const hostilePad = await data.pad(publicFolders[0] ?? '');
  publicPads.push(hostilePad);
  const visitors = await data.people(20);
  const school = { data, owners, quietFolders, visitors, publicPads };
  return { school, seats: seats.slice(0, editors), hostilePad };
}
