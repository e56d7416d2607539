/** Many calls with passwords from one caller must not delay other people. */
import { expect } from 'chai';
import { useTestApp } from '../support/app';
import { encodePassword } from '../support/caller';
import { buildGroup, buildPad, buildUser } from '../support/factories';
import { inProcessOnly } from '../support/network';
import { usePerson } from '../support/people';
import { until } from '../support/waiting';

const attacker = '192.0.2.66';
const guesses = 40;

// In the process only: over the network, hashing is always cheap, so no queue would form.
inProcessOnly.describe('hundreds of passwords to be checked at once', () => {
  const app = useTestApp({ hashingRounds: 7, trustProxy: () => true });
  const { user } = usePerson(app, before);
  let group: string;
  let pad: string;
  let host: { url: string; close(): Promise<void> };

  before(async () => {
    host = await app.listen();
    const folder = await buildGroup(app, user, { visibility: 'private', password: 'secret' });
    group = folder._id;
    pad = (await buildPad(app, user, folder))._id;
  });
  after(async () => {
    await host.close();
  });

  const post = (path: string, body: object, from: string): Promise<Response> =>
    fetch(`${host.url}/mypads/api/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': from },
      body: JSON.stringify(body),
    });
  const signIn = (from: string): Promise<Response> =>
    post('auth/login', { login: user.login, password: user.password }, from);

  const floods: Record<string, () => Promise<Response>> = {
    'passwords of a folder': () => post(`group/${group}/unlock`, { password: 'a guess' }, attacker),
    'passwords in the address of a pad': () =>
      fetch(`${host.url}/p/${pad}?mypadspassword=${encodePassword('a guess')}`, {
        redirect: 'manual',
        headers: { 'X-Forwarded-For': attacker },
      }),
    'sign-ins': () => post('auth/login', { login: 'somebody', password: 'a guess' }, attacker),
  };

  for (const [what, guess] of Object.entries(floods)) {
    it(`(${what}) from one address do not hold up who signs in from another`, async () => {
      let answered = 0;
      const flood = Array.from({ length: guesses }, async () => {
        await guess();
        answered += 1;
      });
      await until('a password has been checked', () => answered > 0);
      const { status } = await signIn('192.0.2.1');
      const before = answered;
      await Promise.all(flood);
      expect(status).to.equal(200);
      expect(before, 'guesses that were answered before').to.be.below(guesses / 2);
    });
  }

  it('for folders do not hold up a sign-in, even from the same address', async () => {
    let answered = 0;
    const flood = Array.from({ length: guesses }, async () => {
      await floods['passwords of a folder']?.();
      answered += 1;
    });
    await until('a password has been checked', () => answered > 0);
    expect((await signIn(attacker)).status).to.equal(200);
    const before = answered;
    await Promise.all(flood);
    expect(before, 'guesses that were answered before').to.be.below(guesses / 2);
  });
});

inProcessOnly.describe('passwords that are guessed from twenty addresses', () => {
  const app = useTestApp({ hashingRounds: 8, trustProxy: () => true });

  it('are checked after those of people elsewhere, whatever the number of guesses that wait', async () => {
    const user = await buildUser(app);
    const signIn = (login: string, password: string, from: string) =>
      app.agent.post('/api/auth/login').set('X-Forwarded-For', from).send({ login, password });
    let answered = 0;
    const flood = Array.from({ length: 40 }, async (_, number) => {
      await signIn(`somebody ${number % 20}`, 'a guess', `198.51.100.${number % 20}`);
      answered += 1;
    });
    await until('half of the guesses wait', () => app.model.queues().passwordHashing >= 20);
    const before = answered;
    expect((await signIn(user.login, user.password, '192.0.2.1')).status).to.equal(200);
    expect(answered - before, 'guesses that were answered meanwhile').to.be.below(12);
    await Promise.all(flood);
  }).timeout(120_000);
});
