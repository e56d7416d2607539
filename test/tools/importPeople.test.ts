/** `ep-mypads import` against a server over HTTP. Some tests run the built command in a process of its own. */
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import type { AdminLogAnswer } from '../../api/admin/schema';
import type { Scope } from '../../model/store/entities';
import type { TestApp } from '../support/app';
import { type Call, callerOf, snapshot } from '../support/caller';
import { useCommand } from '../support/command';
import { buildApiToken, buildGroup, buildUser, signIn, signInAsAdmin } from '../support/factories';
import { type ImportCommand, useImportCommand } from '../support/importCommand';
import { type Listening, listen } from '../support/listening';
import { startMailFor } from '../support/mailFixture';

const school = `login,email,firstname,password,groups,administers
ada,ada@example.org,Ada,secret of ada,,5a|5b
bob,bob@example.org,"Bob, the second",secret of bob,5a,
eve,eve@example.org,Eve,secret of eve,5a|5b,
`;

/** Forwards requests to `target`, and answers with 502 from the first one on for which `isLast` says so. */
async function startFailingProxy(
  target: string,
  isLast: (request: IncomingMessage, body: string) => boolean,
): Promise<Listening> {
  let isDown = false;
  const server = createServer(async (request, response) => {
    const { method = 'GET', url, headers } = request;
    const sent = await text(request);
    isDown ||= isLast(request, sent);
    if (isDown) return void response.writeHead(502).end('<h1>Bad Gateway</h1>');
    const { authorization = '' } = headers;
    const answer = await fetch(`${target}${url}`, {
      method,
      headers: { 'Content-Type': 'application/json', ...(authorization && { authorization }) },
      ...(sent === '' ? {} : { body: sent }),
    });
    response.writeHead(answer.status).end(await answer.text());
  });
  return listen(server);
}

