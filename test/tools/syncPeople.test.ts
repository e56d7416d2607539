/** `ep-mypads import --sync` against a server over HTTP. importPeople.test.ts also runs it in a process of its own. */
import { expect } from 'chai';
import type { AdminLogAnswer } from '../../api/admin/schema';
import type { Scope } from '../../model/store/entities';
import type { TestApp } from '../support/app';
import { type Call, callerOf, snapshot } from '../support/caller';
import { checkEach } from '../support/cases';
import { buildApiToken, buildGroup, buildUser } from '../support/factories';
import { type ImportCommand, useImportCommand } from '../support/importCommand';

const header = 'login,email,firstname,lastname,password,groups,administers\n';
const firstYear = `${header}ada,ada@example.org,Ada,Lovelace,secret of ada,,5a
Mia,mia@example.org,Mia,Berg,secret of mia,,5b
bob,bob@example.org,Bob,Miller,secret of bob,5a,
Eve,eve@example.org,Eve,Stone,secret of eve,5a,
kim,kim@example.org,Kim,Wood,secret of kim,5b,
`;
/** Ada and Bob move, Eve has another name and address, Kim leaves, Zoe comes, class 6a is new. */
const newYear = `${header}ada,ada@example.org,Ada,Lovelace,secret of ada,,5b|6a
mia,mia@example.org,Mia,Berg,secret of mia,,5a
bob,bob@example.org,Bob,Miller,secret of bob,6a,
eve,evi@example.org,Eve,Rock,secret of eve,5a,
zoe,zoe@example.org,Zoe,Hill,secret of zoe,5a,
`;

