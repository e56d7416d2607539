/** The commands of docs/api.md, and that of docs/tokens.md which makes a token. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { type ListeningApp, startListeningApp } from '../support/app';
import { examples } from '../support/docExamples';
import { buildUser } from '../support/factories';
import { startMailFor } from '../support/mailFixture';
import type { TestSmtpServer } from '../support/smtpServer';

describe('the examples of the API', () => {
  let host: ListeningApp;
  let mail: TestSmtpServer;
  before(async () => {
    host = await startListeningApp();
    mail = await startMailFor(host.app);
    for (const login of ['alice', 'eve'])
      await buildUser(host.app, { login, password: `${login}s-password` });
  });
  after(async () => {
    await host?.close();
    await mail?.close();
  });

  it('work one after the other, as they are written', async () => {
    const pages = [...examples('api.md', 'sh'), ...examples('tokens.md', 'sh').slice(-1)];
    // The text of a pad needs Etherpad, a link needs an email, and a file has the first token.
    const commands = pages.filter((one) => /\$BASE/.test(one) && !/TICKET|accountconfirm|-token/.test(one));
    expect(commands).to.have.length(4);
    const script = commands
      .join('\n')
      .replaceAll('http://127.0.0.1:9001', host.url)
      .replace('"admin","password":"the one of settings.json"', '"root","password":"rootroot"')
      .replaceAll('curl -s ', "curl -s -w '\\n' ");
    const { stdout } = await promisify(execFile)('bash', ['-c', script]);
    const answers = stdout.trim().split('\n');
    expect(answers).to.have.length(18);
    expect(answers.filter((one) => !/^(\{|mp_)/.test(one) || one.includes('"error"'))).to.deep.equal([]);
  });
});