describe('ep-mypads import', () => {
  let app: TestApp;
  let admin: Call;
  let run: ImportCommand['run'];
  let folders: ImportCommand['folders'];
  const command = useCommand();
  useImportCommand((given) => {
    ({ app, admin, run, folders } = given);
  });

  it('works with an API token, whose name the activity has, and says which scope another lacks', async () => {
    const nobody = { MYPADS_ADMIN: '', MYPADS_PASSWORD: '' };
    const scopes: Scope[] = ['read', 'write', 'people', 'administration'];
    const token = await buildApiToken(app, 'root', { name: 'School', scopes });
    const { code, said } = await run(school, [], { ...nobody, MYPADS_TOKEN: token }, command);
    expect(code, said).to.equal(0);
    expect(await folders()).to.have.keys('5a', '5b');
    const { entries } = (await admin('get', 'admin/log')).body as AdminLogAnswer;
    expect(entries.find(({ action }) => action === 'imported')).to.include({ by: 'root', token: 'School' });
    const less = await buildApiToken(app, 'root', { scopes: ['read', 'administration'] });
    const refused = await run(school, [], { ...nobody, MYPADS_TOKEN: less });
    expect(refused.said).to.contain('API_TOKEN.SCOPE (people)');
    expect(refused.code).to.equal(1);
  });

  it('makes accounts and folders, and changes nothing when it runs again', async () => {
    const first = await run(school);
    expect(first.code, first.said).to.equal(0);
    expect(first.said)
      .to.match(/3 {2}accounts created/)
      .and.to.match(/2 {2}folders created/);
    await signIn(app, 'bob', 'secret of bob');
    expect(await folders()).to.deep.equal({ '5a': 'ada / bob,eve', '5b': 'ada / eve' });
    const before = await snapshot(app);
    const second = await run(school);
    expect(second.code, second.said).to.equal(0);
    expect(second.said)
      .to.match(/3 {2}accounts that already existed/)
      .and.not.to.match(/created/);
    expect(await snapshot(app)).to.deep.equal(before);
  });

  it('does nothing with a token that has ended', async () => {
    const token = await signInAsAdmin(app);
    await callerOf(app, token)('post', 'auth/admin/logout').expect(200);
    const before = await snapshot(app);
    for (const options of [[], ['--dry-run'], ['--sync']]) {
      const { code, said } = await run(school, options, { MYPADS_TOKEN: token });
      expect(code, said).to.equal(2);
      expect(said).to.equal('The token is wrong, has ended, or is not that of a server administrator.\n');
    }
    expect(await snapshot(app)).to.deep.equal(before);
  });

  it('says what it has done when the server stops answering, and completes it when it runs again', async () => {
    const { url, close } = await app.listen();
    for (const [options, done] of [
      [[], /1 {2}accounts created\n/],
      [['--sync'], /New accounts: 2\n/],
    ] as const) {
      const isLast = ({ method, url: path }: IncomingMessage, body: string): boolean =>
        method === 'POST' && path === '/mypads/api/user' && !body.includes(options[0] ? '"bob"' : '"ada"');
      const proxy = await startFailingProxy(url, isLast);
      const { code, said } = await run(school, ['--url', proxy.url, ...options], {}, command);
      await proxy.stop();
      expect(code, said).to.equal(1);
      expect(said)
        .to.match(done)
        .and.match(/Failed: 1\.\n {2}http\S+ does not answer as the API .*502/);
      expect(said).to.contain('run it again to complete it');
    }
    expect((await run(school)).code).to.equal(0);
    expect(await folders()).to.deep.equal({ '5a': 'ada / bob,eve', '5b': 'ada / eve' });
    await close();
  });

  it('adds nobody to a folder that only others manage, also with --dry-run, and says who', async () => {
    const pupil = await buildUser(app, { login: 'pupil', email: 'pupil@example.org' });
    await buildGroup(app, pupil, { name: '5a' });
    for (const options of [['--dry-run'], []]) {
      const { code, said } = await run(school, options);
      expect(code, said).to.equal(1);
      expect(said).to.contain('line 2: folder “5a”: there is one already, managed by pupil.');
    }
    expect(await folders()).to.deep.equal({ '5a': 'pupil / ', '5b': 'ada / eve' });
    const more = 'login,email,password,groups\nkim,kim@example.org,secret of kim,5a\n';
    const { code, said } = await run(more, ['--dry-run']);
    expect(code, said).to.equal(0);
    expect(said).to.match(/does not name as such:\n {2}“5a”: pupil\n/);
    const named = `${school}pupil,pupil@example.org,,,,5a\n`;
    expect((await run(named)).code).to.equal(0);
    expect((await run(school)).code, 'a colleague who was made a manager changes nothing').to.equal(0);
  });

  it('makes no second folder while one of this name is in the trash', async () => {
    await run(school);
    const { groups } = (await admin('get', 'admin/groups?name=5a')).body;
    await admin('delete', `group/${groups[0]._id}`).expect(200);
    for (const options of [['--dry-run'], []]) {
      const { code, said } = await run(school, options);
      expect(code, said).to.equal(1);
      expect(said).to.contain('line 2: folder “5a”: it is in the trash. Restore it, or delete it for good');
    }
    expect(await folders()).to.have.all.keys('5b');
    await admin('post', `trash/${groups[0]._id}/restore`, {}).expect(200);
    expect((await run(school)).code).to.equal(0);
    expect(await folders()).to.have.all.keys('5a', '5b');
  });

  it('says in every kind of run that an address is that of another account', async () => {
    await buildUser(app, { login: 'other', email: 'Ada@example.org' });
    const failed = /line 2: ada: USER\.EMAIL_ALREADY_EXISTS/;
    for (const options of [['--dry-run'], ['--sync', '--dry-run'], []]) {
      const { code, said } = await run(school, options);
      expect([code, failed.test(said)], `${options} ${said}`).to.deep.equal([1, true]);
    }
  });

  it('says what it would do, and does nothing, with --dry-run', async () => {
    await buildUser(app, { login: 'bob', email: 'other@example.org' });
    const before = await snapshot(app);
    const { code, said } = await run(school, ['--dry-run']);
    expect(code, said).to.equal(1);
    expect(said)
      .to.match(/2 {2}accounts to create/)
      .and.to.match(/2 {2}folders to create/);
    expect(said).to.match(/line 3: bob: USER.ALREADY_EXISTS with another address/);
    expect(await snapshot(app)).to.deep.equal(before);
  });

  it('names with --dry-run the lines whose password or folder no new one can have', async () => {
    const wrong = `${school}kim,kim@example.org,Kim,short,,\nmia,mia@example.org,Mia,secret of mia,,${'x'.repeat(41)}\n`;
    const before = await snapshot(app);
    for (const options of [['--dry-run'], ['--dry-run', '--sync']]) {
      const { code, said } = await run(wrong, options);
      expect(code, said).to.equal(1);
      expect(said)
        .to.contain('line 5: kim: TYPE.PASSWORD_SIZE (password)')
        .and.to.match(/line 6: folder “x+”: the name has more than 40 characters/);
    }
    expect(await snapshot(app)).to.deep.equal(before);
  });

  it('names a line that fails, and goes on with the next', async () => {
    await buildUser(app, { login: 'bob', email: 'other@example.org' });
    const { code, said } = await run(school);
    expect(code, said).to.equal(1);
    expect(said)
      .to.match(/2 {2}accounts created/)
      .and.to.match(/line 3: bob: USER.ALREADY_EXISTS \(login\)/);
    expect((await folders())['5a']).to.equal('ada / eve');
  });

  it('names every invalid line of a file, and does nothing', async () => {
    const cases: [string, RegExp][] = [
      [
        'login;email\nada;nowhere\n;b@example.org\n',
        /line 2: the email address is not valid\s+line 3: the username/,
      ],
      ['login,email\nhttp://evil.example,a@b.org\n', /line 2: the username/],
      ['login,email\nada,a@b.org\nADA,c@d.org\n', /line 3: ada is in line 2 already/],
      ['login,email\nzoé,a@b.org\nzoe\u0301,c@d.org\n', /line 3: zoé is in line 2 already/],
      [
        'login,mail\nada,a@b.org\n',
        /line 1: there is no column “mail”.*\s+line 1: the column email is missing/,
      ],
      ['login,email,groups,Groups\nada,a@b.org,5a,5b\n', /line 1: there are two columns “groups”/],
      ['login,email\n', /it names nobody/],
      ['login,email,lang\nada,a@b.org,english\n', /line 2: there is no language “english”/],
      [`login,email,lastname\nada,a@b.org,${'x'.repeat(101)}\n`, /line 2: lastname has more than 100 /],
      [`login,email,groups\nada,a@b.org,5a|${'x'.repeat(101)}\n`, /line 2: the folder “x{40}…” has more/],
      ['login,email\nada,"a@b.org\n', /line \d: Quote Not Closed/],
      ['login,email\nada,a@b.org,more\n', /line 2: Invalid Record Length/],
    ];
    const before = await snapshot(app);
    for (const [text, complaint] of cases) {
      const { code, said } = await run(text);
      expect([code, complaint.test(said)], said).to.deep.equal([2, true]);
    }
    expect(await snapshot(app)).to.deep.equal(before);
  });

  it('takes a token from the environment, and refuses people who are not administrators', async () => {
    const token = await signInAsAdmin(app);
    const env = { MYPADS_TOKEN: token, MYPADS_ADMIN: '', MYPADS_PASSWORD: '' };
    expect((await run(school, [], env, command)).code).to.equal(0);
    const wrong = await run(school, [], { MYPADS_PASSWORD: 'wrong' }, command);
    expect([wrong.code, /The sign-in failed/.test(wrong.said)], wrong.said).to.deep.equal([2, true]);
    const nobody = await run(school, [], { MYPADS_ADMIN: '' }, command);
    expect([nobody.code, /MYPADS_ADMIN is not set/.test(nobody.said)]).to.deep.equal([2, true]);
  });

  /** The administration log without sign-ins, the latest first. */
  async function adminLog(): Promise<string[]> {
    const { body } = await admin('get', 'admin/log');
    const { entries } = body as AdminLogAnswer;
    return entries
      .filter(({ action }) => action !== 'signedIn')
      .map(({ action, by, object, count }) => `${action} ${by} ${object?.name ?? '-'} ${count}`);
  }

  describe('of a file with letters beyond ASCII', () => {
    const french = `login,email,firstname,lastname,password,groups,administers
ada,ada@example.org,Ada,Lovelace,secret of ada,,5e A
jose,jose@example.org,José,Núñez,secret of jose,,Français
`;

    it('does nothing if the file is not UTF-8, and names the first such line', async () => {
      const before = await snapshot(app);
      for (const encoding of ['latin1', 'utf16le'] as const) {
        const bytes = Buffer.from(encoding === 'latin1' ? french : `\ufeff${french}`, encoding);
        const { code, said } = await run(bytes);
        expect([code, /Nothing was done/.test(said)], said).to.deep.equal([2, true]);
        expect(said).to.match(
          encoding === 'latin1' ? /line 3: this is not UTF-8/ : /line 1: this is not UTF-8/,
        );
      }
      expect(await snapshot(app)).to.deep.equal(before);
    });

    it('gives back the letters that an earlier version has lost, and changes nothing else', async () => {
      expect((await run(Buffer.from(french, 'latin1').toString('utf8'))).code).to.equal(0);
      await admin('put', 'user/ada', { firstname: 'Augusta' }).expect(200);
      const dry = await run(french, ['--dry-run']);
      expect(dry.said)
        .to.match(/1 {2}accounts to correct/)
        .and.to.match(/1 {2}folders to correct/);
      const { code, said } = await run(french);
      expect(code, said).to.equal(0);
      expect(said)
        .to.match(/1 {2}accounts corrected/)
        .and.to.match(/1 {2}folders corrected/);
      const { value } = (await admin('get', 'user/jose')).body;
      expect(value).to.include({ firstname: 'José', lastname: 'Núñez' });
      expect((await admin('get', 'user/ada')).body.value.firstname).to.equal('Augusta');
      expect(await folders()).to.deep.equal({ '5e A': 'ada / ', Français: 'jose / ' });
      expect((await run(french)).said).to.not.match(/correct/);
    });
  });

  it('writes one entry into the administration log, and none if nothing has changed', async () => {
    await run(school);
    const imported = 'imported root - 7';
    expect(await adminLog()).to.deep.equal([imported]);
    await run(school);
    expect(await adminLog()).to.deep.equal([imported]);
    await run(`${school}kim,kim@example.org,Kim,secret of kim,5b,\n`);
    expect(await adminLog()).to.deep.equal(['imported root - 2', imported]);
  });

  it('says once that mail is not set up, and does nothing, if somebody needs a link', async () => {
    const before = await snapshot(app);
    const { code, said } = await run(`${school}zoe,zoe@example.org,,,,\nkim,kim@example.org,,,,\n`);
    expect(code, said).to.equal(2);
    expect(said.match(/email is not set up/g)).to.have.length(1);
    expect(said).to.match(/Nothing was done\. Line 5 has no password.*SMTPHost/);
    expect(await snapshot(app)).to.deep.equal(before);
    // Also where people sign in otherwise first.
    for (const [key, value] of Object.entries({
      authLdapSettings: { url: 'ldap://127.0.0.1', searchBase: 'o=x', searchFilter: '(uid={{username}})' },
      authMethods: ['internal', 'ldap'],
      authMethod: 'ldap',
    }))
      await app.ports.database.set(`mypads:conf:${key}`, value);
    await app.restart();
    expect((await run(`${school}zoe,zoe@example.org,,,,\n`)).said).to.match(/email is not set up/);
    await buildUser(app, { login: 'zoe', email: 'zoe@example.org' });
    await buildUser(app, { login: 'kim', email: 'kim@example.org' });
    const again = await run('login,email\nzoe,zoe@example.org\nkim,kim@example.org\n');
    expect(again.code, again.said).to.equal(0);
  });

  it('lets people without a password choose one by mail', async () => {
    const mail = await startMailFor(app);
    const { code, said } = await run('login,email\nzoë,zoe@example.org\n');
    expect(code, said).to.equal(0);
    expect((await mail.next()).text).to.match(/passrecover\/[0-9a-f]{64}/);
    await mail.close();
  });
});
