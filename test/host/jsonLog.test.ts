/** The log of a real Etherpad: as text, and as JSON with deploy/json-log.cjs. */
import path from 'node:path';
import { expect } from 'chai';
import { wantedMajor } from '../../bin/etherpad';
import { runDoctor } from '../support/doctor';
import { type RunningEtherpad, startEtherpad } from '../support/etherpad';

const layout = path.join(__dirname, '../../deploy/json-log.cjs');

/** The last line of the log with this text. Throws if there is none. */
function lineWith(etherpad: RunningEtherpad, text: string): string {
  const line = etherpad
    .log()
    .split('\n')
    .findLast((one) => one.includes(text));
  if (line === undefined) throw new Error(`no line with ${text} in\n${etherpad.log().slice(-4000)}`);
  return line;
}

async function signInAsNobody(etherpad: RunningEtherpad): Promise<void> {
  await etherpad.api('POST', 'auth/login', { body: { login: 'nobody', password: 'no password' } });
}

const json =
  wantedMajor() === 1
    ? { logconfig: { appenders: [{ type: 'console', layout: { type: 'json' } }] } }
    : { logLayoutType: 'json' };

describe('the log of Etherpad', function () {
  this.timeout(300_000);
  let etherpad: RunningEtherpad | undefined;
  afterEach(() => etherpad?.stop());

  it('shows a message and its facts as JSON in one line of text', async () => {
    etherpad = await startEtherpad();
    await signInAsNobody(etherpad);
    const [, facts = ''] = lineWith(etherpad, 'sign-in refused').split('sign-in refused ');
    expect(JSON.parse(facts)).to.include({ user: 'unknown' });
  });

  it('has the facts as fields where Etherpad logs JSON', async () => {
    etherpad = await startEtherpad({ settings: json, env: { NODE_OPTIONS: `--require ${layout}` } });
    await signInAsNobody(etherpad);
    const line = JSON.parse(lineWith(etherpad, 'sign-in refused')) as Record<string, unknown>;
    expect(line).to.include({
      level: 'warn',
      logger: 'ep_mypads',
      message: 'sign-in refused',
      user: 'unknown',
      reason: 'BACKEND.ERROR.AUTHENTICATION.PASSWORD_INCORRECT',
    });
    expect(Date.now() - Date.parse(String(line.time))).to.be.within(0, 60_000);
    // The first lines are written before Etherpad has read its settings.
    const lines = etherpad.log().trim().split('\n');
    const rest = lines.slice(lines.findIndex((one) => one.startsWith('{')));
    const texts = rest.filter((one) => !one.startsWith('{"time":"'));
    expect(texts, 'lines that are no JSON').to.deep.equal([]);
    for (const one of rest) JSON.parse(one);
  });

  it('does not stop the doctor where Etherpad logs JSON', async () => {
    etherpad = await startEtherpad({ settings: json, env: { NODE_OPTIONS: `--require ${layout}` } });
    const { code, stdout, stderr } = runDoctor(etherpad.folder, etherpad.settingsFile, []);
    expect(code, stderr).to.equal(0);
    expect(stdout).to.match(/^Etherpad \d/);
  });
});
