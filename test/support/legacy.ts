/** The content of test/fixtures/legacy-1.7.17.db, as its users see it. */
import { copyFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Database } from '../../model/ports';

/** Do not open this file as a database, because that would change it: use a copy. */
export const legacyDatabase = path.join(__dirname, '..', 'fixtures', 'legacy-1.7.17.db');

/** Copies the old database into a folder. Returns the copy's path. */
export function copyOfLegacyDatabase(folder: string): string {
  const copy = path.join(folder, 'etherpad.db');
  copyFileSync(legacyDatabase, copy);
  return copy;
}

/**
 * The records of a database file in the `dirty` format: each line replaces earlier ones of its key, a line without
 * value removes it.
 */
export function readDirty(file: string): Map<string, unknown> {
  const records = new Map<string, unknown>();
  for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    const { key, val } = JSON.parse(line) as { key: string; val?: unknown };
    if (val === undefined || val === null) records.delete(key);
    else records.set(key, val);
  }
  return records;
}

/** Every key of the old database with its value. */
export function legacyRecords(): Map<string, unknown> {
  return readDirty(legacyDatabase);
}

/** Writes the old database into any other one. */
export async function writeLegacyRecords(database: Database): Promise<void> {
  await Promise.all([...legacyRecords()].map(([key, value]) => database.set(key, value)));
}

interface LegacyPerson {
  login: string;
  email: string;
  password: string;
  id: string;
  /** What the person's own record shows. */
  profile: Record<string, unknown>;
  /** Groups that the person sees. */
  groups: string[];
  bookmarks: { groups: string[]; pads: string[] };
}

/** Group ids by the name that tests call them. */
export const legacyGroups = {
  class: 'classe-de-3eme-b-xcogd13',
  noticeboard: 'public-noticeboard-xfpgdmp',
  exam: 'exam-board-xgqgdw3',
  council: 'conseil-d-administration-xirgd0b',
  archive: 'archive-2018-xksgdh6',
  japanese: '-xmtgdkx',
  minutes: 'minutes-xougd19',
  empty: 'leere-gruppe-xpvgd8y',
  leftOver: 'left-over-password-xrwgdpc',
} as const;

const groups = legacyGroups;
const none = { groups: [], pads: [] };

/** The eight accounts that are active. */
export const legacyPeople: readonly LegacyPerson[] = [
  {
    login: 'alice',
    email: 'alice@example.org',
    password: 'alice-password-1',
    id: 'alice-v42gdz3',
    profile: {
      firstname: 'Alice',
      lastname: 'Martin',
      organization: 'Collège Jean-Moulin',
      lang: 'en',
      padNickname: 'Ali',
      color: '#a3c9f1',
      useLoginAndColorInPads: true,
      hideHelp: false,
    },
    groups: [groups.class, groups.noticeboard, groups.council, groups.archive, groups.japanese],
    bookmarks: {
      groups: [groups.class, groups.noticeboard],
      pads: ['cours-d-histoire-y5xgdbg', 'welcome-z414gdv4'],
    },
  },
  {
    login: 'bob',
    email: 'bob@example.org',
    password: 'bob8char',
    id: 'bob-vc3gd6c',
    profile: { firstname: 'Bob', lastname: 'Durand', lang: 'fr', padNickname: '', color: '' },
    groups: [groups.class, groups.exam, groups.leftOver],
    bookmarks: { groups: [groups.exam], pads: ['cours-d-histoire-y5xgdbg'] },
  },
  {
    login: 'hélène.lefèvre',
    email: 'helene@example.org',
    password: 'été-à-la-plage',
    id: 'helene-lefevre-ve4gdoq',
    profile: {
      firstname: 'Hélène',
      lastname: 'Lefèvre',
      organization: 'Université de Besançon',
      lang: 'fr',
      padNickname: 'Lénette',
      color: '#ffcc00',
    },
    groups: [groups.class, groups.council],
    bookmarks: none,
  },
  {
    login: '田中太郎',
    email: 'tanaka@example.org',
    password: 'さくらの花が咲く',
    id: '-vh5gdmk',
    profile: { firstname: '太郎', lastname: '田中', lang: 'en', padNickname: 'たろう', color: '' },
    groups: [groups.japanese],
    bookmarks: none,
  },
  {
    login: 'carol',
    email: 'carol@example.org',
    password: 'p+q/r=s é€ ñ&%20#',
    id: 'carol-vn6gdde',
    profile: { firstname: 'Carol', lastname: "O'Neil", lang: 'es' },
    groups: [groups.class, groups.exam],
    bookmarks: none,
  },
  {
    login: 'dave',
    email: 'dave@example.org',
    password: 'dave-dave-dave',
    id: 'dave-vq7gdzs',
    profile: { firstname: 'Dave', lastname: 'Smith', lang: 'en' },
    groups: [groups.minutes, groups.leftOver],
    bookmarks: { groups: [groups.minutes], pads: [] },
  },
  {
    login: 'frank',
    email: 'frank@example.org',
    password: 'frank-password',
    id: 'frank-vs8gdak',
    profile: {
      firstname: 'Frank',
      lastname: 'Weiß',
      lang: 'de',
      padNickname: 'Franky',
      color: '#336699',
      useLoginAndColorInPads: false,
      hideHelp: true,
    },
    groups: [groups.empty],
    bookmarks: none,
  },
  {
    login: 'gina',
    email: 'Gina.Rossi@Example.ORG',
    password: 'Gina Rossi 1985',
    id: 'gina-w39gdzc',
    profile: { firstname: 'Gina', lastname: 'Rossi', lang: 'it' },
    groups: [groups.japanese],
    bookmarks: { groups: [], pads: ['welcome-z414gdv4'] },
  },
];

