/** People, folders and pads that look like real ones. */
import type { AdminJob, AdminJobsAnswer } from '../../../api/admin/schema';
import type { Group, Pad } from '../../../api/answers';
import { association, type DemoFolder, mainPerson, people } from '../../../bin/demo/content';
import type { DayNumbers } from '../../../model/accounts/dailyNumbers';
import type { AdminLog } from '../../../model/adminLog/adminLog';
import { languageCodes, matchLanguage } from '../../../model/languages';
import type { TestApp } from '../app';
import { callerOf } from '../caller';
import { buildApiToken, buildGroup, buildPad, buildUser, signInAsAdmin, type TestUser } from '../factories';

const day = 24 * 3600_000;
/** `LOCALE=fr-FR` takes the screenshots in French. */
export const locale = process.env.LOCALE ?? 'en-GB';

export interface SampleData {
  me: TestUser;
  newcomer: TestUser;
  /** In the folder `board`. */
  member: TestUser;
  /** A person with the longest names, in folders and pads with the longest names. */
  long: TestUser;
  /** Of the person `long`. */
  longFolder: Group;
  longPad: Pad;
  /** A folder without pads. */
  empty: Group;
  openPad: Pad;
  secretPad: Pad;
  board: Group;
  secret: Group;
  open: Group;
  minutes: Pad;
  /** Token of a server administrator. */
  admin: string;
  /** The id of a user list. */
  list: string;
  /** Manages the folder `shared`. */
  lead: TestUser;
  /** Has a pad of the folder `shared`, and keeps a link to another folder. */
  invitee: TestUser;
  /** A folder with links, requests for access, and a pad that is shared alone. */
  shared: Group;
  songs: Pad;
  /** Secret of a link to the folder `shared` that asks for a name. */
  secretOfLink: string;
}

/** How many pads each folder of the association has here: those of the demo, then some of `padNames`. */
const padCounts = [5, 9, 3, 12, 4, 1, 7, 2, 8, 2];

const padNames = [
  'Agenda',
  'Minutes of the meeting',
  'Open questions',
  'Budget draft',
  'Ideas',
  'Who does what',
  'Letter to the city',
  'Checklist',
  'Retrospective',
  'Notes',
  'Press',
  'Contacts',
];

const browsers = {
  desktop: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  phone:
    'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36',
};

async function signInFrom(app: TestApp, user: TestUser, browser: string): Promise<{ token: string }> {
  const { login, password } = user;
  const answer = await app.agent.post('/api/auth/login').set('User-Agent', browser).send({ login, password });
  return { token: answer.body.token };
}

async function invite(app: TestApp, owner: TestUser, group: Group, logins: readonly string[]): Promise<void> {
  const body = { gid: group._id, invite: true, loginsOrEmails: logins };
  await app.agent.post('/api/group/invite').set('Authorization', `Bearer ${owner.token}`).send(body);
}

const longName = 'Donaudampfschifffahrtsgesellschaftskapit';
const longTags = ['elections', 'a tag that is nearly forty characters on', 'board', 'archive', 'volunteers'];

async function sharePad(app: TestApp, by: TestUser, pad: Pad, role: string, loginsOrEmails: string[]) {
  await app.agent
    .post(`/api/pad/${pad._id}/people`)
    .set('Authorization', `Bearer ${by.token}`)
    .send({ loginsOrEmails, role });
}

/** The language of the people whose screens are shown. */
const lang = matchLanguage([locale], languageCodes) ?? 'en';

