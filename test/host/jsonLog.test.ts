/** The log of a real Etherpad: as text, and as JSON with deploy/json-log.cjs. */
import path from 'node:path';
import { expect } from 'chai';
import { wantedMajor } from '../../bin/etherpad';
import { runDoctor } from '../support/doctor';
import type { RunningEtherpad } from '../support/etherpad';
import { useEtherpad } from '../support/useEtherpad';
import { until } from '../support/waiting';

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

/** Resolves when the refusal is in the log, which the test gets some time after the answer. */
async function signInAsNobody(etherpad: RunningEtherpad): Promise<void> {
  const before = etherpad.log().length;
  await etherpad.api('POST', 'auth/login', { body: { login: 'nobody', password: 'no password' } });
  await until('it is logged', () => /sign-in refused.*\n/.test(etherpad.log().slice(before)));
}

const json =
  wantedMajor() === 1
    ? { logconfig: { appenders: [{ type: 'console', layout: { type: 'json' } }] } }
    : { logLayoutType: 'json' };

describe('the log of Etherpad', function () {
  this.timeout(300_000);
  const { etherpad } = useEtherpad();

  it('shows a message and its facts as JSON in one line of text', async () => {
    await signInAsNobody(etherpad);
    const [, facts = ''] = lineWith(etherpad, 'sign-in refused').split('sign-in refused ');
    expect(JSON.parse(facts)).to.include({ user: 'unknown' });
  });
});

describe('the log of an Etherpad that logs JSON', function () {
  this.timeout(300_000);
  const { etherpad } = useEtherpad({ settings: json, env: { NODE_OPTIONS: `--require ${layout}` } });

  it('has the facts as fields', async () => {
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

  it('does not stop the doctor', () => {
    const { code, stdout, stderr } = runDoctor(etherpad.folder, etherpad.settingsFile, []);
    expect(code, stderr).to.equal(0);
    expect(stdout).to.match(/^Etherpad \d/);
  });
});
