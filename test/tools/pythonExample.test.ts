/** The program in Python of docs/tokens.md. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { findPython } from '../../bin/programs';
import { type ListeningApp, startListeningApp, temporaryFolder } from '../support/app';
import { examples } from '../support/docExamples';
import { buildApiToken, buildUser } from '../support/factories';

describe('the example in Python', () => {
  const home = temporaryFolder();
  let host: ListeningApp;
  before(async () => {
    host = await startListeningApp();
  });
  after(async () => {
    await host?.close();
    home.remove();
  });

  /** What the program prints with this token. */
  async function run(token: string): Promise<string> {
    const [program = ''] = examples('tokens.md', 'python');
    const file = join(home.path, 'program.py');
    writeFileSync(join(home.path, '.mypads-token'), `${token}\n`);
    writeFileSync(file, program.replace('http://127.0.0.1:9001', host.url));
    const env = { ...process.env, HOME: home.path };
    return (await promisify(execFile)(findPython() ?? 'python3', [file], { env })).stdout;
  }

  it('makes a folder with a pad and lists the folders, or names the error', async () => {
    const user = await buildUser(host.app);
    expect(await run(await buildApiToken(host.app, user))).to.equal('Made by Python\n');
    const failed = await run('mp_wrong').catch(({ stderr }: { stderr: string }) => stderr);
    expect(failed).to.match(/^POST group: BACKEND\.ERROR\.[A-Z_.]+\n$/);
  });
});