/** People, folders and pads with the longest names. */
async function buildLongData(app: TestApp): Promise<Pick<SampleData, 'long' | 'longFolder' | 'longPad'>> {
  const longUsers: TestUser[] = [];
  for (const number of [1, 2, 3]) {
    const login = `averyverylongloginwithoutanyspaces${number}`;
    const email = `${'averylonglocalpartofanaddress'.repeat(2)}${number}@${'department-of-something.'.repeat(4)}example.org`;
    const names =
      number === 3 ? {} : { firstname: 'Wolfeschlegelsteinhausen', lastname: `Bergerdorff ${number}` };
    longUsers.push(await buildUser(app, { login, email, lang, ...names }));
  }
  const [long] = longUsers;
  if (!long) throw new Error('There is no person with a long name');
  const longFolder = await buildGroup(app, long, {
    name: longName,
    tags: longTags,
    description: longName.repeat(5),
  });
  await invite(
    app,
    long,
    longFolder,
    longUsers.slice(1).map(({ login }) => login),
  );
  const longPad = await buildPad(app, long, longFolder, {
    name: longName,
    visibility: 'public',
    readonly: true,
  });
  await buildPad(app, long, longFolder, { name: 'A pad with a name of forty characters on' });
  await buildGroup(app, long, { name: `${longName.slice(0, 36)} two`, visibility: 'public', tags: longTags });
  for (const [type, key] of [
    ['groups', longFolder._id],
    ['pads', longPad._id],
  ]) {
    await app.agent.post('/api/usermark').set('Authorization', `Bearer ${long.token}`).send({ type, key });
  }
  return { long, longFolder, longPad };
}

/** A folder that is shared in every way. */
async function buildShared(
  app: TestApp,
  [lead, ...others]: readonly TestUser[],
  asking: TestUser,
): Promise<Pick<SampleData, 'lead' | 'invitee' | 'shared' | 'songs' | 'secretOfLink'>> {
  const [first, second, third] = others;
  if (!lead || !first || !second || !third) throw new Error('There are not enough people');
  const send = (by: TestUser, path: string, body: object) =>
    app.agent.post(`/api/${path}`).set('Authorization', `Bearer ${by.token}`).send(body);
  const shared = await buildGroup(app, lead, { name: 'School choir', tags: ['music'] });
  for (const name of ['Programme', 'Travel']) await buildPad(app, lead, shared, { name });
  const songs = await buildPad(app, lead, shared, { name: 'Songs' });
  await send(lead, `group/${shared._id}/members`, { loginsOrEmails: [first.login], role: 'writer' });
  await send(lead, `group/${shared._id}/members`, { loginsOrEmails: [second.login], role: 'reader' });
  await sharePad(app, lead, songs, 'reader', [third.login]);
  await send(lead, `group/${shared._id}/links`, { label: 'Parents of 5b', role: 'reader', ends: null });
  const circle = await buildGroup(app, lead, {
    name: 'Reading circle of the neighbourhood',
    tags: ['books'],
  });
  await buildPad(app, lead, circle, { name: 'Next books' });
  const kept = await send(lead, `group/${circle._id}/links`, { role: 'writer' });
  await send(third, 'links/open', { secret: kept.body.value?.secret, keep: true });
  const { body } = await send(lead, `group/${shared._id}/links`, {
    label: 'Guests of the rehearsal',
    role: 'writer',
    ends: app.ports.now() + 30 * day,
    asksName: true,
  });
  for (const name of ['Minutes of the board', 'Summer concert']) {
    const pad = await buildPad(app, lead, shared, { name });
    await callerOf(app, lead.token)('delete', `pad/${pad._id}`);
  }
  const choir = await buildGroup(app, lead, { name: 'Choir of last year' });
  for (const name of ['Programme', 'Travel']) await buildPad(app, lead, choir, { name });
  await callerOf(app, lead.token)('delete', `group/${choir._id}`);
  await send(asking, `group/${shared._id}/requests`, { text: 'I sing tenor and would like to read along.' });
  await send(second, `group/${shared._id}/requests`, {});
  return { lead, invitee: third, shared, songs, secretOfLink: body.value?.secret ?? '' };
}

