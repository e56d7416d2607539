/**
 * A database of ep_mypads 1.7.17, opened by this version. Everybody signs in with the old password and finds everything
 * as it was. test/host/legacy.test.ts checks what the editor shows of it, and test/unit/doctor.test.ts that the doctor
 * gives back the same records after damage.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { startApp, type TestApp, temporaryFolder } from '../support/app';
import { type Call, callerOf, encodePassword } from '../support/caller';
import { buildGroup, buildPad, buildUser, signIn } from '../support/factories';
import {
  copyOfLegacyDatabase,
  legacyGroupFields,
  legacyGroups,
  legacyPasswords,
  legacyPeople,
  legacyRecords,
} from '../support/legacy';

/** The fields of an old record that the new one does not have or has with another type, without password hashes. */
function changedFields(old: unknown, made: unknown, place = ''): string[] {
  const kind = (value: unknown): string =>
    Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value;
  if (kind(old) !== kind(made)) return [`${place}: ${kind(made)} instead of ${kind(old)}`];
  if (Array.isArray(old)) return changedFields(old[0], (made as unknown[])[0], `${place}[]`);
  if (kind(old) !== 'object') return [];
  // User lists have their ids as keys.
  const isList = place.endsWith('.userlists');
  const [before, after] = [old, made].map((one) => (isList ? [Object.values(one as object)[0]] : one));
  return Object.entries(before as object).flatMap(([key, value]) =>
    key === 'password'
      ? []
      : changedFields(value, (after as Record<string, unknown>)[key], `${place}.${key}`),
  );
}

const project = path.join(__dirname, '..', '..');

