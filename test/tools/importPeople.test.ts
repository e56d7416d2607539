/** `ep-mypads import`: the real command in a process of its own, against a server over HTTP. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type ListeningApp, startListeningApp, type TestApp, temporaryFolder } from '../support/app';
import { type Call, callerOf, snapshot } from '../support/caller';
import { type CommandRun, useCommand } from '../support/command';
import { buildUser, signIn, signInAsAdmin } from '../support/factories';
import { startMailFor } from '../support/mailFixture';

const school = `login,email,firstname,password,groups,administers
ada,ada@example.org,Ada,secret of ada,,5a|5b
bob,bob@example.org,"Bob, the second",secret of bob,5a,
eve,eve@example.org,Eve,secret of eve,5a|5b,
`;

describe('ep-mypads import', () => {
  const folder = temporaryFolder();
  const command = useCommand();
  let app: TestApp;
  let admin: Call;
  let host: ListeningApp;
  beforeEach(async () => {
    host = await startListeningApp();
    app = host.app;
    admin = callerOf(app, await signInAsAdmin(app));
  });
  afterEach(() => host.close());
  after(() => folder.remove());

  /** Runs the command with this file. */
  function run(
    text: string,
    { more = [], env = {} }: { more?: string[]; env?: object } = {},
  ): Promise<CommandRun> {
    const file = join(folder.path, 'people.csv');
    writeFileSync(file, text);
    return command(['import', file, '--url', host.url, ...more], env);
  }

  /** Folders by name, with the logins of their people. */
  async function folders(): Promise<Record<string, string[][]>> {
    const { body } = await admin('get', 'admin/groups');
    const rows = await Promise.all(
      body.groups.map(async ({ _id, name }: { _id: string; name: string }) => {
        const { value, users } = (await admin('get', `group/${_id}`)).body;
        const loginsOf = (ids: string[]) => ids.map((id) => users[id].login).sort();
        return [name, [loginsOf(value.admins), loginsOf(value.users)]];
      }),
    );
    return Object.fromEntries(rows);
  }

  it('makes accounts and folders, and changes nothing when it runs again', async () => {
    const first = await run(school);
    expect(first.code, first.said).to.equal(0);
    expect(first.said)
      .to.match(/3 {2}accounts created/)
      .and.to.match(/2 {2}folders created/);
    await signIn(app, 'bob', 'secret of bob');
    expect(await folders()).to.deep.equal({ '5a': [['ada'], ['bob', 'eve']], '5b': [['ada'], ['eve']] });
    const before = await snapshot(app);
    const second = await run(school);
    expect(second.code, second.said).to.equal(0);
    expect(second.said)
      .to.match(/3 {2}accounts that already existed/)
      .and.not.to.match(/created/);
    expect(await snapshot(app)).to.deep.equal(before);
  });

  it('says what it would do, and does nothing, with --dry-run', async () => {
    await buildUser(app, { login: 'bob', email: 'other@example.org' });
    const before = await snapshot(app);
    const { code, said } = await run(school, { more: ['--dry-run'] });
    expect(code, said).to.equal(1);
    expect(said)
      .to.match(/2 {2}accounts to create/)
      .and.to.match(/2 {2}folders to create/);
    expect(said).to.match(/line 3: bob: USER.ALREADY_EXISTS with another address/);
    expect(await snapshot(app)).to.deep.equal(before);
  });

  it('names a line that fails, and goes on with the next', async () => {
    await buildUser(app, { login: 'bob', email: 'other@example.org' });
    const { code, said } = await run(school);
    expect(code, said).to.equal(1);
    expect(said)
      .to.match(/2 {2}accounts created/)
      .and.to.match(/line 3: bob: USER.ALREADY_EXISTS \(login\)/);
    expect((await folders())['5a']).to.deep.equal([['ada'], ['eve']]);
  });

  it('names every invalid line of a file, and does nothing', async () => {
    const cases: [string, RegExp][] = [
      [
        'login;email\nada;nowhere\n;b@example.org\n',
        /line 2: the e-mail address is not valid\s+line 3: the login/,
      ],
      ['login,email\nada,a@b.org\nADA,c@d.org\n', /line 3: ada is in line 2 already/],
      [
        'login,mail\nada,a@b.org\n',
        /line 1: there is no column “mail”.*\s+line 1: the column email is missing/,
      ],
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
    expect((await run(school, { env })).code).to.equal(0);
    const wrong = await run(school, { env: { MYPADS_PASSWORD: 'wrong' } });
    expect([wrong.code, /The sign-in failed/.test(wrong.said)], wrong.said).to.deep.equal([2, true]);
    const nobody = await run(school, { env: { MYPADS_ADMIN: '' } });
    expect([nobody.code, /MYPADS_ADMIN is not set/.test(nobody.said)]).to.deep.equal([2, true]);
  });

  it('lets people without a password choose one by mail', async () => {
    const mail = await startMailFor(app);
    const { code, said } = await run('login,email\nzoë,zoe@example.org\n');
    expect(code, said).to.equal(0);
    expect((await mail.next()).text).to.match(/passrecover\/[0-9a-f]{64}/);
    await mail.close();
  });
});
