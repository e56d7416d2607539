/** Damage of every kind that the doctor repairs, applied to the old database without losing anything of it. */

import { loginName, namesRecord } from '../../model/accounts/nameRecords';
import type { Database } from '../../model/ports';
import type { GroupRecord, PadRecord, UserRecord } from '../../model/store/entities';
import { keys } from '../../model/store/store';
import { legacyGroups } from './legacy';

async function change<Record>(
  database: Database,
  key: string,
  fields: (record: Record) => Partial<{ [field in keyof Record]: unknown }>,
): Promise<void> {
  const record = (await database.get(key)) as Record;
  await database.set(key, { ...record, ...fields(record) });
}

export async function damage(database: Database): Promise<void> {
  const user = (
    id: string,
    fields: (user: UserRecord) => Partial<{ [field in keyof UserRecord]: unknown }>,
  ) => change(database, keys.user(id), fields);
  const group = (
    id: string,
    fields: (group: GroupRecord) => Partial<{ [field in keyof GroupRecord]: unknown }>,
  ) => change(database, keys.group(id), fields);
  const set = (key: string, value: unknown) => database.set(key, value);

  // Invalid records of an account, a group and a pad.
  await set(keys.user('undefined'), { login: 'ghost', email: 'ghost@example.org' });
  await set(keys.group('text'), 'not a group');
  await set(keys.pad('text'), ['not', 'a', 'pad']);

  // Carol has two accounts, because she registered twice while accounts were not indexed. One of them is in a group.
  const carol = (await database.get(keys.user('carol-vn6gdde'))) as UserRecord;
  const twin = {
    ...carol,
    _id: 'carol-twin',
    email: 'CAROL@example.org',
    ctime: carol.ctime + 1,
    groups: [],
  };
  await set(keys.user('carol-twin'), twin);
  await group(legacyGroups.exam, ({ users }) => ({
    users: users.map((id) => (id === 'carol-vn6gdde' ? 'carol-twin' : id)),
  }));
  await user('alice-v42gdz3', ({ userlists }) => ({
    userlists: Object.fromEntries(
      Object.entries(userlists).map(([id, list]) => [id, { ...list, uids: [...list.uids, 'carol-twin', 7] }]),
    ),
  }));

  // Lists of groups with a missing and with a wrong group, and bookmarks on groups and pads that do not exist.
  await user('frank-vs8gdak', () => ({ groups: ['gone', legacyGroups.class, legacyGroups.empty] }));
  await user('dave-vq7gdzs', ({ groups }) => ({ groups: groups.slice(1) }));
  await user('bob-vc3gd6c', ({ bookmarks }) => ({
    bookmarks: { groups: [...bookmarks.groups, 'gone'], pads: ['gone', ...bookmarks.pads] },
  }));

  // People and pads of groups.
  await group(legacyGroups.class, ({ users, pads }) => ({
    users: [...users, 'zoe-waagd8m', users[0], null],
    pads: [...pads.filter((id) => id !== 'devoirs-y7ygd3p'), 'ghost', pads[0], 'moved-pad-141fgdaw'],
  }));
  await group(legacyGroups.minutes, () => ({
    requests: [{ _id: 'a-request', user: 'gone', text: '', created: 1 }],
  }));
  await group(legacyGroups.minutes, () => ({ password: 'in clear as well' }));
  await change<PadRecord>(database, keys.pad('devoirs-y7ygd3p'), () => ({
    password: { salt: 'a', hash: 'b' },
  }));

  await change<PadRecord>(database, keys.pad('correction-yn10gdcq'), ({ users }) => ({
    users: [...users, 'zoe-waagd8m'],
  }));

  // A setting that was stored by hand, and a removal that was imported after the first start.
  await set(keys.conf('openRegistration'), ['perhaps']);
  await set(keys.pendingJobs, { searched: true });
  await set(keys.deletePad('imported'), 'imported');

  // Records that only new versions write.
  await set(keys.formerPads('0a'), { days: { '0123456789abcdef': 1 } });
  for (const login of ['alice', 'nobody']) {
    const { key, tag } = loginName(login);
    await set(key, namesRecord([`${tag} gone`]));
  }
  const session = { _id: 'old', owner: 'bob-vc3gd6c', created: 1, lastSeen: 1, browser: '', unlocked: {} };
  await set(keys.session('old'), { ...session, kind: 'user' });
  await set(keys.session('abandoned'), { ...session, kind: 'user', owner: 'gone', created: Date.now() });
  await set(keys.sessionsOf('user', 'bob-vc3gd6c'), { ids: ['old', 'never was'] });
  const now = { created: Date.now(), lastSeen: Date.now() };
  await set(keys.session('unlisted'), { ...session, ...now, _id: 'unlisted', kind: 'user' });
  await set(keys.link('0'.repeat(32)), { group: 'gone' });
  await set(keys.invitation('0'.repeat(32)), { group: 'gone', created: 1 });
  await set(keys.mailToken('0'.repeat(64)), { user: 'gone', action: 'passrecover', expires: 1 });

  // Records of Etherpad about pads that were removed.
  for (const key of ['pad:left:revs:0', 'pad:left:revs:1', 'pad:left:chat:0'])
    await set(key, { text: 'left' });
  await set('pad2readonly:left', 'r.left');
  await set('readonly2pad:r.left', 'left');
  await set('readonly2pad:r.half', 'left too');
}

/** Two pads that nobody can reach, because their group was removed. One of them has a text. */
export async function makeOrphans(database: Database): Promise<void> {
  const pad = { name: 'Orphan', group: 'gone', users: [], visibility: null, password: null, ctime: 1 };
  await database.set(keys.pad('orphan-1'), { ...pad, _id: 'orphan-1' });
  await database.set(keys.pad('orphan-2'), { ...pad, _id: 'orphan-2' });
  await database.set('pad:orphan-2', {
    atext: { text: 'text\n', attribs: '|1+5' },
    pool: {},
    head: 1,
    chatHead: -1,
  });
  for (const number of [0, 1]) await database.set(`pad:orphan-2:revs:${number}`, { changeset: 'Z:1>0$' });
  await database.set('pad2readonly:orphan-2', 'r.orphan');
  await database.set('readonly2pad:r.orphan', 'orphan-2');
}