describe('a database of ep_mypads 1.7.17', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let file: string;
  let app: TestApp;
  let asGuest: Call;

  async function open(): Promise<void> {
    app = await startApp({ file });
    asGuest = callerOf(app);
  }

  const person = (login: string) => {
    const found = legacyPeople.find((one) => one.login === login);
    if (found === undefined) throw new Error(`${login} is not in the old database`);
    return found;
  };

  async function callerFor(login: string): Promise<Call> {
    return callerOf(app, (await signIn(app, login, person(login).password)).token);
  }

  async function everything(): Promise<Record<string, unknown>> {
    await app.idle();
    const all = await app.ports.database.findKeys('*', null);
    // Over the network, Etherpad has records of its own sessions.
    const found = all.filter((key) => !key.startsWith('sessionstorage:')).sort();
    const entries = found.map(async (key): Promise<[string, unknown]> => {
      const value = structuredClone(await app.ports.database.get(key)) as { lastUpdate?: number } | null;
      // The index asks Etherpad for the times that 1.x has not stored, at some time after the start.
      if (key.startsWith('mypads:pad:')) delete value?.lastUpdate;
      return [key, value];
    });
    return Object.fromEntries(await Promise.all(entries));
  }

  beforeEach(async () => {
    folder = temporaryFolder();
    file = copyOfLegacyDatabase(folder.path);
    await open();
  });
  afterEach(async () => {
    await app.close();
    folder.remove();
  });

  describe('the records', () => {
    it('keep every key and value at the first start, and later starts change nothing', async () => {
      // The first start writes the directory and the index in the background: closing waits for that.
      await app.close();
      await open();
      const first = await everything();
      for (const [key, value] of legacyRecords()) expect(first[key], key).to.deep.equal(value);
      await app.close();
      await open();
      expect(await everything()).to.deep.equal(first);
    });

    it('keep every field of what people change', async () => {
      const asAlice = await callerFor('alice');
      await asAlice('put', 'pad/moved-pad-141fgdaw', { name: 'Still moved' }).expect(200);
      await asAlice('put', `group/${legacyGroups.class}`, { description: 'New' }).expect(200);
      const old = legacyRecords();
      const now = await everything();
      const { moveGroup, ...pad } = old.get('mypads:pad:moved-pad-141fgdaw') as Record<string, unknown>;
      expect(moveGroup).to.equal(legacyGroups.class);
      expect(now['mypads:pad:moved-pad-141fgdaw']).to.deep.include({ ...pad, name: 'Still moved' });
      const group = old.get(`mypads:group:${legacyGroups.class}`) as Record<string, unknown>;
      expect(now[`mypads:group:${legacyGroups.class}`]).to.deep.equal({
        ...group,
        description: 'New',
        // Fields that 1.x does not know.
        readers: [],
        links: [],
        requests: [],
        invitations: [],
      });
    });

    it('have the fields of 1.7.17 when they are new, so that only passwords are lost on the way back', async () => {
      const zoe = await buildUser(app, { login: 'zoe' });
      const asZoe = callerOf(app, zoe.token);
      const secret = 'a folder password';
      const group = await buildGroup(app, zoe, {
        visibility: 'private',
        password: secret,
        tags: ['exam'],
      });
      const invitation = { gid: group._id, invite: true, loginsOrEmails: ['bob'] };
      await asZoe('post', 'group/invite', invitation).expect(200);
      const pad = await buildPad(app, zoe, group);
      const own = await buildPad(app, zoe, group, { visibility: 'private', password: secret });
      await asZoe('post', 'usermark', { type: 'pads', key: pad._id }).expect(200);
      await asZoe('post', 'usermark', { type: 'groups', key: group._id }).expect(200);
      await asZoe('post', 'userlist', { name: 'Class', loginsOrEmails: ['bob'] }).expect(200);
      const now = await everything();
      const old = legacyRecords();
      for (const [made, known] of [
        [`mypads:user:${zoe.id}`, 'mypads:user:alice-v42gdz3'],
        [`mypads:group:${group._id}`, `mypads:group:${legacyGroups.exam}`],
        [`mypads:pad:${pad._id}`, 'mypads:pad:cours-d-histoire-y5xgdbg'],
        [`mypads:pad:${own._id}`, 'mypads:pad:answers-zs17gdzd'],
      ] as const) {
        expect(changedFields(old.get(known), now[made]), made).to.deep.equal([]);
      }
    });
  });

  describe('signing in', () => {
    for (const { login, email, password } of legacyPeople) {
      it(`${login}, by login and by e-mail, before and after the password is stored anew`, async () => {
        for (const name of [login, email, login, email]) {
          await asGuest('post', 'auth/login', { login: name, password: `${password}x` }).expect(400);
          const answer = await asGuest('post', 'auth/login', { login: name, password });
          expect([answer.status, answer.body.user?.login]).to.deep.equal([200, login]);
        }
        const stored = await app.ports.database.get(`mypads:user:${person(login).id}`);
        expect(stored).to.have.nested.property('password.scheme', 'bcrypt');
      });
    }

    it('is refused to people who were removed or have not confirmed their address', async () => {
      const login = (name: string, password: string) =>
        asGuest('post', 'auth/login', { login: name, password });
      const erik = await login('erik', 'erik-waits-for-mail');
      expect(erik.body.error).to.equal('BACKEND.ERROR.AUTHENTICATION.ACTIVATION_NEEDED');
      const wrong = 'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT';
      expect((await login('erik', 'not this')).body.error).to.equal(wrong);
      const zoe = await login('zoe', 'zoe-leaves-soon');
      expect([zoe.status, zoe.body.error]).to.deep.equal([400, wrong]);
    });
  });

  describe('what people see', () => {
    for (const { login, profile, groups, bookmarks } of legacyPeople) {
      it(`${login}: profile, ${groups.length} groups, bookmarks`, async () => {
        const call = await callerFor(login);
        const { user } = (await call('get', 'configuration').expect(200)).body;
        expect(user).to.deep.include(profile);
        const { value } = (await call('get', 'group').expect(200)).body;
        expect(Object.keys(value.groups)).to.have.members(groups);
        for (const id of groups) {
          expect(value.groups[id], id).to.deep.include({ archived: id === legacyGroups.archive });
        }
        expect(Object.keys(value.bookmarks.groups)).to.have.members(bookmarks.groups);
        expect(Object.keys(value.bookmarks.pads)).to.have.members(bookmarks.pads);
      });
    }

    it('every group with its fields, every pad in the group that it belongs to', async () => {
      const seen: Record<string, string[]> = {};
      for (const { login } of legacyPeople) {
        const { value } = (await (await callerFor(login))('get', 'group')).body;
        for (const [id, group] of Object.entries<{ admins: string[]; pads: string[] }>(value.groups)) {
          if (!group.admins.includes(person(login).id)) continue;
          expect(group, id).to.deep.include(legacyGroupFields[id]);
          seen[id] = group.pads;
        }
      }
      expect(Object.keys(seen)).to.have.members(Object.values(legacyGroups));
      const pads = [...legacyRecords()].filter(([key]) => key.startsWith('mypads:pad:'));
      const expected = pads.map(([, value]) => value as { _id: string; group: string });
      const listed = Object.entries(seen).flatMap(([group, ids]) => ids.map((_id) => ({ _id, group })));
      expect(listed).to.have.deep.members(expected.map(({ _id, group }) => ({ _id, group })));
    });

    it('their lists of people, without the account that was removed', async () => {
      const listsOf = async (login: string) => (await (await callerFor(login))('get', 'userlist')).body.value;
      const logins = (list: { users: { login: string }[] }) => list.users.map((user) => user.login);
      const alices = await listsOf('alice');
      expect(Object.keys(alices)).to.deep.equal(['collegues-x7lgdpt']);
      expect(alices['collegues-x7lgdpt'].name).to.equal('Collègues');
      expect(logins(alices['collegues-x7lgdpt'])).to.have.members(['bob', 'carol', 'hélène.lefèvre']);
      const daves = await listsOf('dave');
      expect(Object.keys(daves)).to.have.members(['team-x9mgdw5', 'empty-list-xangd9w']);
      expect(logins(daves['team-x9mgdw5'])).to.have.members(['alice', 'bob']);
      expect(logins(daves['empty-list-xangd9w'])).to.deep.equal([]);
    });
  });

  describe('who can open what', () => {
    const statusOf = async (call: Call, id: string) => (await call('get', `pad/${id}`)).status;

    it('to guests: what is public, and nothing that its own setting closes', async () => {
      const open = [
        'welcome-z414gdv4',
        'moved-pad-141fgdaw',
        'minutes-of-may-0n1dgdbm',
        'guest-book-0v1egdxb',
      ];
      const own = ['devoirs-y7ygd3p', 'timetable-zz18gd91'];
      const pads = [...legacyRecords().keys()].filter((key) => key.startsWith('mypads:pad:'));
      for (const id of pads.map((key) => key.slice('mypads:pad:'.length))) {
        const expected = [...open, ...own].includes(id) ? 200 : 401;
        expect(await statusOf(asGuest, id), id).to.equal(expected);
      }
      const listed = (await asGuest('get', `group/${legacyGroups.noticeboard}`).expect(200)).body.value.pads;
      expect(listed).to.have.members(['welcome-z414gdv4', 'moved-pad-141fgdaw']);
    });

    it('to guests with the password of a group or a pad', async () => {
      const ask = async (path: string, password: string) =>
        (await asGuest('get', `${path}?password=${encodePassword(password)}`)).status;
      for (const id of [legacyGroups.exam, legacyGroups.council] as const) {
        expect((await asGuest('get', `group/${id}`)).body.value).to.have.all.keys('name', 'visibility');
        expect(await ask(`group/${id}`, 'not this')).to.equal(401);
        expect(await ask(`group/${id}`, legacyPasswords[id])).to.equal(200);
        expect(await ask(`group/${id}`, legacyPasswords[id]), 'once more').to.equal(200);
      }
      for (const id of ['notes-privees-yhzgd9o', 'answers-zs17gdzd'] as const) {
        expect(await ask(`pad/${id}`, 'not this')).to.equal(401);
        expect(await ask(`pad/${id}`, legacyPasswords[id])).to.equal(200);
        expect(await ask(`pad/${id}`, legacyPasswords[id]), 'once more').to.equal(200);
      }
      expect(await ask('pad/answers-zs17gdzd', legacyPasswords[legacyGroups.exam])).to.equal(401);
      expect(await ask('pad/questions-zl16gdq0', legacyPasswords[legacyGroups.exam])).to.equal(200);
    });

    it('to a member of a private group without its password, but not past the password of a pad', async () => {
      const asCarol = await callerFor('carol');
      expect(await statusOf(asCarol, 'questions-zl16gdq0')).to.equal(200);
      const answers = await asCarol('get', 'pad/answers-zs17gdzd');
      expect(answers.body.error).to.equal('BACKEND.ERROR.TYPE.PASSWORD_MISSING');
      const opened = `pad/answers-zs17gdzd?password=${encodePassword('p+d/=é')}`;
      await asCarol('get', opened).expect(200);
    });

    it('read-only groups and pads stay read-only', async () => {
      const modes: [string, string, 'read' | 'write'][] = [
        ['alice', 'reglement-yu12gdtc', 'read'],
        ['alice', 'old-notes-091agda1', 'read'],
        ['dave', 'minutes-of-may-0n1dgdbm', 'read'],
        ['alice', 'still-editable-0d1bgdqz', 'write'],
        ['dave', 'guest-book-0v1egdxb', 'write'],
      ];
      for (const [login, pad, mode] of modes) {
        const answer = await (await callerFor(login))('post', `pad/${pad}/ticket`, {});
        expect([answer.status, answer.body.mode], pad).to.deep.equal([200, mode]);
      }
    });

    it('no password in plain text opens anything or is shown', async () => {
      const path = `group/${legacyGroups.leftOver}`;
      const asAlice = await callerFor('alice');
      for (const call of [asGuest, asAlice]) {
        const answer = await call('get', `${path}?password=${encodePassword('left-over-plain')}`);
        expect(answer.status).to.equal(401);
      }
      const answers = [
        await (await callerFor('dave'))('get', path),
        await (await callerFor('dave'))('get', 'group'),
        await (await callerFor('bob'))('get', path),
      ];
      for (const { status, text } of answers) {
        expect(status).to.equal(200);
        expect(text).to.not.contain('left-over-plain');
      }
    });

    it('users create pads where the group allows it', async () => {
      const create = async (login: string, group: string) =>
        (await (await callerFor(login))('post', 'pad', { name: 'New', group })).status;
      expect(await create('bob', legacyGroups.class)).to.equal(200);
      expect(await create('carol', legacyGroups.exam)).to.equal(401);
    });
  });

  describe('the settings', () => {
    it('title, message at the login, lengths of passwords, minutes of links', async () => {
      const { value } = (await asGuest('get', 'configuration').expect(200)).body;
      expect(value).to.deep.include({
        title: 'Les pads du collège Jean-Moulin',
        passwordMin: 10,
        passwordMax: 60,
        defaultLanguage: 'fr',
        HTMLExtraHead: '<meta name="robots" content="noindex">',
      });
      expect(value.loginMsg.fr).to.equal('<p>Bienvenue sur les <b>pads du collège</b>.</p>');
      const { configuration } = app.model;
      expect(configuration.get('tokenDuration')).to.equal(120);
      expect(configuration.get('SMTPPort')).to.equal(587);
      expect(configuration.get('SMTPEmailFrom')).to.equal('pads@example.org');
      expect(configuration.get('SMTPHost')).to.equal(undefined);
    });

    it('shows the old addresses of the page, in French to a French browser', async () => {
      await app.close();
      const staticRoot = path.join(folder.path, 'page');
      mkdirSync(staticRoot);
      const manifest = { scripts: [], styles: [], laterStyles: {}, languages: ['en', 'fr'] };
      writeFileSync(path.join(staticRoot, 'manifest.json'), JSON.stringify(manifest));
      app = await startApp({ file, staticRoot, templateRoot: path.join(project, 'templates') });
      const links = [
        '/?/mypads/group/-xmtgdkx/pad/view/-0i1cgdec',
        '/index.html?/mypads/group/-xmtgdkx/pad/view/-0i1cgdec',
        '/?/mypads/group/-xmtgdkx/view',
      ];
      for (const link of links) {
        const answer = await app.agent.get(link).set('Accept-Language', 'fr-FR,fr;q=0.9');
        expect(answer.status, link).to.equal(200);
        expect(answer.text).to.contain('<title>Les pads du collège Jean-Moulin</title>');
        expect(answer.text).to.contain('lang="fr"');
        expect(answer.text).to.contain('<meta name="robots" content="noindex">');
      }
    });
  });
});