/** What the records of the groups show to those who administer them. */
export const legacyGroupFields: Readonly<Record<string, Record<string, unknown>>> = {
  [groups.class]: {
    name: 'Classe de 3ème B',
    description: 'Cours et devoirs de la classe',
    visibility: 'restricted',
    allowUsersToCreatePads: true,
    tags: ['classe', '2020', 'éducation'],
    admins: ['alice-v42gdz3'],
    users: ['bob-vc3gd6c', 'helene-lefevre-ve4gdoq', 'carol-vn6gdde'],
  },
  [groups.noticeboard]: {
    name: 'Public noticeboard',
    description: 'Everybody may read and write here',
    visibility: 'public',
    tags: ['public'],
    pads: ['welcome-z414gdv4', 'staff-only-z815gdgw', 'moved-pad-141fgdaw'],
  },
  [groups.exam]: { name: 'Exam board', visibility: 'private', hasPassword: true, tags: ['exam'] },
  [groups.council]: {
    name: "Conseil d'administration",
    description: 'Réservé au conseil',
    visibility: 'private',
    hasPassword: true,
    admins: ['helene-lefevre-ve4gdoq', 'alice-v42gdz3'],
  },
  [groups.archive]: {
    name: 'Archive 2018',
    description: 'Closed',
    readonly: true,
    archived: true,
    tags: ['classe', '2018'],
  },
  [groups.japanese]: {
    name: '日本語グループ',
    description: '日本語の説明',
    tags: ['日本'],
    pads: ['-0i1cgdec'],
  },
  [groups.minutes]: { name: 'Minutes', visibility: 'public', readonly: true, tags: ['minutes'] },
  [groups.empty]: { name: 'Leere Gruppe', visibility: 'restricted', pads: [] },
  [groups.leftOver]: { name: 'Left-over password', visibility: 'restricted', hasPassword: false, pads: [] },
};

/** The text of each pad that has one, as the editor exports it. */
export const legacyTexts: Readonly<Record<string, string>> = {
  'cours-d-histoire-y5xgdbg':
    'Plan du cours\n\n1. Les causes : « la poudrière des Balkans »\n2. La guerre des tranchées (1915–1917)\n3. La paix et ses traités — Versailles, 28 juin 1919\nBob a relu ce plan.\nWelcome to Etherpad!\n\n',
  'devoirs-y7ygd3p': 'Devoirs pour lundi\n\n1. Lire le chapitre 4\n2. Exercices 12 à 15\n',
  'notes-privees-yhzgd9o': 'Notes de la prof.\n',
  'correction-yn10gdcq': 'Corrigé du contrôle\n',
  'reglement-yu12gdtc': 'Article 1\nOn écoute.\nArticle 2\nOn range.\n',
  'idees-de-bob-yz13gdbh': 'Une sortie au musée ?\n',
  'welcome-z414gdv4': 'Welcome, everybody!\nLeave a line below.\n',
  'staff-only-z815gdgw': 'Only for the people of this group.\n',
  'questions-zl16gdq0': 'Question 1: why?\nQuestion 2: how?\n',
  'answers-zs17gdzd': 'Answer 1: because.\n',
  'timetable-zz18gd91': 'Monday 9:00 maths\n',
  'proces-verbal-0419gde3': 'Présents : Hélène, Alice.\nOrdre du jour :\n  - budget\n',
  'old-notes-091agda1': 'Notes of 2018, closed.\n',
  'still-editable-0d1bgdqz': 'This one stays open.\n',
  '-0i1cgdec': '議題：予算\n出席者：田中、ジーナ\n',
  'minutes-of-may-0n1dgdbm': 'Minutes of May.\n',
  'guest-book-0v1egdxb': 'Write here.\n',
  'moved-pad-141fgdaw': 'This pad was moved from one group to another.\n',
  'open-notes': 'A pad of Etherpad itself, outside every group.\n\n',
};

/** Passwords of groups and pads, each with what it opens. */
export const legacyPasswords = {
  [groups.exam]: 'group-secret-1',
  [groups.council]: 'clé+/=ñ ü',
  'notes-privees-yhzgd9o': 'pad-secret-1',
  'answers-zs17gdzd': 'p+d/=é',
} as const;

/** `correct hörse` as 1.x stored it. */
export const oldPassword = {
  salt: '00112233445566778899'.repeat(4),
  hash: 'f48f69ad2089ff9bce744383f0ea0734dd04ca98f5a455e0072940460311ffa35a0e6dfa1059e7accb20366cb468d1c36cdd3ad593a8e2b72fd501104242695c',
};
