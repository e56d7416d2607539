/** A refused visit is logged once, and people who guess passwords are told when to try again. */
import { expect } from 'chai';
import { useAttackedEtherpad } from '../support/attackedEtherpad';
import type { Person } from '../support/hostFixture';
import { PadClient } from '../support/socketClient';
import { until } from '../support/waiting';

const page = 'text/html,application/xhtml+xml';
const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('refusals', function () {
  this.timeout(300_000);
  const { etherpad, fixture, owner } = useAttackedEtherpad();
  let outsider: Person;
  let pad: string;
  let locked: string;

  before(async () => {
    outsider = await fixture.person('outsider');
    pad = await fixture.pad(owner, await fixture.group(owner));
    locked = await fixture.pad(
      owner,
      await fixture.group(owner, { visibility: 'private', password: 'secret' }),
    );
  });

  let marks = 0;
  /** Makes a sign-in fail and waits for its line in the log. By then all earlier lines are there too. */
  async function markLog(): Promise<void> {
    marks += 1;
    const before = etherpad.log().length;
    await etherpad.api('POST', 'auth/login', { body: { login: `nobody${marks}`, password: 'x' } });
    await until('the line of the failed sign-in', () =>
      etherpad.log().slice(before).includes('sign-in refused'),
    );
  }

  /** The facts of the refusals that are logged during `work`. */
  async function refusalsDuring(work: () => Promise<unknown>): Promise<unknown[]> {
    await markLog();
    const before = etherpad.log().length;
    await work();
    await markLog();
    return etherpad
      .log()
      .slice(before)
      .split('\n')
      .flatMap((line) => /(?<!sign-in )refused (\{.*\})/.exec(line)?.[1] ?? [])
      .map((facts) => JSON.parse(facts) as unknown);
  }
  const address = '127.0.0.1';
  const denied = 'BACKEND.ERROR.AUTHENTICATION.DENIED_RECORD';

  it('of a page are logged once, with the person', async () => {
    const { cookie, id } = outsider;
    expect(await refusalsDuring(() => etherpad.get(`/p/${pad}`, { accept: page, cookie }))).to.deep.equal([
      { call: 'GET /p/:id', reason: denied, pad, by: id, address },
    ]);
    expect(await refusalsDuring(() => etherpad.get(`/p/${pad}/export/txt`))).to.deep.equal([
      { call: 'GET /p/:id', reason: 'BACKEND.ERROR.AUTHENTICATION.MUST_BE', pad, address },
    ]);
    expect(await refusalsDuring(() => etherpad.get(`/p/${pad}`, { cookie: owner.cookie }))).to.deep.equal([]);
  });

  it('of an editor connection are logged once, however often it asks', async () => {
    const client = await PadClient.connect(etherpad, outsider.cookie);
    const noted = await refusalsDuring(async () => {
      for (let tries = 0; tries < 3; tries++) expect(await client.join(pad)).to.equal('refused');
    });
    client.close();
    expect(noted).to.deep.equal([{ call: 'websocket', reason: denied, pad, by: outsider.id, address }]);
  });

  it('are logged for a wrong password, but not for a missing one', async () => {
    expect(await refusalsDuring(() => etherpad.get(`/p/${locked}`, { accept: page }))).to.deep.equal([]);
    const wrong = base64('not this one');
    const noted = await refusalsDuring(() => etherpad.get(`/p/${locked}?mypadspassword=${wrong}`));
    expect(noted).to.deep.equal([
      { call: 'GET /p/:id', reason: 'BACKEND.ERROR.PERMISSION.UNAUTHORIZED', pad: locked, address },
    ]);
    expect(etherpad.log()).not.to.contain('not this one');
  });

  it('do not happen at a link with the right password, however often it is used', async () => {
    const link = `/p/${locked}?mypadspassword=${base64('secret')}`;
    const { cookie } = await fixture.unlock(`pad/${locked}`, 'secret');
    for (let visits = 0; visits < 30; visits++) {
      for (const who of [cookie, owner.cookie]) {
        expect((await etherpad.get(link, { cookie: who, accept: page })).status).to.equal(302);
      }
    }
  });

  it('after too many attempts say when to try again, to people on a page', async () => {
    const guess = (tries: number, accept: string) =>
      etherpad.get(`/p/${locked}?mypadspassword=${base64(`wrong ${tries}`)}`, { accept });
    let answer = await guess(0, page);
    for (let tries = 1; answer.status === 302 && tries < 30; tries++) answer = await guess(tries, page);
    expect(answer.status).to.equal(429);
    expect(answer.headers.get('content-type')).to.match(/^text\/html/);
    expect(answer.body).to.contain('Wait a few minutes, then try again.');
    expect(answer.headers.get('content-security-policy')).to.contain("default-src 'none'");
    expect(answer.headers.get('x-content-type-options')).to.equal('nosniff');
    expect(answer.headers.get('cache-control')).to.equal('no-store');
    expect(Number(answer.headers.get('retry-after'))).to.be.within(1, 900);

    const program = await guess(99, 'application/json');
    const { error, retryAfter } = program.body as { error: string; retryAfter: number };
    expect([program.status, error]).to.deep.equal([429, 'BACKEND.ERROR.PERMISSION.TOO_MANY']);
    expect(retryAfter).to.be.within(1, 900);
    expect(program.headers.get('retry-after')).to.equal(String(retryAfter));
  });

  for (const path of ['/p/%zz', '/p/%E0%A4%A', '/P/%', '/ro/%zz', '/p/x%', '/p/x/%zz/export/txt']) {
    it(`of an invalid address say that it is not complete: ${path}`, async () => {
      const shown = await etherpad.get(path, { accept: page });
      expect(shown.status).to.equal(400);
      // With several processes, nginx answers this address itself.
      if (etherpad.severalProcesses) return;
      expect(shown.headers.get('content-type')).to.match(/^text\/html/);
      expect(shown.headers.get('content-security-policy')).to.contain("default-src 'none'");
      expect(shown.body).to.contain('This address is not complete.');
      const told = await etherpad.get(path);
      expect([told.status, told.body]).to.deep.equal([400, { error: 'BACKEND.ERROR.TYPE.ADDRESS' }]);
    });
  }
});