export async function buildSampleData(app: TestApp): Promise<SampleData> {
  app.ports.advance(-29 * day);
  const me = await buildUser(app, { ...mainPerson, email: 'maya@example.org', lang });
  const others: TestUser[] = [];
  for (const [login, firstname, lastname, color] of people)
    others.push(await buildUser(app, { login, firstname, lastname, color }));
  const groups: Group[] = [];
  const firstPads: Pad[] = [];
  for (const [place, folder] of association.entries()) {
    const { name, pads, invite: count, archived, readonly, ...fields } = folder;
    const names = [...new Set([...pads.map((pad) => pad.name), ...padNames])].slice(0, padCounts[place]);
    const group = await buildGroup(app, me, { name, ...fields });
    await invite(
      app,
      me,
      group,
      people.slice(0, count).map(([login]) => login),
    );
    const writers = [me.id, ...others.slice(0, count).map(({ id }) => id), null];
    for (const [index, padName] of names.entries()) {
      const pad = await buildPad(app, me, group, { name: padName });
      if (index % 4 !== 3) await app.model.pads.touch(pad._id, writers[index % writers.length]);
      if (index === 0) firstPads.push(pad);
      app.ports.advance(0.3 * day);
    }
    const state = { archived, readonly };
    if (archived || readonly)
      await app.agent.put(`/api/group/${group._id}`).set('Authorization', `Bearer ${me.token}`).send(state);
    groups.push(group);
  }
  const [board, open, secret] = groups;
  const [minutes, openPad, secretPad] = firstPads;
  const [member] = others;
  if (!board || !open || !secret || !minutes || !openPad || !secretPad || !member)
    throw new Error('The sample data is not complete');
  for (const key of [open._id, secret._id]) {
    await app.agent
      .post('/api/usermark')
      .set('Authorization', `Bearer ${me.token}`)
      .send({ type: 'groups', key });
  }
  await app.agent
    .post('/api/usermark')
    .set('Authorization', `Bearer ${me.token}`)
    .send({ type: 'pads', key: minutes._id });
  await app.model.configuration.set('loginMsg', {
    en: '<p>New here? <b>Ask at the desk</b> for an account, or read <a href="https://example.org">how it works</a>.</p>',
  });
  let list = '';
  for (const [name, count] of [
    ['Board', 4],
    ['Volunteers of the summer festival', 6],
  ] as const) {
    const body = { name, loginsOrEmails: people.slice(0, count).map(([login]) => login) };
    const answer = await app.agent
      .post('/api/userlist')
      .set('Authorization', `Bearer ${me.token}`)
      .send(body);
    list ||= answer.body.key;
  }
  const longData = await buildLongData(app);
  await sharePad(app, me, minutes, 'writer', [longData.long.login, 'farah']);
  await writeLately(app, firstPads, [me, ...others]);
  app.ports.advance(Date.now() - app.ports.now());
  const newcomer = await buildUser(app, { login: 'newcomer', firstname: 'Noor', lastname: 'Bakker' });
  const empty = await buildGroup(app, others[5] ?? newcomer, { name: 'Harvest supper' });
  await invite(app, others[5] ?? newcomer, empty, [member.login]);
  const inShared = await buildShared(app, others.slice(1), newcomer);
  await sharePad(app, inShared.lead, inShared.songs, 'reader', [me.login]);
  await buildTexts(app, me, [minutes, openPad]);
  const session = await signInFrom(app, me, browsers.desktop);
  await signInFrom(app, me, browsers.phone);
  const admin = await signInAsAdmin(app);
  await buildTokens(app, [me, member]);
  await buildRules(app, { admin, folder: board._id, manager: me.login });
  const own = { me: { ...me, ...session }, admin, newcomer, member, list };
  return { ...own, ...longData, ...inShared, board, secret, open, empty, minutes, openPad, secretPad };
}

/** The last changes: hours ago, in which folder, by whom (their places). */
const lastChanges = [
  [150, 6, 2],
  [75, 2, 1],
  [27, 3, 4],
  [6, 4, 0],
  [2, 1, 3],
  [0.4, 0, 1],
] as const;

/** Somebody has written in most folders in the last days. */
async function writeLately(app: TestApp, pads: readonly Pad[], writers: readonly TestUser[]): Promise<void> {
  for (const [hours, place, writer] of lastChanges) {
    app.ports.advance(Date.now() - hours * (day / 24) - app.ports.now());
    await app.model.pads.touch(pads[place]?._id ?? '', writers[writer]?.id ?? null);
  }
}