describe('ep-mypads import --sync', () => {
  let app: TestApp;
  let admin: Call;
  let run: ImportCommand['run'];
  let folders: ImportCommand['folders'];
  useImportCommand((given) => {
    ({ app, admin, folders } = given);
    run = (text, more = [], env = {}) => given.run(text, ['--sync', ...more], env);
  });

  async function mustRun(text: string, ...more: string[]): Promise<string> {
    const { code, said } = await run(text, more);
    expect(code, said).to.equal(0);
    return said;
  }

  async function idOf(name: string): Promise<string> {
    const { body } = await admin('get', `admin/groups?name=${encodeURIComponent(name)}`);
    expect(body.count, name).to.equal(1);
    return body.groups[0]._id;
  }

  const account = async (login: string) => (await admin('get', `user/${login}`)).body.value;

  /** Follows the file again, and expects that nothing changes. */
  async function changesNothing(text: string): Promise<void> {
    const before = await snapshot(app);
    expect(await mustRun(text)).to.equal('');
    expect(await snapshot(app)).to.deep.equal(before);
  }

  it('makes the first year, and changes nothing when it runs again', async () => {
    const said = await mustRun(firstYear);
    expect(said)
      .to.match(/New accounts: 5\n/)
      .and.to.match(/New folders: 2\n {2}5a\n {2}5b\n/)
      .and.to.match(/Roles given: 5\n {2}5a: ada manager\n/);
    expect(await folders()).to.deep.equal({ '5a': 'ada / Eve,bob', '5b': 'Mia / kim' });
    await changesNothing(firstYear);
  });

  it('makes a new year: newcomers, moves, leavers, other names and addresses', async () => {
    await mustRun(firstYear);
    const said = await mustRun(newYear);
    for (const line of [
      'New accounts: 1\n  zoe zoe@example.org',
      'Changed accounts: 1\n  Eve: lastname “Rock”, email “evi@example.org”',
      'New folders: 1\n  6a',
      '6a: bob writer',
      '5a: ada manager → none',
      '5b: kim writer → none',
      'Deactivated accounts: 1\n  kim',
    ])
      expect(said).to.contain(line);
    expect(await folders()).to.deep.equal({ '5a': 'Mia / Eve,zoe', '5b': 'ada / ', '6a': 'ada / bob' });
    expect(await account('Eve')).to.include({ firstname: 'Eve', lastname: 'Rock', email: 'evi@example.org' });
    expect((await account('kim')).active).to.equal(false);
    await changesNothing(newYear);
    await mustRun(firstYear);
    expect(await folders()).to.deep.equal({ '5a': 'ada / Eve,bob', '5b': 'Mia / kim', '6a': 'ada / ' });
    expect(await account('kim')).to.include({ active: true });
    expect((await account('zoe')).active).to.equal(false);
  });

  it('gives people the addresses of each other, of others who get new ones, and to newcomers', async () => {
    const file = (logins: readonly string[], addresses: readonly string[]): string =>
      `login,email,password\n${logins.map((login, at) => `${login},${addresses[at]}@example.org,secret of ${login}\n`).join('')}`;
    const logins = ['ada', 'bob', 'eve', 'kim', 'mia', 'zoe', 'ivo'];
    await mustRun(file(logins, logins));
    // Two swap, three move round, and Zoe waits for Ivo, whose address changes after hers.
    const later = ['bob', 'ada', 'kim', 'mia', 'eve', 'ivo', 'ivo2', 'zoe'];
    const changed = file([...logins, 'newcomer'], later);
    await mustRun(changed);
    const people = await Promise.all([...logins, 'newcomer'].map(account));
    expect(people.map(({ email }) => email)).to.deep.equal(later.map((name) => `${name}@example.org`));
    await changesNothing(changed);
    await buildUser(app, { login: 'other', email: 'other@example.org' });
    for (const options of [['--dry-run'], []]) {
      const { code, said } = await run(file(logins, ['other', ...later.slice(1)]), options);
      expect(code, said).to.equal(1);
      expect(said).to.contain('Failed: 1.\n  line 2: ada: USER.EMAIL_ALREADY_EXISTS (email)');
    }
    expect((await account('ada')).email).to.equal('bob@example.org');
  });

  it('sends each new address at most three times, whoever has to wait for whom', async () => {
    const file = (addressOf: (index: number) => number): string =>
      `login,email,password\n${Array.from({ length: 24 }, (_, index) => `p${index},seat${addressOf(index)}@example.org,secret of many\n`).join('')}`;
    await mustRun(file((index) => index));
    const { fetch } = globalThis;
    let sent = 0;
    globalThis.fetch = (address, init) => {
      if (init?.method === 'PUT') sent += 1;
      return fetch(address, init);
    };
    try {
      // Pairs swap, then everyone gets the address of the next one, or of the one before.
      await mustRun(file((index) => index ^ 1));
      await mustRun(file((index) => ((index ^ 1) + 1) % 24));
      await mustRun(file((index) => ((index ^ 1) + 23) % 24));
    } finally {
      globalThis.fetch = fetch;
    }
    expect(sent).to.be.within(3 * 24, 3 * 3 * 24);
  });

  it('leaves accounts and roles alone that people have given', async () => {
    const zoe = await buildUser(app, { login: 'zoe', email: 'zoe@example.org' });
    await buildGroup(app, zoe, { name: 'Chess' });
    await mustRun(firstYear);
    await admin('post', `group/${await idOf('5a')}/members`, { loginsOrEmails: ['kim'], role: 'reader' });
    await admin('post', `group/${await idOf('5b')}/members`, { loginsOrEmails: ['kim'], admin: true });
    await mustRun(newYear);
    const chess = 'zoe / ';
    const by = { '5a': 'Mia / Eve,zoe', '5b': 'ada,kim / ', '6a': 'ada / bob', Chess: chess };
    expect(await folders()).to.deep.equal(by);
    // Nobody but their own account has brought them.
    const withoutZoe = newYear.replace(/zoe.*\n/, '');
    await mustRun(withoutZoe);
    expect(await folders()).to.deep.equal({ ...by, '5a': 'Mia / Eve' });
    expect((await account('zoe')).active).to.equal(true);
  });

  it('keeps an account closed that an administrator has closed', async () => {
    await mustRun(firstYear);
    await admin('put', 'user/bob', { active: false });
    await mustRun(firstYear);
    expect((await account('bob')).active).to.equal(false);
    await mustRun(newYear);
    await admin('put', 'user/kim', { active: true });
    await admin('put', 'user/kim', { active: false });
    await mustRun(firstYear);
    expect((await account('kim')).active).to.equal(false);
  });

  it('takes nothing above the limit without --confirm, but gives', async () => {
    await mustRun(firstYear);
    const held = await run(newYear, ['--limit', '3']);
    expect(held.code, held.said).to.equal(3);
    // Ada, Mia, Bob and Kim.
    expect(held.said).to.contain('4 people would lose a role or be deactivated, and the limit is 3');
    expect(held.said).to.contain('again with --confirm');
    const both = { '5a': 'Mia,ada / Eve,bob,zoe', '5b': 'Mia,ada / kim', '6a': 'ada / bob' };
    expect(await folders()).to.deep.equal(both);
    expect(await account('kim')).to.include({ active: true });
    expect(await account('Eve')).to.include({ lastname: 'Rock' });
    await mustRun(newYear, '--limit', '3', '--confirm');
    expect(await folders()).to.deep.equal({ '5a': 'Mia / Eve,zoe', '5b': 'ada / ', '6a': 'ada / bob' });
    expect((await account('kim')).active).to.equal(false);
  });

  it('takes the two spellings of a letter in the names of a folder for the same', async () => {
    const file = (name: string) =>
      firstYear.replaceAll('5a', '5é').replaceAll('Eve,eve@example.org,Eve,Stone,secret of eve,5é', name);
    const eve = (folder: string): string => `Eve,eve@example.org,Eve,Stone,secret of eve,${folder}`;
    await mustRun(file(eve('5é')));
    await mustRun(file(eve('5é'.normalize('NFD'))));
    expect(await folders()).to.deep.equal({ '5é': 'ada / Eve,bob', '5b': 'Mia / kim' });
  });

  it('says what it would do, and does nothing, with --dry-run', async () => {
    const empty = await snapshot(app);
    expect(await mustRun(firstYear, '--dry-run')).to.match(/Nothing was changed/);
    expect(await snapshot(app)).to.deep.equal(empty);
    await mustRun(firstYear);
    const before = await snapshot(app);
    const dry = await run(newYear, ['--dry-run', '--limit', '0']);
    expect(dry.code, dry.said).to.equal(3);
    expect(dry.said).to.contain('5b: kim writer → none').and.contain('nothing would be taken');
    const planned = await mustRun(newYear, '--dry-run');
    expect(await snapshot(app)).to.deep.equal(before);
    expect(await mustRun(newYear)).to.equal(planned.replace('Nothing was changed.\n', ''));
  });

  it('completes a run that was interrupted', async () => {
    await mustRun(firstYear);
    const file = newYear.split('\n');
    // As far as a run may come: some people, and the roles of one folder.
    await admin('post', 'user', {
      ...{ login: 'zoe', email: 'zoe@example.org', password: 'secret of zoe', sync: true },
      ...{ firstname: 'Zoe', lastname: 'Hill' },
    }).expect(200);
    await admin('post', 'admin/import/roles', {
      ...{ folder: await idOf('5a'), managers: ['Mia'], writers: ['zoe'], removed: ['ada', 'bob'] },
    }).expect(200);
    await mustRun(file.join('\n'));
    expect(await folders()).to.deep.equal({ '5a': 'Mia / Eve,zoe', '5b': 'ada / ', '6a': 'ada / bob' });
    await changesNothing(newYear);
  });

  it('makes each folder once when two runs overlap', async () => {
    for (const login of ['ada', 'bob']) await buildUser(app, { login });
    const calls = Array.from({ length: 4 }, () =>
      admin('post', 'admin/import/roles', { name: '5a', managers: ['ada'], writers: ['bob'], removed: [] }),
    );
    const made = (await Promise.all(calls)).map(({ body }) => body.folder);
    expect(new Set(made).size).to.equal(1);
    expect(await folders()).to.deep.equal({ '5a': 'ada / bob' });
  });

  it('takes nothing from a person whose line fails, or in a folder that is not clear', async () => {
    await mustRun(firstYear);
    await buildUser(app, { login: 'other', email: 'evi@example.org' });
    const { code, said } = await run(newYear);
    expect([code, /line 5: Eve: USER.EMAIL_ALREADY_EXISTS/.test(said)], said).to.deep.equal([1, true]);
    expect((await folders())['5a']).to.equal('Mia / Eve,zoe');
    expect(await account('Eve')).to.include({ active: true, email: 'eve@example.org' });
    const stranger = await run(`${newYear}other,another@example.org,,,secret of other,5a,\n`);
    expect(stranger.said).to.match(/line 7: other: USER.ALREADY_EXISTS with another address/);
    expect((await folders())['5a']).to.equal('Mia / Eve,zoe');
  });

  it('gives no roles in a folder of someone else that has the name of a class', async () => {
    const stranger = await buildUser(app, { login: 'stranger', email: 'stranger@example.org' });
    await buildGroup(app, stranger, { name: '6a' });
    await mustRun(firstYear);
    for (const options of [[], ['--confirm']]) {
      const { code, said } = await run(newYear, options);
      expect(code, said).to.equal(1);
      expect(said).to.contain('line 2: folder “6a”: there is one already, managed by stranger.');
      expect(await folders()).to.include({ '5a': 'Mia / Eve,zoe', '6a': 'stranger / ' });
    }
    // The office knows this person, and names them.
    const named = `${newYear}stranger,stranger@example.org,,,,,6a\n`;
    await mustRun(named);
    expect((await folders())['6a']).to.equal('ada,stranger / bob');
    await changesNothing(named);
  });

  it('makes no second folder while the one that it knows is in the trash', async () => {
    await mustRun(firstYear);
    const id = await idOf('5a');
    await admin('delete', `group/${id}`).expect(200);
    const before = await snapshot(app);
    const { code, said } = await run(firstYear);
    expect(code, said).to.equal(1);
    expect(said).to.contain('line 2: folder “5a”: it is in the trash. Restore it, or delete it for good');
    expect(await snapshot(app)).to.deep.equal(before);
    await admin('post', `trash/${id}/restore`).expect(200);
    await app.idle();
    await changesNothing(firstYear);
    await admin('delete', `group/${id}?permanent=true`).expect(200);
    await app.idle();
    await mustRun(firstYear);
    expect(await folders()).to.deep.equal({ '5a': 'ada / Eve,bob', '5b': 'Mia / kim' });
  });

  it('says with its exit code that lines failed, also above the limit', async () => {
    await mustRun(firstYear);
    const wrong = `${newYear}max,max@example.org,,,secret of max,7c,\n`;
    const { code, said } = await run(wrong, ['--limit', '0']);
    expect(code, said).to.equal(1);
    expect(said).to.contain('again with --confirm').and.contain('line 7: folder “7c”: it does not exist');
  });

  it('leaves roles as they are if the file has no column for them, and refuses a file without people', async () => {
    await mustRun(firstYear);
    const before = await folders();
    await mustRun('login,email\nada,ada@example.org\nmia,mia@example.org\nbob,bob@example.org\n');
    expect(await folders()).to.deep.equal(before);
    expect((await account('kim')).active).to.equal(false);
    const { code, said } = await run(header);
    expect([code, said.includes('it names nobody')], said).to.deep.equal([2, true]);
  });

  it('finds the columns with folders after empty lines, and their separator', async () => {
    await mustRun(`\n\n${firstYear.replaceAll(',', ';')}`);
    expect(await folders()).to.deep.equal({ '5a': 'ada / Eve,bob', '5b': 'Mia / kim' });
  });

  it('keeps the last manager of a folder, as if people had made them one', async () => {
    await mustRun(firstYear);
    const withoutAda = firstYear.replace(/ada.*\n/, '');
    await mustRun(withoutAda);
    expect((await folders())['5a']).to.equal('ada / Eve,bob');
    expect((await account('ada')).active).to.equal(false);
    await changesNothing(withoutAda);
  });

  it('stays when rules of a directory change', async () => {
    await mustRun(firstYear);
    const group = await idOf('5b');
    const rule = { source: 'ldap', attribute: 'memberOf', value: 'cn=staff', role: 'reader', folder: group };
    await admin('put', 'admin/group-rules', { rules: [rule] }).expect(200);
    await admin('put', 'admin/group-rules', { rules: [] }).expect(200);
    await app.idle();
    expect(await folders()).to.deep.equal({ '5a': 'ada / Eve,bob', '5b': 'Mia / kim' });
    await changesNothing(firstYear);
  });

  it('cannot close accounts that no sync has made, and refuses unclear calls', async () => {
    await mustRun(firstYear);
    const zoe = await buildUser(app, { login: 'zoe' });
    const { body } = await admin('post', 'admin/import/accounts', { deactivate: ['zoe', 'kim'] });
    expect(body).to.deep.equal({ success: true, activated: 0, deactivated: 1 });
    expect((await account('zoe')).active).to.equal(true);
    expect((await callerOf(app, zoe.token)('get', 'user/zoe')).status).to.equal(200);
    const before = await snapshot(app);
    await checkEach(
      {
        'no folder': [{ managers: ['ada'] }, 400, 'TYPE.PARAM_INVALID'],
        'two folders': [
          { folder: await idOf('5a'), name: '5c', managers: ['ada'] },
          400,
          'TYPE.PARAM_INVALID',
        ],
        'an unknown folder': [{ folder: 'nowhere', managers: ['ada'] }, 404, 'CONFIGURATION.KEY_NOT_FOUND'],
        'an unknown person': [
          { folder: await idOf('5a'), writers: ['nobody'] },
          400,
          'GROUP.ITEMS_NOT_FOUND',
        ],
        'a folder without a manager': [{ name: '5c', writers: ['bob'] }, 400, 'GROUP.RESIGN_UNIQUE_ADMIN'],
      } as Record<string, [object, number, string]>,
      async ([sent, status, key]) => {
        const answer = await admin('post', 'admin/import/roles', sent);
        expect([answer.status, answer.body.error]).to.deep.equal([status, `BACKEND.ERROR.${key}`]);
      },
    );
    expect(await snapshot(app)).to.deep.equal(before);
  });

  it('gives and takes the roles of more people than one call is about', async function () {
    this.timeout(120_000);
    const logins = Array.from({ length: 520 }, (_, index) => `pupil${index}`);
    const fields = { password: 'secret of all', bySync: {} };
    for (const login of logins) {
      const account = { login, email: `${login}@example.org`, ...fields };
      await app.model.registration.createByAdministrator(account, 'refuse');
    }
    const lines = (groups: string) => logins.map((login) => `${login},${login}@example.org,,,,${groups},\n`);
    const teacher = 'ada,ada@example.org,Ada,,secret of ada,,School\n';
    await mustRun(`${header}${lines('School').join('')}${teacher}`);
    expect((await folders()).School).to.equal(`ada / ${logins.toSorted()}`);
    const other = 'mia,mia@example.org,Mia,,secret of mia,,School\n';
    await mustRun(`${header}${lines('').join('')}${other}`, '--confirm');
    expect(await folders()).to.deep.equal({ School: 'mia / ' });
  });

  it('is one entry in the activity, and open only to server administrators', async () => {
    await mustRun(firstYear);
    await mustRun(newYear);
    const { entries } = (await admin('get', 'admin/log')).body as AdminLogAnswer;
    const actions = entries.map(({ action }) => action).filter((action) => action !== 'signedIn');
    // A new address is an entry of its own.
    expect(actions).to.have.members(['imported', 'accountChanged', 'imported']);
    const person = await buildUser(app);
    const scopes: Scope[] = ['read', 'write', 'people'];
    const less = callerOf(app, await buildApiToken(app, 'root', { scopes }));
    for (const [call, status] of [
      [callerOf(app), 401],
      [callerOf(app, person.token), 401],
      [less, 403],
    ] as const) {
      const answers = [
        await call('get', 'admin/import'),
        await call('post', 'admin/import/roles', { name: 'Mine', managers: [person.login] }),
        await call('post', 'admin/import/accounts', { deactivate: ['ada'] }),
      ];
      expect(answers.map((answer) => answer.status)).to.deep.equal([status, status, status]);
    }
    const own = { login: 'own', email: 'own@example.org', password: 'secret of own', sync: true };
    expect((await callerOf(app)('post', 'user', own)).body.field).to.equal('sync');
    const refused = await run(newYear, [], { MYPADS_PASSWORD: 'wrong' });
    expect([refused.code, /The sign-in failed/.test(refused.said)]).to.deep.equal([2, true]);
  });
});
