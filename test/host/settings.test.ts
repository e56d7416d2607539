/**
 * Settings of settings.json in a real Etherpad: presets, changes while the server runs, and what the log may contain.
 */
import { expect } from 'chai';
import type { Answer } from '../support/etherpad';
import { changeSettingsFile, restartEtherpad } from '../support/hostAdmin';
import { signInAsAdmin } from '../support/hostFixture';
import { PadClient } from '../support/socketClient';
import { useEtherpad } from '../support/useEtherpad';
import { until } from '../support/waiting';

interface Configuration {
  value: Record<string, unknown>;
  locked: string[];
  secrets: string[];
}

describe('the settings file', function () {
  this.timeout(300_000);
  const { etherpad, fixture, owner } = useEtherpad({
    settings: {
      ep_mypads: { title: 'Of the file', SMTPPass: 'preset secret', tokenDuration: '30' },
      disableIPlogging: true,
    },
  });
  const locked = 'BACKEND.ERROR.CONFIGURATION.LOCKED';

  async function asAdmin(method: string, path: string, body?: unknown): Promise<Answer> {
    return etherpad.api(method, path, { token: await signInAsAdmin(etherpad), body });
  }
  const configuration = async () => (await asAdmin('GET', 'configuration')).body as Configuration;
  const preset = (block: Record<string, unknown> | undefined) =>
    changeSettingsFile(etherpad, { ep_mypads: block });

  it('presets settings, which are locked', async () => {
    const { value, locked: names, secrets } = await configuration();
    expect(value).to.include({ title: 'Of the file', tokenDuration: 30 });
    expect(names).to.have.members(['title', 'SMTPPass', 'tokenDuration']);
    expect(secrets).to.deep.equal(['SMTPPass']);
    expect(JSON.stringify(value)).not.to.include('preset secret');
    for (const [method, path, body] of [
      ['PUT', 'configuration/title', { value: 'Mine' }],
      ['POST', 'configuration', { key: 'title', value: 'Mine' }],
      ['DELETE', 'configuration/title', undefined],
    ] as const) {
      const { status, body: answer } = await asAdmin(method, path, body);
      expect(status, method).to.equal(403);
      expect(answer, method).to.deep.equal({ error: locked, key: 'title' });
    }
    const page = await etherpad.get('/mypads/');
    expect(page.body).to.include('<title>Of the file</title>');
  });

  it('is applied when Etherpad reads it again: changed, new and removed settings', async () => {
    await preset({ title: 'Changed', openRegistration: false, passwordMin: 'many' });
    expect((await configuration()).value.title, 'not before it is read').to.equal('Of the file');
    await restartEtherpad(etherpad);
    const { value, locked: names, secrets } = await configuration();
    expect(value).to.include({
      title: 'Changed',
      openRegistration: false,
      tokenDuration: 60,
      passwordMin: 8,
    });
    expect(names).to.have.members(['title', 'openRegistration']);
    expect(secrets).to.deep.equal([]);
    const body = { login: 'late', password: 'correct horse', email: 'late@example.org' };
    const refused = await etherpad.api('POST', 'user', { body });
    expect(refused.body).to.have.property('error', 'BACKEND.ERROR.AUTHENTICATION.NO_REGISTRATION');
    await preset(undefined);
    await restartEtherpad(etherpad);
    expect((await configuration()).locked).to.deep.equal([]);
    expect((await asAdmin('PUT', 'configuration/title', { value: 'Mine' })).status).to.equal(200);
    await preset({ title: 'Once more' });
    await restartEtherpad(etherpad);
    expect((await configuration()).value.title).to.equal('Once more');
  });

  it('closes the editors of guests when it switches to the signed-in-only mode', async () => {
    const pad = await fixture.pad(owner, await fixture.group(owner, { visibility: 'public' }));
    const guest = await PadClient.connect(etherpad);
    const member = await PadClient.connect(etherpad, owner.cookie);
    expect(await guest.join(pad)).to.equal('write');
    expect(await member.join(pad)).to.equal('write');
    await preset({ allPadsPublicsAuthentifiedOnly: true });
    const gone = guest.gone(60_000);
    await Promise.all([restartEtherpad(etherpad), gone]);
    const again = [
      await PadClient.connect(etherpad),
      await PadClient.connect(etherpad, owner.cookie),
    ] as const;
    expect(await again[0].join(pad, { reconnect: true, client_rev: -1 })).to.equal('refused');
    expect(await again[0].join(pad)).to.equal('refused');
    expect(await again[1].join(pad)).to.equal('write');
    for (const client of [guest, member, ...again]) client.close();
    await preset(undefined);
    await restartEtherpad(etherpad);
  });

  it('decides how much of an address is logged', async () => {
    const seen = async (settings: Record<string, unknown>): Promise<unknown> => {
      await changeSettingsFile(etherpad, { ipLogging: undefined, disableIPlogging: undefined, ...settings });
      await restartEtherpad(etherpad);
      const before = etherpad.log().length;
      await asAdmin('GET', 'configuration');
      const factsOf = /administrator signed in (\{.*\})/;
      // The test gets what the server prints some time after the answer.
      await until('the sign-in is logged', () => factsOf.test(etherpad.log().slice(before)));
      const [, facts = ''] = factsOf.exec(etherpad.log().slice(before)) ?? [];
      return (JSON.parse(facts) as { address?: unknown }).address;
    };
    expect(await seen({ disableIPlogging: true })).to.equal('ANONYMOUS');
    expect(await seen({ disableIPlogging: false })).to.equal('127.0.0.1');
    if (etherpad.major < 3) return;
    expect(await seen({ ipLogging: 'truncated' })).to.equal('127.0.0.0');
    expect(await seen({ ipLogging: 'anonymous' })).to.equal('ANONYMOUS');
    expect(await seen({ ipLogging: 'full' })).to.equal('127.0.0.1');
  });
});