/** Texts that a search finds, and a template. */
async function buildTexts(app: TestApp, me: TestUser, pads: readonly Pad[]): Promise<void> {
  const textOf = (folder?: DemoFolder): string =>
    (folder?.pads ?? []).flatMap((pad) => (pad.text ?? []).map(([, text]) => `${text}\n`)).join('');
  const texts = association.slice(0, 2).map(textOf);
  for (const [index, { _id }] of pads.entries())
    await app.ports.database.set(`pad:${_id}`, { text: texts[index], edited: null, chatHead: -1 });
  const body = { template: true };
  await app.agent.put(`/api/pad/${pads[0]?._id}`).set('Authorization', `Bearer ${me.token}`).send(body);
  await app.model.textIndex.update();
}

/** API tokens of these people and of the server administrator; one was used, one is limited to addresses. */
async function buildTokens(app: TestApp, [one, other]: readonly [TestUser, TestUser]): Promise<void> {
  await buildApiToken(app, 'root', {
    name: 'Import of classes',
    scopes: ['read', 'write', 'people', 'administration'],
    days: 7,
  });
  const used = await buildApiToken(app, other, { name: 'Backup at night', scopes: ['read'] });
  await app.agent.get('/api/group').set('Authorization', `Bearer ${used}`);
  await buildApiToken(app, one, {
    name: 'Timetable of the school, which makes a folder for every class',
    addresses: ['192.0.2.17', '2001:db8::/32'],
  });
}

/** Rules for a group of a directory and for another attribute; nobody has signed in since. */
async function buildRules(
  app: TestApp,
  { admin, folder, manager }: { admin: string; folder: string; manager: string },
): Promise<void> {
  const staff = 'cn=staff,ou=groups,dc=example,dc=org';
  const rules = [
    { source: 'ldap', value: staff, role: 'reader', folder },
    { source: 'cas', attribute: 'class', value: '5b', role: 'writer', managers: [manager] },
  ];
  await app.agent.put('/api/admin/group-rules').set('Authorization', `Bearer ${admin}`).send({ rules });
}

/** What administrators did last. */
export const doneByAdministrators: Parameters<AdminLog['add']>[0][] = [
  { action: 'signInRefused', by: 'root', count: 4 },
  { action: 'accountCreated', by: 'root', object: { kind: 'user' } },
  { action: 'groupRemoved', by: 'root', object: { kind: 'group', id: 'gone', name: 'Autumn fair 2024' } },
  { action: 'settingChanged', by: 'root', object: { kind: 'setting', id: 'SMTPHost' } },
  {
    action: 'accountChanged',
    by: 'root',
    object: { kind: 'user' },
    changed: ['firstname', 'email', 'active'],
  },
];

/** Work in the background: a mail that has failed too often, a removal that failed, one that runs, one that waits. */
export function sampleJobs(): AdminJobsAnswer {
  const minute = 60_000;
  const now = Date.now();
  const waiting = {
    running: false,
    attempts: 0,
    error: null,
    failed: false,
    progress: null,
    canCancel: false,
  };
  const jobs: Partial<AdminJob>[] = [
    {
      type: 'mailRecovery',
      begun: now - 300 * minute,
      attempts: 8,
      error: 'BACKEND.ERROR.SERVER.MAIL_UNAVAILABLE',
      failed: true,
      canCancel: true,
    },
    {
      type: 'removePads',
      begun: now - 42 * minute,
      attempts: 5,
      error: 'connect ECONNREFUSED database.example.org:5432',
      progress: { done: 130, total: 400 },
    },
    { type: 'removeGroup', begun: now - 2 * minute, running: true, progress: { done: 12, total: 40 } },
    { type: 'vanishedPads', begun: now - minute },
  ];
  return {
    jobs: jobs.map((job, index) => ({
      ...waiting,
      id: `job ${index}`,
      type: '',
      begun: now,
      next: now + 9 * minute,
      ...job,
    })),
    count: jobs.length,
  };
}

/** Numbers of the last ninety days. */
export function oldNumbers(): DayNumbers[] {
  return Array.from({ length: 90 }, (_, index) => ({
    day: new Date(Date.now() - (90 - index) * day).toISOString().slice(0, 10),
    users: 3 + Math.floor(index / 11),
    active: 2 + Math.floor(index / 11),
    signedIn: 2 + Math.floor(index / 12) + (index % 7 < 5 ? 1 : 0),
    groups: 4 + Math.floor(index / 11),
    pads: 10 + Math.floor(index / 2) + (index % 3),
  }));
}
