/** `ep-mypads doctor --online` and `rebuild-index`: the real commands in a process of their own, against a server. */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import texts from '../../locales/en.json';
import { keys } from '../../model/store/store';
import { type ListeningApp, startListeningApp, temporaryFolder } from '../support/app';
import { type CommandRun, useCommand } from '../support/command';
import { buildApiToken } from '../support/factories';
import { listen } from '../support/listening';

describe('ep-mypads doctor --online', () => {
  const command = useCommand();
  const folder = temporaryFolder();
  after(() => folder.remove());
  let host: ListeningApp;
  beforeEach(async () => {
    host = await startListeningApp();
  });
  afterEach(() => host.close());

  const run = (more: string[], env?: object): Promise<CommandRun> =>
    command(['doctor', '--online', ...more], env);

  it('prints what the checkup found and how to fix it', async () => {
    const { code, said } = await run(['--url', host.url]);
    expect(said).to.match(/^WARNING +Email: Email is not set up\./m);
    expect(said).to.contain('Set up a mail server, and send a test email.');
    expect(said).to.match(/^ok +Deletions: /m);
    expect(said).not.to.match(/\{\{|Cookies|Websocket/);
    expect(code).to.equal(1);
  });

  it('ends with 2 when something does not work', async () => {
    await host.close();
    const database = { type: 'postgres', cache: 10_000 };
    host = await startListeningApp({
      hostFacts: () => ({
        version: '3.3.20',
        node: '16.20.0',
        plugins: [],
        acceptsTokens: true,
        updatesItself: false,
        database,
      }),
    });
    const { code, said } = await run(['--url', `${host.url}/mypads/`]);
    expect(said).to.match(/^ERROR +Node\b.*16\.20\.0/m);
    expect(code).to.equal(2);
  });

  it('says the reason of a failure in words, as the administration does', async () => {
    await host.close();
    const error = 'BACKEND.ERROR.SERVER.DATABASE_UNAVAILABLE';
    host = await startListeningApp({
      async prepare(database) {
        await database.set(keys.conf('authMethod'), 'ldap');
        await database.set(keys.directorySync, { last: { began: Date.now(), ended: Date.now(), error } });
      },
    });
    const { said } = await run(['--url', host.url]);
    expect(said).to.contain(texts[error]);
    expect(said).not.to.contain(error);
  });

  it('builds the index again', async () => {
    const { code, said } = await command(['rebuild-index', '--url', host.url]);
    expect(said).to.contain('The index is being built again.');
    expect(code).to.equal(0);
    expect((await command(['rebuild-index'])).said).to.contain('Usage:');
    // An option that has no effect would be taken for one that has.
    for (const more of [
      ['rebuild-index', '--all'],
      ['doctor', '--online', '--repair'],
    ])
      expect((await command([...more, '--url', host.url])).said).to.match(/^Usage:/);
    expect((await command(['erase', '--orphans'])).said).to.match(/^Usage:/);
    const refused = await command(['rebuild-index', '--url', host.url], { MYPADS_TOKEN: 'invalid' });
    expect(refused).to.include({ code: 2 });
    expect(refused.said).to.contain('is not that of a server administrator');
  });

  it('takes an API token from a file or a variable, and says what is wrong with it', async () => {
    const token = await buildApiToken(host.app, 'root', { scopes: ['administration'] });
    const file = join(folder.path, 'token');
    writeFileSync(file, `${token}\n`);
    const nobody = { MYPADS_ADMIN: '', MYPADS_PASSWORD: '' };
    const args = ['--url', host.url];
    expect(await run(args, { ...nobody, MYPADS_TOKEN_FILE: file })).to.include({ code: 1 });
    expect(await run(args, { ...nobody, MYPADS_TOKEN: token })).to.include({ code: 1 });
    const missing = await run(args, { ...nobody, MYPADS_TOKEN_FILE: `${file} of nobody` });
    expect(missing.said).to.match(/^The file of MYPADS_TOKEN_FILE cannot be read: ENOENT/);
    for (const text of ['', `${token}\n${token}\n`]) {
      writeFileSync(file, text);
      const { said } = await run(args, { ...nobody, MYPADS_TOKEN_FILE: file });
      expect(said).to.match(/^The file of MYPADS_TOKEN_FILE has no token, or more than one line/);
    }
    const reading = await buildApiToken(host.app, 'root', { scopes: ['read'] });
    const refused = await run(args, { ...nobody, MYPADS_TOKEN: reading });
    expect(refused).to.include({ code: 2 });
    expect(refused.said).to.contain('The checks could not be run: BACKEND.ERROR.API_TOKEN.SCOPE');
    expect(refused.said).not.to.contain(reading);
  });

  it('says how it is called when it is asked', async () => {
    for (const args of [['--help'], ['-h'], ['import', '--help'], ['doctor', '-h']]) {
      const { code, said } = await command(args);
      expect([code, said]).to.match(/^0,Usage: ep-mypads/);
    }
  });

  it('says what is wrong with its own call', async () => {
    expect((await run([])).said).to.contain('Usage:');
    expect((await run(['--url', 'pads.example.org'])).code).to.equal(2);
    const refused = await run(['--url', host.url], { MYPADS_PASSWORD: 'wrong' });
    expect(refused).to.include({ code: 2 });
    expect(refused.said).to.contain('The sign-in failed: BACKEND.ERROR.AUTHENTICATION');
    const away = await run(['--url', 'http://127.0.0.1:1']);
    expect(away.said).to.contain('http://127.0.0.1:1 does not answer');
  });

  it('says that something else answers at the address', async () => {
    const other = createServer(
      (_request, response) => void response.writeHead(404).end('<h1>Not found</h1>'),
    );
    const { url, stop } = await listen(other);
    const { code, said } = await run(['--url', url]);
    await stop();
    expect(said).to.contain(`${url}/mypads does not answer as the API of ep_mypads (status 404)`);
    expect(said).not.to.contain('SyntaxError');
    expect(code).to.equal(2);
  });
});
